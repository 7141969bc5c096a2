"""The colours and fonts: one palette for page and print, legible in light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.render.theme import COLOURS, NIGHT_COLOURS

STATIC = Path(__file__).parents[2] / "static"
TOKENS = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")
BOARD_CSS = (STATIC / "board" / "board.css").read_text(encoding="utf-8")

BLOCKS = [
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    for block in re.findall(r":root[^{]*\{([^}]*)\}", TOKENS)
]
LIGHT, DARK_BY_SYSTEM, DARK_BY_CHOICE = BLOCKS
THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK_BY_CHOICE], ids=["light", "dark"])


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_print_has_the_colours_of_the_light_page() -> None:
    assert {name: LIGHT[name] for name in COLOURS} == COLOURS


def test_images_have_the_colours_of_the_dark_page_too() -> None:
    assert {name: DARK_BY_CHOICE[name] for name in COLOURS} == NIGHT_COLOURS


def test_dark_is_the_same_by_choice_and_by_the_system_and_leaves_no_colour_out() -> None:
    assert DARK_BY_CHOICE == DARK_BY_SYSTEM
    assert set(DARK_BY_CHOICE) == set(LIGHT)


@THEMES
@pytest.mark.parametrize("ink", ["ink", "ink-soft", "accent", "danger", "ok"])
def test_words_are_legible_on_every_paper(theme: dict[str, str], ink: str) -> None:
    for paper in ("paper", "paper-raised", "target", "stamp"):
        assert contrast(theme[ink], theme[paper]) >= 4.5, paper


@THEMES
@pytest.mark.parametrize("side", ["side-0", "side-1", "side-2", "side-3"])
def test_every_side_contrasts_with_every_ground(theme: dict[str, str], side: str) -> None:
    for paper in ("paper", "paper-raised", "target", "stamp"):
        assert contrast(theme[side], theme[paper]) >= 3, paper


@THEMES
def test_men_have_an_edge_that_contrasts_even_with_dark_squares(theme: dict[str, str]) -> None:
    for paper in ("paper-raised", "paper-shade", "target", "stamp"):
        assert contrast(theme["man-edge"], theme[paper]) >= 4.5, paper


@THEMES
def test_a_button_in_the_accent_colour_is_legible(theme: dict[str, str]) -> None:
    assert contrast(theme["on-accent"], theme["accent"]) >= 4.5


@THEMES
def test_the_first_side_is_blue_beside_the_others(theme: dict[str, str]) -> None:
    """A person who cannot tell red from green still sees blue as another colour."""
    colours = [theme[f"side-{n}"] for n in range(4)]
    blueness = [int(c[5:7], 16) - int(c[1:3], 16) for c in colours]
    assert all(blueness[0] - other > 60 for other in blueness[1:])


def test_every_colour_that_the_board_uses_is_a_token() -> None:
    used = set(re.findall(r"var\(--([\w-]+)", BOARD_CSS)) - {"side", "man", "serif"}
    assert used <= set(LIGHT)


def test_the_fonts_are_there_with_their_licence_and_small() -> None:
    fonts = STATIC / "fonts"
    named = set(re.findall(r'url\("([^"]+)"\)', (fonts / "fonts.css").read_text()))
    files = {path.name for path in fonts.glob("*.woff2")}
    assert named == files
    assert sum((fonts / name).stat().st_size for name in files) < 250_000
    assert "SIL OPEN FONT LICENSE" in (fonts / "OFL.txt").read_text()
