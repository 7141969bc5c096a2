"""Somebody asks for their data, waits, and opens the file: by pointer, by keys, without scripts."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.models import Message
from games.services.conduct.messages import say
from notifications.exports.making import make_exports
from notifications.models import Notice
from tests.axe import violations
from tests.games.play import begin
from tests.journeys.live_server import open_game
from tests.journeys.test_by_keyboard import tab_to
from tests.notifications.exports.reading import files_in

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

SOON = 60_000
"""Milliseconds that a busy machine may take: the page asks every two seconds."""

PHONE = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}


def press(page, name, *, by_keyboard):
    button = page.get_by_role("main").get_by_role("button", name=name)
    if by_keyboard:
        tab_to(page, "#export button")
        page.keyboard.press("Enter")
    else:
        button.click()


def confirm(person):
    """Give the password once more, as the page asks."""
    person.page.locator("[name=password]").fill("secret")
    person.page.keyboard.press("Enter")
    expect(person.main.get_by_role("heading", level=1)).to_have_text(person.words("Your data"))


@pytest.mark.parametrize(
    ("who", "scripts", "by_keyboard", "window"),
    [
        ("ann", True, False, {"color_scheme": "dark"}),
        ("ann", True, True, {}),
        ("bob", True, False, PHONE),
        ("bob", False, False, {}),
    ],
)
def test_somebody_asks_for_their_data_and_opens_it(
    ann, bob, newcomer, live_server, who, scripts, by_keyboard, window
):
    now = timezone.now()
    game = begin(ann, bob, now=now)
    user = {"ann": ann, "bob": bob}[who]
    say(game_id=game.pk, user=user, text="Bonne chance !", via=Message.Via.WEB, now=now)
    person = open_game(newcomer, live_server, user, game, scripts=scripts, **window).person
    page = person.page
    page.goto("/settings/data/")
    assert not scripts or violations(page) == []
    make = person.words("Make a file of my data")
    press(page, make, by_keyboard=by_keyboard)
    confirm(person)
    press(page, make, by_keyboard=by_keyboard)
    status = page.locator("#export [role=status]")
    expect(status).to_contain_text(
        person.words(
            "Your file is being made. You can leave this page: a mail tells you when it is ready."
        )
    )
    assert not scripts or violations(page) == []
    assert person.sideways() == 0

    assert make_exports(now=timezone.now()) == 1
    download = page.locator("#export").get_by_role("link", name=person.words("Download the file"))
    if not scripts:
        person.open("Look again")
    expect(download).to_be_visible(timeout=SOON)
    assert not scripts or violations(page) == []
    assert person.sideways() == 0
    with page.expect_download() as downloaded:
        if by_keyboard:
            tab_to(page, "#export a")
            page.keyboard.press("Enter")
        else:
            download.click()
    assert downloaded.value.suggested_filename.startswith(f"pli-{who}-")
    with open(downloaded.value.path(), "rb") as file:
        files = files_in(file.read())
    assert files["account.json"]["profile"]["username"] == who
    assert [said["text"] for said in files["messages.json"]] == ["Bonne chance !"]
    assert files[f"games/morpion-{game.pk}.json"]["players"] == ["ann", "bob"]
    subjects = {"ann": "Your data is ready", "bob": "Vos données sont prêtes"}
    told = Notice.objects.get(user=user, kind="account")
    assert told.content["subject"] == subjects[who]
