"""A picture with a board and words beside it: for link previews, and to show how a game ended.

It looks like a postage stamp, in the light colours of the theme.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games.render.font_metrics import cut_text, text_width, wrap_text
from games.render.layout import svg_number
from games.render.picture import nested_svg
from games.render.png import compress_band, draw_indices, write_png
from games.render.svg import Translate, escape_xml
from games.render.theme import COLOURS, FONT
from games.rules.board import Board, Side

CARD_VERSION = 1
"""Raise it when the same words would become another picture."""

CardShape = Literal["wide", "tall"]

Box = tuple[float, float, float, float]
"""Left, top, width and height, in pixels."""


@dataclass(frozen=True, slots=True)
class CardPlayer:
    """A player on a card: the number of the seat from 1, its colour, and whether they won.

    `note` is written at the end of the line, such as points.
    """

    number: int
    side: Side
    name: str
    won: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Postmark:
    """What a postmark says, from top to bottom."""

    top: str
    middle: str
    bottom: str


@dataclass(frozen=True, slots=True)
class Card:
    """The words of a card: a small line, a large one, the players, sentences, and the site."""

    label: str
    title: str
    site: str
    players: tuple[CardPlayer, ...] = ()
    lines: tuple[str, ...] = ()
    postmark: Postmark | None = None


@dataclass(frozen=True, slots=True)
class _Places:
    """Where things are on a card of a shape.

    The words begin at `scale` times their sizes. A postmark is below them, or beside the last ones.
    """

    size: tuple[int, int]
    board: Box
    words: Box
    scale: float
    postmark_is_beside: bool


_PLACES: dict[CardShape, _Places] = {
    "wide": _Places((1200, 630), (62, 60, 510, 510), (622, 62, 516, 506), 1, False),
    "tall": _Places((1080, 1350), (90, 72, 900, 690), (92, 784, 896, 500), 1.5, True),
}

_LABEL, _TITLE, _PLAYER, _LINE, _SITE = 30, 60, 33, 29, 32
"""The sizes of the letters."""

_SMALLEST = 0.45
"""Of these sizes, if there are so many words."""

_SMALLEST_NAME = 0.7
"""Of its size, before a name is cut."""

_STAMP = 26
"""Pixels from one hole of the stamp's edge to the next; both sides are a multiple of it."""


def card_size(shape: CardShape) -> tuple[int, int]:
    """Return the width and height of a card in pixels."""
    return _PLACES[shape].size


def card_png(card: Card, board: Board, *, shape: CardShape, translate: Translate = str) -> bytes:
    """Return a card as PNG. Raises DrawingTooLarge."""
    size = width, height = card_size(shape)
    indices = draw_indices(card_svg(card, board, shape=shape, translate=translate), size)
    lines = (indices[at : at + width] for at in range(0, width * height, width))
    return write_png([compress_band(lines)], size)


def card_svg(card: Card, board: Board, *, shape: CardShape, translate: Translate = str) -> str:
    """Return a card as SVG. Raises DrawingTooLarge."""
    places = _PLACES[shape]
    width, height = places.size
    wide, high = ((side - 40) // _STAMP * _STAMP for side in places.size)
    edge = (
        f'<rect x="{(width - wide) / 2:g}" y="{(height - high) / 2:g}" width="{wide}"'
        f' height="{high}" fill="{COLOURS["paper"]}" stroke="{COLOURS["paper-shade"]}"'
        f' stroke-width="15" stroke-linecap="round" stroke-dasharray="0 {_STAMP}"/>'
    )
    left, top, across, down = places.words
    has_mark = card.postmark is not None
    foot = 172 if has_mark and not places.postmark_is_beside else 62
    narrower = across - 270 if has_mark and places.postmark_is_beside else across
    scale = places.scale
    while True:
        column = _Column(left, top, across, narrower, scale)
        column.add_card(card)
        if column.y <= top + down - foot or scale < _SMALLEST:
            break
        scale *= 0.95
    bottom = top + down
    drawn = [edge, nested_svg(board, places.board, translate=translate), *column.drawn]
    drawn.append(_draw_site(card.site, left, bottom, across - (260 if card.postmark else 0)))
    if card.postmark:
        drawn.append(_draw_postmark(card.postmark, left + across - 172, bottom - 76))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="{FONT}, serif">'
        f'<rect width="{width}" height="{height}" fill="{COLOURS["paper-shade"]}"/>'
        f"{''.join(drawn)}</svg>"
    )


class _Column:
    """Words one below the other; `y` is where the next ones begin.

    What comes below the title is at most `narrower` pixels wide.
    """

    def __init__(
        self, left: float, top: float, width: float, narrower: float, scale: float
    ) -> None:
        self.left, self.y, self.width, self.scale = left, top, width, scale
        self.narrower = narrower
        self.drawn: list[str] = []

    def add_card(self, card: Card) -> None:
        self.add(card.label, _LABEL, "ink-soft")
        self.add(card.title, _TITLE, "ink", after=0.35)
        self.width = self.narrower
        for player in card.players:
            self.add_player(player)
        if card.players:
            self.y += 12 * self.scale
        for line in card.lines:
            self.add(line, _LINE, "ink-soft", after=0.3)

    def add(self, text: str, size: float, colour: str, *, after: float = 0.15) -> None:
        """Write a text on as many lines as it needs; `after` is the gap below, in letters."""
        if not text:
            return
        size *= self.scale
        for line in wrap_text(text, size, self.width):
            self.y += size * 1.2
            self.drawn.append(_draw_text(line, self.left, self.y - size * 0.25, size, colour))
        self.y += size * after

    def add_player(self, player: CardPlayer) -> None:
        """Write the name of a player beside the number of the seat in its colour."""
        size = _PLAYER * self.scale
        radius = size * 0.52
        middle = self.y + size * 0.75
        side = "ink" if player.side is None else f"side-{player.side}"
        beside = text_width(player.note, size * 0.8)
        room = self.width - 3 * radius - (beside + radius if player.note else 0)
        letters = size * max(_SMALLEST_NAME, min(1, room / max(1, text_width(player.name, size))))
        name = cut_text(player.name, letters, room)
        baseline = middle + size * 0.33
        self.drawn += [
            f'<circle cx="{svg_number(self.left + radius)}" cy="{svg_number(middle)}"'
            f' r="{svg_number(radius)}" fill="{COLOURS[side]}"/>',
            _draw_text(
                str(player.number),
                self.left + radius,
                middle + size * 0.24,
                size * 0.68,
                "paper-raised",
                anchor="middle",
            ),
            _draw_text(name, self.left + 3 * radius, baseline, letters, "ink"),
        ]
        if player.note:
            end = self.left + self.width
            note = _draw_text(player.note, end, baseline, size * 0.8, "ink-soft", anchor="end")
            self.drawn.append(note)
        if player.won:
            left, below = svg_number(self.left + 3 * radius), svg_number(baseline + size * 0.2)
            self.drawn.append(
                f'<path d="M{left} {below}h{svg_number(text_width(name, letters))}"'
                f' stroke="{COLOURS[side]}" stroke-width="3" fill="none"/>'
            )
        self.y += size * 1.5


def _draw_text(
    text: str, x: float, y: float, size: float, colour: str, *, anchor: str = "start"
) -> str:
    return (
        f'<text x="{svg_number(x)}" y="{svg_number(y)}" font-size="{svg_number(size)}"'
        f' fill="{COLOURS[colour]}" text-anchor="{anchor}" xml:space="preserve">'
        f"{escape_xml(text)}</text>"
    )


def _draw_site(name: str, left: float, bottom: float, width: float) -> str:
    """Draw the sign of the site with its name beside it, above `bottom`."""
    ink, paper, accent = COLOURS["ink"], COLOURS["paper-raised"], COLOURS["accent"]
    size = _SITE * min(1, (width - 56) / max(1, text_width(name, _SITE)))
    return (
        f'<g transform="translate({svg_number(left - 5)} {svg_number(bottom - 45)}) scale(1.5)"'
        f' stroke="{ink}" stroke-width="1.5" stroke-linejoin="round">'
        f'<path fill="{paper}" d="M4 9 16 4.5v18.5L4 27.5Z"/>'
        f'<path fill="{COLOURS["paper-shade"]}" d="M16 4.5 28 9v18.5L16 23Z"/>'
        '<path fill="none" stroke-linecap="round"'
        ' d="M7 13.4 13 11.1M7 17.4 13 15.1M7 21.4 10.6 20"/>'
        f'<circle fill="{accent}" stroke="none" cx="22" cy="16.6" r="3.4"/></g>'
        + _draw_text(name, left + 52, bottom - 10, size, "ink")
    )


def _draw_postmark(mark: Postmark, x: float, y: float) -> str:
    """Draw a postmark around a place, with the waves that cancel a stamp on its right."""
    radius, colour = 72, COLOURS["postmark"]
    waves = "".join(
        f"M{radius + 6} {height}q13.5 -14 27 0t27 0t27 0" for height in range(-30, 31, 15)
    )
    lines = ((mark.top, -22, 17), (mark.middle, 10, 28), (mark.bottom, 42, 22))
    words = [
        _draw_text(
            text,
            0,
            height,
            min(size, size * 100 / max(1, text_width(text, size))),
            "postmark",
            anchor="middle",
        )
        for text, height, size in lines
    ]
    return (
        f'<g transform="translate({svg_number(x)} {svg_number(y)}) rotate(-8)">'
        f'<g fill="none" stroke="{colour}"><circle r="{radius}" stroke-width="4"/>'
        f'<circle r="{radius - 8}" stroke-width="2"/>'
        f'<path stroke-width="2" d="M-58 -15H58M-58 20H58"/>'
        f'<path stroke-width="3" d="{waves}"/></g>{"".join(words)}</g>'
    )
