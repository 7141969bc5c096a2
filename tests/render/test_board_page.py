"""Playing on a board in a browser: by pointer, by keyboard, and without JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.render.svg import board_svg
from games.rules.registry import rules_for
from tests.render import boards
from tests.render.board_page import Answer, Desk, desk_for, serving

pytestmark = pytest.mark.journey

Open = Callable[[Desk], None]


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


# By pointer ---------------------------------------------------------------------------------------


def test_two_clicks_preview_a_step_that_can_be_sent(tab: Page, sit: Open) -> None:
    desk = desk_for(rules_for("taquet"), ("a1", "c3"))
    sit(desk)
    says(tab, "Choose a square.")
    expect(tab.get_by_role("button", name="Send")).to_be_disabled()
    cell(tab, "a1").click()
    says(tab, "Now choose where to.")
    assert squares(tab, "chosen") == {"a1"}
    assert squares(tab, "can") == {"a2", "b1"}
    assert desk.asked == []
    cell(tab, "a2").click()
    says(tab, "Ann moves a man from a1 to a2.")
    expect(tab.locator("svg.previewed")).to_have_count(1)
    expect(cell(tab, "a2")).to_have_attribute("aria-label", "a2, disc, just played")
    expect(tab.locator("#turn-text")).to_have_value("a1-a2")
    assert desk.asked == [{"game": "7", "turn": "a1-a2", "expected_turn": "4"}]
    expect(tab.get_by_role("button", name="Send")).to_be_focused()
    tab.keyboard.press("Enter")
    expect(tab.locator("body")).to_have_text("played a1-a2")


def test_back_returns_to_the_board_as_it_was(tab: Page, sit: Open) -> None:
    sit(desk_for(rules_for("taquet")))
    before = squares(tab, "can")
    cell(tab, "a1").click()
    says(tab, "Ann places a man on a1.")
    tab.get_by_role("button", name="Back").click()
    says(tab, "Choose a square.")
    expect(cell(tab, "a1")).to_have_attribute("aria-label", "a1, empty")
    expect(tab.locator("#turn-text")).to_have_value("")
    expect(tab.get_by_role("button", name="Send")).to_be_disabled()
    expect(tab.locator("svg.previewed")).to_have_count(0)
    expect(tab.locator("[data-board-undo]")).to_be_hidden()
    assert squares(tab, "can") == before


def test_clicking_on_to_the_end_of_the_only_step_left_keeps_its_preview(
    tab: Page, sit: Open
) -> None:
    sit(simple(("2-3", "2", "3"), ("3", "3"), ("5", "5")))
    cell(tab, "2").click()
    says(tab, "Ann plays 2-3.")
    cell(tab, "3").click()
    expect(tab.get_by_role("button", name="Send")).to_be_focused()
    says(tab, "Ann plays 2-3.")
    expect(tab.locator("#turn-text")).to_have_value("2-3")
    cell(tab, "3").click()
    says(tab, "Ann plays 3.")


def test_another_square_means_another_choice(tab: Page, sit: Open) -> None:
    sit(desk_for(rules_for("taquet")))
    cell(tab, "a1").click()
    says(tab, "Ann places a man on a1.")
    cell(tab, "c3").click()
    says(tab, "Ann places a man on c3.")
    expect(cell(tab, "a1")).to_have_attribute("aria-label", "a1, empty")
    expect(tab.locator("#turn-text")).to_have_value("c3")


def test_a_square_where_nothing_is_possible_says_so(tab: Page, sit: Open) -> None:
    desk = simple(("2-3", "2", "3"), ("2-4", "2", "4"))
    sit(desk)
    cell(tab, "9").click(force=True)
    says(tab, "Nothing can be played there.")
    expect(cell(tab, "9")).to_have_attribute("aria-disabled", "true")
    assert desk.asked == []


def test_a_first_square_clicked_again_is_given_up(tab: Page, sit: Open) -> None:
    sit(simple(("2-3", "2", "3"), ("2-4", "2", "4"), ("5", "5")))
    cell(tab, "2").click()
    assert squares(tab, "can") == {"3", "4"}
    cell(tab, "2").click()
    says(tab, "Choose a square.")
    assert squares(tab, "can") == {"2", "5"}


def test_a_whole_action_that_others_continue_ends_by_clicking_again(tab: Page, sit: Open) -> None:
    sit(simple(("2-3", "2", "3"), ("2-3-4", "2", "3", "4"), ("2-3-6", "2", "3", "6")))
    cell(tab, "2").click()
    cell(tab, "3").click()
    says(tab, "Choose the same square again to stop there.")
    assert squares(tab, "can") == {"3", "4", "6"}
    expect(tab.locator("#turn-text")).to_have_value("2-3")
    expect(tab.get_by_role("button", name="Send")).to_be_enabled()
    cell(tab, "3").click()
    says(tab, "Ann plays 2-3.")


def test_a_whole_action_that_others_continue_can_go_on(tab: Page, sit: Open) -> None:
    sit(simple(("2-3", "2", "3"), ("2-3-4", "2", "3", "4"), ("2-3-6", "2", "3", "6")))
    for square in "236":
        cell(tab, square).click()
    says(tab, "Ann plays 2-3-6.")
    expect(tab.locator("#turn-text")).to_have_value("2-3-6")


def test_actions_on_the_same_squares_are_offered_as_buttons(tab: Page, sit: Open) -> None:
    sit(simple(("2-3=R", "2", "3"), ("2-3=0", "2", "3"), ("5", "5")))
    cell(tab, "2").click()
    says(tab, "Choose one.")
    choices = tab.locator("[data-board-choices] button")
    expect(choices).to_have_text(["2-3=R – plays 2-3=R", "2-3=0 – plays 2-3=0"])
    choices.nth(1).click()
    says(tab, "Ann plays 2-3=0.")
    expect(choices).to_have_count(0)


def test_an_action_without_squares_is_a_button_from_the_start(tab: Page, sit: Open) -> None:
    sit(simple(("pass",), ("5", "5")))
    tab.get_by_role("button", name="pass").click()
    says(tab, "Ann plays pass.")


def test_the_list_previews_too(tab: Page, sit: Open) -> None:
    sit(desk_for(rules_for("taquet")))
    tab.get_by_label("Choices").select_option("b3")
    says(tab, "Ann places a man on b3.")
    tab.get_by_label("Choices").select_option("c1")
    says(tab, "Ann places a man on c1.")
    expect(tab.locator("#turn-text")).to_have_value("c1")


def test_a_turn_of_two_actions_is_built_and_taken_back_one_by_one(tab: Page, sit: Open) -> None:
    def preview(asked: Mapping[str, str]) -> Answer:
        whole = "," in asked["turn"]
        marks = [boards.cross(text) for text in asked["turn"].split(", ")]
        return 200, {
            "svg": drawing_with(*marks),
            "notation": asked["turn"],
            "words": f"Ann plays {asked['turn']}.",
            "complete": whole,
            "actions": [] if whole else acts(("7", "7"), ("8", "8")),
        }

    sit(simple(("5", "5"), ("6", "6"), preview=preview))
    cell(tab, "5").click()
    says(tab, "Ann plays 5.")
    expect(tab.get_by_role("button", name="Send")).to_be_disabled()
    assert squares(tab, "can") == {"7", "8"}
    cell(tab, "8").click()
    says(tab, "Ann plays 5, 8.")
    expect(tab.locator("#turn-text")).to_have_value("5, 8")
    tab.get_by_role("button", name="Back").click()
    says(tab, "Ann plays 5.")
    expect(cell(tab, "8")).to_have_attribute("aria-label", "8, empty")
    expect(cell(tab, "5")).to_have_attribute("aria-label", "5, cross")
    cell(tab, "7").click()
    says(tab, "Ann plays 5, 7.")
    tab.get_by_role("button", name="Send").click()
    expect(tab.locator("body")).to_have_text("played 5, 7")


def test_the_last_click_of_an_action_that_is_shown_already_changes_nothing(
    tab: Page, sit: Open
) -> None:
    def preview(asked: Mapping[str, str]) -> Answer:
        return 200, {
            "svg": drawing_with(boards.cross("6")),
            "notation": asked["turn"],
            "words": f"Ann plays {asked['turn']}.",
            "complete": False,
            "actions": acts(("8-9", "8", "9"), ("8-7", "8", "7")),
        }

    sit(simple(("5-6", "5", "6"), ("1-2", "1", "2"), preview=preview))
    cell(tab, "5").click()
    says(tab, "Ann plays 5-6.")
    cell(tab, "6").click(force=True)
    says(tab, "Ann plays 5-6.")
    cell(tab, "2").click(force=True)
    says(tab, "Nothing can be played there.")


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
    says(tab, "Now choose where to.")
    assert squares(tab, "can") == {"6", "8"}
    cell(tab, "8").click()
    says(tab, "Ann plays 5-8.")
    tab.get_by_role("button", name="Back").click()
    assert len(squares(tab, "can")) == 9
    expect(tab.get_by_role("button", name="pass")).to_be_visible()
    assert [asked.get("square") for asked in desk.asked] == ["9", "5", None]


# By keyboard --------------------------------------------------------------------------------------


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
