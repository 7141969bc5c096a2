"""A board in a browser: refusals, a server that is gone, spectators, and no JavaScript."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.rules.registry import rules_for
from tests.render import boards
from tests.render.board_page import Answer, Desk, desk_for, serving
from tests.render.board_tab import Open, acts, cell, echo, says, simple, squares

pytestmark = pytest.mark.journey


# What the server says -----------------------------------------------------------------------------


def test_a_refusal_is_shown_in_the_servers_words(tab: Page, sit: Open) -> None:
    sit(simple(("5", "5"), preview=lambda _: (409, {"error": "Bob has <just> played."})))
    cell(tab, "5").click()
    says(tab, "Bob has <just> played.")
    assert squares(tab, "chosen") == set()
    expect(tab.locator("svg.previewed")).to_have_count(0)
    expect(tab.get_by_role("button", name="Send")).to_be_disabled()


def test_a_server_that_is_gone_is_told_and_can_be_tried_again(tab: Page, sit: Open) -> None:
    sit(simple(("5", "5")))
    tab.route("**/preview/**", lambda route: route.fulfill(status=502, body="<h1>Bad</h1>"))
    cell(tab, "5").click()
    says(tab, "The server does not answer.")
    tab.unroute("**/preview/**")
    cell(tab, "5").click()
    says(tab, "Ann plays 5.")


def test_a_late_answer_to_an_older_question_is_dropped(tab: Page, sit: Open) -> None:
    sit(simple(("5", "5"), ("6", "6")))
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    tab.route("**/preview/**turn=5*", hold)
    cell(tab, "5").click()
    cell(tab, "6").click()
    says(tab, "Ann plays 6.")
    with tab.expect_response("**/preview/**turn=5*"):
        held[0].fulfill(json=echo({"turn": "5"})[1])
    tab.evaluate("new Promise((done) => setTimeout(done))")
    expect(tab.locator("#turn-text")).to_have_value("6")
    says(tab, "Ann plays 6.")


def test_hidden_actions_are_asked_for_square_by_square(tab: Page, sit: Open) -> None:
    def preview(asked: Mapping[str, str]) -> Answer:
        if "turn" in asked:
            return echo(asked)
        if asked["square"] == "9":
            return 422, {"error": "No line goes through 9."}
        return 200, {"actions": acts(("5-6", "5", "6"), ("5-8", "5", "8"))}

    desk = simple(("pass",), preview=preview, hidden=True)
    sit(desk)
    assert len(squares(tab, "can")) == 9
    cell(tab, "9").click()
    says(tab, "No line goes through 9.")
    cell(tab, "5").click()
    says(tab, "Choose one.")
    assert squares(tab, "can") == {"6", "8"}
    choices = tab.locator("[data-board-choices] button")
    expect(choices).to_have_text(["5-6 – plays 5-6", "5-8 – plays 5-8"])
    choices.nth(0).click()
    says(tab, "Ann plays 5-6.")
    tab.get_by_role("button", name="Back").click()
    expect(choices).to_have_text(["Plays pass"])
    cell(tab, "5").click()
    expect(choices).to_have_text(["5-6 – plays 5-6", "5-8 – plays 5-8"])  # it was answered
    cell(tab, "8").click()
    says(tab, "Ann plays 5-8.")
    expect(choices).to_have_count(0)
    tab.get_by_role("button", name="Back").click()
    assert len(squares(tab, "can")) == 9
    expect(tab.get_by_role("button", name="pass")).to_be_visible()
    assert [asked.get("square") for asked in desk.asked] == ["9", "5", None, "5", None]


# Without anything to play, and without JavaScript -------------------------------------------------


def test_a_spectator_walks_over_the_board_and_cannot_play(tab: Page, sit: Open) -> None:
    desk = simple()
    sit(desk)
    cell(tab, "1").focus()
    tab.keyboard.press("Enter")
    tab.keyboard.press("ArrowRight")
    expect(cell(tab, "2")).to_be_focused()
    cell(tab, "1").click()
    expect(cell(tab, "1")).to_have_role("img")
    assert squares(tab, "can") == set()
    assert desk.asked == []


def test_without_javascript_the_board_is_a_described_picture_and_the_form_works(
    chromium: Browser,
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    with serving(desk_for(rules_for("taquet"))) as desk:
        page.goto(desk.url)
        picture = page.locator("[data-board-svg] svg")
        expect(picture).to_have_role("img")
        expect(picture).to_have_accessible_name("A board")
        assert "in hand: O O O" in picture.locator("desc").text_content()
        page.get_by_label("Your turn").fill("b3")
        page.get_by_role("button", name="Send").click()
        expect(page.locator("body")).to_have_text("played b3")
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_board_takes_the_pages_colours_and_fits_a_phone(chromium: Browser, theme: str) -> None:
    page = chromium.new_page(viewport={"width": 360, "height": 640}, color_scheme=theme)
    with serving(Desk(boards.great_cross(), [], echo)) as desk:
        page.goto(desk.url)
        sheet = page.locator("svg .sheet")
        paper = {"light": "rgb(246, 241, 228)", "dark": "rgb(29, 27, 24)"}[theme]
        expect(sheet).to_have_css("fill", paper)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.evaluate("document.fonts.ready.then(f => f.check('16px Literata'))")
    page.close()
