"""What each part of a drawing looks like: classes on a page, colours in print and in an image.

A part has a role (what it is) and sometimes a side. The page's colours live in
static/css/tokens.css and static/board/board.css. Those of print and of images are here: neither a
picture in a mail nor an image can read the page's stylesheet.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Literal

from games.rules.board import Side

ThemeName = Literal["page", "print", "image"]
Look = Callable[[str, Side], str]
"""Turns a role and a side into attributes, each with a blank before it."""

STYLE_VERSION = 2
"""Raise it when a position becomes another picture (a new font or size, another renderer)."""

FONT = "Literata"

COLOURS = {
    "paper": "#f6f1e4",
    "paper-raised": "#fdfaf1",
    "paper-shade": "#ddd0b4",
    "ink": "#26231e",
    "ink-soft": "#655d50",
    "ink-faint": "#a79b84",
    "line": "#cfc4ab",
    "accent": "#24477f",
    "side-0": "#24477f",
    "side-1": "#a5352a",
    "side-2": "#a97a12",
    "side-3": "#3a3a3a",
    "man-3": "#3a3a3a",  # graphite alone differs between pen and wood
    "man-edge": "#26231e",
    "groove": "#fdfaf1",
    "wood": "#d9bd8d",
    "postmark": "#5d7086",
    "stamp": "#e3e7e8",
    "target": "#e6ebf2",
}
"""The light tokens of the stylesheet, by name."""

NIGHT_COLOURS = {
    "paper": "#1d1b18",
    "paper-raised": "#272420",
    "paper-shade": "#3b352b",
    "ink": "#ece4d3",
    "ink-soft": "#b5ab98",
    "ink-faint": "#857c6b",
    "line": "#4d463b",
    "accent": "#9dbdf0",
    "side-0": "#8fb4ee",
    "side-1": "#f08a78",
    "side-2": "#e0b64a",
    "side-3": "#c4beb2",
    "man-3": "#5a544b",
    "man-edge": "#ece4d3",
    "groove": "#1d1b18",
    "wood": "#8a6c43",
    "postmark": "#9fb2c6",
    "stamp": "#343b42",
    "target": "#2b3442",
}
"""The dark ones."""

_PRINT = {
    "sheet": 'fill="{paper}"',
    "ground light": 'fill="{paper-raised}" stroke="{line}"',
    "ground dark": 'fill="{paper-shade}" stroke="{line}"',
    "ground point": 'fill="none"',
    "ground light target": 'fill="{target}" stroke="{line}"',
    "ground dark target": 'fill="{target}" stroke="{line}"',
    "ground point target": 'fill="{target}"',
    "grid": 'fill="none" stroke="{line}"',
    "number": 'fill="{ink-faint}" text-anchor="middle"',
    "label": 'fill="{ink-soft}" text-anchor="middle"',
    "tray": 'fill="{ink-soft}"',
    "stamp": 'fill="{stamp}" stroke="{postmark}" stroke-linecap="round"',
    "frame": 'fill="none" stroke="{ink-soft}"',
    "frame target": 'fill="none" stroke="{accent}"',
    "frame closed": 'fill="none" stroke="{line}"',
    "pen": 'fill="{side}"',
    "man": 'fill="{man}" stroke="{man-edge}"',
    "groove": 'fill="none" stroke="{groove}"',
    "stroke": 'stroke="{side}" stroke-linecap="round"',
    "stroke casing": 'stroke="{groove}" stroke-linecap="round"',
    "stroke win": 'stroke="{side}" stroke-linecap="round"',
}


@cache
def attributes(theme: ThemeName, role: str, side: Side) -> str:
    """Return the attributes of a part, each with a blank before it."""
    if theme == "page":
        colour = "" if side is None else f" side-{side}"
        return f' class="{role}{colour}"'
    colours = COLOURS if theme == "print" else _VARIABLES
    pen = colours["ink" if side is None else f"side-{side}"]
    man = colours["wood"] if side is None else colours.get(f"man-{side}", pen)
    return " " + _PRINT[role].format(side=pen, man=man, **colours)


_VARIABLES = {name: f"var(--{name})" for name in COLOURS}


def image_style(drawing: str) -> str:
    """Return the style element that gives an image the colours that its drawing uses.

    By night they are the dark ones: an image follows the colour scheme of the page around it.
    """
    used = sorted(set(re.findall(r"var\(--([a-z0-9-]+)\)", drawing)))
    day, night = (
        ";".join(f"--{name}:{colours[name]}" for name in used)
        for colours in (COLOURS, NIGHT_COLOURS)
    )
    dark = f"@media(prefers-color-scheme:dark){{:root{{{night}}}}}"
    return f"<style>:root{{{day}}}{dark}</style>"
