"""What webhooks are told is true when it is sent, and no server holds up another's messages."""

import socket
from datetime import timedelta

import pytest

from games.models import Event
from games.services.offers import offer_end, withdraw_offer
from games.services.reminders import remind_due
from notifications import http_queue, public_http
from notifications.models import Cadence, MailPreference, Webhook, WebhookMessage
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.webhooks import sending
from notifications.webhooks.endpoints import add_webhook, renew_secret
from notifications.webhooks.sending import send_webhooks
from notifications.webhooks.signing import sign
from tests.games.play import begin
from tests.notifications.outgoing_mail import after_hold, play
from tests.notifications.webhooks.conftest import header, messages_at

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def second(server, bob, now):
    """Another webhook of bob's, whose messages come after the first's."""
    return add_webhook(owner=bob, username="bob", url=f"{server.origin}/second", now=now)[0]


def while_sending(monkeypatch, act):
    """Do something once, right after the next message about a turn."""
    acts = [act]

    def post(url, body, headers):
        answer = public_http.post(url, body, headers)
        if acts and b"turn.due" in body:
            acts.pop()()
        return answer

    monkeypatch.setattr(sending, "post", post)


def test_a_turn_that_is_played_meanwhile_is_not_told(
    webhook, second, played, server, bob, now, monkeypatch
):
    while_sending(monkeypatch, lambda: play(played, bob, "1", now))
    send_webhooks(now=after_hold(now))
    due = [one.path for one in server.requests if b"turn.due" in one.body]
    assert due == ["/bob?key=1"]


def test_a_secret_that_is_renewed_meanwhile_signs_no_more(
    webhook, second, played, server, bob, now, monkeypatch
):
    new = []
    while_sending(monkeypatch, lambda: new.append(renew_secret(owner=bob, webhook_id=second.pk)[1]))
    send_webhooks(now=after_hold(now))
    request = server.requests[-1]
    assert request.path == "/second"
    timestamp = int(header(request, "webhook-timestamp"))
    signature = sign(new[0], header(request, "webhook-id"), timestamp, request.body)
    assert header(request, "webhook-signature") == signature


def test_each_of_several_games_is_told_of_its_reminder(webhook, server, ann, bob, now):
    games = [begin(bob, ann, days=2, now=now) for _ in range(2)]
    at = now
    while not Event.objects.filter(kind=Event.Kind.REMINDER_DUE).exists():
        at += timedelta(hours=1)
        assert at < now + 2 * DAY
        remind_due(now=at)
    make_notices(now=at)
    send_webhooks(now=after_hold(at))
    reminded = [one for one in messages_at(server) if one["type"] == "turn.reminder"]
    assert sorted(one["data"]["game"] for one in reminded) == [game.pk for game in games]


@pytest.mark.parametrize("cadence", [Cadence.OFF, Cadence.LATER])
def test_an_offer_is_told_whatever_mails_say_of_it(webhook, server, told, ann, bob, now, cadence):
    MailPreference.objects.create(user=bob, kind="offer", cadence=cadence)
    offer = offer_end(game_id=told.pk, user=ann, now=now)
    for act in (
        lambda: None,
        lambda: withdraw_offer(game_id=told.pk, user=ann, offer_id=offer.pk, now=now),
    ):
        act()
        make_notices(now=now)
        send_due(now=after_hold(now))
        send_webhooks(now=after_hold(now))
    assert [one["type"] for one in messages_at(server)].count("offer.changed") == 2


def test_two_failures_a_day_apart_switch_nothing_off(webhook, played, server, bob, ann, now):
    send_webhooks(now=after_hold(now))
    play(played, bob, "1", now)
    play(played, ann, "2", now)
    make_notices(now=now)
    server.answers = [(500, {}), (503, {"Retry-After": "172800"})]
    send_webhooks(now=after_hold(now))
    play(played, bob, "3", now)  # what failed is no longer wanted
    send_webhooks(now=now + DAY / 4)
    assert not WebhookMessage.objects.exists()
    play(played, ann, "4", now + DAY)
    make_notices(now=now + DAY)
    send_webhooks(now=after_hold(now + DAY))
    assert not server.answers
    webhook.refresh_from_db()
    assert webhook.last_error == "HTTP 503"
    assert webhook.switched_off_at is None


@pytest.mark.parametrize("path", ["", "?key=1"])
def test_a_silent_server_is_left_alone_whatever_its_address(path, bob, now, monkeypatch):
    url = f"https://silent.example.org{path}"
    webhook = Webhook.objects.create(user=bob, owner=bob, url=url, created_at=now)
    for _ in range(3):
        WebhookMessage.objects.create(webhook=webhook, created_at=now, due_at=now)
    asked = []

    def post(*args):
        asked.append(args)
        raise OSError("no answer")

    monkeypatch.setattr(sending, "post", post)
    send_webhooks(now=now)
    assert len(asked) == 1


def test_a_slow_server_has_its_share_of_a_round(bob, ann, now, monkeypatch):
    slow, quick = (
        Webhook.objects.create(
            user=user, owner=user, url=f"https://{name}.example.org/", created_at=now
        )
        for user, name in ((bob, "slow"), (ann, "quick"))
    )
    for webhook in (slow, slow, slow, quick):
        WebhookMessage.objects.create(webhook=webhook, created_at=now, due_at=now)
    clock, asked = [0.0], []

    def post(url, *args):
        asked.append(url)
        clock[0] += 4 if "slow" in url else 0
        return public_http.Answer(500, "")

    monkeypatch.setattr(sending, "post", post)
    monkeypatch.setattr(http_queue.time, "monotonic", lambda: clock[0])
    send_webhooks(now=now)
    assert asked == [slow.url, slow.url, quick.url]


@pytest.mark.parametrize(
    "date",
    ["Mon, 01 Jan 99999999999 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 -1400"],
)
def test_a_date_beyond_all_calendars_can_be_added_to_now(date, now):
    assert now + public_http.Answer(503, date).asked_wait(now) >= now


@pytest.mark.parametrize(
    "address",
    ["64:ff9b::a00:1", "64:ff9b::169.254.169.254", "2002:a00:1::1", "::10.0.0.1", "fec0::1"],
)
def test_an_address_that_hides_another_is_not_connected_to(address, monkeypatch):
    found = [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, 443, 0, 0))]
    monkeypatch.setattr(public_http.socket, "getaddrinfo", lambda *args, **more: found)
    with pytest.raises(public_http.UnsafeAddress):
        public_http.public_address("example.org", 443)
