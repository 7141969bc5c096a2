"""How wide a text is in the font of pictures, which letters that font has, and lines of a width.

resvg draws a text on one line and does not say how wide it is. So each letter is drawn once between
two bars, and the place of the second bar is its width.
"""

from __future__ import annotations

from functools import lru_cache

from games.render.png import draw_coverage
from games.render.svg import escape_xml
from games.render.theme import FONT

_SIZE, _WIDTH, _HEIGHT = 50, 200, 80
"""Pixels of the letter that is measured, and of its picture."""

_NO_LETTER = "\ue000"
"""Drawn as the box that stands for a letter that the font does not have."""

_KEPT = 2000
"""Of how many letters a process remembers the width."""

ELLIPSIS = "…"


def has_letters(text: str) -> bool:
    """Return whether the font has every letter of a text."""
    return all(letter.isspace() or _has_letter(letter) for letter in text)


def text_width(text: str, size: float) -> float:
    """Return how wide a text of this font size is, in pixels."""
    return sum(map(_advance, text)) * size


def wrap_text(text: str, size: float, width: float) -> list[str]:
    """Return a text as lines that are at most `width` pixels wide; a longer word is cut."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(cut_text(word, size, width))
    return lines


def cut_text(text: str, size: float, width: float) -> str:
    """Return a text that is at most `width` pixels wide; what is cut off is an ellipsis."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + ELLIPSIS, size) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


@lru_cache(_KEPT)
def _advance(letter: str) -> float:
    """Return how wide a letter is, as a part of the font's size."""
    return (_right_edge(f"|{letter}|") - _right_edge("||")) / _SIZE


def _right_edge(text: str) -> int:
    box = draw_coverage(_source(text)).getbbox()
    return box[2] if box else 0


@lru_cache(_KEPT)
def _has_letter(letter: str) -> bool:
    drawn, missing = (draw_coverage(_source(f"|{one}|")) for one in (letter, _NO_LETTER))
    return drawn.tobytes() != missing.tobytes()


def _source(text: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}"'
        f' font-family="{FONT}" font-size="{_SIZE}">'
        f'<text x="5" y="{_SIZE}" xml:space="preserve">{escape_xml(text)}</text></svg>'
    )
