"""The shapes of pieces, in a box of 100 by 100: strokes of a pen and wooden men.

A pen stroke is drawn as its outline, of varying width as ink is. A man is a solid
with an edge and a turned groove. No two shapes are alike without their colour.
"""

from __future__ import annotations

from games.render.theme import Look
from games.rules.board import Shape, Side

PEN_SHAPES = frozenset({"cross", "ring"})

_PEN = {
    "cross": (
        "M21 26C19 22 25 18 29 22C46 36 63 53 78 73C81 77 78 82 73 79C56 65 37 47 21 26Z",
        "M80 26C82 21 76 18 72 22C54 37 37 54 21 73C18 78 21 83 26 79C45 65 63 47 80 26Z",
    ),
    "ring": (
        "M53 16C72 17 85 31 84 51C83 70 69 85 48 84C29 83 16 69 16 49C17 30 32 15 53 16Z"
        "M51 24C36 24 25 35 25 50C24 64 35 75 50 76C65 76 75 66 76 51C76 36 66 24 51 24Z",
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
    "hexagon": (
        "M47 12Q50 10 53 12L83 29Q86 31 86 35V65Q86 69 83 71L53 88Q50 90 47 88L17 71Q14 69 14 65"
        "V35Q14 31 17 29Z",
        "M50 28L69 39V61L50 72L31 61V39Z",
    ),
}


def draw_shape(kind: Shape, side: Side, look: Look) -> str:
    """Return the shape's SVG in a box of 100 by 100."""
    if kind in PEN_SHAPES:
        return "".join(f'<path{look("pen", side)} d="{stroke}"/>' for stroke in _PEN[kind])
    body, groove = _MEN[kind]
    return (
        f'<path{look("man", side)} stroke-width="3" d="{body}"/>'
        f'<path{look("groove", None)} stroke-width="3.5" d="{groove}"/>'
    )


def draw_stack(kind: Shape, side: Side, top: Shape, crown: Side, look: Look) -> str:
    """Return a piece with a second one, smaller, on top of it, in a box of 100 by 100."""
    return (
        f'<g transform="translate(0 7)">{draw_shape(kind, side, look)}</g>'
        f'<g transform="translate(21 5) scale(.58)">{draw_shape(top, crown, look)}</g>'
    )


def tilt_angle(kind: Shape, square: str) -> int:
    """Return a small angle, the same for a square each time: a hand draws no two strokes alike.

    Wooden men are straight.
    """
    return sum(map(ord, square)) * 7 % 13 - 6 if kind in PEN_SHAPES else 0
