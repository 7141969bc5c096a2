"""Boards as PNG: the right size, readable, not blank."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO

import pytest
from PIL import Image

from games.render import tiles
from games.render.layout import DrawingTooLarge
from games.render.png import Band, compress_band
from games.render.tiles import board_png
from games.rules.base import Rules
from games.rules.board import Board, Cell, Piece
from games.rules.registry import all_rules
from tests.render import boards

PAPER, BLUE, RED = (0xF6, 0xF1, 0xE4), (0x24, 0x47, 0x7F), (0xA5, 0x35, 0x2A)


def size(picture: bytes) -> tuple[int, int]:
    return Image.open(BytesIO(picture), formats=["PNG"]).size


def colours(picture: bytes) -> dict[tuple[int, ...], int]:
    """Return how many pixels there are of each colour."""
    image = Image.open(BytesIO(picture), formats=["PNG"]).convert("RGB")
    return Counter(image.get_flattened_data())


@pytest.mark.parametrize("name", boards.ALL)
def test_a_picture_is_as_wide_as_asked_and_as_tall_as_the_board_needs(name: str) -> None:
    width, height = size(board_png(boards.ALL[name], width=300))
    assert width == 300
    assert 240 < height < 480


def test_a_picture_shows_paper_and_the_inks_of_both_sides() -> None:
    seen = colours(board_png(boards.noughts_and_crosses(), width=200))
    assert seen[PAPER] > 1000
    assert seen[BLUE] > 300
    assert seen[RED] > 300


def test_labels_are_written_in_the_font_we_ship() -> None:
    def picture(label: str) -> bytes:
        return board_png(Board(1, 1, (Cell("a", 0, 0, label=label),)), width=100)

    assert len({picture(""), picture("a"), picture("b"), picture("é")}) == 4


def test_a_scale_makes_a_sharper_picture_of_the_same_board() -> None:
    board = boards.noughts_and_crosses()
    width, height = size(board_png(board, width=240))
    assert size(board_png(board, width=240, scale=2)) == (480, pytest.approx(2 * height, abs=1))
    assert width == 240


@pytest.mark.parametrize("width", [-5, 0, 1, 10**9, 1e308])
def test_no_picture_is_tiny_or_huge(width: int) -> None:
    got, height = size(board_png(boards.noughts_and_crosses(), width=width))
    assert tiles.MIN_WIDTH <= got <= tiles.MAX_WIDTH
    assert height <= tiles.MAX_HEIGHT


def test_a_long_narrow_board_is_not_taller_than_the_limit() -> None:
    column = Board(1, 40, tuple(Cell(str(y), 0, y) for y in range(40)))
    width, height = size(board_png(column, width=1600))
    assert height <= tiles.MAX_HEIGHT
    assert width < 100


def test_a_huge_board_is_refused_instead_of_drawn() -> None:
    with pytest.raises(DrawingTooLarge):
        board_png(Board(10**6, 10**6, ()))


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.slug)
def test_every_games_first_board_becomes_a_picture(rules: Rules) -> None:
    position = rules.initial(rules.check_options({}))
    board = rules.board(position, None, ())
    assert len(colours(board_png(board, width=120))) > 10


def chunks_of(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and the content of each part of a PNG file; their checksums must be right."""
    at = 8
    while at < len(picture):
        length, kind = struct.unpack_from(">L4s", picture, at)
        content = picture[at + 8 : at + 8 + length]
        assert struct.unpack_from(">L", picture, at + 8 + length) == (zlib.crc32(kind + content),)
        yield kind, content
        at += 12 + length


@pytest.mark.parametrize("name", boards.ALL)
def test_the_parts_of_a_picture_and_all_its_pixels_have_the_right_checksums(name: str) -> None:
    picture = board_png(boards.ALL[name], width=300)
    pixels = b"".join(content for kind, content in chunks_of(picture) if kind == b"IDAT")
    reader = zlib.decompressobj()  # it raises an error at a wrong checksum
    width, height = size(picture)
    assert len(reader.decompress(pixels)) == height * (width + 1)
    assert reader.eof
    assert not reader.unused_data


def test_rows_of_squares_that_did_not_change_are_not_compressed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compressed = []

    def compress(lines: Iterable[bytes]) -> Band:
        band = compress_band(lines)
        compressed.append(band)
        return band

    cells = tuple(Cell(f"{x} {y}", x, y) for y in range(8) for x in range(8))
    discs = tuple(Piece(f"{x} 1", "disc", 0, "X", "disc") for x in range(8))
    monkeypatch.setattr(tiles, "_bands", {})
    monkeypatch.setattr(tiles, "compress_band", compress)
    board_png(Board(8, 8, cells, pieces=discs), width=400)
    all_rows = len(compressed)
    compressed.clear()
    board_png(Board(8, 8, cells, pieces=discs[:-1]), width=400)
    assert 0 < len(compressed) < all_rows / 2


def test_compressed_rows_are_forgotten_when_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tiles, "_bands", {})
    monkeypatch.setattr(tiles, "MOST_BANDS", 3)
    shown = [board_png(board, width=300) for board in boards.ALL.values()]
    assert len(tiles._bands) <= 4
    assert [board_png(board, width=300) for board in boards.ALL.values()] == shown
