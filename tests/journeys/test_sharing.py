"""Links are copied, positions downloaded, cards shown: by pointer, by keyboard, without scripts."""

import json
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.urls import reverse
from django.utils import timezone
from PIL import Image
from playwright.sync_api import expect

from accounts import middleware
from accounts.api_tokens import find_token
from games.services.tables import create_link
from notifications.models import Webhook
from notifications.webhooks.signing import secret_of
from tests.axe import violations
from tests.games.play import begin, play_all, table
from tests.journeys.conftest import PHONE
from tests.journeys.live_server import open_game, open_page
from tests.journeys.test_by_keyboard import tab_to

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]


@pytest.fixture
def waiting(ann):
    """Ann's private table."""
    return table(ann, now=timezone.now(), is_public=False)


@pytest.fixture
def over(ann, bob):
    """A game that ann has won."""
    game = begin(ann, bob, now=timezone.now())
    return play_all(game, ["5", "1", "9", "2", "3", "4", "7"], now=timezone.now())


READ = """
Promise.race([
  navigator.clipboard.readText(),
  new Promise((_, fail) => setTimeout(() => fail(new Error("the clipboard is not read")), 60000)),
])
"""


def clipboard(page):
    """Return the text in the clipboard; fail after a minute.

    Chromium lets only the page in front read it. `evaluate` has no time limit of its own.
    """
    page.bring_to_front()
    return page.evaluate(READ)


def allow_clipboard(person):
    person.context.grant_permissions(["clipboard-read", "clipboard-write"])


def open_share(page):
    page.get_by_text("Share and download").click()


@pytest.mark.parametrize("keyboard", [False, True])
def test_a_link_to_a_table_is_made_copied_and_used(
    ann, cat, waiting, newcomer, live_server, keyboard
):
    host = open_game(newcomer, live_server, ann, waiting)
    page = host.page
    allow_clipboard(host.person)
    make = page.get_by_role("button", name="Make a link to invite with")
    copy = page.get_by_role("button", name="Copy link")
    if keyboard:
        tab_to(page, "button[value=create]")
        page.keyboard.press("Enter")
        expect(copy).to_be_visible()
        tab_to(page, "[data-share-copy]")
        page.keyboard.press("Enter")
    else:
        make.click()
        copy.click()
    expect(page.locator("[data-share-status]")).to_have_text("The link is copied.")
    link = clipboard(page)
    assert link == page.get_by_label("Link to this table").input_value()
    assert violations(page) == []
    assert host.person.sideways() == 0

    guest = open_game(newcomer, live_server, cat, begin(cat, ann, now=timezone.now()))
    guest.page.goto(urlsplit(link).path)
    expect(guest.page.get_by_role("heading", level=1)).to_contain_text("ann invites you")
    assert violations(guest.page) == []
    if keyboard:
        tab_to(guest.page, "main form .button-primary")
        guest.page.keyboard.press("Enter")
    else:
        guest.page.get_by_role("button", name="Sit down").click()
    guest.page.wait_for_url(f"**{waiting.get_absolute_url()}")
    expect(guest.page.locator(".game-verdict")).to_be_visible()


def test_without_scripts_the_link_is_in_a_field_and_nothing_else_is_offered(
    ann, cat, waiting, newcomer, live_server
):
    host = open_game(newcomer, live_server, ann, waiting, scripts=False, **PHONE)
    host.page.get_by_role("button", name="Make a link to invite with").click()
    field = host.page.get_by_label("Link to this table")
    expect(field).to_be_visible()
    expect(host.page.get_by_role("button", name="Copy link")).to_be_hidden()
    assert host.person.sideways() == 0
    link = field.input_value()
    host.page.get_by_role("button", name="Cancel the link").click()
    expect(field).to_have_count(0)
    guest = open_game(
        newcomer, live_server, cat, begin(cat, ann, now=timezone.now()), scripts=False
    )
    guest.page.goto(urlsplit(link).path)
    expect(guest.page.get_by_text("This link does not work.")).to_be_visible()
    guest.person.complaints.clear()  # that it is not found


def test_a_link_cannot_be_pressed_before_the_script_listens(ann, waiting, newcomer, live_server):
    create_link(game_id=waiting.pk, by=ann, now=timezone.now())
    host = open_game(newcomer, live_server, ann, waiting)
    page, held = host.page, []
    copy, field = page.locator("[data-share-copy]"), page.get_by_label("Link to this table")

    def hold(route):
        held.append(route)

    page.route("**/share*.mjs", hold)
    with page.expect_request("**/share*.mjs"):
        page.reload(wait_until="commit")
    expect(field).to_be_visible()
    expect(copy).to_be_hidden()
    held.pop().continue_()
    expect(copy).to_be_visible()
    page.wait_for_load_state()  # what is loaded later, such as fonts, may move the button
    place = copy.bounding_box()
    page.evaluate("delete document.documentElement.dataset.listening")
    expect(copy).to_be_hidden()
    assert copy.bounding_box() == place  # kept while it is hidden: nothing moves


def test_a_link_that_cannot_be_copied_is_selected(ann, waiting, newcomer, live_server):
    create_link(game_id=waiting.pk, by=ann, now=timezone.now())
    host = open_game(newcomer, live_server, ann, waiting)
    page = host.page
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("[data-share-status]")).to_contain_text("The link is selected")
    selected = "document.activeElement.value.length === document.activeElement.selectionEnd"
    assert page.evaluate(selected)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_position_that_is_shown_is_shared_and_downloaded(
    ann, bob, newcomer, live_server, scripts
):
    now = timezone.now()
    game = play_all(begin(ann, bob, now=now), ["5", "1", "9"], now=now)
    table = open_game(newcomer, live_server, ann, game, scripts=scripts)
    page = table.page
    page.locator('[data-step="previous"]').click()
    expect(page.locator("[data-replay-at]")).to_have_text("Turn 2 of 3")
    open_share(page)
    path = reverse("game_turn", args=[game.pk, 2])
    field = page.get_by_label("Link to this position")
    assert field.input_value().endswith(path)
    for name, kind in (("picture (PNG)", "png"), ("drawing (SVG)", "svg"), ("text", "txt")):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert download.value.suggested_filename == f"morpion-{game.pk}-2.{kind}"
    assert "Turn 2 of 3" in Path(download.value.path()).read_text("utf-8")
    with page.expect_download() as download:
        page.get_by_role("button", name="animation (GIF)").click()
    with Image.open(BytesIO(Path(download.value.path()).read_bytes())) as gif:
        assert gif.n_frames == 4
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    assert len(json.loads(Path(download.value.path()).read_text("utf-8"))["entries"]) == 3
    if scripts:
        assert violations(page) == []


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("window", [{}, PHONE])
def test_the_winner_shows_the_card(ann, over, newcomer, live_server, language, window):
    ann.language = language
    ann.save()
    table = open_game(newcomer, live_server, ann, over, **window)
    page, person = table.page, table.person
    person.open("Share")
    picture = page.locator(".result-card")
    expect(picture).to_be_visible()
    expect(picture).to_have_js_property("naturalWidth", 1080 if window else 1200)
    assert violations(page) == []
    assert person.sideways() == 0
    page.evaluate("() => { navigator.share = async (what) => { window.shared = what } }")
    page.evaluate("document.dispatchEvent(new Event('htmx:load'))")
    send = page.locator("[data-share-send]")
    tab_to(page, "[data-share-send]")
    page.keyboard.press("Enter")
    expect(send).to_be_visible()
    link = page.locator("[data-share-link]").input_value()
    assert page.evaluate("window.shared.url") == link
    with page.expect_download() as download:
        person.open("Download the picture")
    assert download.value.suggested_filename == f"morpion-{over.pk}-wide.png"


def test_without_scripts_the_card_can_be_downloaded(ann, over, newcomer, live_server):
    page = open_game(newcomer, live_server, ann, over, scripts=False).page
    page.get_by_role("link", name="Share", exact=True).click()
    expect(page.get_by_label("Link to this card")).to_be_visible()
    expect(page.locator("[data-share-copy]")).to_be_hidden()
    with page.expect_download() as download:
        page.get_by_role("link", name="Upright picture").click()
    assert download.value.suggested_filename == f"morpion-{over.pk}-tall.png"


@pytest.mark.parametrize("window", [{}, PHONE])
def test_secrets_are_copied_where_they_are_shown(ann, newcomer, live_server, monkeypatch, window):
    monkeypatch.setattr(middleware, "raise_if_reauthentication_required", lambda *_, **__: None)
    Webhook.objects.create(
        user=ann, owner=ann, url="https://example.org/", created_at=ann.date_joined
    )
    person = open_page(newcomer, live_server, ann, reverse("programs"), **window)
    page = person.page
    allow_clipboard(person)
    page.locator("form.card [name=name]").fill("laptop")
    page.get_by_role("button", name="Make the token").click()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator("[data-share-status]")).to_have_text("Copied.")
    assert find_token(clipboard(page)).name == "laptop"
    assert person.sideways() == 0
    page.goto(reverse("webhooks"))
    page.get_by_role("button", name="New secret").click()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator("[data-share-status]")).to_have_text("Copied.")
    assert clipboard(page) == secret_of(Webhook.objects.get())
    assert violations(page) == []
