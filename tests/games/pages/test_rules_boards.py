"""The boards of the rulebooks in a real browser: stepping through examples, and playing on."""

import pytest
from playwright.sync_api import expect

from tests.axe import violations

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

PHONE = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
SCREENS = pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])

DOUBLE_SLIDE = "a3 Tb1 b3 b2 c1"
"""The moves of an example of Taquet: five turns."""


@pytest.fixture
def visit(new_context, live_server):
    """Return how to open a rulebook. No script may fail there, and no policy may stop one."""
    complaints = []

    def listen(said):
        if said.type == "error" and "ERR_INTERNET_DISCONNECTED" not in said.text:
            complaints.append(said.text)

    def open_(slug="taquet", language="en-GB", **how):
        page = new_context(base_url=live_server.url, locale=language, **(DESK | how)).new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", listen)
        page.goto(f"/rules/{slug}/")
        return page

    yield open_
    assert complaints == []


def example(page, moves):
    return page.locator(f'[data-example][data-moves="{moves}"]')


def says(board, text):
    expect(board.locator("[data-board-status]")).to_contain_text(text)


def counts(board, at, of):
    expect(board.locator("[data-example-at]")).to_have_text(str(at))
    expect(board.locator("[data-example-of]")).to_have_text(str(of))


def press(board, name):
    board.locator(f"[data-step={name}]").click()


def click(board, square):
    board.locator(f'[data-square="{square}"]').click()


def can(board):
    """Return which of an example's buttons can be pressed."""
    return board.locator("[data-step]").evaluate_all(
        "all => all.filter(one => one.ariaDisabled === 'false').map(one => one.dataset.step)"
    )


@SCREENS
def test_an_example_is_stepped_through_by_pointer(visit, screen):
    board = example(visit(**screen), DOUBLE_SLIDE)
    counts(board, 5, 5)
    assert can(board) == ["first", "previous", "play"]
    press(board, "previous")
    says(board, "Triangles: places a man on b2. To play: Discs.")
    counts(board, 4, 5)
    press(board, "first")
    says(board, "To play: Discs.")
    counts(board, 0, 5)
    assert can(board) == ["next", "last", "play", "over"]
    press(board, "next")
    says(board, "Discs: places a man on a3.")
    press(board, "last")
    says(board, "Discs: places a man on c1.")
    counts(board, 5, 5)


def test_steps_pressed_quickly_all_count(visit):
    board = example(visit(), DOUBLE_SLIDE)
    for _ in range(3):
        press(board, "previous")
    counts(board, 2, 5)
    says(board, "Triangles: slides the taquet from b2 to b1.")


def test_an_example_is_stepped_through_by_keyboard(visit):
    page = visit()
    board = example(page, DOUBLE_SLIDE)
    board.locator("[data-step=previous]").focus()
    for key, at in (("ArrowLeft", 4), ("ArrowLeft", 3), ("ArrowRight", 4), ("Home", 0)):
        page.keyboard.press(key)
        counts(board, at, 5)
    page.keyboard.press("ArrowLeft")  # there is nothing before the start
    counts(board, 0, 5)
    page.keyboard.press("End")
    counts(board, 5, 5)
    says(board, "Discs: places a man on c1.")


@SCREENS
def test_one_plays_on_from_a_position_and_starts_over(visit, screen):
    board = example(visit(**screen), "a1 c3 a1-a2")
    press(board, "previous")
    says(board, "To play: Discs.")
    click(board, "b1")
    says(board, "Discs: places a man on b1. To play: Triangles.")
    counts(board, 3, 3)
    click(board, "b3")
    says(board, "Triangles: places a man on b3. To play: Discs.")
    counts(board, 4, 4)
    press(board, "over")
    says(board, "Discs: moves a man from a1 to a2.")
    counts(board, 3, 3)
    expect(board.locator('[data-square="b3"]')).to_have_attribute("data-label", "b3, empty")


def test_a_click_on_a_picture_is_one_on_its_square(visit):
    board = example(visit(), "a1 c3")
    assert board.locator(".cell").count() == 0
    width = board.locator("svg").bounding_box()["width"]
    board.locator("svg").click(position={"x": width * 0.23, "y": width * 0.78})
    says(board, "Now choose where to.")
    expect(board.locator(".cell.chosen")).to_have_attribute("data-square", "a1")


def test_a_turn_is_played_by_keyboard_alone(visit):
    page = visit()
    board = example(page, "a1 c3")
    board.locator("[data-step=play]").focus()
    page.keyboard.press("Enter")
    expect(board.locator(".cell:focus")).to_have_count(1)
    says(board, "To play: Discs.")
    while board.locator(".cell:focus").get_attribute("data-square") != "a1":
        here = board.locator(".cell:focus").get_attribute("data-square")
        page.keyboard.press("ArrowLeft" if here[0] != "a" else "ArrowDown")
    page.keyboard.press("Enter")
    says(board, "Now choose where to.")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    says(board, "Discs: moves a man from a1 to a2. To play: Triangles.")
    expect(board.locator(".cell:focus")).to_have_attribute("data-square", "a2")


@SCREENS
def test_try_it_leads_to_a_board_for_all_sides(visit, screen):
    page = visit("morpion", **screen)
    page.get_by_role("link", name="Try it").click()
    board = page.locator("#try-it")
    expect(board.locator("svg")).to_be_in_viewport()
    says(board, "To play: Cross.")
    for square in "51374":
        click(board, square)
        expect(board.locator(f'[data-square="{square}"]')).not_to_have_attribute(
            "data-label", f"{square}, empty"
        )
    counts(board, 5, 5)
    press(board, "over")
    counts(board, 0, 0)
    says(board, "To play: Cross.")
    assert can(board) == []


def test_the_beginning_of_a_turn_is_taken_back(visit):
    board = visit("superpion").locator("#try-it")
    click(board, "e3")
    says(board, "Your turn goes on: choose a square.")
    press(board, "previous")
    says(board, "To play: Blue.")
    counts(board, 0, 0)
    click(board, "e3")
    click(board, "m3")
    says(board, "To play: Red.")
    counts(board, 1, 1)


def test_hidden_actions_are_found_by_clicking(visit):
    board = example(visit("morpiae"), "i12-m12")
    press(board, "play")
    says(board, "To play: Diamonds.")
    click(board, "i16")
    says(board, "Diamonds: draws a circle on i16")
    board.get_by_role("button", name="pass").click()
    says(board, "Discs: passes.")


def test_a_server_that_does_not_answer_is_told(visit):
    page = visit()
    board = example(page, DOUBLE_SLIDE)
    press(board, "previous")
    says(board, "Triangles: places a man on b2.")
    page.context.set_offline(True)
    press(board, "previous")
    says(board, "The server does not answer.")
    counts(board, 4, 5)


PLACES = """() => document.fonts.ready.then(() => [...document.querySelectorAll("main :not(svg *)")]
    .map(one => one.getBoundingClientRect()).map(({ x, y }) => `${x} ${y}`))"""


@SCREENS
@pytest.mark.parametrize("slug", ["taquet", "super-morpion", "morpiae", "superpion"])
def test_nothing_moves_when_the_scripts_start(visit, screen, slug):
    """A page whose modules are empty is as one whose modules have not come yet.

    Both are without the site's fonts: each load decides anew whether they came in time.
    """
    page = visit(slug, **screen)
    page.route("**/*.woff2", lambda route: route.fulfill(body="", content_type="font/woff2"))
    page.route("**/*.mjs", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.reload()
    before = page.evaluate(PLACES)
    cell = page.locator("#try-it .cell").first
    expect(cell).not_to_have_attribute("role", "button")
    page.unroute("**/*.mjs")
    page.reload()
    expect(cell).to_have_attribute("role", "button")
    assert page.evaluate(PLACES) == before


@SCREENS
def test_without_scripts_examples_are_drawn_and_nothing_else_is_offered(visit, screen):
    page = visit(java_script_enabled=False, **screen)
    board = example(page, DOUBLE_SLIDE)
    expect(board.locator("svg")).to_be_visible()
    expect(board.locator("figcaption")).to_contain_text("Before a double slide")
    expect(page.locator("#try-it svg")).to_be_visible()
    expect(page.locator("main button:visible")).to_have_count(0)
    expect(page.get_by_role("link", name="Try it")).to_be_hidden()


@SCREENS
@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
def test_axe_finds_nothing_by_day_or_by_night(visit, screen, language):
    page = visit("superpion", language, **screen)
    board = page.locator("[data-example]").nth(2)
    press(board, "play")
    expect(board.locator(".cell:focus")).to_have_count(1)
    assert violations(page) == []
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0


def test_a_french_page_is_french_all_over(visit):
    page = visit("taquet", "fr-FR")
    board = page.locator("#try-it")
    says(board, "À jouer\u00a0: Disques.")
    click(board, "a1")
    says(board, "Disques\u00a0: place un pion en a1. À jouer\u00a0: Triangles.")
    expect(board.get_by_role("button", name="Recommencer")).to_be_visible()
    expect(page.get_by_role("navigation", name="Sommaire")).to_be_visible()


def test_the_contents_stay_beside_the_text_and_fold_on_a_phone(visit):
    page = visit("superpion")
    contents = page.locator(".rules-contents")
    page.locator("#points").scroll_into_view_if_needed()
    expect(contents).to_be_in_viewport()
    phone = visit("superpion", **PHONE)
    expect(phone.locator(".rules-contents")).to_be_hidden()
    link = phone.get_by_role("link", name="Points")
    expect(link).to_be_hidden()
    phone.locator(".rules-contents-short summary").click()
    link.click()
    expect(phone.locator("#points")).to_be_in_viewport()
