"""What the tests of the board page do in a browser's tab."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import Page, expect

from games.render.svg import board_svg
from tests.render import boards
from tests.render.board_page import Answer, Desk

Open = Callable[[Desk], None]


def cell(tab: Page, square: str) -> Any:
    return tab.locator(f'[data-square="{square}"]')


def squares(tab: Page, state: str) -> set[str]:
    found = tab.locator(f".cell.{state}")
    return {found.nth(i).get_attribute("data-square") for i in range(found.count())}


def says(tab: Page, text: str) -> None:
    expect(tab.locator("[data-board-status]")).to_have_text(text)


def acts(*actions: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return actions as the page gets them: each a text and the squares to click."""
    return [{"text": t, "squares": list(s), "words": f"plays {t}"} for t, *s in actions]


def drawing_with(*pieces: Any) -> str:
    board = boards.noughts_and_crosses(pieces=pieces, lines=(), last=())
    return board_svg(board, title="Preview", description="A preview")


def echo(asked: Mapping[str, str]) -> Answer:
    """Answer as if every turn were a whole one."""
    turn = asked["turn"]
    svg = drawing_with(boards.cross("1"))
    return 200, {"svg": svg, "notation": turn, "words": f"Ann plays {turn}.", "complete": True}


def simple(*actions: tuple[str, ...], **more: Any) -> Desk:
    board = boards.noughts_and_crosses(pieces=(boards.ring("1"),), lines=(), last=())
    return Desk(board, acts(*actions), more.pop("preview", echo), **more)
