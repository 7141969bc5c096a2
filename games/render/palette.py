"""The colours of printed pictures: those of the theme, and some between two that meet."""

from __future__ import annotations

from itertools import product

from games.render.theme import COLOURS

Colour = tuple[int, int, int]

_BETWEEN = (0.14, 0.28, 0.5, 0.75)
"""How much of the upper colour there is where two meet; .28 is how strong a closed area is."""

_GROUNDS = ("paper", "paper-raised", "paper-shade", "stamp", "target")
_ON_GROUNDS = (
    *("ink", "ink-soft", "ink-faint", "line"),
    *("side-0", "side-1", "side-2", "side-3", "wood", "postmark"),
)
_MEN = ("side-0", "side-1", "side-2", "side-3", "wood")


def colour_named(name: str) -> Colour:
    red, green, blue = bytes.fromhex(COLOURS[name].removeprefix("#"))
    return red, green, blue


def mixed(upper: str, lower: str, share: float) -> Colour:
    red, green, blue = (
        round(share * a + (1 - share) * b)
        for a, b in zip(colour_named(upper), colour_named(lower), strict=True)
    )
    return red, green, blue


def all_colours() -> list[Colour]:
    found = [colour_named(name) for name in COLOURS]
    for upper, lower in product(_ON_GROUNDS, _GROUNDS):
        found += [mixed(upper, lower, share) for share in _BETWEEN]
    for man in _MEN:
        found += [mixed("groove", man, share) for share in (0.33, 0.67)]
        found.append(mixed("man-edge", man, 0.5))
    return list(dict.fromkeys(found))


PALETTE = all_colours()
"""At most 256 colours, the exact ones of the theme first."""


class _Indices(dict[int, int]):
    """The place in the palette of the colour nearest to a pixel.

    A pixel is red, green, blue and alpha, read as a number whose first byte is the lowest.
    """

    def __missing__(self, pixel: int) -> int:
        red, green, blue = pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255
        distances = [(red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2 for r, g, b in PALETTE]
        self[pixel] = found = distances.index(min(distances))
        return found


INDEX_OF = _Indices()
