"""A browser for the board page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.render.board_page import Desk, serving
from tests.render.board_tab import Open


@pytest.fixture
def chromium(browser: Browser) -> Browser:
    """Return the browser of all tests: a second Playwright in one process would not start."""
    return browser


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    """Return an empty page; a complaint on its console fails the test."""
    page = chromium.new_page()
    page.set_default_timeout(5000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console", lambda said: complaints.append(said.text) if is_complaint(said.text) else None
    )
    yield page
    page.close()
    assert not complaints


def is_complaint(text: str) -> bool:
    """Tell whether a console line is more than the browser's note of a refusing answer."""
    return "the server responded with a status of" not in text


@pytest.fixture
def sit(tab: Page) -> Iterator[Open]:
    """Open a desk's page in the tab."""
    served: list[Any] = []

    def open_(desk: Desk) -> None:
        serving_ = serving(desk)
        serving_.__enter__()
        served.append(serving_)
        tab.goto(desk.url)
        expect(tab.locator("[data-board-svg] svg")).to_have_attribute("role", "group")

    yield open_
    for serving_ in served:
        serving_.__exit__(None, None, None)
