"""Pictures put together from tiles look as if they had been drawn whole."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from games.render import png, tiles
from games.render.palette import INDEX_OF, PALETTE
from games.render.theme import COLOURS
from games.rules.base import AnyRules
from games.rules.board import Board
from games.rules.registry import all_rules
from tests.render import boards
from tests.render.test_png import chunks, size

WIDTH = 360

TOLERANCE = 40
"""The same edge, a fraction of a pixel further on, may get the next colour of the palette."""


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "_tiles", {})
    monkeypatch.setattr(tiles, "NEW_TILES", 10_000)


def tiled(board: Board) -> bytes:
    picture = tiles.tiled_png(board, width=WIDTH)
    assert picture is not None
    return picture


def indices(picture: bytes) -> list[bytes]:
    """Return the lines of a picture with a palette."""
    width, height = size(picture)
    parts = chunks(picture)
    assert parts[b"IHDR"][8:10] == b"\x08\x03"  # 8 bits, a palette
    assert parts[b"PLTE"] == bytes(sum(PALETTE, ()))
    data = zlib.decompress(parts[b"IDAT"])
    lines = [data[at + 1 : at + 1 + width] for at in range(0, len(data), width + 1)]
    assert (len(lines), len(data)) == (height, height * (width + 1))
    return lines


def differing(board: Board) -> float:
    """Return which share of the pixels looks other than where the board is drawn whole."""
    lines = png.decoded(png.board_png(board, width=WIDTH), 4 * WIDTH)
    wanted = [bytes(INDEX_OF[pixel] for pixel in line.cast("I")) for line in lines]
    found = indices(tiled(board))
    assert [len(line) for line in found] == [len(line) for line in wanted]
    pairs = zip(b"".join(found), b"".join(wanted), strict=True)
    return sum(a != b and distance(a, b) > TOLERANCE for a, b in pairs) / (WIDTH * len(wanted))


def distance(one: int, two: int) -> int:
    """Return how far apart two colours of the palette are, of 255."""
    return max(abs(a - b) for a, b in zip(PALETTE[one], PALETTE[two], strict=True))


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
        tiled(board)
    assert differing(last) < 0.001
    assert differing(before[-1]) < 0.001


def test_what_was_drawn_before_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = tiled(boards.nine_boards())
    monkeypatch.setattr(tiles, "draw_part", None)
    assert tiled(boards.nine_boards()) == first


def test_a_picture_that_needs_much_is_drawn_whole_until_enough_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tiles, "NEW_TILES", 20)
    drawn = []
    for _ in range(30):
        before = len(tiles._tiles)
        drawn.append(tiles.tiled_png(boards.nine_boards(), width=WIDTH))
        assert len(tiles._tiles) - before <= 20
    assert drawn[0] is None
    assert drawn[-1] == tiled(boards.nine_boards())


def test_no_more_tiles_are_remembered_than_one_picture_above_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tiles, "MOST_TILES", 5)
    tiled(boards.nine_boards())
    count = len(tiles._tiles)
    for board in boards.ALL.values():
        tiled(board)
    tiled(boards.nine_boards())
    assert len(tiles._tiles) == count


def test_the_palette_fits_and_has_the_themes_colours_exactly() -> None:
    assert len(set(PALETTE)) == len(PALETTE) <= 256
    for colour in COLOURS.values():
        red, green, blue = bytes.fromhex(colour[1:])
        assert PALETTE[INDEX_OF[red | green << 8 | blue << 16 | 255 << 24]] == (red, green, blue)
