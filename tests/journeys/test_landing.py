"""Strangers: the landing page in a browser, and a game that is played before signing up."""

import pytest
from django.contrib.staticfiles import finders
from django.utils import timezone
from playwright.sync_api import expect

from games.rules.registry import app_with_example
from tests.axe import violations
from tests.factories import BotFactory
from tests.games.play import begin, play, table
from tests.journeys.conftest import PHONE
from tests.journeys.live_server import Here
from tests.journeys.taquet_line import LINE

TURNS = app_with_example().example_game

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

TURN, LONG = 1600, 60_000
"""Milliseconds of the page's own clock: how long a turn is shown, and much longer than the game."""

LARGEST_MODULE = 3000
"""Bytes of the module that plays the game, before they are compressed."""


@pytest.fixture
def stranger(newcomer, live_server, ann, bob, settings):
    """Return a function that brings a stranger to the landing page of a site where people play."""
    BotFactory(username=settings.PRACTICE_PARTNER_USERNAME)
    now = timezone.now()
    play(begin(ann, bob, now=now), ann, "5", now=now)
    table(ann, now=now)

    def come(language="en", **more):
        site = live_server.url.replace("127.0.0.1", "localhost")
        return newcomer("zoe", language, service=Here(site), **more)

    return come


def watch(person):
    """Open the landing page; its clock stands still until a test lets it run."""
    person.page.clock.install(time=0)
    person.page.clock.pause_at(1000)
    person.page.goto("/")
    person.page.locator("[data-living-board].moving").wait_for()
    return person.page


def expect_first_turn(page):
    expect(page.locator("[data-image]").first).to_have_attribute("aria-current", "step")


def shown(page):
    """Return the number of the turn that is shown, from 1; its drawing must be there."""
    turns = page.locator("[data-image]")
    current = turns.evaluate_all("all => all.map(one => one.ariaCurrent)")
    number = current.index("step") + 1
    address = turns.nth(number - 1).get_attribute("data-image")
    expect(page.locator("[data-living-board-image]")).to_have_attribute("src", address)
    return number


def next_turn(page):
    """Let the time of a turn pass, and wait until another turn is shown."""
    before = page.locator("[data-image][aria-current]").get_attribute("data-image")
    page.clock.run_for(TURN)
    other = f'[data-image][aria-current]:not([data-image="{before}"])'
    page.locator(other).wait_for(state="attached")
    return shown(page)


def test_the_board_plays_by_itself_and_can_be_paused(stranger):
    zoe = stranger()
    page = watch(zoe)
    expect_first_turn(page)
    assert [next_turn(page) for _ in range(3)] == [2, 3, 4]
    zoe.press("Pause")
    page.clock.run_for(LONG)
    assert shown(page) == 4
    zoe.press("Watch it")
    assert next_turn(page) == 5


@pytest.mark.parametrize("more", [{}, PHONE], ids=["desk", "phone"])
def test_nothing_moves_on_the_page_while_a_whole_game_is_played(stranger, more):
    zoe = stranger("fr", **more)
    page = watch(zoe)
    expect_first_turn(page)
    heights = set()
    while shown(page) < len(TURNS):
        next_turn(page)
        heights.add(page.locator(".living-board").bounding_box()["height"])
    assert len(heights) == 1
    assert zoe.sideways() == 0
    page.clock.run_for(2 * TURN)
    assert shown(page) == len(TURNS)  # the end stays a little longer
    page.clock.run_for(2 * TURN)
    expect_first_turn(page)


def test_who_asks_for_less_motion_starts_it(stranger):
    zoe = stranger(reduced_motion="reduce")
    page = watch(zoe)
    page.clock.run_for(LONG)
    assert shown(page) == len(TURNS)
    zoe.press("Watch it")
    expect_first_turn(page)


def test_a_hidden_page_stands_still(stranger):
    page = watch(stranger())
    expect_first_turn(page)
    assert next_turn(page) == 2
    hide = "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
    change = "document.dispatchEvent(new Event('visibilitychange'))"
    page.evaluate(hide % "true" + change)
    page.clock.run_for(LONG)
    assert shown(page) == 2
    page.evaluate(hide % "false" + change)
    assert next_turn(page) == 3


@pytest.mark.parametrize("language", ["en", "fr"])
def test_axe_finds_nothing_on_the_way_of_a_guest(stranger, language):
    zoe = stranger(language)
    zoe.page.goto("/")
    assert violations(zoe.page) == []
    zoe.press("Play now against a program")
    expect(zoe.page.locator(".guest-line")).to_be_visible()
    assert violations(zoe.page) == []
    zoe.page.locator(".guest-line a").first.click()
    zoe.page.locator("[name=password1]").wait_for()
    assert violations(zoe.page) == []


def test_the_module_is_small():
    with open(finders.find("js/living_board.mjs"), "rb") as module:
        assert len(module.read()) <= LARGEST_MODULE


def play_first_turn(person):
    """Play a turn, which the program may have answered before the page is looked at again."""
    person.choose(LINE[0])
    person.press("Play this turn")
    expect(person.page.locator(".turn-list")).to_contain_text(LINE[0].notation)


@pytest.mark.parametrize(("name", "scripts"), [("ida", True), ("ivo", False)])
def test_a_stranger_plays_at_once_then_signs_up_and_keeps_the_game(newcomer, name, scripts):
    person = newcomer(name, scripts=scripts, **PHONE)
    person.page.goto("/")
    person.press("Play now against a program")
    play_first_turn(person)
    game = person.page.url
    person.page.locator(".guest-line a").first.click()
    person.sign_up()
    expect(person.page.locator(".guest-line")).to_have_count(0)
    person.page.goto(game)
    expect(person.page.locator(".players")).to_contain_text(name)
    expect(person.page.locator(".turn-list")).to_contain_text(LINE[0].notation)


def test_who_has_signed_up_chooses_a_first_game(newcomer):
    uma = newcomer("uma", "fr")
    uma.page.goto("/")
    uma.open("Sign up")
    uma.sign_up()
    assert violations(uma.page) == []
    uma.main.get_by_role("button", name="Taquet").click()
    play_first_turn(uma)
