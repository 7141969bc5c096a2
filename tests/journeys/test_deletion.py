"""Somebody has their account deleted and changes their mind: by pointer, by keys, without scripts.

And what the others see of an account that is gone.
"""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.models import Message
from games.services.conduct.messages import say
from notifications.deletion.deleting import delete_due_accounts
from tests.axe import violations
from tests.games.play import begin, play
from tests.journeys.live_server import open_game
from tests.journeys.test_by_keyboard import tab_to

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

PHONE = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}


def press(person, name, selector, *, by_keyboard):
    """Press the button or link with this English name; `selector` finds it for the tab key."""
    if by_keyboard:
        tab_to(person.page, selector)
        person.page.keyboard.press("Enter")
    else:
        person.main.get_by_text(person.words(name), exact=True).click()


def is_well_made(person, scripts):
    assert not scripts or violations(person.page) == []
    assert person.sideways() == 0


@pytest.mark.parametrize(
    ("who", "scripts", "by_keyboard", "window"),
    [
        ("ann", True, False, {"color_scheme": "dark"}),
        ("ann", True, True, {}),
        ("bob", True, False, PHONE),
        ("bob", False, False, {}),
    ],
)
def test_somebody_has_their_account_deleted_and_keeps_it(
    ann, bob, newcomer, live_server, who, scripts, by_keyboard, window
):
    game = begin(ann, bob, now=timezone.now())
    user = {"ann": ann, "bob": bob}[who]
    person = open_game(newcomer, live_server, user, game, scripts=scripts, **window).person
    page, words = person.page, person.words
    page.goto("/settings/data/")
    delete = "a[href='/settings/data/delete/']"
    press(person, "Delete my account…", delete, by_keyboard=by_keyboard)
    page.locator("[name=password]").fill("secret")
    page.keyboard.press("Enter")
    heading = person.main.get_by_role("heading", level=1)
    expect(heading).to_have_text(words("Delete your account"))
    is_well_made(person, scripts)

    name = page.locator("[name=username]")
    if by_keyboard:
        tab_to(page, "[name=username]")
    else:
        name.click()
    page.keyboard.type("somebody")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    is_well_made(person, scripts)
    user.refresh_from_db()
    assert user.deletion_due_at is None
    person.complaints.clear()  # the answer that refused is one

    name.fill(who)
    page.keyboard.press("Enter")
    notice = page.get_by_role("region", name=words("Deletion of your account"))
    expect(notice).to_be_visible()
    expect(name).to_have_count(0)
    is_well_made(person, scripts)
    page.goto(game.get_absolute_url())
    expect(notice).to_be_visible()
    is_well_made(person, scripts)
    user.refresh_from_db()
    assert user.deletion_due_at is not None

    press(
        person,
        "Keep my account",
        "form[action='/settings/data/keep/'] button",
        by_keyboard=by_keyboard,
    )
    expect(heading).to_have_text(words("Your data"))
    expect(notice).to_have_count(0)
    user.refresh_from_db()
    assert user.deletion_due_at is None


def test_the_others_see_a_former_player(ann, bob, newcomer, live_server):
    now = timezone.now()
    game, profile = begin(ann, bob, now=now), ann.get_absolute_url()
    play(game, ann, "5", now=now)
    say(game_id=game.pk, user=ann, text="a word of ann", via=Message.Via.WEB, now=now)
    ann.deletion_due_at = now
    ann.save()
    assert delete_due_accounts(now=timezone.now()) == 1
    person = open_game(newcomer, live_server, bob, game).person
    page = person.page
    expect(page.get_by_text("ancien joueur").first).to_be_visible()
    expect(page.get_by_text("a word of ann")).to_have_count(0)
    expect(page.get_by_role("link", name="ancien joueur")).to_have_count(0)
    assert violations(page) == []
    page.goto("/")
    expect(page.get_by_text("ancien joueur").first).to_be_visible()
    assert page.request.get(live_server.url + profile).status == 404
