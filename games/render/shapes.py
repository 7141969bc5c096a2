"""The shapes of pieces, in a box of 100 by 100: strokes of a pen and men of wood.

A pen stroke is drawn as its outline, thicker here and thinner there as ink is. A man is a solid
with an edge and a turned groove. No two shapes are alike without their colour.
"""

from __future__ import annotations

from games.render.theme import Look
from games.rules.board import Shape, Side

PEN_SHAPES = frozenset({"cross", "ring"})

_PEN = {
    "cross": (
        "M20 27C18 22 24 17 29 21C46 35 64 53 79 73C83 78 79 84 73 80C55 67 36 49 20 27Z"
        "M80 25C82 20 76 17 71 21C53 36 36 54 20 74C17 79 21 84 27 80C46 66 64 48 80 25Z"
    ),
    "ring": (
        "M53 15C73 16 86 31 85 51C84 71 69 86 48 85C28 84 15 69 15 49C16 29 31 14 53 15Z"
        "M51 25C36 25 26 36 26 50C25 64 36 75 50 75C64 76 74 65 75 51C75 37 65 25 51 25Z"
    ),
}

_MEN = {
    "disc": ("M50 14A36 36 0 1 1 49.9 14Z", "M50 28A22 22 0 1 1 49.9 28Z"),
    "square": (
        "M24 18H76Q82 18 82 24V76Q82 82 76 82H24Q18 82 18 76V24Q18 18 24 18Z",
        "M33 33H67V67H33Z",
    ),
    "diamond": (
        "M46 12Q50 8 54 12L88 46Q92 50 88 54L54 88Q50 92 46 88L12 54Q8 50 12 46Z",
        "M50 30L70 50L50 70L30 50Z",
    ),
    "triangle": (
        "M50 12Q53 12 55 16L89 77Q92 84 85 84H15Q8 84 11 77L45 16Q47 12 50 12Z",
        "M50 39L69 72H31Z",
    ),
}


def shape(kind: Shape, side: Side, look: Look) -> str:
    """Return the shape's SVG in a box of 100 by 100."""
    if kind in PEN_SHAPES:
        return f'<path{look("pen", side)} d="{_PEN[kind]}"/>'
    body, groove = _MEN[kind]
    return (
        f'<path{look("man", side)} stroke-width="4" d="{body}"/>'
        f'<path{look("groove", None)} stroke-width="4" d="{groove}"/>'
    )


def stack(kind: Shape, side: Side, top: Shape, crown: Side, look: Look) -> str:
    """Return a piece with a second one, smaller, on top of it, in a box of 100 by 100."""
    return (
        f'<g transform="translate(0 7)">{shape(kind, side, look)}</g>'
        f'<g transform="translate(21 5) scale(.58)">{shape(top, crown, look)}</g>'
    )


def tilt(square: str) -> int:
    """Return a small angle, the same for a square each time: no two strokes of a hand are alike."""
    return sum(map(ord, square)) * 7 % 13 - 6
