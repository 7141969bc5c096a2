"""Morpiae without hints on its real page: the player finds the lines, the page knows them."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.rules.morpiae.sheet import PASS
from tests.games.play import begin, fresh, play_all
from tests.journeys.conftest import PHONE
from tests.journeys.live_server import open_game

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

BEFORE = ["n15-r15", "i12-m12", "o14-o18", "o9-o13", "i14-m18", "i15-m15", "l11-p15", "l9-l13"]
"""Lines after which two more go through m14, and it is ann's turn."""

TWO = {"k12-o16", "k16-o12"}


@pytest.fixture
def game(ann, bob):
    """A game with hints off in which a new circle can complete either of two lines."""
    game = begin(ann, bob, now=timezone.now(), slug="morpiae")
    return play_all(game, BEFORE, now=timezone.now())


def lines_by_square(game):
    """Return the lines that can be drawn, by the circle that each would add."""
    rules, found = game.rules, {}
    position = rules.load(game.position)
    for action in rules.legal_actions(position):
        if action != PASS:
            first = rules.squares(position, action)[0]
            found.setdefault(first, set()).add(rules.format(position, action))
    return found


def open_squares(table):
    """Return the squares that the page shows as possible."""
    can = table.page.locator("[data-board-svg] .cell.can")
    return set(can.evaluate_all("all => all.map(one => one.dataset.square)"))


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desk", "phone"])
def test_a_square_is_answered_when_it_is_clicked(game, ann, newcomer, live_server, screen):
    table = open_game(newcomer, live_server, ann, game, **screen)
    lines = lines_by_square(game)
    assert lines["m14"] == TWO
    everywhere = open_squares(table)
    assert set(lines) < everywhere
    expect(table.page.locator("svg.few")).to_have_count(0)
    expect(table.says).to_have_text(table.person.words("Choose a point."))
    expect(table.choices).to_have_text([table.person.words("passes").capitalize()])

    alone = min(square for square, through in lines.items() if len(through) == 1)
    empty = everywhere - table.pieces() - set(lines)
    for square in (min(empty), max(empty)):
        table.click(square)
        expect(table.says).to_have_text(table.person.words("Nothing can be played there."))
        assert open_squares(table) == everywhere

    table.click(alone)
    table.chosen = [*lines[alone]]
    table.shows_chosen()
    table.take_back()
    assert open_squares(table) == everywhere

    table.click("m14")
    expect(table.says).to_have_text(table.person.words("Choose one."))
    assert open_squares(table) == {"k12", "k16"}
    offered = table.choices.all_text_contents()
    assert {caption.split(" – ")[0] for caption in offered} == TWO

    table.choices.filter(has_text="k12-o16").click()
    table.chosen = ["k12-o16"]
    table.shows_chosen()
    table.take_back()
    table.click("m14")
    expect(table.says).to_have_text(table.person.words("Choose one."))  # it was answered
    table.click("k16")
    table.chosen = ["k16-o12"]
    table.shows_chosen()

    table.person.press("Play this turn")
    said = table.person.words("Your turn is played.")
    expect(table.page.get_by_role("status")).to_contain_text(said)
    assert fresh(game).turns.last().notation == "k16-o12"
    assert table.person.sideways() <= 0


def test_with_hints_the_squares_of_all_lines_are_marked(ann, bob, newcomer, live_server):
    hints = {"hints": True}
    game = begin(ann, bob, now=timezone.now(), slug="morpiae", options=hints)
    game = play_all(game, BEFORE, now=timezone.now())
    table = open_game(newcomer, live_server, ann, game)
    expect(table.page.locator("svg.few")).to_have_count(1)
    assert open_squares(table) == set(lines_by_square(game))
