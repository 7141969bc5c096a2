"""Boards as plain text, compared with drawings made by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from games.render.text import board_text
from games.rules.base import Rules
from games.rules.board import Area, Board, Cell, Line, Piece
from games.rules.registry import all_rules
from tests.render import boards

WON = """\
 X O 3
 4 X O
 7 8[X]
Winning line: 1 to 9"""

NINE = r"""
 1       2       3
 \   / │ . . . │ - - -
   X   │ . . . │ - - -
 /   \ │ . . . │ - - -
 4 ────┼ 5 ────┼>6<────
 . . . │ ╭───╮ │ . . .
 . .[O]│ │ O │ │ . . .
 . . . │ ╰──[O]│ . X .
 7 ────┼ 8 ────┼ 9 ────
 . . . │ . . . │ . . .
 . . . │ . . . │ . . .
 . . . │ . . . │ . . .
Play in: 6"""

NUMBERED = r"""
 1       2       3
 \   / │ . . . │ - - -
   X   │ . . . │ - - -
 /   \ │ . . . │ - - -
 4 ────┼ 5 ────┼>6<────
 . . . │ ╭───╮ │ 1 2 3
 . .[O]│ │ O │ │ 4 5 6
 . . . │ ╰──[O]│ 7 X 9
 7 ────┼ 8 ────┼ 9 ────
 . . . │ . . . │ . . .
 . . . │ . . . │ . . .
 . . . │ . . . │ . . .
Play in: 6"""

MEN = """\
3  .[T].
2  .[V].
1  O . .
   a b c
In hand: O O
In hand: –"""


LINES = r"""
 o o-o
 |\|/|
[o]o o
 |/ \|
[o-o-o"""


def test_a_won_board_shows_the_last_cross_in_brackets_and_names_the_line() -> None:
    assert board_text(boards.noughts_and_crosses()) == WON


def test_nine_boards_show_owners_large_the_dead_dashed_and_where_to_play() -> None:
    assert board_text(boards.nine_boards()) == NINE.removeprefix("\n")


def numbered(board: Board) -> Board:
    """Return nine boards with the number to type in each cell."""
    cells = tuple(replace(cell, label=cell.square[1]) for cell in board.cells)
    return replace(board, cells=cells)


def test_cells_show_their_numbers_where_play_must_go() -> None:
    assert board_text(numbered(boards.nine_boards())) == NUMBERED.removeprefix("\n")


def test_cells_show_their_numbers_on_every_open_board_if_play_may_go_to_all() -> None:
    board = numbered(boards.nine_boards())
    free = replace(board, areas=tuple(replace(a, target=not a.closed) for a in board.areas))
    assert board_text(free).splitlines()[5:8] == [
        " 1 2 3 │ ╭───╮ │ 1 2 3",
        " 4 5[O]│ │ O │ │ 4 5 6",
        " 7 8 9 │ ╰──[O]│ 7 X 9",
    ]


def test_a_number_of_two_digits_would_not_fit() -> None:
    board = boards.noughts_and_crosses()
    cells = tuple(replace(cell, label=f"1{cell.label}") for cell in board.cells)
    assert board_text(replace(board, cells=cells)).startswith(" X O .\n . X O\n . .[X]\n")


def test_men_rows_columns_and_hands_are_shown() -> None:
    assert board_text(boards.men_on_three_rows()) == MEN


def test_neighbours_played_together_share_a_bar() -> None:
    board = boards.noughts_and_crosses(last=("1", "2"), lines=())
    assert board_text(board).splitlines()[0] == "[X|O]3"


def test_lines_run_between_the_cells_and_brackets_give_way_to_them() -> None:
    cells = tuple(Cell(str(n), (n - 1) % 3, (n - 1) // 3) for n in range(1, 10))
    ends = ("17", "39", "23", "15", "25", "35", "57", "59", "79")
    board = Board(
        3,
        3,
        cells,
        pieces=tuple(Piece(cell.square, "ring", None, "o", "circle") for cell in cells),
        lines=tuple(Line(start, end) for start, end in ends),
        last=("4", "7"),
    )
    assert board_text(board) == LINES.removeprefix("\n")


def test_two_diagonals_that_cross_between_the_cells_make_a_cross() -> None:
    cells = tuple(Cell(name, x, y) for name, x, y in (("a", 0, 0), ("b", 1, 0), ("c", 0, 1)))
    cells += (Cell("d", 1, 1),)
    board = Board(2, 2, cells, lines=(Line("a", "d"), Line("c", "b")))
    assert board_text(board).splitlines()[1] == "  X"


def test_nowhere_in_particular_to_play_is_not_said() -> None:
    board = boards.nine_boards()
    free = replace(board, areas=tuple(replace(a, target=not a.closed) for a in board.areas))
    text = board_text(free)
    assert "Play in" not in text
    assert ">" not in text


def test_the_only_board_left_open_is_named() -> None:
    board = boards.noughts_and_crosses(areas=(Area(0, 0, 3, 3, "7", target=True),))
    text = board_text(board)
    assert text.startswith(">7<\n")
    assert "Play in: 7" in text


def test_words_are_translated() -> None:
    french = {
        "Winning line: %(start)s to %(end)s": "Alignement : %(start)s à %(end)s",
        "Play in: %(areas)s": "À jouer en : %(areas)s",
        "In hand": "En main",
        "%(tray)s: %(men)s": "%(tray)s : %(men)s",
    }
    said = [
        board_text(board, translate=lambda text: french[text])
        for board in (
            boards.noughts_and_crosses(),
            boards.nine_boards(),
            boards.men_on_three_rows(),
        )
    ]
    assert said[0].endswith("Alignement : 1 à 9")
    assert said[1].endswith("À jouer en : 6")
    assert said[2].endswith("En main : O O\nEn main : –")


def test_a_large_heap_is_counted() -> None:
    assert board_text(boards.great_cross()).endswith("Blue: r × 12")


def test_what_is_stacked_is_told_below_the_board() -> None:
    notes = board_text(boards.great_cross()).splitlines()[17:-1]
    assert notes == ["blue superpion: g5", "red superpion: j8"]


def test_many_stacks_of_one_kind_take_several_lines() -> None:
    board = boards.great_cross()
    squares = [cell.square for cell in board.cells][:25]
    kings = tuple(Piece(square, "disc", 0, "B", "king", crown=0) for square in squares)
    first, second, held = board_text(replace(board, pieces=kings)).splitlines()[17:]
    assert first.startswith("king: d16, e16, ")
    assert second.startswith("  ")
    assert (first + second).replace("  ", " ") == "king: " + ", ".join(squares)
    assert max(map(len, (first, second))) < 80
    assert held == "Blue: r × 12"


def test_missing_corners_are_blank() -> None:
    lines = board_text(boards.great_cross()).splitlines()
    assert lines[0] == "16        . . . . . . . . . ."
    assert lines[11] == " 5  r . . . . . B . . . . . . . . ."
    assert lines[16] == "    a b c d e f g h i j k l m n o p"


@pytest.mark.parametrize("name", boards.ALL)
def test_every_board_is_narrower_than_80_columns_without_trailing_blanks(name: str) -> None:
    for line in board_text(boards.ALL[name]).splitlines():
        assert len(line) < 80
        assert line == line.rstrip()


def test_a_board_without_cells_is_its_notes_alone() -> None:
    assert board_text(Board(1, 1, ())) == ""


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.slug)
def test_every_games_first_board_shows_each_cell_that_is_used_once(rules: Rules) -> None:
    position = rules.initial(rules.check_options({}))
    board = rules.board(position, None, ())
    rows = len({cell.y for cell in board.cells})
    lines = board_text(board).splitlines()
    pieces = {piece.square for piece in board.pieces}
    empty = [cell for cell in board.cells if cell.used and cell.square not in pieces]
    expected = Counter(cell.label or "." for cell in empty) + Counter(
        area.label for area in board.areas if area.label
    )
    shown = Counter("".join(lines))
    assert {mark: shown[mark] for mark in expected} == expected
    assert len(lines) >= rows
