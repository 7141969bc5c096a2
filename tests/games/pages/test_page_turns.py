"""Playing on a game's page without scripts, the preview, and how much a page asks the database."""

import json
import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Message
from games.rules.base import Rules
from games.rules.morpion.rules import Morpion
from games.services.conduct.blocks import block
from games.services.conduct.messages import say
from games.services.conduct.reports import report_game, report_person
from games.services.endings import resign
from games.services.invitations import challenge, invite
from games.services.offers import offer_end, offer_pause
from tests.factories import PersonFactory
from tests.games.browsing import html_of
from tests.games.play import begin, database, fresh, play, play_all, table

pytestmark = pytest.mark.django_db


# Without scripts -------------------------------------------------------------------------------


def forms_of(html, action):
    """Return the fields of the form that sends to `action`, as a browser would send them."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', html, re.S)[1]
    fields = {}
    for tag in re.findall(r"<input[^>]*>", form):
        given = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        fields[given["name"]] = unescape(given.get("value", ""))
    return fields, re.findall(r'<option value="([^"]*)"', form)


def test_a_turn_is_typed_looked_at_and_played_without_scripts(as_ann, game):
    action = reverse("game_play", args=[game.pk])
    fields, _ = forms_of(html_of(as_ann, game.get_absolute_url()), action)
    before = database()
    looked = as_ann.post(action, fields | {"text": " 5 ", "step": "preview"})
    assert looked.status_code == 200
    assert database() == before
    html = looked.content.decode()
    assert "This is the board after your turn" in html
    assert html.count('<pre class="text-board"') == 1
    fields, _ = forms_of(html, action)
    assert (fields["text"], fields["expected_turn"]) == ("5", "0")
    played = as_ann.post(action, fields, follow=True)
    assert played.redirect_chain == [(game.get_absolute_url(), 302)]
    assert "Your turn is played." in played.content.decode()
    assert fresh(game).position == "....X...."


def test_a_turn_is_chosen_from_the_list_without_scripts(as_ann, game):
    action = reverse("game_play", args=[game.pk])
    fields, choices = forms_of(html_of(as_ann, game.get_absolute_url()), action)
    assert choices == ["", *"123456789"]
    as_ann.post(action, fields | {"choice": "9"})
    assert game.turns.get().notation == "9"


def test_what_was_typed_counts_more_than_what_was_chosen(as_ann, game):
    data = {"text": "1", "choice": "9", "expected_turn": "0"}
    as_ann.post(reverse("game_play", args=[game.pk]), data)
    assert game.turns.get().notation == "1"


def test_several_actions_are_chosen_from_the_list_one_by_one_without_scripts(as_ann, ann, bob):
    two = {"variant": "two"}
    game = begin(ann, bob, now=timezone.now(), slug="superpion", options=two)
    action, turn = reverse("game_play", args=[game.pk]), ["e3-e5", "m3-m5", "b12-d12", "b8-d8"]
    html = html_of(as_ann, game.get_absolute_url())
    for number in range(1, 5):
        fields, choices = forms_of(html, action)
        chosen = ", ".join(turn[:number])
        assert chosen in choices
        sent = fields | {"choice": chosen, "step": "preview"}
        html = as_ann.post(action, sent).content.decode()
        assert ("after the beginning of your turn" in html) == (number < 4)
        assert html.partition('<pre class="text-board"')[2].count("[b]") == min(number, 2)
        assert forms_of(html, action)[0]["text"] == chosen
    as_ann.post(action, forms_of(html, action)[0])
    assert game.turns.get().notation == ", ".join(turn)


# The preview -----------------------------------------------------------------------------------


def ask(client, game, **query):
    response = client.get(reverse("game_preview", args=[game.pk]), query)
    return response.status_code, response.json()


def test_the_preview_shows_the_board_after_the_turn_and_changes_nothing(as_ann, game):
    before = database()
    status, answer = ask(as_ann, game, turn="5", expected_turn=0)
    assert status == 200
    assert answer["svg"].startswith("<svg")
    assert (answer["notation"], answer["complete"], answer["actions"]) == ("5", True, [])
    assert answer["words"] == "plays the centre" or answer["words"].startswith("plays")
    assert database() == before


def test_a_square_asks_for_what_begins_there(as_ann, ann, bob):
    taquet = play_all(
        begin(ann, bob, now=timezone.now(), slug="taquet"), ["a3", "c3"], now=timezone.now()
    )
    status, answer = ask(as_ann, taquet, square="a3", expected_turn=2)
    assert status == 200
    assert {action["text"] for action in answer["actions"]} == {"a3-a2", "a3-b3"}
    assert ask(as_ann, taquet, square="zz", expected_turn=2) == (200, {"actions": []})


def test_a_game_that_hides_what_is_legal_shows_it_nowhere_but_from_a_square(
    as_ann, game, monkeypatch
):
    monkeypatch.setattr(Morpion, "hides_legal_actions", lambda self, position: True)
    html = html_of(as_ann, game.get_absolute_url())
    data = json.loads(re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", html, re.S)[1])
    assert data == {"actions": [], "hidden": True}
    assert "<select" not in html.partition("data-board-form")[2].partition("</form>")[0]
    _, answer = ask(as_ann, game, square="5", expected_turn=0)
    assert [action["text"] for action in answer["actions"]] == ["5"]
    refused = as_ann.post(
        reverse("game_play", args=[game.pk]), {"text": "zzz", "expected_turn": "0"}
    )
    assert refused.status_code == 422
    assert "Possible here:" not in refused.content.decode()


# Queries ---------------------------------------------------------------------------------------


def queries_of(client, path):
    client.get(path)  # whatever is read once and kept
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


@pytest.fixture(autouse=True)
def asks_without_limit(settings):
    settings.MAILED_INVITATIONS_A_DAY = settings.INVITATIONS_TO_AN_ADDRESS = 100
    settings.ASKS_A_DAY = 1000


def fill(ann, bob, cat, games):
    """Fill everybody's lists with `games` of each kind."""
    now = timezone.now()
    for _ in range(games):
        play(begin(ann, bob, now=now), ann, "5", now=now)
        begin(ann, cat, now=now, slug="taquet")
        begin(bob, ann, now=now, slug="super-morpion")
        resign(game_id=begin(ann, bob, now=now).pk, user=bob, now=now)
        table(ann, now=now)
        table(bob, now=now)
        asked = table(cat, now=now, is_public=False)
        challenge(game_id=asked.pk, by=cat, user=ann, now=now)
        asked = table(bob, now=now)
        invite(game_id=asked.pk, by=bob, email="ann@example.org", now=now)


@pytest.mark.parametrize("signed_in", [True, False])
def test_a_longer_list_asks_no_more_questions(client, ann, bob, cat, signed_in):
    if signed_in:
        client.force_login(ann)
    paths = ["/", "/tables/", "/people/ann/", "/people/bob/"]
    fill(ann, bob, cat, 2)
    few = {path: queries_of(client, path) for path in paths}
    fill(ann, bob, cat, 10)
    assert {path: queries_of(client, path) for path in paths} == few


def test_the_page_of_a_game_asks_as_much_after_two_turns_as_after_twelve(as_ann, ann, bob):
    now = timezone.now()
    turns = ["11", "12", "22", "23", "33", "31", "14", "41", "15", "51", "16", "61"]
    short = play_all(begin(ann, bob, now=now, slug="super-morpion"), turns[:2], now=now)
    long = play_all(begin(ann, bob, now=now, slug="super-morpion"), turns, now=now)
    few = queries_of(as_ann, short.get_absolute_url())
    assert queries_of(as_ann, long.get_absolute_url()) == few
    back = [reverse("game_turn", args=[game.pk, 2]) for game in (short, long)]
    assert queries_of(as_ann, back[0]) == queries_of(as_ann, back[1])


def test_the_page_of_a_game_does_not_care_how_many_others_there_are(as_ann, ann, bob, cat, game):
    few = queries_of(as_ann, game.get_absolute_url())
    fill(ann, bob, cat, 6)
    assert queries_of(as_ann, game.get_absolute_url()) == few


def test_the_page_of_a_table_asks_as_much_for_one_invitation_as_for_five(as_ann, ann, monkeypatch):
    monkeypatch.setattr(Morpion, "seats", lambda self, options: 9)
    monkeypatch.setattr(Morpion, "seat_name", Rules.seat_name)
    now = timezone.now()
    waiting = table(ann, now=now)
    counts = set()
    for number in range(5):
        invite(game_id=waiting.pk, by=ann, email=f"zoe{number}@example.org", now=now)
        counts.add(queries_of(as_ann, waiting.get_absolute_url()))
    assert len(counts) == 1


def test_what_was_said_and_offered_at_a_game_costs_no_more_the_more_it_is(as_ann, ann, bob, game):
    now = timezone.now()

    def talk(count):
        for number in range(count):
            said = {"user": (ann, bob)[number % 2], "text": f"word {number}"}
            say(game_id=game.pk, via=Message.Via.WEB, now=now, **said)

    talk(2)
    offer_end(game_id=game.pk, user=bob, now=now)
    few = queries_of(as_ann, game.get_absolute_url())
    talk(12)
    offer_pause(game_id=game.pk, user=bob, days=3, now=now)
    assert queries_of(as_ann, game.get_absolute_url()) == few


def test_the_page_of_blocks_and_reports_asks_as_much_for_two_as_for_eight(as_ann, ann, settings):
    settings.REPORTS_A_DAY = 100
    now = timezone.now()

    def meet(count):
        for person in PersonFactory.create_batch(count):
            block(by=ann, of=person, now=now)
            said = {"reporter": ann, "reason": "other", "text": "x", "now": now}
            report_person(person=person, **said)
            report_game(game_id=begin(person, ann, now=now).pk, **said)

    meet(2)
    few = queries_of(as_ann, reverse("your_conduct"))
    meet(6)
    assert queries_of(as_ann, reverse("your_conduct")) == few
