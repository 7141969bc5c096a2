"""Looking back at a game in its open page: by pointer, by keyboard, by itself, without scripts."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.services.endings import resign
from tests.axe import violations
from tests.factories import PersonFactory
from tests.games.multiplayer import gather, play_on
from tests.games.play import begin, play, play_all
from tests.journeys.conftest import PHONE
from tests.journeys.live_server import open_game
from tests.journeys.test_by_keyboard import tab_to
from tests.journeys.test_live_page import SOON, is_the_same, mark, stop_the_clock

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

STEP = 50
"""Milliseconds that a step may take."""

MEASURE = """
async (clicks) => {
  const button = document.querySelector("[data-step=previous]"), took = [];
  for (let i = 0; i < clicks; i++) {
    const [begun, url] = [performance.now(), location.href];
    button.click();
    while (location.href === url) await Promise.resolve();
    document.querySelector("[data-replay-shown] svg").getBoundingClientRect();
    took.push(performance.now() - begun);
  }
  return took.sort((a, b) => a - b);
}
"""


@pytest.fixture
def game(ann, bob):
    """Morpion after three turns; bob is to move."""
    return play_all(begin(ann, bob, now=timezone.now()), ["5", "1", "9"], now=timezone.now())


class Back:
    """What a page shows of an old position."""

    def __init__(self, table):
        self.table, self.page = table, table.page
        self.asked = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        mark(self.page)

    def shows(self, number, heading):
        """The page shows this position, with its address, and has not been loaded again."""
        path = f"{self.table.game.get_absolute_url()}turns/{number}/"
        expect(self.page).to_have_url(re.compile(f"{path}$"))
        expect(self.page.locator("[data-replay-at]")).to_have_text(heading)
        expect(self.page.locator("[data-replay-shown] svg")).to_be_visible()
        expect(self.page.locator("#game-play [data-board-svg]")).to_be_hidden()
        expect(self.page.locator(".turn-count")).to_have_text(re.compile(f"^{number}\\W"))
        assert self.pieces() == {"5", "1", "9"} - {"9" if number < 3 else "", *"51"[number:]}
        assert is_the_same(self.page)

    def pieces(self):
        cells = self.page.locator("[data-replay-shown] .cell:has(> g)")
        return set(cells.evaluate_all("all => all.map(one => one.dataset.square)"))

    def is_over(self):
        expect(self.page).to_have_url(re.compile(f"{self.table.game.get_absolute_url()}$"))
        expect(self.page.locator(".game-verdict")).to_be_visible()
        expect(self.page.locator("[data-replay-shown]")).to_be_hidden()

    def step(self, name):
        return self.page.locator(f"[data-step={name}]")


@pytest.mark.parametrize("screen", [{}, PHONE], ids=["desk", "phone"])
def test_by_pointer(game, ann, newcomer, live_server, screen):
    table = open_game(newcomer, live_server, ann, game, **screen)
    back, page = Back(table), table.page
    back.step("previous").click()
    back.shows(2, "Turn 2 of 3")
    expect(page.locator("[data-replay-words]")).to_have_text("bob plays in the top left corner.")
    place = back.step("next").bounding_box()
    back.step("previous").click()
    back.shows(1, "Turn 1 of 3")
    back.step("first").click()
    back.shows(0, "The start of the game")
    assert back.step("next").bounding_box() == place
    assert back.step("previous").get_attribute("aria-disabled") == "true"
    page.locator(".turn-list a").nth(1).click()
    back.shows(2, "Turn 2 of 3")
    expect(page.locator(".turn-list [aria-current]")).to_have_text("1")
    page.locator(".turn-slider input").fill("1")
    back.shows(1, "Turn 1 of 3")
    assert len([url for url in back.asked if "/replay/" in url]) == 1
    assert not [url for url in back.asked if "/turns/" in url]
    assert table.person.sideways() <= 0
    assert violations(page) == []
    text = page.locator(".text-board").text_content()
    page.reload()
    mark(page)
    back.shows(1, "Turn 1 of 3")
    assert page.locator(".text-board").text_content() == text
    back.step("next").click()
    back.shows(2, "Turn 2 of 3")
    # The newest position has come by itself meanwhile, and was not shown.
    expect(page.locator(".game-verdict")).to_have_text("It is bob’s turn.", timeout=SOON)
    page.get_by_role("link", name="Back to the game").click()
    back.is_over()
    assert is_the_same(page)
    assert table.pieces() == {"5", "1", "9"}


def test_again_from_here_names_the_position_that_is_shown(ann, bob, newcomer, live_server):
    now = timezone.now()
    game = play_all(begin(ann, bob, now=now), ["1", "4", "2", "5", "3"], now=now)
    page = open_game(newcomer, live_server, ann, game).page
    page.get_by_text("Again from here").click()
    turn = page.get_by_label("After turn")
    expect(turn).to_have_value("4")  # nothing is left to play after the last one
    for number in ("4", "3"):
        page.locator("[data-step=previous]").click()
        expect(page.locator(".turn-count")).to_have_text(re.compile(f"^{number}\\W"))
        expect(turn).to_have_value(number)
    page.locator("[data-step=last]").click()
    expect(page.locator(".turn-count")).to_have_text(re.compile(r"^5\W"))
    expect(turn).to_have_value("4")


def test_the_back_button_leads_out_of_the_game(game, ann, newcomer, live_server):
    table = open_game(newcomer, live_server, ann, game)
    page = table.page
    page.goto("/rules/")
    page.goto(game.get_absolute_url())
    back = Back(table)
    for number in (2, 1):
        back.step("previous").click()
        back.shows(number, f"Turn {number} of 3")
    page.go_back()
    expect(page).to_have_url(re.compile("/rules/$"))
    page.go_forward()
    expect(page).to_have_url(re.compile(f"{game.get_absolute_url()}turns/1/$"))
    expect(page.locator("[data-replay-at]")).to_have_text("Turn 1 of 3")


def test_by_keyboard_alone(game, ann, newcomer, live_server):
    table = open_game(newcomer, live_server, ann, game)
    back, page = Back(table), table.page
    page.keyboard.press("ArrowLeft")
    back.shows(2, "Turn 2 of 3")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    back.shows(2, "Turn 2 of 3")
    page.keyboard.press("ArrowRight")
    back.is_over()
    tab_to(page, "[data-step=first]")
    page.keyboard.press("Enter")
    back.shows(0, "The start of the game")
    expect(back.step("first")).to_be_focused()
    page.keyboard.press("End")
    back.is_over()
    page.keyboard.press("Home")
    back.shows(0, "The start of the game")
    tab_to(page, ".turn-slider input")
    page.keyboard.press("ArrowRight")
    back.shows(1, "Turn 1 of 3")
    page.locator("#message-text").press("ArrowRight")
    back.shows(1, "Turn 1 of 3")


def test_without_scripts(game, ann, newcomer, live_server):
    table = open_game(newcomer, live_server, ann, game, scripts=False)
    page = table.page
    expect(page.locator(".turn-slider")).to_be_hidden()
    expect(page.locator("[data-step=play]")).to_be_hidden()
    for name, heading in [
        ("One turn back", "Turn 2 of 3"),
        ("Start", "The start of the game"),
        ("One turn on", "Turn 1 of 3"),
        ("One turn on", "Turn 2 of 3"),
        ("One turn on", "Turn 3 of 3"),
    ]:
        page.get_by_role("link", name=name).click()
        expect(page.locator("[data-replay-at]")).to_have_text(heading)
    page.locator(".turn-list a").first.click()
    expect(page.locator("[data-replay-at]")).to_have_text("Turn 1 of 3")
    assert table.pieces() == {"5"}
    page.get_by_role("link", name="Newest").click()
    expect(page.locator(".game-verdict")).to_have_text("It is bob’s turn.")


def test_a_new_turn_is_told_and_leaves_the_reader_where_they_are(
    game, ann, bob, newcomer, live_server
):
    table = open_game(newcomer, live_server, ann, game)
    back, page = Back(table), table.page
    back.step("previous").click()
    back.shows(2, "Turn 2 of 3")
    play(game, bob, "2", now=timezone.now())
    told = page.locator("[data-replay-news]")
    expect(told).to_have_text("There is a new turn.", timeout=SOON)
    back.shows(2, "Turn 2 of 4")
    back.step("next").click()
    back.shows(3, "Turn 3 of 4")
    back.step("next").click()
    back.is_over()
    expect(page.locator(".game-verdict")).to_have_text("It is your turn.")
    assert table.pieces() == {"5", "1", "9", "2"}
    back.step("previous").click()
    back.shows(3, "Turn 3 of 4")
    expect(told).to_be_hidden()


def test_a_turn_that_was_begun_stays(ann, bob, newcomer, live_server):
    now = timezone.now()
    game = play_all(begin(ann, bob, now=now), ["5", "1"], now=now)
    table = open_game(newcomer, live_server, ann, game)
    table.click("9")
    expect(table.page.locator("svg.previewed")).to_be_visible()
    back = Back(table)
    back.step("first").click()
    back.shows(0, "The start of the game")
    back.step("last").click()
    back.is_over()
    expect(table.page.locator("svg.previewed")).to_be_visible()
    expect(table.typed).to_have_value("9")


def test_by_itself(game, ann, bob, newcomer, live_server):
    resign(game_id=game.pk, user=bob, now=timezone.now())
    table = open_game(newcomer, live_server, ann, game)
    page = table.page
    stop_the_clock(page)
    back = Back(table)
    back.step("play").click()
    entries = game.turns.count()
    back.shows(0, "The start of the game")
    expect(page.locator("[data-replay-status]")).to_have_attribute("aria-live", "off")
    page.clock.run_for(1300)
    back.shows(1, f"Turn 1 of {entries}")
    back.step("play").click()
    expect(page.locator("[data-replay-status]")).to_have_attribute("aria-live", "polite")
    page.clock.run_for(5000)
    back.shows(1, f"Turn 1 of {entries}")
    back.step("play").click()
    page.clock.run_for(1300 * entries)
    back.is_over()
    page.emulate_media(reduced_motion="reduce")
    expect(back.step("play")).to_be_hidden()


def test_each_turn_has_its_words(game, ann, newcomer, live_server):
    table = open_game(newcomer, live_server, ann, game)
    page = table.page
    words = "ann plays in the centre."
    tip, turn = page.locator(".turn-tip"), page.locator(".turn-list a").first
    turn.hover()
    expect(tip).to_have_text(words)
    expect(turn).to_have_accessible_description(words)
    page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    tab_to(page, ".turn-list a")
    expect(tip).to_have_text(words)


def test_a_step_takes_no_time(newcomer, live_server, ann, bob, cat):
    now = timezone.now()
    game = gather([ann, bob, cat, PersonFactory(username="dan")], now=now)
    game = play_on(game, 24, now=now)
    table = open_game(newcomer, live_server, ann, game)
    table.page.locator("[data-step=last]").hover()
    table.page.locator("[data-step=previous]").click()
    expect(table.page.locator("[data-replay-shown] svg")).to_be_visible()
    took = table.page.evaluate(MEASURE, 20)
    assert took[len(took) // 4] < STEP, took  # the others are a busy machine's
