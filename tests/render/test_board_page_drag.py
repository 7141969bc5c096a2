"""Playing on a board by dragging a piece to where it goes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.rules.registry import rules_for
from tests.render.board_page import Desk, desk_for
from tests.render.board_tab import Open, cell, says, squares

pytestmark = pytest.mark.journey


@pytest.fixture
def desk() -> Desk:
    """Taquet where a man stands on a1 and may go to a2 or b1."""
    return desk_for(rules_for("taquet"), ("a1", "c3"))


def middle(tab: Page, square: str) -> tuple[float, float]:
    box = cell(tab, square).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(tab: Page, start: str, end: str) -> None:
    """Drag with the mouse, in several steps as a hand does."""
    tab.mouse.move(*middle(tab, start))
    tab.mouse.down()
    tab.mouse.move(*middle(tab, end), steps=5)
    tab.mouse.up()


def test_a_piece_is_dragged_to_where_it_goes(tab: Page, sit: Open, desk: Desk) -> None:
    sit(desk)
    drag(tab, "a1", "a2")
    says(tab, "Ann moves a man from a1 to a2.")
    expect(tab.locator("#turn-text")).to_have_value("a1-a2")
    assert squares(tab, "lifted") == set()
    expect(tab.locator(".dragged")).to_have_count(0)


def test_while_it_is_dragged_the_piece_follows(tab: Page, sit: Open, desk: Desk) -> None:
    sit(desk)
    x, y = middle(tab, "a1")
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + 60, y - 40, steps=3)
    piece = tab.locator(".dragged .man").bounding_box()
    assert piece is not None
    assert piece["x"] + piece["width"] / 2 == pytest.approx(x + 60, abs=3)
    assert piece["y"] + piece["height"] / 2 == pytest.approx(y - 40, abs=6)
    assert squares(tab, "lifted") == {"a1"}
    tab.mouse.move(x, y, steps=3)
    tab.mouse.up()
    expect(tab.locator(".dragged")).to_have_count(0)
    assert desk.asked == []


def test_a_finger_drags_without_scrolling_the_page(tab: Page, sit: Open, desk: Desk) -> None:
    tab.set_viewport_size({"width": 360, "height": 300})
    sit(desk)
    cell(tab, "a1").scroll_into_view_if_needed()
    before = tab.evaluate("scrollY")
    (x, y), (to_x, to_y) = middle(tab, "a1"), middle(tab, "a2")
    finger = tab.context.new_cdp_session(tab)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x + (to_x - x) * step / 5, y + (to_y - y) * step / 5))
    assert tab.evaluate("scrollY") == before
    touch("touchEnd")
    says(tab, "Ann moves a man from a1 to a2.")


def test_another_turn_is_dragged_after_a_preview(tab: Page, sit: Open, desk: Desk) -> None:
    sit(desk)
    drag(tab, "a1", "a2")
    says(tab, "Ann moves a man from a1 to a2.")
    tab.get_by_role("button", name="Back").click()
    drag(tab, "a1", "b1")
    says(tab, "Ann moves a man from a1 to b1.")


def test_a_piece_that_cannot_go_there_stays_chosen(tab: Page, sit: Open, desk: Desk) -> None:
    sit(desk)
    drag(tab, "a1", "c1")
    says(tab, "Nothing can be played there.")
    assert squares(tab, "chosen") == {"a1"}
    assert desk.asked == []
    cell(tab, "a2").click()
    says(tab, "Ann moves a man from a1 to a2.")


@pytest.mark.parametrize("square", ["a2", "c3"])
def test_what_is_not_ones_own_is_not_dragged(tab: Page, sit: Open, desk: Desk, square: str) -> None:
    sit(desk)
    assert squares(tab, "drags") == {"a1", "b2"}  # and the taquet, which is nobody's
    drag(tab, square, "b1")
    says(tab, "Choose a square.")
    assert squares(tab, "chosen") == set()
