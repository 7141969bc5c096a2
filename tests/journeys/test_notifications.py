"""Somebody switches notifications on, is told of a turn while no game is open, and follows it.

A browser without a network reaches no push service: the page gets a subscription of our own, with
keys made in the page. What the site sends arrives at our push service, and DevTools hand it to the
browser's service worker as a push service would.
"""

import json
import time

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from notifications.models import Push, PushSubscription
from notifications.outbox.recipients import make_notices
from notifications.push.sending import send_pushes
from tests import push_service
from tests.axe import violations
from tests.games.play import begin
from tests.journeys.live_server import open_game
from tests.journeys.processes import until
from tests.journeys.test_by_keyboard import tab_to
from tests.notifications.outgoing_mail import after_hold, play

pytestmark = [
    pytest.mark.journey,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
]

DELIVERED_AGAIN = 10  # seconds
PHONE = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}

SUBSCRIBE = """
(given) => {
  let current = null;
  PushManager.prototype.getSubscription = async () => current;
  PushManager.prototype.subscribe = async (options) => {
    const key = options.applicationServerKey;
    if (!options.userVisibleOnly || !/^[\\w-]{87}$/.test(key)) throw new TypeError(key);
    sessionStorage.subscribed = "yes";
    return current = subscription;
  };
  const subscription = {
    endpoint: given.endpoint,
    unsubscribe: async () => { current = null; return true; },
    toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
  };
  if (sessionStorage.subscribed) current = subscription;
}
"""

SHOWN = """
async () => {
  const registration = await navigator.serviceWorker.ready;
  const shown = await registration.getNotifications();
  return shown.map(({ title, body, tag, lang, data }) => ({ title, body, tag, lang, ...data }));
}
"""


@pytest.fixture
def service(settings):
    with push_service.running() as service:
        settings.PUBLIC_HTTP_TEST_SERVER = service.origin
        yield service


def open_settings(person, browser=None):
    """Open the page; with a browser's subscription, which it will get."""
    if browser is not None:
        script = f"({SUBSCRIBE})({json.dumps(browser.subscription)})"
        person.context.add_init_script(script)
    person.page.goto("/settings/notifications/")


ACTIVATED = """
async () => (await navigator.serviceWorker.ready).active.state === "activated"
"""


class Worker:
    """The service worker of a page, as DevTools know it."""

    def __init__(self, person):
        self.person = person
        self.session = person.context.new_cdp_session(person.page)
        self.registrations, self.errors = [], []
        self.session.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: self.registrations.extend(event["registrations"]),
        )
        self.session.on(
            "ServiceWorker.workerErrorReported",
            lambda event: self.errors.append(event["errorMessage"]),
        )
        until(lambda: person.page.evaluate(ACTIVATED), "the worker is activated")
        self.session.send("ServiceWorker.enable")

    def deliver(self, message):
        """Hand a message to the worker, as the browser does that has decrypted it."""
        while not self.registrations:
            self.person.page.wait_for_timeout(50)
        given = {
            "origin": self.person.page.evaluate("location.origin"),
            "registrationId": self.registrations[-1]["registrationId"],
            "data": json.dumps(message),
        }
        self.session.send("ServiceWorker.deliverPushMessage", given)

    def show(self, message):
        """Deliver a message until it is the only notification that is shown; return that.

        DevTools do not say whether the browser could hand a message over, and on a busy machine one
        was never shown. The same message again replaces the notification.
        """
        last = 0.0

        def shown_alone():
            nonlocal last
            if time.monotonic() > last + DELIVERED_AGAIN:
                self.deliver(message)
                last = time.monotonic()
            shown = self.shown()
            return shown if [one["title"] for one in shown] == [message["title"]] else None

        (shown,) = until(shown_alone, "it is shown", timeout=60, told=lambda: self.errors)
        return shown

    def shown(self):
        return self.person.page.evaluate(SHOWN)


@pytest.mark.parametrize(
    ("who", "by_keyboard", "window"),
    [("ann", True, {"color_scheme": "dark"}), ("bob", False, PHONE)],
)
def test_somebody_switches_notifications_on_and_is_told_of_a_turn(
    ann, bob, newcomer, live_server, service, who, by_keyboard, window
):
    now = timezone.now()
    user, other = (ann, bob) if who == "ann" else (bob, ann)
    game = begin(other, user, now=now)
    make_notices(now=now)
    person = open_game(newcomer, live_server, user, game, service_workers="allow", **window).person
    person.context.grant_permissions(["notifications"])
    browser = push_service.Browser(service.origin)
    open_settings(person, browser)
    page, words = person.page, person.words
    status = page.locator("#this-browser [role=status]")
    expect(status).to_contain_text(words("Notifications are off in this browser."))
    assert violations(page) == []
    assert person.sideways() == 0

    if by_keyboard:
        tab_to(page, "[data-switch-on] button")
        page.keyboard.press("Enter")
    else:
        person.press("Switch notifications on")
    expect(status).to_contain_text(words("Notifications are on in this browser."))
    expect(page.get_by_text(words("this browser"), exact=True)).to_be_visible()
    expect(page.get_by_role("button", name=words("Switch notifications on"))).to_be_hidden()
    assert violations(page) == []
    assert person.sideways() == 0

    # After the last look at the game, where the news would have been seen.
    now = timezone.now()
    play(game, other, "5", now)
    make_notices(now=now)
    assert send_pushes(now=after_hold(now)) == 1
    (message,) = service.read(browser)
    worker = Worker(person)
    assert worker.show(message) == {
        "title": words("It is your turn"),
        "body": words("%(game)s with %(opponents)s.", game="Morpion", opponents=other.username),
        "tag": f"game-{game.pk}",
        "lang": user.language,
        "url": f"/games/{game.pk}/",
    }
    # A later one about the same game replaces it.
    worker.show(message | {"title": "Later"})

    (row,) = PushSubscription.objects.all()
    off = page.get_by_role("button", name=f"{words('Switch off')} {row.label}")
    if by_keyboard:
        tab_to(page, "[name=browser]")
        page.keyboard.press("Enter")
    else:
        off.click()
    expect(status).to_contain_text(words("Notifications are off in this browser."))
    assert not PushSubscription.objects.exists()


def test_a_click_leads_to_the_game(ann, bob, newcomer, live_server):
    game = begin(ann, bob, now=timezone.now())
    person = open_game(newcomer, live_server, ann, game, service_workers="allow").person
    open_settings(person)
    worker = Worker(person)
    # DevTools cannot click a notification: the worker is told of a click as the browser tells it.
    (running,) = person.context.service_workers
    opened = running.evaluate(
        """async (url) => {
          const opened = [];
          self.clients.openWindow = async (href) => opened.push(href);
          const told = [];
          const click = new ExtendableEvent("notificationclick");
          click.notification = { close: () => told.push("closed"), data: { url } };
          let work;
          click.waitUntil = (promise) => { work = promise; };
          self.dispatchEvent(click);
          await work;
          return [...told, ...opened];
        }""",
        f"/games/{game.pk}/",
    )
    origin = person.page.evaluate("location.origin")
    assert opened == ["closed", f"{origin}/games/{game.pk}/"]
    assert worker.shown() == []


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (
            "delete window.PushManager",
            "This browser cannot show notifications. On an iPhone or iPad, first add this site to "
            "the home screen and open it from there.",
        ),
        (
            "Object.defineProperty(Notification, 'permission', { get: () => 'denied' })",
            "Notifications are blocked: your browser’s settings for this site forbid them. Allow "
            "them there, then load this page again.",
        ),
    ],
)
def test_the_page_says_why_notifications_cannot_be_switched_on(
    ann, bob, newcomer, live_server, script, sentence
):
    person = open_game(newcomer, live_server, bob, begin(ann, bob, now=timezone.now())).person
    person.context.add_init_script(script)
    open_settings(person)
    expect(person.page.locator("#this-browser [role=status]")).to_contain_text(
        person.words(sentence)
    )
    on = person.page.get_by_role("button", name=person.words("Switch notifications on"))
    expect(on).to_be_hidden()
    assert violations(person.page) == []


def test_a_push_service_that_fails_is_told_and_can_be_tried_again(ann, bob, newcomer, live_server):
    person = open_game(newcomer, live_server, ann, begin(ann, bob, now=timezone.now())).person
    person.context.grant_permissions(["notifications"])
    fails = "PushManager.prototype.subscribe = async () => { throw new Error('no network'); }"
    person.context.add_init_script(fails)
    open_settings(person)
    person.press("Switch notifications on")
    expect(person.page.locator("#this-browser [role=status]")).to_contain_text(
        "Your browser could not switch notifications on."
    )
    on = person.page.get_by_role("button", name="Switch notifications on")
    expect(on).to_be_visible()
    assert not PushSubscription.objects.exists()
    assert not Push.objects.exists()


def test_a_browser_is_removed_without_scripts(ann, bob, newcomer, live_server):
    person = open_game(
        newcomer, live_server, bob, begin(ann, bob, now=timezone.now()), scripts=False
    ).person
    session = bob.usersession_set.get()
    browser = push_service.Browser()
    PushSubscription.objects.create(
        user=bob,
        session=session,
        label="Firefox, Android",
        created_at=timezone.now(),
        **browser.subscription,
    )
    open_settings(person)
    person.main.get_by_role("button", name=person.words("Switch off")).click()
    expect(person.page.get_by_role("status").first).to_contain_text(
        person.words("Notifications are off in that browser.")
    )
    assert not PushSubscription.objects.exists()
