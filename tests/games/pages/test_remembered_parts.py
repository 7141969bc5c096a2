"""Parts of pages that a process remembers: each reader gets the newest, in their language."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.clock.time_control import per_turn
from games.services.conduct.messages import say
from games.services.offers import accept_offer, offer_pace
from tests.games.browsing import html_of
from tests.games.play import play

pytestmark = pytest.mark.django_db


@pytest.fixture
def stranger():
    return Client()


def test_the_list_of_turns_has_the_newest_turn(as_ann, ann, game):
    path = game.get_absolute_url()
    assert "Nothing has been played yet." in html_of(as_ann, path)
    play(game, ann, "5", now=timezone.now())
    html = html_of(as_ann, path)
    assert "Nothing has been played yet." not in html
    assert f'href="{path}turns/1/"' in html


def test_the_list_of_turns_marks_the_turn_that_the_page_shows(as_ann, ann, bob, game):
    play(game, ann, "5", now=timezone.now())
    play(game, bob, "1", now=timezone.now())
    for number in (1, 2):
        html = html_of(as_ann, f"{game.get_absolute_url()}turns/{number}/")
        assert html.count('aria-current="true"') == 1
        assert f'turns/{number}/" aria-current="true"' in html


def test_the_list_of_turns_shows_a_message_to_players_only(as_ann, stranger, ann, bob, game):
    play(game, ann, "5", now=timezone.now())
    say(game_id=game.pk, user=bob, text="Hello", via="web", now=timezone.now())
    assert "1 message after turn 1" in html_of(as_ann, game.get_absolute_url())
    assert "1 message after turn 1" not in html_of(stranger, game.get_absolute_url())


def test_the_facts_have_the_pace_that_was_agreed_last(as_ann, ann, bob, game):
    agreed = "<dd>14 days for each turn</dd>"
    assert agreed not in html_of(as_ann, game.get_absolute_url())
    now = timezone.now()
    pace = per_turn(timedelta(days=14))
    offer_pace(game_id=game.pk, user=ann, pace=pace, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now)
    assert agreed in html_of(as_ann, game.get_absolute_url())


def test_the_navigation_marks_the_page_that_is_shown(stranger):
    lobby, rules = html_of(stranger, "/tables/"), html_of(stranger, "/rules/")
    assert 'href="/tables/" aria-current="page"' in lobby
    assert 'href="/tables/" aria-current="page"' not in rules
    assert 'href="/rules/" aria-current="page"' in rules


def test_the_navigation_is_that_of_the_reader(stranger, as_ann):
    assert "My games" in html_of(as_ann, "/tables/")
    assert "My games" not in html_of(stranger, "/tables/")


def test_every_part_is_in_the_readers_language(as_ann, stranger, ann, game):
    play(game, ann, "5", now=timezone.now())
    path = game.get_absolute_url()
    english = html_of(as_ann, path)
    french = stranger.get(path, headers={"Accept-Language": "fr"}).content.decode()
    for words in ("Who may watch", "One turn back", "Rules</a>", "Outages", "As the device"):
        assert words in english
        assert words not in french
