"""What My games lists: filters, order, groups that fold, and snoozed turns at the end."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from games.queries import game_filter
from games.services.conduct.messages import say
from games.services.endings import resign
from games.services.offers import offer_pause
from tests.games.browsing import html_of, post
from tests.games.play import DAY, begin, fresh, play, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def now():
    """What pages take for the present."""
    return timezone.now()


@pytest.fixture
def games(ann, bob, cat, now):
    """Games of ann by deadline: three that wait for her, one for cat, a table, one that is over."""
    taquet = begin(ann, cat, now=now, slug="taquet", days=2)
    morpion = begin(ann, bob, now=now, days=7)
    superpion = begin(ann, cat, now=now, slug="super-morpion", days=14)
    theirs = play_first(begin(ann, cat, now=now, days=3), ann, now=now)
    over = begin(ann, bob, now=now, slug="taquet")
    resign(game_id=over.pk, user=ann, now=now)
    return [taquet, morpion, superpion, theirs, table(ann, now=now), over]


def play_first(game, user, *, now):
    play(game, user, "5", now=now)
    return fresh(game)


def listed(client, path="/"):
    """Return the numbers of the games that My games lists, in order."""
    html = html_of(client, path)
    return [
        int(pk) for pk in re.findall(r'<h3 class="game-row-title">\s*<a href="/games/(\d+)/', html)
    ]


def numbers(games, *places):
    return [games[place].pk for place in places]


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("game=taquet", (0, 5)),
        ("name=CAT", (0, 2, 3)),
        ("name=@bo", (1, 5)),
        ("name=nobody", ()),
        ("only=awaiting", (0, 1, 2)),
        ("only=awaiting&game=taquet&name=cat", (0,)),
        ("order=deadline", (0, 1, 2, 3, 4, 5)),
        ("order=game", (1, 2, 0, 3, 4, 5)),
        ("order=opponent", (1, 0, 2, 3, 4, 5)),
        ("game=chess&only=x&order=y", (0, 1, 2, 3, 4, 5)),
        ("game=%00&name=%00&only=awaiting", (0, 1, 2)),
    ],
)
def test_games_are_filtered_and_sorted(as_ann, games, query, places):
    assert listed(as_ann, f"/?{query}") == numbers(games, *places)


def test_only_what_has_little_time_or_news(as_ann, games, ann, bob, cat, now):
    assert listed(as_ann, "/?only=urgent") == listed(as_ann, "/?only=news") == []
    for game in (games[1], games[3]):  # only the first is ann's turn
        Game.objects.filter(pk=game.pk).update(deadline=now + timedelta(hours=5))
    assert listed(as_ann, "/?only=urgent") == numbers(games, 1)
    say(game_id=games[3].pk, user=cat, text="Hello", via="web", now=now)
    offer_pause(game_id=games[0].pk, user=cat, days=3, now=now)
    assert listed(as_ann, "/?only=news") == numbers(games, 0, 3)


def test_the_next_visit_begins_as_the_last_one_ended(as_ann, games):
    assert listed(as_ann, "/?game=taquet&order=game&name=cat") == numbers(games, 0)
    html = html_of(as_ann, "/")
    assert listed(as_ann) == numbers(games, 0, 5)  # a name is asked for once
    assert '<option value="taquet" selected>' in html
    assert '<option value="game" selected>' in html
    assert "2 of 6 games." in html
    assert listed(as_ann, "/?order=deadline") == listed(as_ann) == numbers(games, *range(6))


@pytest.mark.parametrize("kept", ["game=chess&order=x", "%00%ff", "=&=&&", "only=awaiting"])
def test_a_forged_cookie_is_like_an_address(as_ann, games, kept):
    as_ann.cookies["list"] = kept
    places = (0, 1, 2) if kept == "only=awaiting" else range(6)
    assert listed(as_ann) == numbers(games, *places)


def test_nothing_found_is_told(as_ann, games):
    html = html_of(as_ann, "/?name=nobody")
    assert "None of your games is like that." in html
    assert "Show all games" in html


def test_few_games_need_no_filter(as_ann, ann, bob, now):
    for count in range(6):
        assert ('class="game-filter"' in html_of(as_ann, "/")) == (count > 5)
        begin(ann, bob, now=now)
    assert 'class="game-filter"' in html_of(as_ann, "/")


def test_folded_groups_come_folded(as_ann, games):
    def groups():
        return re.findall(r'data-group="(\w+)"( open)?>', html_of(as_ann, "/"))

    every = ["awaiting", "waiting", "tables", "finished"]
    assert groups() == [(name, " open") for name in every]
    as_ann.cookies["pli-folded"] = "finished.waiting.x"
    assert groups() == [(name, " open" if name in ("awaiting", "tables") else "") for name in every]


def test_more_games_than_the_page_lists_are_told(as_ann, games, monkeypatch):
    monkeypatch.setattr(game_filter, "MOST_LISTED", 4)
    assert listed(as_ann) == numbers(games, 0, 1, 2, 3, 5)
    assert "1 more game is not listed" in html_of(as_ann, "/")
    monkeypatch.setattr(game_filter, "MOST_LISTED", 5)
    assert "not listed" not in html_of(as_ann, "/")


# Snoozed turns ------------------------------------------------------------------------------------


def test_a_snoozed_game_comes_last_and_is_woken(as_ann, games, ann, now):
    path = games[1].get_absolute_url()
    assert "Snooze</summary>" in html_of(as_ann, path)
    answer = post(as_ann, "game_snooze", games[1].pk, until="tomorrow")
    assert answer["Location"] == f"/next/?after={games[1].pk}"
    html = html_of(as_ann, "/")
    assert "Snoozed until tomorrow, 09:00" in html
    assert re.search(r"2\s+\(\+1 later\)", html)
    assert '<span class="nav-count">2</span>' in html
    assert listed(as_ann) == numbers(games, 0, 2, 1, 3, 4, 5)
    assert "Skip (1)" in html_of(as_ann, games[0].get_absolute_url())
    there = html_of(as_ann, path)
    assert "Skip (2)" in there
    assert re.search(r"Snoozed until tomorrow, 09:00\s+</span>", there)
    assert post(as_ann, "game_wake", games[1].pk)["Location"] == path
    assert listed(as_ann) == numbers(games, *range(6))
    assert post(as_ann, "game_wake", games[1].pk, **{"from": "home"})["Location"] == "/"


def led_on(client, after=""):
    answer = client.get(reverse("next_game"), {"after": after}, follow=True)
    told = [str(one) for one in answer.context.get("messages", ())]
    return answer.redirect_chain[0][0], told


def test_the_next_game_is_none_that_is_snoozed(as_ann, games):
    taquet, morpion, superpion = games[:3]
    post(as_ann, "game_snooze", morpion.pk, until="tomorrow")
    as_ann.get("/")  # shows the message
    for after in (taquet, morpion):
        assert led_on(as_ann, after.pk) == (superpion.get_absolute_url(), [])
    post(as_ann, "game_snooze", superpion.pk, until="tomorrow")
    as_ann.get("/")
    assert led_on(as_ann, taquet.pk) == ("/", ["No other game is waiting for you."])
    post(as_ann, "game_snooze", taquet.pk, until="tomorrow")
    as_ann.get("/")
    said = "No other game is waiting for you. Those that you snoozed come later."
    assert led_on(as_ann, taquet.pk) == ("/", [said])


@pytest.mark.parametrize("until", ["", "x", "never"])
def test_a_snooze_of_another_length_is_refused(as_ann, games, until):
    answer = post(as_ann, "game_snooze", games[0].pk, until=until)
    assert answer.status_code == 422
    assert "until later today or until tomorrow" in answer.content.decode()
    assert not games[0].seats.filter(snoozed_until__isnull=False).exists()


def test_little_time_offers_no_snooze(as_ann, games, ann, now):
    Game.objects.filter(pk=games[0].pk).update(deadline=now + DAY - timedelta(seconds=1))
    assert 'class="snooze"' not in html_of(as_ann, games[0].get_absolute_url())
    assert 'class="snooze"' not in html_of(as_ann, games[3].get_absolute_url())
    assert 'class="snooze"' not in html_of(Client(), games[1].get_absolute_url())
    assert 'class="snooze"' in html_of(as_ann, games[1].get_absolute_url())
