"""A game on PostgreSQL and Redis, with web, worker and beat apart, while parts of it fail."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.dev_inbox import CODE
from tests.journeys.scaled_service import AS_A_PROXY, grown

pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]

LONGEST = 9
"""Turns that a game of Morpion can last."""


@pytest.fixture
def service(tmp_path):
    with grown(tmp_path / "service") as service:
        service.start()
        yield service


class Practice:
    """Somebody's game with the practice partner, as its page and the mails tell it."""

    def __init__(self, service, person):
        self.service, self.person = service, person
        self.letters = 0

    def turns(self):
        return self.person.page.locator(".turn-list a").all_text_contents()

    def is_over(self):
        return self.person.page.get_by_role("button", name="Ask for a rematch").count() > 0

    def play(self):
        """Play the first turn of the list; the page says at once that it is played."""
        before, page = self.turns(), self.person.page
        page.locator("[data-entry-switch]").click()
        page.locator("[data-board] select[name=choice]").select_option(index=1)
        expect(page.locator("[data-board-svg] svg.previewed")).to_be_visible()
        self.person.press("Play this turn")
        expect(page.get_by_role("status")).to_contain_text("Your turn is played.")
        after = self.turns()
        assert after[: len(before)] == before
        assert len(after) > len(before)  # the partner may have answered already

    def hear(self):
        """Wait for the mail that the next turn or the end of the game brings, and look."""
        before = self.turns()
        self.service.processes.until(self._has_mail, "mail about the partner's turn arrived")
        self.letters = len(self.service.mails("your-turn"))
        self.person.page.reload()
        assert self.turns()[: len(before)] == before
        if not self.is_over():
            self.person.is_to_move()

    def _has_mail(self):
        over = len(self.service.mails("game-over")) > 0
        return over or len(self.service.mails("your-turn")) > self.letters


def sign_up(service, person):
    """Sign up with the code that arrives by SMTP."""
    person.page.goto("/accounts/signup/")
    person.fill_in_sign_up()
    letter = service.mail("account")
    assert person.address in letter["To"]
    person.enter_code(CODE.search(text_of(letter))[0])


def sit_down_with_the_partner(service, person):
    person.page.goto("/tables/new/?game=morpion")
    person.page.locator("[name=whom][value=partner]").check()
    person.page.locator("[name=creator_seat]").select_option("0")
    person.press("Create the table")
    letter = service.mail("game-begun")
    (picture,) = [part for part in letter.walk() if part.get_content_type() == "image/png"]
    assert picture.get_content().startswith(b"\x89PNG")
    person.page.goto(re.search(r"https://\S+/games/\d+/", text_of(letter))[0])
    person.is_to_move()
    return Practice(service, person)


def text_of(letter):
    return letter.get_body(("plain",)).get_content().replace("\r\n", "\n")


def test_nothing_is_lost_when_the_workers_are_killed_and_redis_is_gone(service, newcomer):
    grace = newcomer(
        "grace", service=service, extra_http_headers=AS_A_PROXY, ignore_https_errors=True
    )
    sign_up(service, grace)
    practice = sit_down_with_the_partner(service, grace)
    practice.play()
    practice.hear()

    service.kill_workers()
    practice.play()
    service.start_workers()
    practice.hear()
    assert len(practice.turns()) == 4

    service.stop_redis()
    practice.play()
    service.start_redis()
    practice.hear()

    while not practice.is_over():
        practice.play()
        practice.hear()
    assert len(practice.turns()) <= LONGEST
    assert grace.address in service.mail("game-over")["To"]
