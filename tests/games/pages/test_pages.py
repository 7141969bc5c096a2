"""The pages of players: home, lobby, tables, the game."""

import json
import re
from datetime import UTC, datetime
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from games.rules.registry import all_rules
from games.services.conduct.messages import say
from games.services.endings import resign
from games.services.invitations import ask_rematch, challenge, invite
from games.services.offers import offer_end
from tests.games.browsing import html_of
from tests.games.play import DAY, begin, fresh, play, play_all, table

pytestmark = pytest.mark.django_db
GOOD = {"game": "morpion", "whom": "anybody", "name": "", "creator_seat": "0", "days": "3"}


def games_in(html):
    """Return the games that a page links to, in order, each once."""
    return list(dict.fromkeys(int(pk) for pk in re.findall(r'href="/games/(\d+)/"', html)))


# Home ------------------------------------------------------------------------------------------


def test_home_lists_what_awaits_me_by_deadline_then_the_rest(as_ann, ann, bob):
    now = timezone.now()
    later = begin(ann, bob, now=now, days=5)
    sooner = begin(ann, bob, now=now, days=1)
    soonest_of_bob = begin(bob, ann, now=now - 0.5 * DAY, days=1)
    waiting = table(ann, now=now)
    over = resign(game_id=begin(ann, bob, now=now).pk, user=bob, now=now)
    assert games_in(html_of(as_ann, "/")) == [
        sooner.pk,
        later.pk,
        soonest_of_bob.pk,
        waiting.pk,
        over.pk,
    ]


def test_home_shows_who_challenges_me_by_name_and_by_address(client, ann, cat):
    client.force_login(cat)
    now = timezone.now()
    by_name, by_address = table(ann, now=now, is_public=False), table(ann, now=now)
    challenge(game_id=by_name.pk, by=ann, user=cat, now=now)
    invite(game_id=by_address.pk, by=ann, email="cat@example.org", now=now)
    html = html_of(client, "/")
    assert games_in(html) == [by_name.pk, by_address.pk]
    assert html.count('value="accept"') == 2


def test_home_of_nobody_says_what_this_place_is(client, ann):
    waiting = table(ann, now=timezone.now())
    hidden = table(ann, now=timezone.now(), is_public=False)
    html = html_of(client, "/")
    assert reverse("account_signup") in html
    assert games_in(html) in ([waiting.pk], [])
    assert hidden.get_absolute_url() not in html


def test_home_of_somebody_who_plays_nothing_shows_where_to_begin(as_ann, ann, bob):
    assert "Your first game" in html_of(as_ann, "/")
    resign(game_id=begin(ann, bob, now=timezone.now()).pk, user=bob, now=timezone.now())
    assert "Your first game" not in html_of(as_ann, "/")
    assert "No game is waiting for you." in html_of(as_ann, "/")


def test_the_page_of_rules_shows_every_game(client):
    shown = re.findall(r'href="(/rules/[\w-]+/)"', html_of(client, reverse("rules_index")))
    assert shown == [reverse("rules_page", args=[rules.slug]) for rules in all_rules()]


def test_a_page_travels_compressed(client):
    whole = len(client.get("/rules/taquet/").content)
    answer = client.get("/rules/taquet/", headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert 4 * len(answer.content) < whole


def test_who_comes_to_an_address_that_takes_only_forms_reads_a_page(as_ann, game):
    answer = as_ann.get(reverse("game_resign", args=[game.pk]))
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "This page cannot be opened directly" in answer.text
    assert f'href="{game.get_absolute_url()}"' in answer.text
    assert fresh(game).status == Game.Status.ACTIVE


# The lobby -------------------------------------------------------------------------------------


def test_the_lobby_shows_public_tables_with_a_free_seat_newest_first(client, ann, bob, cat):
    now = timezone.now()
    client.force_login(cat)
    old, new = table(ann, now=now - DAY), table(bob, now=now)
    table(ann, now=now, is_public=False)
    table(cat, now=now)
    kept = table(ann, now=now)
    challenge(game_id=kept.pk, by=ann, user=bob, now=now)
    begin(ann, bob, now=now)
    assert games_in(html_of(client, reverse("lobby"))) == [new.pk, old.pk]


def test_sitting_down_leads_to_the_game(client, ann, cat):
    client.force_login(cat)
    waiting = table(ann, now=timezone.now())
    response = client.post(reverse("table_join", args=[waiting.pk]))
    assert response["Location"] == waiting.get_absolute_url()
    assert fresh(waiting).status == "active"


# New tables ------------------------------------------------------------------------------------


def test_first_one_chooses_the_game_then_everything_else(as_ann):
    html = html_of(as_ann, reverse("new_table"))
    for slug in ("morpion", "super-morpion", "taquet"):
        assert f"{reverse('new_table')}?game={slug}" in unescape(html)
    form = html_of(as_ann, reverse("new_table") + "?game=taquet")
    for name in ("whom", "name", "creator_seat", "days", "is_public"):
        assert f'name="{name}"' in form


@pytest.mark.parametrize("days", [1, 2, 3, 5, 7, 14])
def test_every_pace_of_the_form_can_be_had(as_ann, days):
    as_ann.post(reverse("new_table"), GOOD | {"days": str(days)})
    assert Game.objects.get().allowance == days * DAY


def test_a_table_with_a_challenge_is_private_unless_watching_is_allowed(as_ann, bob):
    data = GOOD | {"whom": "player", "name": "bob", "creator_seat": ""}
    as_ann.post(reverse("new_table"), data)
    made = Game.objects.get()
    assert (made.is_public, made.creator_seat) == (False, None)
    as_ann.post(reverse("new_table"), data | {"is_public": "on"})
    assert Game.objects.latest("pk").is_public


def test_a_link_from_somebodys_profile_fills_the_form(as_ann, bob):
    html = html_of(as_ann, reverse("new_table") + "?game=morpion&whom=player&name=bob")
    assert 'value="bob"' in html
    assert f'href="{reverse("new_table")}?whom=player&amp;name=bob">Another game</a>' in html


def test_the_refusal_stands_in_the_form_with_what_was_typed(as_ann):
    response = as_ann.post(reverse("new_table"), GOOD | {"whom": "player", "name": "nobody-here"})
    html = response.content.decode()
    assert "No player is called" in html
    assert 'value="nobody-here"' in html


# The game --------------------------------------------------------------------------------------


def test_the_player_to_move_finds_a_form_and_the_legal_actions_as_data(as_ann, game):
    html = html_of(as_ann, game.get_absolute_url())
    assert "data-board-form" in html
    data = json.loads(re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", html, re.S)[1])
    assert [action["text"] for action in data["actions"]] == list("123456789")
    assert data["actions"][4]["squares"] == ["5"]
    assert data["hidden"] is False


@pytest.mark.parametrize("who", ["nobody", "bob", "cat"])
def test_nobody_else_finds_a_form(client, game, bob, cat, who):
    if who != "nobody":
        client.force_login({"bob": bob, "cat": cat}[who])
    html = html_of(client, game.get_absolute_url())
    assert "data-board-form" not in html
    assert "application/json" not in html


def test_the_board_is_there_as_a_drawing_and_as_text(as_ann, game):
    play_all(game, ["5", "1"], now=timezone.now())
    html = html_of(as_ann, game.get_absolute_url())
    assert '<svg xmlns="http://www.w3.org/2000/svg" class="board"' in html
    assert '<pre class="text-board"' in html


def test_every_turn_is_listed_and_can_be_looked_at(client, game):
    play_all(game, ["5", "1", "9"], now=timezone.now())
    html = html_of(client, game.get_absolute_url())
    for number in range(4):
        path = reverse("game_turn", args=[game.pk, number])
        assert path in html
        page = client.get(path)
        assert page.context["shown"] == number
        assert len(page.context["board"].pieces) == number
    html_of(client, reverse("game_turn", args=[game.pk, 4]), status=404)


def test_looking_back_shows_no_form_even_to_who_is_to_move(as_ann, game):
    play_all(game, ["5", "1"], now=timezone.now())
    html = html_of(as_ann, reverse("game_turn", args=[game.pk, 1]))
    assert "data-board-form" not in html
    assert game.get_absolute_url() in html


def test_a_finished_game_shows_its_result_and_offers_a_rematch(as_ann, game):
    play_all(game, ["1", "4", "2", "5", "3"], now=timezone.now())
    html = html_of(as_ann, game.get_absolute_url())
    assert "You won." in html
    assert "Three in a line." in html
    assert reverse("game_rematch", args=[game.pk]) in html
    assert "You can ask for a rematch once." in html


def test_the_rematch_is_linked_from_the_game(as_ann, game, ann, bob):
    now = timezone.now()
    resign(game_id=game.pk, user=ann, now=now)
    rematch = ask_rematch(game_id=game.pk, user=ann, now=now)
    assert rematch.get_absolute_url() in html_of(as_ann, game.get_absolute_url())
    assert fresh(game).rematch == rematch


def test_an_offer_is_shown_to_who_must_answer_and_to_who_made_it(client, game, ann, bob, cat):
    offer_end(game_id=game.pk, user=ann, now=timezone.now())
    answers = {}
    for person in (ann, bob, cat):
        client.force_login(person)
        html = html_of(client, game.get_absolute_url())
        answers[person.username] = re.findall(r'name="answer"\s+value="(\w+)"', html)
    assert answers == {"ann": ["withdraw"], "bob": ["accept", "decline"], "cat": []}


@pytest.mark.parametrize(("turns", "can"), [([], True), (["5"], True), (["5", "1"], False)])
def test_aborting_is_offered_while_somebody_has_not_played(as_ann, game, turns, can):
    play_all(game, turns, now=timezone.now())
    html = html_of(as_ann, game.get_absolute_url())
    assert (reverse("game_abort", args=[game.pk]) in html) == can
    assert ("you can abort at most 5 games in 30 days" in html) == can


def test_the_page_says_how_often_an_offer_can_be_made(as_ann, game, ann):
    said = "You can make each kind of offer once, and again after the next turn."
    assert said in html_of(as_ann, game.get_absolute_url())
    resign(game_id=game.pk, user=ann, now=timezone.now())
    assert said not in html_of(as_ann, game.get_absolute_url())


def test_news_come_only_when_the_game_has_moved_on(client, game, ann):
    page = html_of(client, game.get_absolute_url())
    path = unescape(re.search(r'data-news-url="([^"]+)"', page)[1])
    assert client.get(path).status_code == 204
    play(game, ann, "5", now=timezone.now())
    news = html_of(client, path)
    ids = re.findall(r'id="([\w-]+)"[^>]*hx-swap-oob', news)
    assert set(ids) >= {"game-state", "game-players", "game-play", "game-record", "game-about"}
    assert set(ids) <= set(re.findall(r'id="([\w-]+)"', page))
    assert "It is bob’s turn." in news


def news_address(html):
    return unescape(re.search(r'data-news-url="([^"]+)"', html)[1])


def test_after_news_of_a_message_a_page_is_up_to_date_again(as_ann, game, bob):
    path = news_address(html_of(as_ann, game.get_absolute_url()))
    message = say(game_id=game.pk, user=bob, text="Hello", via="web", now=timezone.now())
    news = html_of(as_ann, f"{path}&said=0")
    assert "Hello" in news
    assert as_ann.get(f"{news_address(news)}&said={message.pk}").status_code == 204


def test_a_preview_changes_the_board_of_an_open_page_alone(as_ann, game):
    sent = {"text": "5", "expected_turn": 0, "step": "preview"}
    play_url = reverse("game_play", args=[game.pk])
    answer = as_ann.post(play_url, sent, headers={"HX-Request": "true"}).content.decode()
    ids = re.findall(r'id="([\w-]+)"[^>]*hx-swap-oob', answer)
    assert set(ids) == {"awaiting-count", "game-play"}
    assert "This is the board after your turn, which plays in the centre." in answer
    assert fresh(game).turn_number == 0


def test_news_leave_the_board_on_which_a_turn_was_begun(as_ann, game, ann, bob):
    page = html_of(as_ann, game.get_absolute_url())
    path = unescape(re.search(r'data-news-url="([^"]+)"', page)[1])
    offer_end(game_id=game.pk, user=bob, now=timezone.now())
    news = html_of(as_ann, path)
    assert "bob offers to end the game by agreement." in news
    assert 'id="game-play"' not in news


def test_a_table_with_the_practice_partner_is_a_game_at_once(as_ann, partner):
    form = {"game": "morpion", "whom": "partner", "name": "", "creator_seat": "0", "days": "3"}
    page = as_ann.post(reverse("new_table"), form, follow=True)
    assert page.status_code == 200
    html = page.content.decode()
    assert "It is your turn." in html
    assert "data-board-confirm" in html


def test_pages_of_games_are_never_kept_by_the_browser(as_ann, game):
    assert "no-store" in as_ann.get(game.get_absolute_url())["Cache-Control"]


def test_deadlines_stand_in_the_readers_zone(client, game, ann):
    ann.time_zone = "Asia/Kathmandu"
    ann.save()
    client.force_login(ann)
    Game.objects.filter(pk=game.pk).update(deadline=datetime(2031, 3, 10, 18, 30, tzinfo=UTC))
    html = html_of(client, game.get_absolute_url())
    assert re.search(r"11 March 2031|March 11, 2031", html)
    assert re.search(r"12:15\sa\.?m|0?0:15", html)


# The way to the browser ------------------------------------------------------------------------


def test_a_page_with_boards_is_sent_small(as_ann, game):
    whole = as_ann.get("/")
    packed = as_ann.get("/", headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert len(packed.content) < len(whole.content) / 2


def test_a_page_to_look_at_answers_head_and_takes_nothing(as_ann, ann, game):
    looked_at = [
        "/",
        reverse("lobby"),
        game.get_absolute_url(),
        reverse("game_turn", args=[game.pk, 0]),
        ann.get_absolute_url(),
        reverse("your_time"),
        reverse("your_conduct"),
        reverse("outages"),
        reverse("time_help"),
        reverse("rules_index"),
        reverse("rules_page", args=["morpion"]),
    ]
    assert {as_ann.head(path).status_code for path in looked_at} == {200}
    assert {as_ann.post(path).status_code for path in looked_at} == {405}
