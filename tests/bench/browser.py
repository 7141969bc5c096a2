"""What a reader waits for: pages of the demonstration in Chromium, each with an empty cache.

`make bench-browser` starts `make run` in a folder of its own and opens each page in a new browser
context. First paint, readiness and layout shifts are the browser's own figures. A page is ready
when everything it names was loaded; a board when it can be played on as well. From a click to the
preview, one board is measured again and again. Figures of one calm machine: all of it, browser
included, works on the same cores.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.bench.service import service

PAINT, READY, SHIFT, PREVIEW = 1000, 1500, 0.02, 150
"""The goals: milliseconds to the first paint, until a page is ready, the sum of the layout shifts,
and milliseconds from a click to the preview."""

WATCHED = 1000
"""Milliseconds after a page is ready in which its layout must not shift either."""

CHROMIUM = "/usr/bin/chromium"
PLAYER, PASSWORD = "ann", "pli-ann"
"""Of the demonstration."""

WINDOWS: Mapping[str, Mapping[str, int]] = {
    "desk": {"width": 1280, "height": 800},
    "phone": {"width": 360, "height": 740},
}
OPEN_TO_ALL = {"landing": "/", "sign up": "/accounts/signup/", "rules": "/rules/super-morpion/"}
SIGNED_IN = {"my games": "/", "open tables": "/tables/"}

OBSERVE = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""
FIGURES = """
() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  ready: performance.getEntriesByType("navigation")[0].loadEventEnd,
  bytes: performance.getEntriesByType("navigation")
    .concat(performance.getEntriesByType("resource"))
    .reduce((sum, entry) => sum + entry.transferSize, 0),
  shifts: window.shifts,
})
"""
CLICK = """
(square) => new Promise((resolve) => {
  const board = document.querySelector("[data-board-svg]");
  const began = performance.now();
  new MutationObserver((_, observer) => {
    if (!board.querySelector("svg.previewed")) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - began));
  }).observe(board, {subtree: true, childList: true, attributes: true});
  board.querySelector(`[data-square="${square}"]`).dispatchEvent(
    new MouseEvent("click", {bubbles: true}));
})
"""


class Figures(NamedTuple):
    """Milliseconds to the first paint and until ready, the sum of shifts, and bytes loaded."""

    paint: float
    ready: float
    shifts: float
    bytes: float


@contextmanager
def visitor(browser: Browser, site: str, window: str, cookies: Any) -> Iterator[Page]:
    """Open a browser context with an empty cache and an empty page."""
    context: BrowserContext = browser.new_context(base_url=site, viewport=WINDOWS[window])  # type: ignore[arg-type]
    context.add_init_script(OBSERVE)
    context.add_cookies(cookies)
    yield context.new_page()
    context.close()


def look_at(page: Page, address: str) -> Figures:
    """Open a page and return its figures."""
    page.goto(address, wait_until="load")
    if page.locator("[data-board]").count():
        page.wait_for_selector("[data-board-svg] .cell[role]")
    page.wait_for_timeout(WATCHED)
    found = page.evaluate(FIGURES)
    return Figures(found["paint"], found["ready"], found["shifts"], found["bytes"])


def sign_in(browser: Browser, site: str) -> tuple[Any, str]:
    """Sign in; return the cookies, and the address of a game that waits for the player."""
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto("/accounts/login/")
    page.fill("[name=login]", PLAYER)
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_selector("a[href^='/games/']")
    page.goto("/next/")
    address, cookies = page.url.removeprefix(site), context.cookies()
    context.close()
    return cookies, address


def clicks(page: Page, address: str, rounds: int) -> float:
    """Return the median of the milliseconds from a click on a square to its preview."""
    page.goto(address, wait_until="load")
    page.wait_for_selector(".cell.can")
    taken = []
    for _ in range(rounds):
        square = page.locator(".cell.can").first.get_attribute("data-square")
        taken.append(page.evaluate(CLICK, square))
        page.keyboard.press("Escape")
        page.wait_for_selector("[data-board-svg] svg:not(.previewed)")
    return median(taken)


def row(title: str, cells: list[str], missed: int) -> int:
    """Print a line of the table; return how many goals are missed."""
    print(f"{title:24}" + "".join(f"{cell:>12}" for cell in cells), flush=True)
    return missed


def measure(rounds: int) -> int:
    """Print the table; return how many goals are missed."""
    missed = 0
    with (
        tempfile.TemporaryDirectory(prefix="pli-bench-") as place,
        service(Path.cwd(), Path(place) / "var") as started,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        cookies, game = sign_in(browser, started.site)
        pages = [(title, address, []) for title, address in OPEN_TO_ALL.items()]
        pages += [(title, address, cookies) for title, address in SIGNED_IN.items()]
        pages.append(("game", game, cookies))
        print(f"Chromium {browser.version}, {os.cpu_count()} cores; medians of {rounds} rounds")
        row("", ["paint, ms", "ready, ms", "shifts", "kB"], 0)
        row("goal", [f"{PAINT}", f"{READY}", f"{SHIFT}", ""], 0)
        for window in WINDOWS:
            for title, address, known in pages:
                found = []
                for _ in range(rounds + 1):
                    with visitor(browser, started.site, window, known) as page:
                        found.append(look_at(page, address))
                # The first one waits for the server's own first work.
                paint, ready, shifts, size = map(median, zip(*found[1:], strict=True))
                cells = [f"{paint:.0f}", f"{ready:.0f}", f"{shifts:.3f}", f"{size / 1000:.0f}"]
                misses = (paint > PAINT) + (ready > READY) + (shifts > SHIFT)
                missed += row(f"{title}, {window}", cells, misses)
        with visitor(browser, started.site, "desk", cookies) as page:
            preview = clicks(page, game, 5 * rounds)
        missed += row(
            "click to preview", [f"{preview:.0f} ms", f"goal {PREVIEW}"], preview > PREVIEW
        )
        browser.close()
    return missed


def main() -> int:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each page is opened")
    print(f"Python {platform.python_version()}", end=", ")
    return 1 if measure(parser.parse_args().rounds) else 0


if __name__ == "__main__":
    sys.exit(main())
