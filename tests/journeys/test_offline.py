"""Without a network, in a browser: the games as last seen, and never those of somebody else."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.core.handlers.base import BaseHandler
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from accounts.middleware import PrivatePagesMiddleware
from config import offline
from games.clock.snoozes import Snooze
from games.services.snoozes import snooze_turn
from tests.axe import violations
from tests.games.play import begin, play
from tests.journeys.live_server import open_game
from tests.journeys.processes import until
from tests.journeys.relay import Relay
from tests.journeys.test_by_keyboard import tab_to

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

ROWS = ".game-row-title a"
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}

IS_IN_CONTROL = "navigator.serviceWorker.controller !== null"
KEPT = """async () => {
  const kept = {};
  for (const name of await caches.keys()) {
    const keys = await (await caches.open(name)).keys();
    kept[name] = keys.map(({ url }) => new URL(url).pathname);
  }
  return kept;
}"""

LOOK_FOR_UPDATE = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.update().catch(() => {});
}"""


@pytest.fixture
def games(ann, bob):
    """Two games of ann and bob."""
    return [begin(ann, bob, now=timezone.now()) for _ in range(2)]


@pytest.fixture
def cable(live_server):
    """What lies between the browsers and the server."""
    relay = Relay(urlsplit(live_server.url).port)
    relay.plug()
    yield relay
    relay.unplug()


@pytest.fixture
def visit(newcomer, live_server, games):
    """Return a function that opens My games for a user, and waits for the service worker."""
    people = []

    def visit(user, server=live_server, **more):
        person = open_game(newcomer, server, user, games[0], service_workers="allow", **more).person
        wait_for(person.page, IS_IN_CONTROL, True)
        person.page.goto("/")
        people.append(person)
        return person

    yield visit
    for person in people:  # without a network, the page that asks for it may be told so at any time
        person.complaints[:] = [said for said in person.complaints if "net::ERR_" not in said]


def wait_for(page, expression, value):
    """Wait until an expression has a value: pages allow no `wait_for_function`, which is `eval`."""
    until(lambda: page.evaluate(expression) == value, f"{expression} is {value}")


def kept_games(page):
    """Return whose games the browser keeps."""
    return {name for name in page.evaluate(KEPT) if name.startswith("pli-games-")}


def wait_for_kept(page, *users):
    names = {f"pli-games-{user.pk}" for user in users}
    until(lambda: kept_games(page) == names, f"{names} are kept")


def sign_in_instead(person, user):
    """Give the browser the session of another user, as after signing in."""
    client = Client()
    client.force_login(user)
    name = django_settings.SESSION_COOKIE_NAME
    value = client.cookies[name].value
    person.context.add_cookies([{"name": name, "value": value, "url": person.page.url}])


def shows_no_game(person):
    expect(person.main).to_contain_text(
        person.words("Your list of games was not kept on this device.")
    )
    expect(person.page.locator(ROWS)).to_have_count(0)


# What is shown -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "window"), [("ann", {}), ("ann", PHONE | {"color_scheme": "dark"}), ("bob", PHONE)]
)
def test_my_games_are_shown_as_last_seen(visit, games, ann, bob, who, window):
    person = visit({"ann": ann, "bob": bob}[who], **window)
    page = person.page
    expect(page.get_by_role("heading", level=1)).to_have_text(person.words("My games"))
    wait_for_kept(page, {"ann": ann, "bob": bob}[who])
    person.context.set_offline(True)
    for path in ("/", games[1].get_absolute_url(), "/no-such-page/"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_have_text(person.words("No connection"))
        expect(page.locator(ROWS)).to_have_count(2)
        elsewhere = page.get_by_text(
            person.words("The page that you asked for can only be shown with a connection.")
        )
        expect(elsewhere).to_be_visible(visible=path != "/")
    seen = page.locator("[data-offline-seen]")
    day = {"ann": r"on \d+ \w+ 20\d\d at \d\d:\d\d\.", "bob": r"le \d+ \w+ 20\d\d à \d\d:\d\d\."}
    expect(seen).to_contain_text(re.compile(day[who]))
    drawings = "all => all.every((one) => one.complete && one.naturalWidth > 0)"
    assert page.locator(".game-row img").evaluate_all(drawings)
    weight = page.evaluate("getComputedStyle(document.querySelector('.button-primary')).fontFamily")
    assert "Literata" in weight, "the styles were kept"
    assert person.sideways() <= 0
    assert violations(page) == []


def test_nothing_can_be_done_and_links_lead_to_pages_that_say_so(visit, games, ann):
    now = timezone.now()
    snooze_turn(game_id=games[1].pk, user=ann, choice=Snooze.TOMORROW, now=now)
    person = visit(ann)
    page = person.page
    expect(page.get_by_role("button", name="Wake")).to_be_visible()
    wait_for_kept(page, ann)
    person.context.set_offline(True)
    page.goto("/")
    expect(page.locator(ROWS)).to_have_count(2)
    assert page.locator("button, form, input, select").count() == 0
    # How far ahead the deadline was is no longer true.
    expect(page.locator(".game-row-end").first).to_contain_text(re.compile(r"due\s+\d+ \w+, \d"))
    expect(page.locator(".game-row-end").first).not_to_contain_text("in 3 days")
    page.locator(ROWS).first.click()
    page.wait_for_url(f"**{games[0].get_absolute_url()}")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")


def test_the_first_list_is_kept_before_my_games_are_opened(newcomer, live_server, games, ann):
    person = open_game(newcomer, live_server, ann, games[0], service_workers="allow").person
    wait_for(person.page, IS_IN_CONTROL, True)
    wait_for_kept(person.page, ann)
    person.context.set_offline(True)
    person.page.goto("/")
    expect(person.page.locator(ROWS)).to_have_count(2)


def test_the_page_comes_by_itself_when_the_network_is_back(visit, games, ann):
    person = visit(ann)
    person.context.set_offline(True)
    person.page.goto(games[0].get_absolute_url())
    expect(person.page).to_have_title(re.compile("No connection"))
    person.context.set_offline(False)
    expect(person.page.locator("[data-board-svg]").first).to_be_visible()


def test_a_server_that_is_gone_is_tried_again_by_keyboard(visit, cable, games, ann):
    person = visit(ann, cable)
    page = person.page
    wait_for_kept(page, ann)
    cable.unplug()
    page.goto("/")
    expect(page.locator(ROWS)).to_have_count(2)
    assert page.evaluate("navigator.onLine")
    tab_to(page, ".button-primary")
    page.keyboard.press("Enter")
    expect(page.locator(ROWS)).to_have_count(2)
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    cable.plug()
    tab_to(page, ".button-primary")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("My games")


def test_what_is_shown_with_a_network_is_new(visit, games, ann, bob):
    person = visit(ann)
    page = person.page
    expect(page.locator(".game-row-mine")).to_have_count(2)
    play(games[0], ann, "5", now=timezone.now())
    page.goto("/")
    expect(page.locator(".game-row-mine")).to_have_count(1)
    page.get_by_role("main").locator(ROWS).first.click()
    page.get_by_role("link", name=re.compile("My games")).first.click()
    expect(page.locator(".game-row-mine")).to_have_count(1)
    person.context.set_offline(True)
    page.goto("/")
    expect(page.locator(".game-row-mine")).to_have_count(1)


def test_only_my_games_and_the_page_are_kept(visit, games, ann):
    person = visit(ann)
    page = person.page
    for path in (games[0].get_absolute_url(), "/settings/", "/no-such-page/", "/finished/"):
        page.goto(path)
    wait_for_kept(page, ann)
    play(games[0], ann, "5", now=timezone.now())
    page.goto("/")
    drawings = "all => all.map((one) => new URL(one.src).pathname).sort()"
    shown = page.locator("#my-games img").evaluate_all(drawings)
    assert len(shown) == 2
    mine = f"pli-games-{ann.pk}"
    until(lambda: sorted(page.evaluate(KEPT)[mine]) == ["/", *shown], "the new drawings are kept")
    kept = page.evaluate(KEPT)
    del kept[mine]
    ((name, files),) = kept.items()
    assert name.startswith("pli-offline-")
    assert {path.split("/")[1] for path in files} == {"static", "offline"}
    person.complaints[:] = [said for said in person.complaints if "404" not in said]


def test_an_old_list_is_not_shown(visit, games, ann):
    person = visit(ann)
    page = person.page
    wait_for_kept(page, ann)
    person.context.set_offline(True)
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=29, hours=23))
    page.goto("/")
    expect(page.locator(ROWS)).to_have_count(2)
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=30, hours=1))
    page.goto("/")
    shows_no_game(person)
    assert kept_games(page) == set()


def test_a_filtered_list_says_so(visit, games, ann, bob):
    for _ in range(4):
        begin(ann, bob, now=timezone.now())
    play(games[0], ann, "5", now=timezone.now())
    person = visit(ann)
    page = person.page
    page.goto("/?only=awaiting")
    expect(page.locator(ROWS)).to_have_count(5)
    person.context.set_offline(True)
    page.goto("/")
    expect(page.locator(ROWS)).to_have_count(5)
    expect(page.locator("#games-found")).to_have_text("5 of 6 games.")
    expect(page.get_by_role("link", name="Show all games")).to_have_count(0)


def test_the_page_follows_the_users_language(visit, games, ann):
    person = visit(ann)
    page = person.page
    page.get_by_role("button", name="Français").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mes parties")
    language = """async () => (await caches.match("/offline/", { ignoreVary: true }))
      .headers.get("Content-Language")"""
    wait_for(page, language, "fr")
    person.context.set_offline(True)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pas de connexion")


# Whose games -------------------------------------------------------------------------------------


def test_signing_out_forgets_the_games(visit, games, ann):
    person = visit(ann)
    wait_for_kept(person.page, ann)
    person.page.get_by_role("button", name="Sign out").click()
    expect(person.page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert person.page.evaluate(KEPT) == {}


def test_signing_out_forgets_them_where_browsers_clear_nothing(visit, games, ann, monkeypatch):
    monkeypatch.setattr(PrivatePagesMiddleware, "FORGET", '"cache"')
    person = visit(ann)
    wait_for_kept(person.page, ann)
    person.page.get_by_role("button", name="Sign out").click()
    expect(person.page.get_by_role("link", name="Sign in").first).to_be_visible()
    assert kept_games(person.page) == set()
    person.context.set_offline(True)
    person.page.goto("/")
    shows_no_game(person)


def test_signing_out_forgets_them_though_the_answer_never_comes(visit, games, ann):
    person = visit(ann)
    page = person.page
    wait_for_kept(page, ann)
    tab = person.context.new_page()
    tab.goto("/rules/")
    person.context.set_offline(True)
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Sign out").click()
    until(lambda: kept_games(tab) == set(), "the games are forgotten")
    person.complaints.clear()  # what the browser says of a form without a network


@pytest.mark.parametrize("path", ["/", "/rules/"])
def test_a_session_that_is_over_forgets_them(visit, games, ann, monkeypatch, path):
    monkeypatch.setattr(PrivatePagesMiddleware, "FORGET", '"cache"')
    person = visit(ann)
    wait_for_kept(person.page, ann)
    Session.objects.all().delete()
    person.page.goto(path)
    assert kept_games(person.page) == set()
    person.context.set_offline(True)
    person.page.goto("/")
    shows_no_game(person)


@pytest.mark.parametrize("path", ["/rules/", "/no-such-page/"])
def test_somebody_else_at_the_same_browser_sees_none_of_them(visit, games, ann, cat, path):
    person = visit(ann)
    wait_for_kept(person.page, ann)
    sign_in_instead(person, cat)
    person.page.goto(path)
    assert kept_games(person.page) == set()
    person.context.set_offline(True)
    person.page.goto("/")
    shows_no_game(person)
    person.context.set_offline(False)
    expect(person.page.get_by_role("heading", level=1)).to_have_text("My games")
    wait_for_kept(person.page, cat)
    person.complaints[:] = [said for said in person.complaints if "404" not in said]


def test_an_error_of_the_server_forgets_nothing(visit, games, ann, monkeypatch):
    person = visit(ann)
    page = person.page
    wait_for_kept(page, ann)
    monkeypatch.setattr(
        BaseHandler, "get_response", lambda self, request: HttpResponse("gone", status=502)
    )
    assert page.goto("/outages/").status == 502
    assert kept_games(page) == {f"pli-games-{ann.pk}"}
    assert person.complaints
    person.complaints.clear()


def test_lists_of_two_people_are_shown_to_nobody(visit, games, ann):
    person = visit(ann)
    page = person.page
    wait_for_kept(page, ann)
    page.evaluate("caches.open('pli-games-0').then((one) => one.put('/', new Response('')))")
    person.context.set_offline(True)
    page.goto("/")
    shows_no_game(person)


def test_a_new_worker_forgets_the_games_of_somebody_else(visit, games, ann, cat):
    person = visit(ann)
    page = person.page
    wait_for_kept(page, ann)
    page.evaluate("navigator.serviceWorker.ready.then((one) => one.unregister())")
    sign_in_instead(person, cat)
    page.goto("/rules/")
    wait_for(page, IS_IN_CONTROL, True)
    wait_for_kept(page, cat)


# Releases, and installing ------------------------------------------------------------------------


def test_a_new_release_takes_over_while_a_page_is_open(visit, games, ann, monkeypatch):
    person = visit(ann)
    page = person.page
    wait_for_kept(page, ann)
    monkeypatch.setattr(offline, "_version", lambda: "newer")
    page.goto(games[0].get_absolute_url())
    names = {"pli-offline-newer", f"pli-games-{ann.pk}"}

    def has_taken_over():
        # A browser looks for a new worker after a navigation, once: on a busy machine in vain.
        page.evaluate(LOOK_FOR_UPDATE)
        return set(page.evaluate(KEPT)) == names

    until(has_taken_over, "the new worker has taken over")
    page.locator("[data-square]").first.click()
    expect(page.locator("[data-board] [name=text]")).not_to_have_value("")
    person.context.set_offline(True)
    page.goto("/")
    expect(page.locator(ROWS)).to_have_count(2)


def test_a_worker_that_a_host_switched_off_leaves(visit, games, ann, settings):
    person = visit(ann)
    page = person.page
    wait_for_kept(page, ann)
    settings.SERVICE_WORKER = False
    page.goto("/rules/")
    registered = "async () => (await navigator.serviceWorker.getRegistrations()).length"
    wait_for(page, registered, 0)
    assert page.evaluate(KEPT) == {}
    page.goto("/")
    expect(page.locator(ROWS)).to_have_count(2)


def test_files_can_be_downloaded_as_without_a_worker(visit, games, ann):
    person = visit(ann)
    page = person.page
    play(games[0], ann, "5", now=timezone.now())
    with page.expect_download() as download:
        page.evaluate(f"location.href = '{games[0].get_absolute_url()}record/'")
    assert download.value.suggested_filename.endswith(".json")


def test_the_site_can_be_installed(visit, games, ann):
    person = visit(ann)
    protocol = person.context.new_cdp_session(person.page)
    errors = protocol.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Every context of a test is a private window.
    assert [error["errorId"] for error in errors] == ["in-incognito"]
    manifest = protocol.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert urlsplit(manifest["url"]).path == "/site.webmanifest"


@pytest.mark.parametrize("window", [{}, PHONE])
def test_installing_is_offered_until_it_is_declined(visit, games, ann, window):
    person = visit(ann, **window)
    page = person.page
    install = page.get_by_role("button", name="Install Pli on this device")
    expect(install).to_have_count(0)
    asks = """() => {
      const event = new Event("beforeinstallprompt", { cancelable: true });
      event.prompt = () => { window.asked = (window.asked ?? 0) + 1; };
      dispatchEvent(event);
      return event.defaultPrevented;
    }"""
    assert page.evaluate(asks)
    expect(install).to_be_visible()
    assert violations(page) == []
    assert person.sideways() <= 0
    tab_to(page, "[data-install-start]")
    page.keyboard.press("Enter")
    assert page.evaluate("asked") == 1
    page.get_by_role("button", name="Don’t offer this again").click()
    expect(install).to_have_count(0)
    page.reload()
    assert page.evaluate(asks)
    expect(install).to_have_count(0)
