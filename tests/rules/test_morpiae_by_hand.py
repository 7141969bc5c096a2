"""Whole games of Morpiae beside the same games played by hand, and what is known of them."""

import random
from itertools import product

import pytest

from games.rules.morpiae.position import start
from games.rules.morpiae.rules import Morpiae
from games.rules.morpiae.sheet import FIVE, LINES, NUMBER_OF, PASS, POINTS
from games.rules.random_games import perft
from tests.rules.games import legal
from tests.rules.morpiae_by_hand import ALL_LINES, BY_TEXT, DIRECTIONS, Sheet, name

RULES = Morpiae()
START = RULES.initial({})

CORNERS = {"bottom left": (1, 1), "top right": (20, 20), "top left": (1, 20), "right": (20, 9)}
LONGEST, BEYOND = 84, 6


def random_game(seed):
    """Yield the positions of a game that is played to the last line, and the actions."""
    dice, position = random.Random(f"lines {seed}"), START
    while RULES.outcome(position) is None:
        action = dice.choice(RULES.legal_actions(position)[:-1])
        yield position, action
        position = RULES.play(position, action)
    yield position, None


def coloured(position):
    board = RULES.board(position, None, ())
    return {piece.square: piece.side for piece in board.pieces if piece.side is not None}


def test_every_line_of_the_sheet_has_its_notation():
    assert set(NUMBER_OF) == set(BY_TEXT)
    assert len(NUMBER_OF) == len(ALL_LINES) == 2 * 26 * 22 + 2 * 22 * 22


@pytest.mark.parametrize("seed", range(12))
def test_a_game_goes_as_it_does_by_hand(seed):
    sheet = Sheet()
    for position, action in random_game(seed):
        assert legal(RULES, position) - {"pass"} == sheet.lines()
        assert coloured(position) == {name(c): seat for c, seat in sheet.coloured.items()}
        if action is not None:
            notation = RULES.format(position, action)
            assert RULES.squares(position, action)[0] == name(sheet.new(notation))
            sheet.draw(RULES.to_move(position), notation)


def position_of(sheet):
    """Return a position with the sheet's circles, and no line drawn as yet."""
    actions = [
        FIVE * NUMBER_OF[notation]
        + LINES[NUMBER_OF[notation]].points.index(POINTS[name(sheet.new(notation))])
        for notation in sheet.lines()
    ]
    circles = sum(1 << POINTS[name(circle)] for circle in sheet.circles)
    return start(None, hints=False)._replace(circles=circles, legal=(*sorted(actions), PASS))


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("seed", range(4))
def test_the_edge_of_the_sheet_stops_lines_as_it_does_by_hand(corner, seed):
    """No game comes so far: circles are strewn there instead."""
    dice = random.Random(f"{corner} {seed}")
    left, bottom = CORNERS[corner]
    strewn = [(left + x, bottom + y) for x, y in product(range(7), repeat=2)]
    sheet = Sheet(dice.sample(strewn, 30))
    position, drawn = position_of(sheet), 0
    while RULES.outcome(position) is None:
        assert legal(RULES, position) - {"pass"} == sheet.lines()
        action = dice.choice(RULES.legal_actions(position)[:-1])
        sheet.draw(RULES.to_move(position), RULES.format(position, action))
        position, drawn = RULES.play(position, action), drawn + 1
    assert not sheet.lines()
    assert drawn > 2


def test_circles_are_coloured_by_a_last_line_of_every_direction():
    last = set()
    for seed in range(6):
        sheet = Sheet()
        for position, action in random_game(seed):
            if action is not None:
                direction, _ = BY_TEXT[RULES.format(position, action)]
                if sheet.draw(RULES.to_move(position), RULES.format(position, action)):
                    last.add(direction)
    assert last == set(DIRECTIONS)


# What is known of the solitaire game -------------------------------------------------------------


def test_there_are_28_first_lines():
    assert len(legal(RULES, START) - {"pass"}) == 28


def test_the_published_counts_hold():
    assert [perft(RULES, START, depth) for depth in (1, 2)] == [29, 797]


def test_no_game_is_longer_or_goes_further_than_is_proved():
    for seed in range(100, 180):
        position = [position for position, _ in random_game(seed)][-1]
        squares = [piece.square for piece in RULES.board(position, None, ()).pieces]
        assert len(squares) - 36 == RULES.turn(position) <= LONGEST
        columns = {ord(square[0]) - ord("a") + 1 for square in squares}
        rows = {int(square[1:]) for square in squares}
        assert min(columns | rows) >= 9 - BEYOND
        assert max(columns | rows) <= 18 + BEYOND
