"""Pictures put together from tiles look as if they had been drawn whole."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import chain
from typing import Any

import pytest
from PIL import Image

from games.render import tiles
from games.render.palette import NEAR, PALETTE, Colour, distance
from games.render.png import draw_indices
from games.render.svg import Drawing
from games.render.theme import COLOURS
from games.rules.base import AnyRules
from games.rules.board import Board, Cell
from games.rules.registry import all_rules
from tests.render import boards
from tests.render.boards import cross

WIDTH = 360

TOLERANCE = 40
"""The same edge may get the next colour of the palette."""


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "_drawn", {})
    monkeypatch.setattr(tiles, "_grounds", {})
    monkeypatch.setattr(tiles, "_frames", {})


def indices(picture: bytes) -> tuple[bytes, tuple[int, int]]:
    """Return the places in the palette of a picture's colours, and the picture's size."""
    image = Image.open(BytesIO(picture), formats=["PNG"])
    assert image.mode == "P"
    palette = image.getpalette()
    assert palette is not None
    assert palette[: 3 * len(PALETTE)] == list(chain.from_iterable(PALETTE))
    return image.tobytes(), image.size


def differing(board: Board) -> float:
    """Return which share of the pixels looks other than where the board is drawn whole."""
    found, size = indices(tiles.board_png(board, width=WIDTH))
    sheet = tiles.Sheet(board, WIDTH, str)
    parts = (*sheet.grounds(), *sheet.parts())
    whole = tiles.Tile(*size, sheet.ratio, "", tuple((svg, x, y) for svg, x, y, _ in parts))
    wanted = draw_indices(whole.source(), size)
    assert size == (sheet.width, sheet.height)
    pairs = ((PALETTE[a], PALETTE[b]) for a, b in zip(found, wanted, strict=True) if a != b)
    return sum(distance(*pair) > TOLERANCE for pair in pairs) / len(wanted)


def positions(rules: AnyRules, turns: int) -> Iterator[Board]:
    """Yield the boards of a random game, from the sides of both players in turn."""
    chance = random.Random(3)
    position: Any = rules.initial(rules.check_options({}))
    for number in range(turns):
        actions: list[Any] = []
        mover = rules.turn(position)
        while rules.outcome(position) is None and rules.turn(position) == mover:
            actions.append(chance.choice(list(rules.legal_actions(position))))
            position = rules.play(position, actions[-1])
        yield rules.board(position, number % 2, tuple(actions))


@pytest.mark.parametrize("name", boards.ALL)
def test_a_picture_of_tiles_looks_like_one_that_was_drawn_whole(name: str) -> None:
    assert differing(boards.ALL[name]) < 0.001


@pytest.mark.slow
@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.slug)
def test_so_does_every_position_of_a_game_drawn_with_the_tiles_of_others(rules: AnyRules) -> None:
    *before, last = positions(rules, 6)
    for board in before:
        tiles.board_png(board, width=WIDTH)
    assert differing(last) < 0.001
    assert differing(before[-1]) < 0.001


@pytest.mark.parametrize("name", boards.ALL)
def test_it_shows_what_the_drawing_on_a_page_shows(name: str) -> None:
    board = boards.ALL[name]
    sheet = tiles.Sheet(board, WIDTH, str)
    found, size = indices(tiles.board_png(board, width=WIDTH))
    whole = Drawing(board, "print", str).source().removesuffix("</svg>")
    place = round(sheet.left - sheet.layout.left * sheet.ratio), 0
    drawn = draw_indices(tiles.Tile(*size, sheet.ratio, "", ((whole, *place),)).source(), size)
    # Parts are up to a pixel off: in a picture as coarse as this that hardly shows.
    coarse = [coarse_colours(each, size) for each in (found, drawn)]
    assert max(distance(a, b) for a, b in zip(*coarse, strict=True)) < 40


def coarse_colours(found: bytes, size: tuple[int, int]) -> list[Colour]:
    """Return the colours of a picture made small."""
    image = Image.frombytes("P", size, found)
    image.putpalette(list(chain.from_iterable(PALETTE)))
    small = image.convert("RGB").resize((size[0] // 9, size[1] // 9), Image.Resampling.BOX)
    return list(small.get_flattened_data())


def test_what_was_drawn_before_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = tiles.board_png(boards.nine_boards(), width=WIDTH)
    monkeypatch.setattr(tiles, "draw_indices", None)
    assert tiles.board_png(boards.nine_boards(), width=WIDTH) == first


def test_a_square_looks_alike_wherever_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = tuple(Cell(f"{x} {y}", x, y) for y in range(9) for x in range(9))
    board = Board(9, 9, cells, pieces=(replace(cross("4 4"), shape="disc"),))
    tiles.board_png(board, width=WIDTH)
    monkeypatch.setattr(tiles, "draw_indices", None)
    for square in ("2 3", "7 6"):
        moved = replace(board, pieces=(replace(board.pieces[0], square=square),))
        assert tiles.board_png(moved, width=WIDTH)


def test_no_more_tiles_are_remembered_than_one_picture_above_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tiles, "MOST_TILES", 5)
    tiles.board_png(boards.nine_boards(), width=WIDTH)
    count = len(tiles._drawn)
    for board in boards.ALL.values():
        tiles.board_png(board, width=WIDTH)
    tiles.board_png(boards.nine_boards(), width=WIDTH)
    assert len(tiles._drawn) == count


def test_the_palette_fits_and_has_the_themes_colours_exactly() -> None:
    assert len(set(PALETTE)) == len(PALETTE) <= 256
    for colour in COLOURS.values():
        drawn = draw_indices(
            '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">'
            f'<rect width="1" height="1" fill="{colour}"/></svg>',
            (1, 1),
        )
        assert PALETTE[drawn[0]] == tuple(bytes.fromhex(colour[1:]))


def test_no_colour_in_between_is_hardly_another_one() -> None:
    between = PALETTE[len(set(COLOURS.values())) :]
    for number, colour in enumerate(between):
        assert all(distance(colour, other) >= NEAR for other in between[:number])
