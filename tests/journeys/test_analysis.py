"""The analysis board in a browser: by pointer, by keyboard alone, and without scripts."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from games.models import AnalysisNode
from games.services.endings import resign
from tests.axe import violations
from tests.games.multiplayer import gather, play_on, some_turn
from tests.games.play import begin, fresh, play_all
from tests.journeys.conftest import PHONE
from tests.journeys.live_server import open_game
from tests.journeys.test_by_keyboard import tab_to
from tests.journeys.test_live_page import is_the_same, mark

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]


@pytest.fixture
def game(ann, bob):
    """Morpion after three turns; bob is to move."""
    return play_all(begin(ann, bob, now=timezone.now()), ["5", "1", "9"], now=timezone.now())


class Board:
    """A page of the analysis board."""

    def __init__(self, table):
        self.table, self.page = table, table.page
        self.words = table.person.words
        self.heading = self.page.locator("[data-analysis-heading]")
        self.tree = self.page.locator(".analysis-tree")
        self.current = self.tree.locator("[aria-current]")

    def shows(self, *line):
        """The page shows the position after these turns, counted on from turn 3."""
        if line:
            number = 3 + len(line)
            expect(self.current).to_have_text(re.compile(rf"^{number}\. {re.escape(line[-1])}"))
            expect(self.page).to_have_url(re.compile(r"/analysis/\d+/$"))
        else:
            expect(self.current).to_have_count(0)
        expect(self.pieces_shown()).to_have_count(3 + len(line))

    def pieces_shown(self):
        return self.page.locator("#analysis [data-board-svg] .cell:has(> g)")

    def step(self, name):
        return self.page.locator(f"#step-{name}")


def open_board(newcomer, live_server, user, game, **more):
    table = open_game(newcomer, live_server, user, game, **more)
    table.page.locator("[data-analysis-link]").click()
    expect(table.page).to_have_url(re.compile(r"/analysis/\?turn=\d+$"))
    board = Board(table)
    mark(table.page)
    return board


def turns_kept():
    return list(AnalysisNode.objects.exclude(notation="").values_list("notation", flat=True))


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_by_pointer(game, ann, newcomer, live_server, screen, language):
    ann.language = language
    ann.save()
    board = open_board(newcomer, live_server, ann, game, **screen)
    page, table = board.page, board.table
    table.click("2")
    board.shows("2")
    table.click("3")
    board.shows("2", "3")
    board.step("previous").click()
    board.shows("2")
    table.click("7")
    board.shows("2", "7")
    expect(board.tree.locator("li a")).to_have_count(3)
    board.tree.get_by_role("link", name=re.compile("3")).last.click()
    board.shows("2", "3")
    page.locator("#analysis-note").fill("It loses a turn.")
    page.locator("#step-first").click()
    board.shows()
    board.tree.get_by_role("link", name=re.compile("3")).last.click()
    board.shows("2", "3")
    expect(page.locator("#analysis-note")).to_have_value("It loses a turn.")
    assert table.person.sideways() <= 0
    assert violations(page) == []
    assert sorted(turns_kept()) == ["2", "3", "7"]
    assert fresh(game).turn_number == 3
    page.go_back()  # however many positions were looked at
    expect(page).to_have_url(re.compile(f"{game.get_absolute_url()}$"))


def test_a_step_loads_no_page_and_keeps_the_focus(game, ann, newcomer, live_server):
    board = open_board(newcomer, live_server, ann, game)
    board.table.click("2")
    board.shows("2")
    expect(board.page.locator('.cell[data-square="2"]')).to_be_focused()
    board.step("previous").click()
    board.shows()
    expect(board.step("previous")).to_be_focused()
    expect(board.page.locator("#analysis-announcement")).to_contain_text("After turn 3")
    assert is_the_same(board.page)


def test_by_keyboard_alone(game, ann, newcomer, live_server):
    board = open_board(newcomer, live_server, ann, game)
    page = board.page
    tab_to(page, ".cell")
    page.locator('.cell[data-square="2"]').focus()
    page.keyboard.press("Enter")
    board.shows("2")
    expect(page.locator('.cell[data-square="2"]')).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator('.cell[data-square="3"]')).to_be_focused()
    page.keyboard.press("Enter")
    board.shows("2", "3")
    tab_to(page, "#step-previous")
    page.keyboard.press("Enter")
    board.shows("2")
    page.keyboard.press("ArrowLeft")
    board.shows()
    page.keyboard.press("ArrowRight")
    board.shows("2")
    tab_to(page, "#analysis-note")
    page.keyboard.type("Good.")
    page.keyboard.press("Tab")
    expect(page.locator("#said-here")).to_have_text("Your note is saved.")
    page.keyboard.press("Enter")
    expect(board.tree.locator(".note-mark")).to_have_count(1)
    assert is_the_same(page)


def test_the_list_waits_for_the_button(game, ann, newcomer, live_server):
    board = open_board(newcomer, live_server, ann, game)
    page = board.page
    page.locator("[data-entry-switch]").click()
    page.locator("#turn-choice").select_option("2")
    expect(page.locator("#turn-text")).to_have_value("2")
    expect(page.locator("svg.previewed")).to_be_visible()
    assert turns_kept() == []
    page.locator("[data-board-confirm]").click()
    board.shows("2")
    page.locator("[data-entry-switch]").click()
    page.locator("#turn-text").fill("2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Cell 2 is taken.")
    expect(page.locator("#turn-text")).to_have_value("2")
    assert is_the_same(page)


def test_without_scripts(game, ann, newcomer, live_server):
    table = open_game(newcomer, live_server, ann, game, scripts=False)
    page = table.page
    page.get_by_role("link", name="Analyse this position").click()
    board = Board(table)
    page.locator("#turn-choice").select_option("2")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("[data-board-status]")).to_contain_text("This is the board after the turn")
    page.get_by_role("button", name="Add this turn").click()
    board.shows("2")
    page.locator("#turn-text").fill("3")
    page.get_by_role("button", name="Add this turn").click()
    board.shows("2", "3")
    page.get_by_label("Note on this position").fill("It loses.")
    page.get_by_role("button", name="Save the note").click()
    expect(page.get_by_role("status").first).to_have_text("Your note is saved.")
    board.step("previous").click()
    board.shows("2")
    board.step("next").click()
    expect(page.get_by_label("Note on this position")).to_have_value("It loses.")
    page.get_by_role("button", name="Delete this turn and what follows it").click()
    board.shows("2")
    assert turns_kept() == ["2"]


def test_several_actions_make_one_turn(ann, bob, newcomer, live_server):
    now = timezone.now()
    game = play_on(gather([ann, bob], now=now, variant="two"), 10, now=now)
    text = some_turn(game)
    assert ", " in text
    table = open_game(newcomer, live_server, ann, game)
    table.page.locator("[data-analysis-link]").click()
    expect(table.page).to_have_url(re.compile("/analysis/"))
    *begun, last = text.split(", ")
    for action in begun:
        table.choose(action)
    squares = table.legal()[last]
    for square in squares:
        if table.page.locator(".analysis-tree").count() == 0:
            table.click(square)
    if list(table.legal().values()).count(squares) > 1:
        table.choices.filter(has_text=f"{last} – ").click()
    expect(table.page.locator(".analysis-tree [aria-current]")).to_contain_text(text)
    assert turns_kept() == [text]
    assert table.person.sideways() <= 0


def test_the_slider_leads_to_the_position_that_is_shown(game, ann, newcomer, live_server):
    table = open_game(newcomer, live_server, ann, game)
    page = table.page
    page.locator("[data-step=previous]").click()
    expect(page.locator("[data-replay-at]")).to_have_text("Turn 2 of 3")
    page.locator("[data-analysis-link]").click()
    expect(page).to_have_url(re.compile(r"/analysis/\?turn=2$"))
    expect(page.locator("[data-analysis-heading]")).to_have_text("After turn 2")


def test_a_shared_analysis_is_read_by_a_stranger(game, ann, bob, cat, newcomer, live_server):
    resign(game_id=game.pk, user=bob, now=timezone.now())
    board = open_board(newcomer, live_server, ann, game)
    board.table.click("2")
    board.shows("2")
    board.page.get_by_role("button", name="Share this analysis").click()
    expect(board.page.get_by_text("You share this analysis")).to_be_visible()
    stranger = open_game(newcomer, live_server, cat, game, **PHONE).person
    reader = stranger.page
    reader.get_by_role("link", name="Shared analyses").click()
    expect(reader).to_have_url(re.compile(reverse("analyses_shared", args=[game.pk])))
    assert violations(reader) == []
    reader.get_by_role("link", name="After turn 3").click()
    reader.locator(".analysis-tree a").first.click()
    expect(reader.locator("[data-analysis-heading]")).to_have_text("Variation after turn 3")
    expect(reader.locator("[data-board-form]")).to_have_count(0)
    assert violations(reader) == []
    board.page.get_by_role("button", name="Stop sharing").click()
    expect(board.page.get_by_text("Only you see this analysis.")).to_be_visible()
    reader.reload()
    expect(reader.get_by_text("There is no such position.")).to_be_visible()
    (missing,) = stranger.complaints
    assert "404" in missing
    stranger.complaints.clear()
