"""A turn of four actions on the real page of Superpion, and what the opponent sees of it."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.services.record import faults_of
from tests.games.multiplayer import play_on, some_turn
from tests.games.play import begin, fresh
from tests.journeys.conftest import PHONE
from tests.journeys.live_server import open_game

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

BEFORE = 36
"""Turns after which ann has a capture, and then a pawn to crown with one of two colours."""

TURN = ["g7xi9", "n8-p8=R", "f16xa11", "d10-d12"]
OTHER_CROWN = "n8-p8=B"


@pytest.fixture
def game(ann, bob):
    """Superpion for two, each with two colours; ann is to move."""
    options = {"variant": "two", "quiet_rounds": 50}
    game = begin(ann, bob, now=timezone.now(), slug="superpion", options=options)
    return play_on(game, BEFORE, now=timezone.now())


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desk", "phone"])
def test_four_actions_are_chosen_taken_back_crowned_and_sent(
    game, ann, bob, newcomer, live_server, screen
):
    table = open_game(newcomer, live_server, ann, game, **screen)
    opponent = open_game(newcomer, live_server, bob, game, **PHONE)
    assert opponent.play.count() == 0
    assert table.height("e1") > table.height("e15")
    assert opponent.height("e15") > opponent.height("e1")

    at_first = table.pieces()
    seen = [at_first]
    for number, action in enumerate(TURN, start=1):
        table.choose(OTHER_CROWN if number == 2 else action)
        seen.append(table.pieces())
        whole = number == len(TURN)
        expect(table.play).to_be_enabled(enabled=whole)
        goes_on = table.person.words("Your turn goes on: choose a square.")
        expect(table.says).to_contain_text("moves a pawn from d10" if whole else goes_on)
    assert seen[1] == at_first - {"g7", "h8"} | {"i9"}
    assert seen[2] == seen[1] - {"n8"} | {"p8"}
    assert "a11" in seen[3]
    assert "f16" not in seen[3]
    assert seen[4] == seen[3] - {"d10"} | {"d12"}

    for number in (3, 2, 1):
        table.take_back()
        assert table.pieces() == seen[number]
        expect(table.play).to_be_disabled()
    for action in TURN[1:]:
        table.choose(action)
    assert table.pieces() == seen[4]
    assert fresh(game).turn_number == BEFORE

    table.person.press("Play this turn")
    played = table.page.get_by_role("status")
    expect(played).to_contain_text(table.person.words("Your turn is played."))
    assert fresh(game).turns.get(number=BEFORE + 1).notation == ", ".join(TURN)
    assert faults_of(fresh(game)) == []
    expect(table.page.locator(".turn-list a").last).to_have_text(", ".join(TURN))
    assert table.person.sideways() <= 0

    opponent.person.is_to_move()
    assert opponent.pieces() == seen[4]
    expect(opponent.page.locator(".turn-list a").last).to_have_text(", ".join(TURN))
    assert opponent.person.sideways() <= 0


def test_the_opponent_answers_with_several_actions_on_a_phone(
    game, ann, bob, newcomer, live_server
):
    game = play_on(game, 1, now=timezone.now())
    answer = some_turn(game).split(", ")
    assert len(answer) > 2
    table = open_game(newcomer, live_server, bob, game, **PHONE)
    for action in answer:
        table.choose(action)
    expect(table.says).not_to_be_empty()
    table.person.press("Play this turn")
    expect(table.page.get_by_role("status")).to_contain_text("Votre coup est joué.")
    assert fresh(game).turns.last().notation == ", ".join(answer)
    table.page.get_by_text("Le plateau en texte", exact=True).click()
    expect(table.page.locator(".text-board")).to_be_visible()
    assert table.person.sideways() <= 0


@pytest.mark.parametrize("number", [1, 17, BEFORE])
def test_the_list_of_turns_begins_at_the_turn_that_is_shown(
    game, ann, newcomer, live_server, number
):
    table = open_game(newcomer, live_server, ann, game)
    if number != BEFORE:
        table.page.goto(f"{game.get_absolute_url()}turns/{number}/")
    expect(table.page.locator(".turn-list a")).to_have_count(BEFORE)
    assert table.shows_in_the_list(number)
    others = {1, 17, BEFORE} - {number}
    assert not any(map(table.shows_in_the_list, others))
    assert table.page.evaluate("scrollY") == 0
