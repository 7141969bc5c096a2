"""Looking closer at a large board, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from games.rules.registry import rules_for
from tests.render import boards
from tests.render.board_page import Desk, desk_for, serving

pytestmark = pytest.mark.journey


def quiet(asked: object) -> tuple[int, dict[str, str]]:
    return 404, {"error": "Nothing is asked here."}


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 360, "height": 640})
    yield page
    page.close()


def larger(page: Page) -> Locator:
    return page.get_by_role("button", name="Larger")


def width_of_a_square(page: Page) -> float:
    return page.locator(".cell").first.bounding_box()["width"]


def test_a_large_board_on_a_phone_is_made_larger_and_smaller_again(phone: Page) -> None:
    with serving(Desk(boards.great_cross(), [], quiet)) as desk:
        phone.goto(desk.url)
        before = width_of_a_square(phone)
        expect(phone.get_by_role("button", name="Smaller")).to_be_disabled()
        for _ in range(3):
            larger(phone).click()
        assert width_of_a_square(phone) > 3 * before
        expect(larger(phone)).to_be_disabled()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360
        for _ in range(3):
            phone.get_by_role("button", name="Smaller").click()
        assert width_of_a_square(phone) == before


def test_what_was_in_the_middle_stays_there(phone: Page) -> None:
    with serving(Desk(boards.great_cross(), [], quiet)) as desk:
        phone.goto(desk.url)
        larger(phone).click()
        sheet = phone.locator(".board-sheet")
        middle = sheet.evaluate("s => (s.scrollLeft + s.clientWidth / 2) / s.scrollWidth")
        assert middle == pytest.approx(0.5, abs=0.02)


def test_a_preview_is_as_large_as_what_it_replaces(phone: Page) -> None:
    with serving(desk_for(rules_for("superpion"))) as desk:
        phone.goto(desk.url)
        larger(phone).click()
        before = width_of_a_square(phone)
        phone.locator("[data-square=e3]").click(force=True)
        expect(phone.locator("svg.previewed")).to_be_visible()
        assert width_of_a_square(phone) == before


def test_a_board_that_fits_a_finger_has_no_buttons(phone: Page) -> None:
    with serving(Desk(boards.noughts_and_crosses(), [], quiet)) as desk:
        phone.goto(desk.url)
        expect(phone.locator(".cell").first).to_be_visible()
        expect(larger(phone)).to_be_hidden()
