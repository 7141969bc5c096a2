"""Boards to be looked at only."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from games.render.picture import board_picture
from games.render.svg import board_svg
from games.rules.board import Board
from tests.render import boards

each_board = pytest.mark.parametrize("board", boards.ALL.values(), ids=boards.ALL)


def seen(source: str) -> list[str]:
    """Return what is painted with a class, but for the paper and what only a player needs."""
    classes = re.findall(r'class="([^"]+)"', source)
    return [one for one in classes if not re.match(r"board|cell|edge|ground", one)]


@each_board
def test_a_picture_shows_what_the_board_shows_without_naming_a_cell(board: Board) -> None:
    whole = board_svg(board, title="A board", description="")
    picture = board_picture(board, title="A board")
    assert sorted(seen(picture)) == sorted(seen(whole)) != []
    assert "data-" not in picture
    ElementTree.fromstring(picture)  # noqa: S314  (our own drawing)


@each_board
def test_every_cell_has_its_paper(board: Board) -> None:
    picture = board_picture(board, title="A board")
    paths = re.findall(r'<path class="ground[^"]*" d="([^"]+)"', picture)
    assert sum(path.count("z") for path in paths) == len(board.cells)


def test_a_picture_is_described_by_the_board_as_text() -> None:
    assert "<desc>" in board_picture(boards.great_cross(), title="A board")


def test_a_picture_of_a_great_board_is_small() -> None:
    whole = board_svg(boards.great_cross(), title="A board", description="")
    assert 3 * len(board_picture(boards.great_cross(), title="A board")) < len(whole)
