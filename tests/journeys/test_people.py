"""Players in a browser: found, looked at, followed, challenged, blocked, and what they show."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import Block, Follow
from games.models import Invitation
from games.services.endings import resign
from tests.axe import violations
from tests.games.play import begin, play_all
from tests.journeys.live_server import open_game
from tests.journeys.test_by_keyboard import tab_to

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

PHONE = {"viewport": {"width": 360, "height": 740}}
DRAW = ["1", "2", "3", "5", "4", "6", "8", "7", "9"]


@pytest.fixture
def game(ann, bob, cat):
    """A game of ann against bob; several more are over."""
    now = timezone.now()
    bob.display_name = "Bob Müller"
    bob.save()
    for loser in (ann, bob, bob):
        resign(game_id=begin(ann, bob, now=now).pk, user=loser, now=now)
    play_all(begin(ann, bob, now=now), DRAW, now=now)
    resign(game_id=begin(bob, cat, now=now, slug="taquet").pk, user=cat, now=now)
    return begin(ann, bob, now=now)


def people_page(newcomer, live_server, user, game, **more):
    """Return a user with the page of players open in their browser."""
    person = open_game(newcomer, live_server, user, game, **more).person
    person.page.goto("/people/")
    return person


def find_follow_and_block(person, reach, press):
    """Go through it all; `reach` focuses the element of a selector, `press` activates it."""
    page = person.page
    reach("[name=q]")
    page.keyboard.type("muller")
    press("main .people-search button")
    press("main .people-list a")
    page.wait_for_url("**/people/bob/")
    expect(person.main).to_contain_text("You won 2, drew 1 and lost 1 of 4 games of two")
    press("main button[value=follow]")
    expect(page.get_by_role("status").first).to_contain_text("Nobody else sees this.")
    assert Follow.objects.filter(by__username="ann", of__username="bob").exists()
    press("main .button-primary")
    page.wait_for_url("**/tables/new/?whom=player&name=bob")
    press("main a[href*='game=morpion']")
    expect(page.locator("[name=name]")).to_have_value("bob")
    press("main form .button-primary")
    page.wait_for_url("**/games/*/")
    assert Invitation.objects.filter(by__username="ann", user__username="bob").exists()
    page.goto("/people/bob/")
    press("main .disclosure summary")
    press("main button[value=block]")
    expect(page.get_by_role("button", name="Unblock")).to_be_visible()
    assert Block.objects.filter(by__username="ann", of__username="bob").exists()
    assert not Follow.objects.exists()
    press("main button[value=end]")
    expect(page.get_by_role("button", name="Follow", exact=True)).to_be_visible()
    assert not Block.objects.exists()


def by_pointer(person):
    """Return how somebody reaches and activates something by clicking on it."""
    return [lambda selector: person.page.locator(selector).first.click()] * 2


def test_by_pointer(game, ann, newcomer, live_server):
    ann_ = people_page(newcomer, live_server, ann, game)
    find_follow_and_block(ann_, *by_pointer(ann_))


def test_by_keyboard_alone(game, ann, newcomer, live_server):
    ann_ = people_page(newcomer, live_server, ann, game)

    def reach(selector):
        tab_to(ann_.page, selector)

    def press(selector):
        reach(selector)
        ann_.page.keyboard.press("Enter")

    find_follow_and_block(ann_, reach, press)


def test_on_a_phone_without_scripts(game, ann, newcomer, live_server):
    ann_ = people_page(newcomer, live_server, ann, game, scripts=False, **PHONE)
    find_follow_and_block(ann_, *by_pointer(ann_))


def test_what_others_see_is_chosen(game, ann, bob, newcomer, live_server):
    ann_ = people_page(newcomer, live_server, ann, game, scripts=False)
    bob.language = "en"
    bob.save()
    bob_ = people_page(newcomer, live_server, bob, game)
    bob_.page.goto("/people/ann/")
    expect(bob_.page.get_by_role("heading", name="Results")).to_be_visible()
    ann_.page.goto("/people/ann/")
    ann_.open("What others see")
    ann_.page.get_by_label("Who sees my results").select_option("nobody")
    ann_.page.get_by_label("I can be found by name").uncheck()
    ann_.press("Save")
    expect(ann_.page.get_by_role("status").first).to_contain_text("Your settings are saved.")
    bob_.page.reload()
    expect(bob_.page.get_by_role("heading", name="Results")).to_have_count(0)
    expect(bob_.main).to_contain_text("You won 1, drew 1 and lost 2 of 4 games of two against ann.")
    bob_.page.goto("/people/?q=ann")
    expect(bob_.page.locator(".people-list a[href='/people/ann/']")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("size", [{}, PHONE], ids=["desk", "phone"])
def test_the_pages_are_accessible(game, ann, bob, newcomer, live_server, language, size):
    ann.language = language
    ann.save()
    person = people_page(newcomer, live_server, ann, game, **size)
    page = person.page
    Follow.objects.create(by=ann, of=bob, at=timezone.now())
    for path in (
        "/people/bob/",
        "/people/ann/",
        "/people/?q=bob",
        "/people/?q=nobody-has-this-name",
        "/settings/profile/",
        "/finished/?with=bob",
    ):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert person.sideways() <= 0, path
        assert violations(page) == [], path
        if path == "/people/bob/":
            page.locator("main .disclosure summary").click()
            expect(page.locator("button[value=block]")).to_be_visible()
            assert violations(page) == []
            expect(page.locator(".results td").first).to_have_text("4")
