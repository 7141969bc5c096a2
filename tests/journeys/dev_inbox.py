"""The development inbox (the page “Letterbox”), as somebody who waits for mail reads it."""

import re
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.journeys.processes import until

CODE = re.compile(r"^[A-Z]{4}-[A-Z]{4}$", re.MULTILINE)


ENVELOPE = re.compile(r'<a class="envelope" href="([^"]+)"')

LOOK = 0.3
"""Seconds between two looks into the letterbox: each asks for the whole page."""


@dataclass(frozen=True)
class Letter:
    """One opened letter."""

    page: Page

    @property
    def subject(self):
        return self.page.get_by_role("main").locator("h1").inner_text()

    @property
    def text(self):
        return self.page.locator("pre.letter-text").first.inner_text()

    @property
    def code(self):
        """The code that stands on a line of its own."""
        return CODE.search(self.text)[0]

    @property
    def paper(self):
        """The mail's own page, inside its sandbox."""
        return self.page.frame_locator("iframe.letter-sheet")

    @property
    def language(self):
        return self.paper.locator("html").get_attribute("lang")

    def header(self, name):
        rows = self.page.locator("details dl.facts > div")
        return (
            rows.filter(has_text=re.compile(rf"^\s*{name}\b")).locator("dd").text_content().strip()
        )

    def picture_width(self):
        """Return how wide the board's picture really is, once it is loaded: 0 if it is broken."""
        picture = self.paper.locator(".board img")
        picture.scroll_into_view_if_needed()
        until(lambda: picture.evaluate("picture => picture.complete"), "the picture is loaded")
        return picture.evaluate("picture => picture.naturalWidth")

    def follow(self):
        """Press the letter's button; return the page that it opens."""
        with self.page.context.expect_page() as opened:
            self.paper.locator("a.button").click()
        opened.value.wait_for_load_state()
        return opened.value


class Letterbox:
    """All letters to one address, to be read one by one in the order in which they came."""

    def __init__(self, context, address):
        self.context, self.address = context, address
        self.mine = None
        self.read = set()

    def next(self):
        """Wait for the first letter not yet read, and open it."""
        page = self.context.new_page()
        if self.mine is None:
            self._find_mine(page)
        path = until(self._unread, f"new mail for {self.address} came", every=LOOK)
        page.goto(self.mine)
        page.locator(f"a.envelope[href='{path}']").click()
        page.locator("pre.letter-text").first.wait_for()
        self.read.add(path)
        return Letter(page)

    def _find_mine(self, page):
        """Go to the letterbox through the pages, and choose an address once it has mail."""
        chosen = f'<option value="{self.address}">'
        until(
            lambda: chosen in self._looked_at("/letterbox/"),
            f"mail for {self.address} came",
            every=LOOK,
        )
        page.goto("/")
        page.locator("nav a[href='/letterbox/']").click()
        page.locator("select[name=to]").select_option(self.address)
        page.locator("form.letterbox-filter button").click()
        page.wait_for_url("**/letterbox/?to=*")
        self.mine = page.url

    def _unread(self):
        paths = reversed(ENVELOPE.findall(self._looked_at(self.mine)))
        return next((path for path in paths if path not in self.read), None)

    def _looked_at(self, path):
        """Return the page as it is sent: while one waits, nothing is gained by drawing it."""
        answer = self.context.request.get(path)
        assert answer.ok, f"{answer.status} {path}"
        return answer.text()
