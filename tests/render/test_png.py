"""Boards as PNG: the right size, readable, not blank; and the names under which they are kept."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace

import pytest

from games.render import png
from games.render.layout import DrawingTooLarge
from games.render.png import board_png, picture_key
from games.rules.base import Rules
from games.rules.board import Board, Cell
from games.rules.registry import all_rules
from tests.render import boards

PAPER, BLUE, RED = (0xF6, 0xF1, 0xE4), (0x24, 0x47, 0x7F), (0xA5, 0x35, 0x2A)


def size(picture: bytes) -> tuple[int, int]:
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", picture[16:24])


def chunks(picture: bytes) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    at = 8
    while at < len(picture):
        (length,) = struct.unpack(">I", picture[at : at + 4])
        name, body = picture[at + 4 : at + 8], picture[at + 8 : at + 8 + length]
        (check,) = struct.unpack(">I", picture[at + 8 + length : at + 12 + length])
        assert zlib.crc32(name + body) == check
        found[name] = found.get(name, b"") + body
        at += 12 + length
    return found


def colours(picture: bytes) -> dict[tuple[int, ...], int]:
    """Return how many pixels there are of each colour, read as the PNG standard says."""
    width, height = size(picture)
    parts = chunks(picture)
    assert parts[b"IHDR"][8:10] == b"\x08\x06"  # 8 bits, red green blue alpha
    data, wide = zlib.decompress(parts[b"IDAT"]), width * 4
    assert len(data) == height * (wide + 1)
    above, count = bytearray(wide), {}
    for y in range(height):
        start = y * (wide + 1)
        above = unfiltered(data[start], data[start + 1 : start + 1 + wide], above)
        for x in range(0, wide, 4):
            colour = tuple(above[x : x + 3])
            count[colour] = count.get(colour, 0) + 1
    return count


def unfiltered(kind: int, line: bytes, above: bytearray) -> bytearray:
    done = bytearray(len(line))
    for i, byte in enumerate(line):
        left = done[i - 4] if i >= 4 else 0
        corner = above[i - 4] if i >= 4 else 0
        near = min((left, above[i], corner), key=lambda v: abs(left + above[i] - corner - v))
        done[i] = (byte + (0, left, above[i], (left + above[i]) // 2, near)[kind]) % 256
    return done


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
    assert png.MIN_WIDTH <= got <= png.MAX_WIDTH
    assert height <= png.MAX_HEIGHT


def test_a_long_narrow_board_is_not_taller_than_the_limit() -> None:
    column = Board(1, 40, tuple(Cell(str(y), 0, y) for y in range(40)))
    width, height = size(board_png(column, width=1600))
    assert height <= png.MAX_HEIGHT
    assert width < 100


def test_a_huge_board_is_refused_instead_of_drawn() -> None:
    with pytest.raises(DrawingTooLarge):
        board_png(Board(10**6, 10**6, ()))


def test_boards_that_look_alike_share_their_name() -> None:
    assert picture_key(boards.nine_boards()) == picture_key(boards.nine_boards())


def test_whatever_changes_the_picture_changes_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    board = boards.men_on_three_rows()
    keys = [
        picture_key(board),
        picture_key(replace(board, last=())),
        picture_key(replace(board, pieces=board.pieces[1:])),
        picture_key(board, width=320),
        picture_key(board, scale=2),
        picture_key(board, translate=lambda text: {"In hand": "En main"}.get(text, text)),
    ]
    monkeypatch.setattr(png, "STYLE_VERSION", png.STYLE_VERSION + 1)
    keys.append(picture_key(board))
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.slug)
def test_every_games_first_board_becomes_a_picture(rules: Rules) -> None:
    position = rules.initial(rules.check_options({}))
    board = rules.board(position, None, ())
    assert len(colours(board_png(board, width=120))) > 10
