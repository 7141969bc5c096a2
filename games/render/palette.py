"""The colours of printed pictures: those of the theme, and some between two that meet."""

from __future__ import annotations

from itertools import product

from games.render.theme import COLOURS

Colour = tuple[int, int, int]

NEAR = 8
"""Of 255: a colour in between that is nearer to another one is not needed."""

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


def distance(one: Colour, two: Colour) -> int:
    """Return how far apart two colours are, of 255."""
    return max(abs(a - b) for a, b in zip(one, two, strict=True))


def all_colours() -> list[Colour]:
    found = list(dict.fromkeys(map(colour_named, COLOURS)))
    between = [
        mixed(upper, lower, share)
        for upper, lower in product(_ON_GROUNDS, _GROUNDS)
        for share in _BETWEEN
    ]
    for man in _MEN:
        between += [mixed("groove", man, share) for share in (0.33, 0.67)]
        between.append(mixed("man-edge", man, 0.5))
    for colour in between:
        if all(distance(colour, other) >= NEAR for other in found):
            found.append(colour)
    return found


PALETTE = all_colours()
"""At most 256 colours, the exact ones of the theme first."""
