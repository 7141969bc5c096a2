"""A turn on the real page of a game without touching a pointer."""

import pytest
from playwright.sync_api import expect

from config.demo import ACCOUNTS

pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]

ENOUGH = 60
"""More stops of the tabulator key than the way to any part of the page has."""


def tab_to(page, selector):
    """Press the tabulator key until the focus stands on such an element."""
    for _ in range(ENOUGH):
        page.keyboard.press("Tab")
        if page.locator(f"{selector}:focus").count():
            return
    pytest.fail(f"the tabulator key does not lead to {selector}")


def focused_square(page):
    return page.locator(".cell:focus").get_attribute("data-square")


def walk_to(page, square):
    """Go from cell to cell with the arrow keys: columns a to c, rows 1 to 3."""
    for there, here, more, less in zip(
        square, focused_square(page), ("ArrowRight", "ArrowUp"), ("ArrowLeft", "ArrowDown"),
        strict=True,
    ):  # fmt: skip
        for _ in range(abs(ord(there) - ord(here))):
            page.keyboard.press(more if there > here else less)
    assert focused_square(page) == square


def test_a_turn_is_played_by_keyboard_alone(newcomer):
    ann = newcomer(ACCOUNTS[0].username)
    page = ann.page
    page.goto("/accounts/login/")
    tab_to(page, "[name=login]")
    page.keyboard.type(ann.name)
    tab_to(page, "[name=password]")
    page.keyboard.type(ACCOUNTS[0].password)
    page.keyboard.press("Enter")
    expect(ann.main.get_by_role("heading", level=1)).to_have_text(ann.words("My games"))

    page.goto("/tables/new/?game=taquet")
    tab_to(page, "[name=whom]:checked")
    expect(page.locator("[name=whom]:checked")).to_have_value("partner")
    tab_to(page, "[name=creator_seat]")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[name=creator_seat]")).to_have_value("0")
    tab_to(page, "main form .button-primary")
    page.keyboard.press("Enter")
    ann.is_to_move()

    tab_to(page, ".cell")
    walk_to(page, "c1")
    page.keyboard.press("Enter")
    expect(page.locator("[data-board-status]")).to_contain_text("places a man on c1")
    expect(page.locator("[data-board-confirm]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-board] [name=text]")).to_have_value("")
    assert focused_square(page) == "c1"
    walk_to(page, "a2")
    page.keyboard.press("Space")
    expect(page.locator("[data-board-status]")).to_contain_text("places a man on a2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Your turn is played.")
    expect(page.locator(".turn-list a").first).to_have_text("a2")
