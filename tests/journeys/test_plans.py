"""Planning turns: by pointer, by keyboard alone, without scripts, on a phone, in both languages."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.models import PlannedTurn
from tests.axe import violations
from tests.games.play import begin, fresh, play
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
def morpion(ann, bob):
    """Ann has played; she plans what to answer to bob."""
    game = begin(ann, bob, now=timezone.now())
    play(game, ann, "5", now=timezone.now())
    return game


def notations(game):
    return list(fresh(game).turns.order_by("number").values_list("notation", flat=True))


def plans(page):
    return page.locator("#game-plans")


@pytest.mark.parametrize("window", [{}, PHONE, {"color_scheme": "dark"}])
def test_a_plan_is_laid_by_pointer_and_played(ann, bob, morpion, newcomer, live_server, window):
    page = open_game(newcomer, live_server, ann, morpion, **window).page
    plans(page).locator("summary").click()
    page.locator("#plan-text").fill("if 1 then 9, if 3 then 7")
    page.get_by_role("button", name="Plan it").click()
    expect(plans(page).get_by_role("listitem")).to_have_count(2)
    expect(plans(page)).to_contain_text("Your turns are planned.")
    assert violations(page) == []
    play(morpion, bob, "1", now=timezone.now())
    expect(plans(page)).to_contain_text(
        "As you planned, turn 3 was played for you: 9, after 1.", timeout=SOON
    )
    expect(plans(page).get_by_role("listitem")).to_have_count(1)
    assert notations(morpion) == ["5", "1", "9"]
    plans(page).get_by_role("button", name="Drop: if 3 then 7").click()
    expect(plans(page).get_by_role("listitem")).to_have_count(0)
    assert not PlannedTurn.objects.exists()


def test_what_is_being_typed_outlives_news(ann, bob, morpion, newcomer, live_server):
    page = open_game(newcomer, live_server, ann, morpion).page
    plans(page).locator("summary").click()
    page.locator("#plan-text").fill("if 2 then")
    play(morpion, bob, "1", now=timezone.now())
    expect(page.locator(".game-verdict")).to_have_text("It is your turn.", timeout=SOON)
    expect(page.locator("#plan-text")).to_have_value("if 2 then")
    page.locator("#plan-text").fill("if 9; 2 then 3")
    page.get_by_role("button", name="Plan it").click()
    expect(plans(page).get_by_role("listitem")).to_have_count(1)


def test_a_refused_plan_stays_in_its_field(ann, morpion, newcomer, live_server):
    page = open_game(newcomer, live_server, ann, morpion).page
    plans(page).locator("summary").click()
    page.locator("#plan-text").fill("if 1 then 5")
    page.get_by_role("button", name="Plan it").click()
    expect(plans(page).get_by_role("alert")).to_be_visible()
    expect(page.locator("#plan-text")).to_have_value("if 1 then 5")
    expect(page.locator("#plan-text")).to_be_focused()
    assert violations(page) == []


def test_a_plan_is_laid_and_dropped_by_keyboard_alone(ann, morpion, newcomer, live_server):
    page = open_game(newcomer, live_server, ann, morpion).page
    tab_to(page, "#game-plans > summary")
    page.keyboard.press("Enter")
    tab_to(page, "#plan-text")
    page.keyboard.type("if 1 then 9")
    tab_to(page, "#plan-form button")
    page.keyboard.press("Enter")
    expect(plans(page).get_by_role("listitem")).to_have_count(1)
    expect(page.locator(".plan-said")).to_be_focused()
    tab_to(page, "#plan-list > form > button")
    page.keyboard.press("Enter")
    expect(plans(page).get_by_role("listitem")).to_have_count(0)


def test_without_scripts_in_french(bob, ann, morpion, newcomer, live_server):
    page = open_game(newcomer, live_server, bob, morpion, scripts=False).page
    plans(page).locator("summary").click()
    page.locator("#plan-text").fill("si 1; 9 alors 3")
    page.get_by_role("button", name="Prévoir").click()
    expect(plans(page)).to_contain_text("si 1; 9 alors 3")
    expect(page.get_by_text("Votre coup est prévu.")).to_be_visible()
    plans(page).get_by_role("button", name="Abandonner tous les plans").click()
    expect(page.get_by_text("Votre plan est abandonné.")).to_be_visible()
    assert not PlannedTurn.objects.exists()


@pytest.mark.parametrize("window", [{}, PHONE])
def test_a_line_of_the_analysis_board_is_planned(ann, bob, morpion, newcomer, live_server, window):
    table = open_game(newcomer, live_server, ann, morpion, **window)
    page = table.page
    page.locator("[data-analysis-link]").click()
    table.click("1")
    expect(page.locator(".analysis-tree li")).to_have_count(1)
    expect(page.get_by_role("button", name="Plan this line")).to_have_count(0)
    table.click("9")
    expect(page.locator(".analysis-tree li")).to_have_count(2)
    assert violations(page) == []
    page.get_by_role("button", name="Plan this line").click()
    expect(plans(page)).to_contain_text("if 1 then 9")
    play(morpion, bob, "1", now=timezone.now())
    assert notations(morpion) == ["5", "1", "9"]
