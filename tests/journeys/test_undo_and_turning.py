"""A turn or a departure that is undone, a board that is turned: by pointer, keys, no scripts."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.queries.seats import game_for
from tests.axe import violations
from tests.games.multiplayer import gather
from tests.games.play import begin, fresh, play_all
from tests.journeys.live_server import open_game
from tests.journeys.test_by_keyboard import tab_to

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

SOON = 60_000
"""Milliseconds that a busy machine may take: pages ask for news every two seconds."""

PHONE = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def morpion(ann, bob, settings):
    """Ann is to move; the busy machine has time enough to undo."""
    settings.MAIL_HOLD *= 20
    return begin(ann, bob, now=timezone.now())


def verdict(page):
    return page.locator(".game-verdict")


def undo_button(page):
    return page.get_by_role("button", name="Undo")


def middle(page, square):
    """Return where on the page the middle of a square is."""
    box = page.locator(f'.cell[data-square="{square}"]').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def play_on_board(page, square):
    page.locator(f'.cell[data-square="{square}"]').click()
    page.locator("[data-board-confirm]").click()
    expect(verdict(page)).to_have_text("It is bob’s turn.")


@pytest.mark.parametrize("window", [{}, PHONE])
def test_a_turn_is_undone_by_pointer_and_another_is_played(
    ann, morpion, newcomer, live_server, window
):
    page = open_game(newcomer, live_server, ann, morpion, **window).page
    page.locator('.cell[data-square="5"]').click()
    confirm = page.locator("[data-board-confirm]")
    expect(confirm).to_be_enabled()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    confirm.evaluate("button => button.click()")
    expect(verdict(page)).to_have_text("It is bob’s turn.")
    expect(undo_button(page)).to_be_in_viewport(ratio=1)
    assert violations(page) == []
    undo_button(page).click()
    expect(verdict(page)).to_have_text("It is your turn.")
    expect(undo_button(page)).to_have_count(0)
    play_on_board(page, "1")
    assert list(fresh(morpion).turns.values_list("notation", flat=True)) == ["5", "takeback 0", "1"]


def test_the_button_goes_when_the_opponent_has_looked(ann, bob, morpion, newcomer, live_server):
    page = open_game(newcomer, live_server, ann, morpion).page
    play_on_board(page, "5")
    expect(undo_button(page)).to_be_visible()
    game_for(morpion.pk, bob)
    expect(undo_button(page)).to_have_count(0, timeout=SOON)
    expect(verdict(page)).to_have_text("It is bob’s turn.")


def test_a_turn_is_undone_by_keyboard(ann, morpion, newcomer, live_server):
    page = open_game(newcomer, live_server, ann, morpion).page
    play_on_board(page, "5")
    tab_to(page, ".game-undo button")
    page.keyboard.press("Enter")
    expect(verdict(page)).to_have_text("It is your turn.")
    expect(verdict(page)).to_be_focused()


def test_a_turn_is_undone_and_the_board_turned_without_scripts(ann, morpion, newcomer, live_server):
    page = open_game(newcomer, live_server, ann, morpion, scripts=False).page
    page.get_by_role("link", name="Turn the board").click()
    first = page.locator(".cell").first
    expect(first).to_have_attribute("data-square", "9")
    page.get_by_label("Your turn", exact=True).last.fill("5")
    page.locator("[data-board-confirm]").click()
    expect(verdict(page)).to_have_text("It is bob’s turn.")
    expect(first).to_have_attribute("data-square", "9")
    undo_button(page).click()
    expect(verdict(page)).to_have_text("It is your turn.")
    assert fresh(morpion).turn_number == 2


@pytest.fixture
def three(ann, bob, cat, settings):
    """Ann is to move in a game of three."""
    settings.MAIL_HOLD *= 20
    return gather([ann, bob, cat], now=timezone.now(), variant="three")


def resign_on(page):
    page.get_by_text("End the game", exact=True).click()
    page.get_by_text("Resign", exact=True).click()
    page.get_by_role("button", name="Yes, I resign").click()
    expect(verdict(page)).not_to_have_text("It is your turn.")
    expect(page.locator(".game-undo")).to_contain_text("unless another player sees earlier")


@pytest.mark.parametrize("window", [{}, PHONE])
def test_who_left_a_game_comes_back_by_pointer(ann, three, newcomer, live_server, window):
    page = open_game(newcomer, live_server, ann, three, **window).page
    resign_on(page)
    expect(undo_button(page)).to_be_in_viewport(ratio=1)
    assert violations(page) == []
    undo_button(page).click()
    expect(verdict(page)).to_have_text("It is your turn.")
    expect(undo_button(page)).to_have_count(0)
    assert fresh(three).seats.get(number=0).left_at is None


def test_who_left_a_game_comes_back_by_keyboard(ann, three, newcomer, live_server):
    page = open_game(newcomer, live_server, ann, three).page
    resign_on(page)
    tab_to(page, ".game-undo button")
    page.keyboard.press("Enter")
    expect(verdict(page)).to_have_text("It is your turn.")
    assert fresh(three).seats.get(number=0).left_at is None


def test_who_left_a_game_comes_back_without_scripts(ann, three, newcomer, live_server):
    page = open_game(newcomer, live_server, ann, three, scripts=False).page
    resign_on(page)
    tab_to(page, ".game-undo button")
    page.keyboard.press("Enter")
    expect(verdict(page)).to_have_text("It is your turn.")
    assert fresh(three).seats.get(number=0).left_at is None


def test_a_turned_board_is_played_on_by_pointer(ann, morpion, newcomer, live_server):
    page = open_game(newcomer, live_server, ann, morpion).page
    page.get_by_role("link", name="Turn the board").click()
    box = page.locator("[data-board-svg] svg.board").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * 0.2)
    expect(page.locator("svg.previewed .cell").first).to_have_attribute("data-square", "9")
    page.locator("[data-board-confirm]").click()
    expect(verdict(page)).to_have_text("It is bob’s turn.")
    expect(page.locator(".cell").first).to_have_attribute("data-square", "9")
    assert fresh(morpion).position == "........X"
    assert violations(page) == []


def test_a_piece_is_dragged_on_a_turned_board(ann, bob, newcomer, live_server):
    game = begin(ann, bob, now=timezone.now(), slug="taquet")
    play_all(game, ["a1", "c3"], now=timezone.now())
    page = open_game(newcomer, live_server, ann, game).page
    before = middle(page, "a1")
    page.get_by_role("link", name="Turn the board").click()
    page.wait_for_url("**?side=*")
    start, end = middle(page, "a1"), middle(page, "a2")
    assert start != before
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()
    expect(page.locator("#turn-text")).to_have_value("a1-a2")
    page.locator("[data-board-confirm]").click()
    expect(verdict(page)).to_have_text("It is bob’s turn.")
    assert fresh(game).turns.last().notation == "a1-a2"


@pytest.mark.parametrize("key", ["t", "Enter"])
def test_a_turned_board_is_walked_by_keyboard_as_it_is_seen(
    ann, morpion, newcomer, live_server, key
):
    page = open_game(newcomer, live_server, ann, morpion).page
    if key == "Enter":
        tab_to(page, ".board-turn")
    page.keyboard.press(key)
    expect(page.locator(".cell").first).to_have_attribute("data-square", "9")
    tab_to(page, ".cell")
    page.locator('.cell[data-square="9"]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".cell:focus")).to_have_attribute("data-square", "8")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".cell:focus")).to_have_attribute("data-square", "5")
