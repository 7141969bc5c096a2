"""What webhooks are told, when, and what becomes of it, against a server of our own."""

import json
import re
import socket
from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.core import mail
from django.urls import reverse

from accounts.guests import create_guest
from accounts.programs import create_program
from games.models import Message
from games.services.conduct.messages import say
from games.services.endings import resign
from games.services.takebacks import undo_turn
from notifications import errors, public_http
from notifications.models import Webhook, WebhookMessage
from notifications.models.webhook import WEBHOOK_CLAIM_TIMEOUT
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.webhooks import sending
from notifications.webhooks.endpoints import (
    MOST_WEBHOOKS,
    add_webhook,
    remove_webhook,
    renew_secret,
    send_test_message,
    switch_webhook_on,
)
from notifications.webhooks.sending import RETRY_SECONDS, send_webhooks
from notifications.webhooks.signing import secret_of, sign
from tests.factories import ModeratorFactory, PersonFactory
from tests.notifications.outgoing_mail import after_hold, play
from tests.notifications.webhooks.conftest import header, ids_at, messages_at
from tests.permissions.asking import sign_in
from tests.suspensions import KEPT_OUT

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


# The signature -----------------------------------------------------------------------------------


def test_a_message_is_signed_as_in_the_example_of_standard_webhooks():
    """The example of the documentation of Svix' libraries, which follow the same standard."""
    signature = sign(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_secret_is_not_in_the_database_and_changes_when_it_is_renewed(webhook, bob):
    first = secret_of(webhook)
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", first)
    assert first.removeprefix("whsec_") not in str(Webhook.objects.values().get())
    _, second = renew_secret(owner=bob, webhook_id=webhook.pk)
    webhook.refresh_from_db()
    assert secret_of(webhook) == second != first


# What is told ------------------------------------------------------------------------------------


def test_a_turn_is_told_to_the_webhooks_of_the_player_to_move(played, server, webhook, now):
    assert send_webhooks(now=now) == 0  # until then it can be undone
    at = after_hold(now)
    assert send_webhooks(now=at) == 1
    (request,) = server.requests
    assert request.path == "/bob?key=1"
    assert json.loads(request.body) == {
        "type": "turn.due",
        "timestamp": "2026-03-10T12:00:00Z",
        "data": {"account": "bob", "game": played.pk, "turn": 1, "your_turn": True},
    }
    timestamp = int(header(request, "webhook-timestamp"))
    assert timestamp == int(at.timestamp())
    signature = sign(secret_of(webhook), header(request, "webhook-id"), timestamp, request.body)
    assert header(request, "webhook-signature") == signature
    webhook.refresh_from_db()
    assert (webhook.last_success_at, webhook.failing_since) == (at, None)
    assert not WebhookMessage.objects.exists()
    assert send_webhooks(now=at) == 0


def test_a_message_and_an_end_are_told_without_their_words(played, server, ann, now):
    say(game_id=played.pk, user=ann, text="A secret", via=Message.Via.WEB, now=now)
    make_notices(now=now)
    send_webhooks(now=after_hold(now))
    resign(game_id=played.pk, user=ann, now=now)
    make_notices(now=now)
    send_webhooks(now=after_hold(now))
    found = [message["type"] for message in messages_at(server)]
    assert found == ["turn.due", "message.received", "game.finished"]
    assert b"secret" not in b"".join(request.body for request in server.requests)
    assert messages_at(server)[-1]["data"]["your_turn"] is False


def test_a_program_without_mail_is_told(told, server, ann, bob, now):
    bob.is_bot = True
    bob.save()
    Webhook.objects.create(user=bob, owner=ann, url=f"{server.origin}/program", created_at=now)
    play(told, ann, "5", now)
    make_notices(now=now)
    assert send_webhooks(now=after_hold(now)) == 1
    assert messages_at(server)[0]["data"]["account"] == "bob"


def test_an_owner_adds_webhooks_for_their_programs(server, ann, bob, now):
    program = create_program(owner=bob, username="bobs-robot")
    url = f"{server.origin}/robot"
    webhook, _ = add_webhook(owner=bob, username=program.username, url=url, now=now)
    assert (webhook.user, webhook.owner) == (program, bob)
    with pytest.raises(errors.NotYourAccount):
        add_webhook(owner=ann, username=program.username, url=url, now=now)


def test_nobody_elses_webhook_is_told(played, server, ann, cat, now):
    for person in (ann, cat):
        add_webhook(
            owner=person, username=person.username, url=f"{server.origin}/{person}", now=now
        )
    play(played, played.seats.get(number=1).user, "1", now)
    make_notices(now=now)
    send_webhooks(now=after_hold(now))
    assert [request.path for request in server.requests] == ["/ann"]


def test_a_turn_that_was_undone_or_answered_is_not_told(played, server, ann, bob, now):
    undo_turn(game_id=played.pk, user=ann, now=now)
    assert send_webhooks(now=after_hold(now)) == 1
    play(played, ann, "5", now)
    make_notices(now=now)
    play(played, bob, "1", now)
    assert send_webhooks(now=after_hold(now)) == 1
    assert server.requests == []
    assert not WebhookMessage.objects.exists()


@pytest.mark.parametrize("keep_out", KEPT_OUT)
def test_nothing_is_told_for_an_owner_who_is_kept_out(played, server, webhook, bob, keep_out, now):
    ModeratorFactory(username="host")
    send_test_message(owner=bob, webhook_id=webhook.pk, now=now)
    keep_out(bob, now)
    send_webhooks(now=after_hold(now))
    assert server.requests == []


# When it fails -----------------------------------------------------------------------------------


def test_a_message_is_sent_again_with_growing_waits_until_a_day_has_passed(
    played, server, webhook, bob, now
):
    bob.language = "fr"
    bob.save()
    first = at = after_hold(now)
    server.answers += [(500, {})] * (len(RETRY_SECONDS) + 1)
    for wait in RETRY_SECONDS:
        assert send_webhooks(now=at) == 0
        assert send_webhooks(now=at + timedelta(seconds=wait - 1)) == 0
        at += timedelta(seconds=wait)
    assert len(server.requests) == len(RETRY_SECONDS)
    assert timedelta(hours=20) < at - first < DAY
    mail.outbox.clear()
    other = WebhookMessage.objects.create(webhook=webhook, created_at=at, due_at=at + DAY)
    assert send_webhooks(now=at) == 1
    assert len(set(ids_at(server))) == 1
    webhook.refresh_from_db()
    assert webhook.switched_off_at == at
    assert not WebhookMessage.objects.filter(pk=other.pk).exists()
    send_due(now=at)
    (letter,) = [one for one in mail.outbox if webhook.url in one.body]
    assert letter.to == [bob.email]
    assert letter.subject == "Votre webhook est désactivé"
    assert "HTTP 500" in letter.body
    assert reverse("webhooks") in letter.body


def test_a_webhook_that_is_off_is_told_nothing_until_it_is_switched_on(
    told, server, webhook, ann, bob, now
):
    Webhook.objects.update(switched_off_at=now, failing_since=now, last_error="HTTP 500")
    play(told, ann, "5", now)
    make_notices(now=now)
    assert not WebhookMessage.objects.exists()
    with pytest.raises(errors.WebhookIsOff):
        send_test_message(owner=bob, webhook_id=webhook.pk, now=now)
    switch_webhook_on(owner=bob, webhook_id=webhook.pk)
    send_test_message(owner=bob, webhook_id=webhook.pk, now=now)
    assert send_webhooks(now=now) == 1
    assert messages_at(server)[0]["type"] == "test"


def test_an_address_that_is_gone_is_switched_off_at_once(played, server, webhook, now):
    server.answers.append((410, {}))
    assert send_webhooks(now=after_hold(now)) == 1
    webhook.refresh_from_db()
    assert webhook.switched_off_at == after_hold(now)


def test_an_owner_is_told_once_a_day_of_messages_that_were_given_up(
    played, server, webhook, bob, now
):
    """The server refuses one message for a day, and takes others meanwhile."""
    at = after_hold(now)
    for hour in (0, 1):
        WebhookMessage.objects.create(
            webhook=webhook,
            created_at=now - DAY + timedelta(hours=hour),
            due_at=at + timedelta(hours=hour),
        )
    mail.outbox.clear()
    server.answers += [(201, {}), (400, {}), (400, {})]
    assert send_webhooks(now=at) == 2
    assert send_webhooks(now=at + timedelta(hours=1)) == 1
    webhook.refresh_from_db()
    assert webhook.switched_off_at is None
    send_due(now=at + timedelta(hours=1))
    letters = [one for one in mail.outbox if webhook.url in one.body]
    assert [one.subject for one in letters] == ["Your webhook did not take a message"]


def test_a_redirect_is_not_followed(played, server, now):
    server.answers.append((302, {"Location": f"{server.origin}/elsewhere"}))
    assert send_webhooks(now=after_hold(now)) == 0
    assert [request.path for request in server.requests] == ["/bob?key=1"]


def test_a_server_that_asks_to_wait_is_not_asked_before(played, server, now):
    at = after_hold(now)
    server.answers.append((429, {"Retry-After": "3600"}))
    assert send_webhooks(now=at) == 0
    assert send_webhooks(now=at + timedelta(seconds=3599)) == 0
    assert send_webhooks(now=at + timedelta(seconds=3600)) == 1
    assert len(server.requests) == 2


def test_a_server_that_does_not_answer_delays_no_other(played, server, webhook, bob, now):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
    at = after_hold(now)
    Webhook.objects.update(url=f"http://127.0.0.1:{port}/")
    for _ in range(3):
        WebhookMessage.objects.create(webhook=webhook, created_at=now, due_at=now)
    other, _ = add_webhook(owner=bob, username="bob", url=f"{server.origin}/other", now=now)
    WebhookMessage.objects.create(webhook=other, created_at=now, due_at=at)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(public_http, "is_test_server", lambda url: True)
        assert send_webhooks(now=at) == 1
    assert [request.path for request in server.requests] == ["/other"]
    attempts = WebhookMessage.objects.values_list("attempts", flat=True)
    assert sum(attempts) == 1  # of four messages to the silent server one was tried


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1"])
def test_a_name_that_leads_into_a_private_network_is_not_asked(
    played, server, settings, monkeypatch, address, now
):
    settings.PUBLIC_HTTP_TEST_SERVER = ""
    Webhook.objects.update(url="https://program.example.org/hook")
    answer = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(public_http.socket, "getaddrinfo", lambda *args, **more: answer)
    assert send_webhooks(now=after_hold(now)) == 0
    assert "leads to" in Webhook.objects.get().last_error
    assert server.requests == []


# Processes that die, and several at once ----------------------------------------------------------


def test_a_message_whose_process_died_is_sent_again_under_its_number(played, server, now):
    at = after_hold(now)
    message = WebhookMessage.objects.get()
    assert sending.QUEUE.claim(message, at)  # and here the process dies
    assert send_webhooks(now=at + WEBHOOK_CLAIM_TIMEOUT - timedelta(seconds=1)) == 0
    assert send_webhooks(now=at + WEBHOOK_CLAIM_TIMEOUT) == 1
    assert ids_at(server) == [message.message_id]


def test_a_message_that_kills_its_processes_is_given_up(played, server, now):
    at = after_hold(now)
    for _ in range(sending.QUEUE.most_lost + 1):
        assert sending.QUEUE.claim(WebhookMessage.objects.get(), at)
    assert not sending.QUEUE.claim(WebhookMessage.objects.get(), at)
    assert not WebhookMessage.objects.exists()


def test_two_processes_do_not_send_one_message(played, now):
    first, second = WebhookMessage.objects.get(), WebhookMessage.objects.get()
    assert sending.QUEUE.claim(first, after_hold(now))
    assert not sending.QUEUE.claim(second, after_hold(now))


def test_an_error_of_ours_is_tried_again(played, server, monkeypatch, now):
    at = after_hold(now)

    def fail(message):
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(sending, "body_of", fail)
        assert send_webhooks(now=at) == 0
    assert send_webhooks(now=at + timedelta(seconds=RETRY_SECONDS[0])) == 1


# Who may have them -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://program.example.org/",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://program.example.org:8443/",
        "https://me@program.example.org/",
        "ftp://program.example.org/",
        "https://program.example.org/" + "x" * 500,
    ],
)
def test_an_address_that_is_not_public_is_refused(bob, url, now):
    with pytest.raises(errors.BadWebhookAddress):
        add_webhook(owner=bob, username="bob", url=url, now=now)
    assert not Webhook.objects.exists()


def test_what_else_is_refused(bob, ann, db, now):
    url = "https://program.example.org/hook"
    with pytest.raises(errors.NotYourAccount):
        add_webhook(owner=bob, username="ann", url=url, now=now)
    guest = create_guest(language="en", now=now)
    with pytest.raises(errors.GuestsHaveNoWebhooks):
        add_webhook(owner=guest, username=guest.username, url=url, now=now)
    webhook, _ = add_webhook(owner=bob, username="bob", url=url, now=now)
    with pytest.raises(errors.WebhookExists):
        add_webhook(owner=bob, username="bob", url=url, now=now)
    for number in range(1, MOST_WEBHOOKS):
        add_webhook(owner=bob, username="bob", url=f"{url}/{number}", now=now)
    with pytest.raises(errors.TooManyWebhooks):
        add_webhook(owner=bob, username="bob", url=f"{url}/more", now=now)
    for service in (renew_secret, switch_webhook_on, remove_webhook):
        with pytest.raises(errors.NoWebhook):
            service(owner=ann, webhook_id=webhook.pk)
    with pytest.raises(errors.NoWebhook):
        send_test_message(owner=ann, webhook_id=webhook.pk, now=now)


def test_the_secret_is_shown_once(client, server):
    cleo = PersonFactory(username="cleo", language="en")
    sign_in(client, cleo)
    answer = client.post(reverse("webhook_add"), {"address": f"{server.origin}/cleo"})
    webhook = Webhook.objects.get()
    assert secret_of(webhook) in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    page = client.get(reverse("webhooks")).content.decode()
    assert webhook.url in page
    assert "whsec_" not in page
    renewed = client.post(reverse("webhook_secret", args=[webhook.pk])).content.decode()
    webhook.refresh_from_db()
    assert secret_of(webhook) in renewed


def test_who_mistypes_an_address_can_correct_it(client):
    cleo = PersonFactory(username="cleo", language="en")
    sign_in(client, cleo)
    answer = client.post(reverse("webhook_add"), {"address": "http://localhost:9000/x"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "begins with “https://”, has a name and no port" in page
    assert 'value="http://localhost:9000/x"' in page
    assert "optional" not in page
    assert not Webhook.objects.exists()


def test_tests_are_limited(client, server):
    cleo = PersonFactory(username="cleo", language="en")
    sign_in(client, cleo)
    client.post(reverse("webhook_add"), {"address": f"{server.origin}/cleo"})
    address = reverse("webhook_test", args=[Webhook.objects.get().pk])
    limit = int(django_settings.ACCOUNT_RATE_LIMITS["send_test"].partition("/")[0])
    for _ in range(limit):
        client.post(address)
    assert client.post(address).status_code == 429
    assert WebhookMessage.objects.count() == limit
