"""Points beside the players, and the board that a reader turns by hand."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from games.services.turns import finish_game
from tests.games.browsing import html_of
from tests.games.multiplayer import gather, play_on
from tests.games.play import begin, fresh, play

pytestmark = pytest.mark.django_db


def squares(html):
    """Return the squares of the board on a page, in reading order."""
    board = html.partition("data-board-svg")[2].partition("</svg>")[0]
    return re.findall(r'data-square="([^"]+)"', board)


def points(html):
    players = html.partition('id="game-players"')[2].partition("</ul>")[0]
    return re.findall(r"(\d+ points?)\s", players)


# Points ------------------------------------------------------------------------------------------


def test_points_are_shown_as_they_stand(as_ann, people):
    game = play_on(gather(people, now=timezone.now()), 2, now=timezone.now())
    found = points(html_of(as_ann, game.get_absolute_url()))
    standing = game.rules.points(game.rules.load(game.position))
    assert found == [f"{count} points" for count in standing]


def test_partners_have_the_points_of_both_besides(as_ann, people):
    game = gather(people, now=timezone.now(), variant="teams")
    first, second, third, fourth = game.rules.points(game.rules.load(game.position))
    html = html_of(as_ann, game.get_absolute_url())
    assert re.findall(r"together (\d+)", html) == [
        str(first + third),
        str(second + fourth),
        str(first + third),
        str(second + fourth),
    ]


def test_a_game_without_points_shows_none(as_ann, game):
    assert points(html_of(as_ann, game.get_absolute_url())) == []


def test_after_the_end_the_points_are_those_of_the_result(as_ann, ann, bob):
    game = begin(ann, bob, now=timezone.now(), slug="super-morpion")
    assert points(html_of(as_ann, game.get_absolute_url())) == ["0 points", "0 points"]
    outcome = game.rules.agreed_end(game.rules.load(game.position))
    finish_game(fresh(game), "agreed", outcome=outcome, now=timezone.now(), actor=None)
    game.seats.filter(number=0).update(points=3)
    assert points(html_of(as_ann, game.get_absolute_url())) == ["3 points", "0 points"]


# Turning the board -------------------------------------------------------------------------------


def test_a_board_for_two_is_shown_from_the_other_side(as_ann, game):
    page = game.get_absolute_url()
    html = html_of(as_ann, page)
    assert squares(html) == list("123456789")
    assert f'href="{page}?side=1"' in html
    html = html_of(as_ann, f"{page}?side=1")
    assert squares(html) == list("987654321")
    assert f'href="{page}?side=0"' in html


def test_a_board_for_four_is_shown_from_each_side(as_ann, people):
    game = gather(people, now=timezone.now())
    page = game.get_absolute_url()
    seen = [squares(html_of(as_ann, f"{page}?side={side}")) for side in range(4)]
    assert len({tuple(one) for one in seen}) == 4
    assert seen[2] == seen[0][::-1]
    assert seen[3] == seen[1][::-1]
    # The first player to the left of the board sits at the bottom of it next.
    assert seen[1][-1] != seen[0][-1]


def test_the_browser_remembers_it_for_this_game(as_ann, ann, bob, game):
    other = begin(ann, bob, now=timezone.now())
    html_of(as_ann, f"{game.get_absolute_url()}?side=1")
    assert squares(html_of(as_ann, game.get_absolute_url()))[0] == "9"
    assert squares(html_of(as_ann, other.get_absolute_url()))[0] == "1"
    html_of(as_ann, f"{game.get_absolute_url()}?side=0")
    assert squares(html_of(as_ann, game.get_absolute_url()))[0] == "1"
    assert as_ann.cookies["board_sides"].value == ""


def test_it_holds_for_a_preview_news_and_earlier_positions(as_ann, ann, bob, game):
    page = game.get_absolute_url()
    html_of(as_ann, f"{page}?side=1")
    drawn = as_ann.get(f"{page}preview/?turn=5&expected_turn=0").json()["svg"]
    assert re.findall(r'data-square="([^"]+)"', drawn)[0] == "9"
    sent = {"text": "5", "expected_turn": 0, "step": "preview"}
    assert squares(as_ann.post(f"{page}play/", sent).content.decode())[0] == "9"
    play(game, ann, "5", now=timezone.now())
    play(game, bob, "1", now=timezone.now())
    assert squares(as_ann.get(f"{page}news/?shows=").content.decode())[0] == "9"
    html = html_of(as_ann, f"{page}turns/1/")
    assert squares(html)[0] == "9"
    assert f'href="{page}turns/1/?side=0"' in html


def test_a_stranger_turns_it_too(game):
    assert squares(html_of(Client(), f"{game.get_absolute_url()}?side=1"))[0] == "9"


@pytest.mark.parametrize("side", ["", "4", "-1", "x", "1" * 500, "²"])
def test_what_is_no_side_turns_nothing(as_ann, game, side):
    assert squares(html_of(as_ann, f"{game.get_absolute_url()}?side={side}"))[0] == "1"


@pytest.mark.parametrize("kept", ["", ".", "x-1", "1-9", "-", "1-1-1", "9" * 5000])
def test_a_cookie_that_is_not_ours_turns_nothing(as_ann, game, kept):
    as_ann.cookies["board_sides"] = kept
    assert squares(html_of(as_ann, game.get_absolute_url()))[0] == "1"


def test_the_cookie_does_not_grow_for_ever(as_ann, game):
    as_ann.cookies["board_sides"] = ".".join(f"{number}-1" for number in range(1000, 1060))
    html_of(as_ann, f"{game.get_absolute_url()}?side=1")
    kept = as_ann.cookies["board_sides"].value.split(".")
    assert (len(kept), kept[-1]) == (50, f"{game.pk}-1")
