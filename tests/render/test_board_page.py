"""Playing on a board in a browser by pointer."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from playwright.sync_api import Page, expect

from games.rules.registry import rules_for
from tests.render import boards
from tests.render.board_page import Answer, desk_for
from tests.render.board_tab import Open, acts, cell, drawing_with, says, simple, squares

pytestmark = pytest.mark.journey


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


def test_the_button_of_a_whole_turn_comes_into_sight(tab: Page, sit: Open) -> None:
    tab.set_viewport_size({"width": 360, "height": 360})
    sit(desk_for(rules_for("taquet")))
    expect(tab.get_by_role("button", name="Send")).not_to_be_in_viewport()
    cell(tab, "a3").click()
    expect(tab.get_by_role("button", name="Send")).to_be_in_viewport()


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
            "words": f"Ann plays {asked['turn']}",
            "complete": whole,
            "actions": [] if whole else acts(("7", "7"), ("8", "8")),
        }

    sit(simple(("5", "5"), ("6", "6"), preview=preview))
    cell(tab, "5").click()
    says(tab, "Ann plays 5. Your turn goes on.")
    expect(tab.get_by_role("button", name="Send")).to_be_disabled()
    assert squares(tab, "can") == {"7", "8"}
    cell(tab, "8").click()
    says(tab, "Ann plays 5, 8")
    expect(tab.locator("#turn-text")).to_have_value("5, 8")
    tab.get_by_role("button", name="Back").click()
    says(tab, "Ann plays 5. Your turn goes on.")
    expect(cell(tab, "8")).to_have_attribute("aria-label", "8, empty")
    expect(cell(tab, "5")).to_have_attribute("aria-label", "5, cross")
    cell(tab, "7").click()
    says(tab, "Ann plays 5, 7")
    tab.get_by_role("button", name="Send").click()
    expect(tab.locator("body")).to_have_text("played 5, 7")


def test_the_last_click_of_an_action_that_is_shown_already_changes_nothing(
    tab: Page, sit: Open
) -> None:
    def preview(asked: Mapping[str, str]) -> Answer:
        return 200, {
            "svg": drawing_with(boards.cross("6")),
            "notation": asked["turn"],
            "words": f"Ann plays {asked['turn']}",
            "complete": False,
            "actions": acts(("8-9", "8", "9"), ("8-7", "8", "7")),
        }

    sit(simple(("5-6", "5", "6"), ("1-2", "1", "2"), preview=preview))
    cell(tab, "5").click()
    says(tab, "Ann plays 5-6. Your turn goes on.")
    cell(tab, "6").click(force=True)
    says(tab, "Ann plays 5-6. Your turn goes on.")
    cell(tab, "2").click(force=True)
    says(tab, "Nothing can be played there.")


@pytest.mark.parametrize(
    ("open_squares", "marked"), [("1", True), ("1234", True), ("12345", False)]
)
def test_squares_are_marked_before_the_first_click_where_they_are_few(
    tab: Page, sit: Open, open_squares: str, marked: bool
) -> None:
    sit(simple(*[(square, square) for square in open_squares]))
    expect(tab.locator("svg.few")).to_have_count(int(marked))
    edges = tab.locator(".cell.can .edge")
    expect(edges).to_have_count(len(open_squares))
    seen = edges.first.evaluate("edge => getComputedStyle(edge).strokeOpacity")
    assert (seen == "0.7") == marked
    cell(tab, "1").click()
    says(tab, "Ann plays 1.")
    expect(tab.locator("svg.few")).to_have_count(0)


def test_nothing_is_marked_where_the_actions_are_hidden(tab: Page, sit: Open) -> None:
    sit(simple(("pass",), hidden=True))
    expect(tab.locator("svg.few")).to_have_count(0)
    assert len(squares(tab, "can")) == 9
