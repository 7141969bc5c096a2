"""The drawing of Morpiae: all that a player must see, and nothing of what is to be found."""

import random

import pytest

from games.render.text import board_text
from games.rules.morpiae.position import start
from games.rules.morpiae.rules import Morpiae
from games.rules.morpiae.sheet import POINTS
from tests.rules import morpiae_records as records
from tests.rules.games import after

RULES = Morpiae()
START = RULES.initial({})


def drawing(record):
    """Return the drawing after the record, its last action marked."""
    *before, text = record.split()
    position = after(RULES, " ".join(before))
    action = RULES.parse(position, text)
    return RULES.board(RULES.play(position, action), None, (action,))


def crop(board):
    """Return the drawing's first and last column and row."""
    first, last = board.cells[0].square, board.cells[-1].square
    return first[0], last[0], int(last[1:]), int(first[1:])


def positions(seed):
    dice, position = random.Random(f"drawing {seed}"), START
    while RULES.outcome(position) is None:
        yield position
        position = RULES.play(position, dice.choice(RULES.legal_actions(position)[:-1]))
    yield position


def with_circles(*squares):
    circles = sum(1 << POINTS[square] for square in squares)
    return start(None, hints=False)._replace(circles=circles)


# The sheet ---------------------------------------------------------------------------------------


def test_the_start_is_drawn_with_two_points_of_room_on_every_side():
    board = RULES.board(START, None, ())
    assert crop(board) == ("g", "t", 7, 20)
    assert (board.width, board.height, len(board.cells)) == (14, 14, 14 * 14)


def test_every_point_of_the_crop_is_a_cell_of_squared_paper_in_reading_order():
    board = RULES.board(after(RULES, records.WHOLE_GAME), None, ())
    left, right, bottom, top = crop(board)
    letters = "abcdefghijklmnopqrstuvwxyz"
    across = letters[letters.index(left) : letters.index(right) + 1]
    squares = [f"{letter}{row}" for row in range(top, bottom - 1, -1) for letter in across]
    assert [cell.square for cell in board.cells] == squares
    assert {cell.shade for cell in board.cells} == {"point"}


def test_columns_and_rows_are_named_at_their_places():
    board = RULES.board(after(RULES, "h12-l12"), None, ())
    columns = {x: label for label, x in board.columns}
    rows = {y: label for label, y in board.rows}
    assert all(columns[cell.x] + rows[cell.y] == cell.square for cell in board.cells)


def test_the_crop_grows_with_the_figure():
    assert crop(drawing("h12-l12")) == ("f", "t", 7, 20)
    assert crop(drawing("h12-l12 l15-l19")) == ("f", "t", 7, 21)
    assert crop(drawing("h12-l12 l15-l19 o12-s12 o8-o12")) == ("f", "u", 6, 21)


def test_the_crop_ends_at_the_edge_of_the_sheet():
    assert crop(RULES.board(with_circles("a1", "c2"), None, ())) == ("a", "e", 1, 4)
    assert crop(RULES.board(with_circles("y25", "w24"), None, ())) == ("u", "z", 22, 26)


@pytest.mark.parametrize("seed", range(6))
def test_every_circle_that_can_be_drawn_can_be_clicked(seed):
    for position in positions(seed):
        squares = {cell.square for cell in RULES.board(position, None, ()).cells}
        for action in RULES.legal_actions(position):
            assert set(RULES.squares(position, action)) <= squares


# Circles and lines -------------------------------------------------------------------------------


def test_circles_are_rings_until_they_are_coloured():
    pieces = RULES.board(START, None, ()).pieces
    assert {(piece.shape, piece.side) for piece in pieces} == {("ring", None)}


def test_coloured_circles_differ_by_shape_as_well_as_colour_and_letter():
    pieces = RULES.board(after(RULES, records.ONE_EACH), None, ()).pieces
    kinds = {(piece.shape, piece.side, piece.symbol) for piece in pieces}
    assert kinds == {("ring", None, "o"), ("disc", 0, "@"), ("diamond", 1, "%")}


def test_lines_are_drawn_from_the_first_circle_to_the_last():
    ends = [{line.start, line.end} for line in drawing("i12-m12 pass n18-r14").lines]
    assert ends == [{"i12", "m12"}, {"n18", "r14"}]


def test_the_last_line_is_marked_by_its_five_circles_and_its_players_colour():
    board = drawing("i12-m12 n18-r14")
    assert set(board.last) == {"n18", "o17", "p16", "q15", "r14"}
    assert [line.side for line in board.lines] == [None, 1]
    assert [line.side for line in drawing("i12-m12").lines] == [0]


def test_a_pass_marks_nothing():
    board = drawing("i12-m12 pass")
    assert board.last == ()
    assert [line.side for line in board.lines] == [None]


def test_the_coloured_circles_are_counted_beside_the_sheet():
    trays = RULES.board(after(RULES, records.ONE_TO_THREE), None, ()).trays
    assert [(t.seat, t.label, t.heaps[0].shape, t.heaps[0].count) for t in trays] == [
        (0, "Discs", "disc", 1),
        (1, "Diamonds", "diamond", 3),
    ]
    names = [str(RULES.seat_name({}, tray.seat)) for tray in trays]
    assert names == ["Discs", "Diamonds"]


def test_everybody_sees_the_sheet_from_the_same_side():
    position = after(RULES, records.ONE_EACH)
    assert len({RULES.board(position, viewer, ()) for viewer in (None, 0, 1)}) == 1


# Clicking ----------------------------------------------------------------------------------------


def test_the_new_circle_is_clicked_first_and_then_the_ends():
    def clicks(text):
        return RULES.squares(START, RULES.parse(START, text))

    assert clicks("i14-m18") == ("k16", "i14", "m18")
    assert clicks("i12-m12") == ("m12", "i12")
    assert clicks("h12-l12") == ("h12", "l12")
    assert clicks("pass") == ()


@pytest.mark.parametrize("seed", range(6))
def test_two_clicks_tell_every_line_apart(seed):
    for position in positions(seed):
        clicks = [RULES.squares(position, action)[:2] for action in RULES.legal_actions(position)]
        assert len(set(clicks)) == len(clicks)


# Hints -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hints", [False, True])
def test_what_is_legal_is_hidden_exactly_while_hints_are_off(hints):
    position = RULES.initial(RULES.check_options({"hints": hints}))
    for text in ("i12-m12", "pass"):
        assert RULES.hides_legal_actions(position) is not hints
        position = RULES.play(position, RULES.parse(position, text))
    assert RULES.hides_legal_actions(position) is not hints


def test_hints_are_off_by_default():
    assert RULES.hides_legal_actions(START)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_of_the_drawing_depends_on_what_can_be_drawn(seed):
    for position in positions(seed):
        blind = position._replace(legal=())
        assert RULES.board(position, None, ()) == RULES.board(blind, None, ())


# As text -----------------------------------------------------------------------------------------

TEXT = r"""
20  . . . . . . . . . . . . . .

19  . . . . . . . . . . . . . .

18  . . . . . o o[o]o . . . . .
                   \
17  . . . . . o . .[o]. . . . .
                     \
16  . . . . . o . . o[o]. . . .
                       \
15  . . o o o o . . o o[o]o . .
                         \
14  . . o . . . . . . . .[o]. .

13  . . o . . o . . . . . o . .
              |
12  . . o-o-o-o-o . o o o o . .
              |
11  . . . . . o . . o . . . . .
              |
10  . . . . . o . . o . . . . .
              |
 9  . . . . . o o o o . . . . .

 8  . . . . . . . . . . . . . .

 7  . . . . . . . . . . . . . .
    g h i j k l m n o p q r s t
Discs: –
Diamonds: –"""


def test_the_text_shows_circles_lines_and_the_last_line():
    assert board_text(drawing("i12-m12 l9-l13 n18-r14")) == TEXT.removeprefix("\n")


def test_the_text_of_the_whole_sheet_is_narrower_than_80_columns():
    board = RULES.board(with_circles("a1", "z26"), None, ())
    lines = board_text(board).splitlines()
    assert len(board.cells) == 26 * 26
    assert 50 < max(map(len, lines)) < 80
