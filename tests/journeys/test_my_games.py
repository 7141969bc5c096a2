"""My games in a browser: a round by keyboard, filters, groups that fold; and without scripts."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.services.endings import resign
from tests.axe import violations
from tests.games.play import begin, fresh
from tests.journeys.live_server import open_game

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

ROWS = ".game-row-title a"
PHONE = {"viewport": {"width": 360, "height": 740}}


@pytest.fixture
def three(ann, bob):
    """Three games of Morpion that wait for ann, by deadline."""
    return [begin(ann, bob, now=timezone.now(), days=days) for days in (3, 7, 14)]


def my_games(newcomer, live_server, user, game, **more):
    """Return a user with My games open in their browser."""
    person = open_game(newcomer, live_server, user, game, **more).person
    person.page.goto("/")
    return person


def at(page, game):
    page.wait_for_url(f"**{game.get_absolute_url()}")
    expect(page.locator("#keys")).to_have_count(1)


def test_a_round_of_three_games_by_keyboard(three, ann, newcomer, live_server):
    page = my_games(newcomer, live_server, ann, three[0]).page
    press = page.keyboard.press
    press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    press("n")  # does nothing while the list of keys is open
    press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.url.endswith("/")
    for key, place in (("j", 0), ("j", 1), ("j", 2), ("k", 1), ("k", 0)):
        press(key)
        expect(page.locator(ROWS).nth(place)).to_be_focused()
    press("Enter")
    at(page, three[0])

    press("b")
    expect(page.locator(".cell:focus")).to_have_count(1)
    press("Enter")
    expect(page.locator("[data-board-confirm]")).to_be_focused()
    press("Enter")
    expect(page.get_by_role("link", name="Next game (2)", exact=True)).to_be_visible()
    press("n")
    at(page, three[1])
    press("n")  # skips it
    at(page, three[2])

    press("z")
    expect(page.get_by_role("button", name="Until tomorrow, 09:00")).to_be_visible()
    press("Escape")
    expect(page.locator(".snooze summary")).to_be_focused()
    press("Enter")
    press("Tab")
    press("Enter")
    at(page, three[1])
    expect(page.get_by_role("status")).to_contain_text("Snoozed until")
    expect(page.get_by_role("link", name="My games, 1 waiting for you")).to_be_visible()
    press("m")
    expect(page.locator(".game-group").first).to_contain_text("(+1 later)")
    press("n")
    at(page, three[1])
    assert [fresh(game).turn_number for game in three] == [1, 0, 0]


def test_the_keys_can_be_switched_off(three, ann, newcomer, live_server):
    page = my_games(newcomer, live_server, ann, three[0]).page
    is_told = page.locator("[aria-keyshortcuts=n]")
    expect(is_told).to_have_count(1)
    opener = page.get_by_role("button", name="Keyboard shortcuts")
    opener.click()
    page.get_by_role("checkbox").uncheck()
    page.get_by_role("button", name="Close").click()
    page.reload()
    expect(opener).to_be_visible()
    expect(is_told).to_have_count(0)
    for key in ("n", "j", "?"):
        page.keyboard.press(key)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(f"{ROWS}:focus")).to_have_count(0)
    assert page.url.endswith("/")
    opener.click()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("n")
    at(page, three[0])


@pytest.fixture
def several(three, ann, bob, cat):
    """Three games that wait for ann, two for cat, one that is over."""
    now = timezone.now()
    for _ in range(2):
        begin(cat, ann, now=now, slug="taquet")
    resign(game_id=begin(ann, cat, now=now).pk, user=ann, now=now)
    return three


def test_filters_apply_at_once_and_groups_stay_folded(several, ann, newcomer, live_server):
    page = my_games(newcomer, live_server, ann, several[0]).page
    expect(page.locator(ROWS)).to_have_count(6)
    expect(page.get_by_role("button", name="Show")).to_have_count(0)
    page.get_by_label("Game", exact=True).select_option("taquet")
    expect(page.locator(ROWS)).to_have_count(2)
    expect(page.get_by_role("status")).to_contain_text("2 of 6 games.")
    page.get_by_label("Game", exact=True).select_option("")
    page.get_by_label("Opponent").press_sequentially("bo")
    expect(page.locator(ROWS)).to_have_count(3)
    assert "name=bo" in page.url
    page.get_by_label("Opponent").fill("")
    expect(page.locator(ROWS)).to_have_count(6)

    page.get_by_role("heading", name="Waiting for others").click()
    expect(page.locator(f"{ROWS} >> visible=true")).to_have_count(4)
    page.goto("/")
    expect(page.locator(f"{ROWS} >> visible=true")).to_have_count(4)
    page.get_by_role("heading", name="Waiting for others").click()
    expect(page.locator(f"{ROWS} >> visible=true")).to_have_count(6)
    page.reload()
    expect(page.locator(f"{ROWS} >> visible=true")).to_have_count(6)


def test_a_group_folded_before_the_scripts_run_stays_folded(several, ann, newcomer, live_server):
    page = my_games(newcomer, live_server, ann, several[0]).page
    held = []

    def hold(route):
        held.append(route)

    page.route(re.compile("my_games"), hold)
    page.goto("/", wait_until="commit")
    group = page.locator("[data-group=waiting]")
    page.get_by_role("heading", name="Waiting for others").click()
    expect(group).not_to_have_attribute("open", "")
    (route,) = held
    with page.expect_event("load"):
        route.continue_()
    page.unroute(re.compile("my_games"))
    page.goto("/")
    expect(group).not_to_have_attribute("open", "")


def test_a_group_folded_before_the_answer_comes_stays_folded(several, ann, newcomer, live_server):
    page = my_games(newcomer, live_server, ann, several[0]).page
    held = []

    def hold(route):
        held.append(route)

    page.route(re.compile("game=taquet"), hold)
    with page.expect_request(re.compile("game=taquet")):
        page.get_by_label("Game", exact=True).select_option("taquet")
    group = page.locator("[data-group=waiting]")
    page.get_by_role("heading", name="Waiting for others").click()
    expect(group).not_to_have_attribute("open", "")
    (route,) = held
    route.continue_()
    expect(page.locator(ROWS)).to_have_count(2)
    expect(group).not_to_have_attribute("open", "")
    page.goto("/")
    expect(group).not_to_have_attribute("open", "")


def test_leaving_the_field_for_names_asks_for_nothing(several, ann, newcomer, live_server):
    page = my_games(newcomer, live_server, ann, several[0]).page
    with page.expect_response(re.compile("name=bo")):
        page.get_by_label("Opponent").fill("bo")
    expect(page.locator(ROWS)).to_have_count(3)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_label("Opponent").blur()
    page.get_by_label("Order").select_option("game")
    expect(page).to_have_url(re.compile("order=game"))
    assert ["order=game" in url for url in asked if "name=bo" in url] == [True]


def test_without_scripts(several, ann, newcomer, live_server):
    page = my_games(newcomer, live_server, ann, several[0], scripts=False).page
    page.get_by_label("Opponent").fill("bob")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(ROWS)).to_have_count(3)
    expect(page.get_by_role("button", name="Keyboard shortcuts")).to_have_count(0)
    page.locator(ROWS).first.click()
    page.locator(".snooze summary").click()
    page.get_by_role("button", name=re.compile("^Until tomorrow")).click()
    at(page, several[1])
    page.goto("/")
    expect(page.locator(ROWS).nth(2)).to_have_attribute("href", several[0].get_absolute_url())
    page.get_by_role("button", name="Wake").click()
    expect(page.get_by_role("status").first).to_contain_text("waits for you again")
    page.get_by_role("link", name="Search all finished games").click()
    page.get_by_label("Result").select_option("won")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(ROWS)).to_have_count(0)
    page.get_by_label("Result").select_option("lost")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(ROWS)).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_pages_are_accessible(several, ann, newcomer, live_server, language):
    ann.language = language
    ann.save()
    person = my_games(newcomer, live_server, ann, several[0], **PHONE)
    page = person.page
    assert person.sideways() <= 0
    assert violations(page) == []
    page.keyboard.press("?")
    assert violations(page) == []
    page.goto(several[1].get_absolute_url())
    page.keyboard.press("z")
    assert person.sideways() <= 0
    assert violations(page) == []
    page.keyboard.press("Enter")
    at(page, several[2])
    page.goto("/?only=awaiting")
    expect(page.locator(".game-row button")).to_have_count(1)
    assert violations(page) == []
    page.goto("/finished/")
    assert person.sideways() <= 0
    assert violations(page) == []
