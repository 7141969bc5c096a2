"""Playing on a board in a browser by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.rules.registry import rules_for
from tests.render import boards
from tests.render.board_page import Desk, desk_for
from tests.render.board_tab import Open, acts, cell, echo, says, simple, squares

pytestmark = pytest.mark.journey


def test_a_whole_turn_is_played_by_keyboard_alone(tab: Page, sit: Open) -> None:
    sit(desk_for(rules_for("taquet"), ("a1", "c3")))
    tab.keyboard.press("Tab")
    expect(tab.locator(".cell:focus")).to_have_count(1)
    for key in ("ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft"):
        tab.keyboard.press(key)
    expect(cell(tab, "a1")).to_be_focused()
    expect(cell(tab, "a1")).to_have_accessible_name("a1, disc")
    expect(cell(tab, "a1")).to_have_role("button")
    tab.keyboard.press("Enter")
    says(tab, "Now choose where to.")
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("Space")
    says(tab, "Ann moves a man from a1 to a2.")
    expect(tab.get_by_role("button", name="Send")).to_be_focused()
    tab.keyboard.press("Enter")
    expect(tab.locator("body")).to_have_text("played a1-a2")


def test_escape_takes_back_a_click_and_then_the_preview(tab: Page, sit: Open) -> None:
    sit(desk_for(rules_for("taquet"), ("a1", "c3")))
    cell(tab, "a1").focus()
    tab.keyboard.press("Enter")
    tab.keyboard.press("Escape")
    says(tab, "Choose a square.")
    assert squares(tab, "chosen") == set()
    cell(tab, "b1").focus()
    tab.keyboard.press("Enter")
    says(tab, "Ann places a man on b1.")
    tab.keyboard.press("Escape")
    says(tab, "Choose a square.")
    expect(cell(tab, "b1")).to_be_focused()
    expect(tab.locator("svg.previewed")).to_have_count(0)


def test_arrows_cross_the_gaps_between_boards_and_stop_at_the_edge(tab: Page, sit: Open) -> None:
    sit(Desk(boards.nine_boards(), acts(("61", "61")), echo))
    cell(tab, "13").focus()
    tab.keyboard.press("ArrowRight")
    expect(cell(tab, "21")).to_be_focused()
    tab.keyboard.press("ArrowUp")
    expect(cell(tab, "21")).to_be_focused()
    for _ in range(3):
        tab.keyboard.press("ArrowDown")
    expect(cell(tab, "51")).to_be_focused()
    assert tab.locator('.cell[tabindex="0"]').count() == 1


def test_a_typed_turn_can_be_sent_without_the_board(tab: Page, sit: Open) -> None:
    sit(simple(("5", "5")))
    tab.get_by_label("Your turn").fill("5")
    tab.get_by_role("button", name="Send").click()
    expect(tab.locator("body")).to_have_text("played 5")
