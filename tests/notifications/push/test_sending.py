"""What is pushed, when, and what becomes of it, against a push service of our own."""

import socket
import time
from contextlib import suppress
from datetime import time as clock_time
from datetime import timedelta
from email.utils import format_datetime
from http.client import HTTPException

import pytest

from accounts.models import Block
from games.models import GamePresence, Message
from games.services import invitations
from games.services.conduct.messages import say
from games.services.endings import resign
from games.services.takebacks import undo_turn
from notifications import public_http
from notifications.kinds.base import all_kinds
from notifications.models import Notice, Push, PushSubscription
from notifications.models.push import PUSH_CLAIM_TIMEOUT
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.public_http import Answer
from notifications.push import sending, transport
from notifications.push.sending import MOST_FAILURES, RETRY_MINUTES, send_pushes
from notifications.push.subscriptions import send_test
from tests import push_service
from tests.factories import ModeratorFactory
from tests.games.play import SECOND
from tests.notifications.outgoing_mail import after_hold, play
from tests.push_service import Browser, verified_claims
from tests.suspensions import KEPT_OUT

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@pytest.fixture
def played(told, bobs_browser, ann, now):
    """Ann has played, and nobody was told yet."""
    play(told, ann, "5", now)
    make_notices(now=now)
    told.refresh_from_db()
    return told


def pushed(now):
    """Send what is due when the hold is over; return how many are done."""
    return send_pushes(now=after_hold(now))


def titles(service, browser):
    return [message["title"] for message in service.read(browser)]


# What is pushed ----------------------------------------------------------------------------------


def test_a_turn_is_pushed_to_the_player_to_move_in_their_language(
    played, service, bob, bobs_browser, now
):
    bob.language = "fr"
    bob.save()
    assert pushed(now) == 1
    (message,) = service.read(bobs_browser)
    assert message == {
        "title": "À vous de jouer",
        "body": "Morpion avec ann.",
        "lang": "fr",
        "icon": message["icon"],
        "tag": f"game-{played.pk}",
        "url": f"/games/{played.pk}/",
    }
    (request,) = service.requests
    assert request.headers["Content-Encoding"] == "aes128gcm"
    assert int(request.headers["TTL"]) > 3600
    assert request.headers["Topic"] == f"game-{played.pk}"
    claims = verified_claims(request.headers["Authorization"], transport.public_key())
    assert claims["aud"] == service.origin
    row = PushSubscription.objects.get()
    assert (row.last_success_at, row.failures) == (after_hold(now), 0)
    assert not Push.objects.exists()


def test_nothing_is_pushed_twice(played, service, bobs_browser, now):
    make_notices(now=now)
    assert [pushed(now), pushed(now)] == [1, 0]
    assert len(service.requests) == 1


def test_every_browser_gets_it_and_nobody_elses(played, service, bob, cat, ann, switch_on, now):
    first, second, anns, cats = (Browser(service.origin) for _ in range(4))
    for user, browser in ((bob, first), (bob, second), (ann, anns), (cat, cats)):
        switch_on(user, browser)
    play(played, bob, "1", now)
    play(played, ann, "2", now)
    make_notices(now=now)
    pushed(now)
    assert titles(service, first) == titles(service, second) == ["It is your turn"]
    assert titles(service, cats) == []


def test_a_challenge_a_message_and_an_end_are_pushed(
    challenge, bobs_browser, service, ann, bob, now
):
    make_notices(now=now)
    assert pushed(now) == 1
    game = invitations.accept(invitation_id=challenge.pk, user=bob, now=now)
    make_notices(now=now)
    pushed(now)
    say(game_id=game.pk, user=ann, text="A secret", via=Message.Via.WEB, now=now)
    make_notices(now=now)
    pushed(now)
    resign(game_id=game.pk, user=ann, now=now)
    make_notices(now=now)
    pushed(now)
    found = [(message["title"], message["body"]) for message in service.read(bobs_browser)]
    assert [title for title, _ in found] == [
        "ann vous lance un défi",
        "La partie commence",
        "Un message de ann",
        "Vous avez gagné",
    ]
    assert {body for _, body in found} == {"Morpion avec ann."}
    assert {message["tag"] for message in service.read(bobs_browser)} == {f"game-{game.pk}"}


def test_a_message_beside_a_turn_says_that_it_is_the_readers_turn(
    played, service, bobs_browser, ann, now
):
    say(game_id=played.pk, user=ann, text="Go on", via=Message.Via.WEB, now=now)
    make_notices(now=now)
    assert pushed(now) == 2
    last = service.read(bobs_browser)[-1]
    assert last["title"] == "A message from ann"
    assert last["body"] == "Morpion with ann. It is your turn."


def test_only_kinds_about_a_game_are_pushed():
    pushed = {kind.kind.value for kind in all_kinds() if kind.is_pushed}
    assert pushed == {"your-turn", "game-begun", "game-over", "challenge", "message"}


def test_without_a_key_nothing_is_written_or_sent(told, bobs_browser, service, ann, settings, now):
    settings.PUSH_KEY = ""
    play(told, ann, "5", now)
    make_notices(now=now)
    assert not Push.objects.exists()


def test_without_a_key_what_was_written_waits(played, service, settings, now):
    settings.PUSH_KEY = ""
    assert pushed(now) == 0
    assert Push.objects.exists()
    assert service.requests == []


# When, and when not ------------------------------------------------------------------------------


def test_nobody_is_told_while_a_turn_can_be_undone(played, service, ann, now, settings):
    assert send_pushes(now=now + settings.MAIL_HOLD - SECOND) == 0
    undo_turn(game_id=played.pk, user=ann, now=now + SECOND)
    assert pushed(now) == 1  # dropped
    assert service.requests == []


def test_a_turn_that_was_answered_is_not_pushed(played, service, bob, now):
    play(played, bob, "1", now)
    assert pushed(now) == 1
    assert service.requests == []
    assert not Push.objects.exists()


def test_what_was_seen_on_the_page_is_not_pushed(played, service, bob, now):
    GamePresence.objects.create(user=bob, game=played, seen_at=now + SECOND)
    assert pushed(now) == 1
    assert service.requests == []


def test_what_happened_after_the_last_look_is_pushed(played, service, bob, now):
    GamePresence.objects.create(user=bob, game=played, seen_at=now - SECOND)
    pushed(now)
    assert len(service.requests) == 1


def test_the_mail_about_a_message_does_not_replace_the_push(told, bobs_browser, service, ann, now):
    say(game_id=told.pk, user=ann, text="Hello", via=Message.Via.WEB, now=now)
    make_notices(now=now)
    send_due(now=now + timedelta(hours=1))
    assert Notice.objects.get(kind="message").state == Notice.State.SENT
    assert send_pushes(now=now + timedelta(hours=1)) == 1
    assert titles(service, bobs_browser) == ["A message from ann"]


def test_a_message_of_a_blocked_player_is_not_pushed(told, bobs_browser, service, ann, bob, now):
    Block.objects.create(by=bob, of=ann, at=now)
    say(game_id=told.pk, user=ann, text="Hello", via=Message.Via.WEB, now=now)
    make_notices(now=now)
    pushed(now)
    assert service.requests == []


def test_quiet_hours_hold_a_push_until_they_end(played, service, bob, now):
    # In Paris it is 13:00.
    bob.quiet_from, bob.quiet_until = clock_time(12), clock_time(15, 30)
    bob.save()
    assert pushed(now) == 0
    end = now + timedelta(hours=2, minutes=30)
    assert send_pushes(now=end - SECOND) == 0
    assert service.requests == []
    assert send_pushes(now=end) == 1
    assert len(service.requests) == 1


def test_quiet_hours_to_come_hold_nothing(played, service, bob, now):
    bob.quiet_from, bob.quiet_until = clock_time(14), clock_time(15)
    bob.save()
    pushed(now)
    assert len(service.requests) == 1


@pytest.mark.parametrize("keep_out", KEPT_OUT)
def test_who_is_kept_out_gets_nothing(played, service, bobs_browser, bob, now, keep_out):
    ModeratorFactory(username="host")
    send_test(user=bob, now=now)
    keep_out(bob, now)
    pushed(now)
    assert service.requests == []
    assert not Push.objects.exists()


def test_a_test_is_sent_at_once_even_in_quiet_hours(bobs_browser, service, bob, now):
    bob.quiet_from, bob.quiet_until = clock_time(12), clock_time(15, 30)
    bob.save()
    send_test(user=bob, now=now)
    assert send_pushes(now=now) == 1
    (message,) = service.read(bobs_browser)
    assert (message["title"], message["tag"]) == ("Un essai de Pli", "test")


# What becomes of it ------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(played, service, row, now, status):
    service.answers = [(status, {})]
    assert pushed(now) == 1
    assert not PushSubscription.objects.exists()
    assert not Push.objects.exists()


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_push_that_is_not_taken_now_is_tried_again_later_and_later(played, service, now, status):
    service.answers = [(status, {})] * len(RETRY_MINUTES)
    at = after_hold(now)
    for number, minutes in enumerate(RETRY_MINUTES, start=1):
        assert send_pushes(now=at) == 0
        assert len(service.requests) == number
        assert send_pushes(now=at + minutes * MINUTE - SECOND) == 0
        at += minutes * MINUTE
    assert send_pushes(now=at) == 1
    assert len(service.requests) == len(RETRY_MINUTES) + 1
    assert PushSubscription.objects.get().last_success_at == at


def test_a_push_that_is_never_taken_is_given_up(played, service, now):
    service.answers = [(500, {})] * 20
    at = after_hold(now)
    while Push.objects.exists():
        at = Push.objects.get().due_at
        send_pushes(now=at)
    assert len(service.requests) == len(RETRY_MINUTES) + 1
    assert PushSubscription.objects.get().failures == 1


@pytest.mark.parametrize("as_date", [False, True])
def test_a_push_service_says_how_long_it_wants_to_wait(played, service, now, as_date):
    at = after_hold(now)
    until = at + timedelta(hours=2)
    service.answers = [(429, {"Retry-After": format_datetime(until) if as_date else "7200"})]
    send_pushes(now=at)
    assert send_pushes(now=until - MINUTE) == 0
    assert len(service.requests) == 1
    assert send_pushes(now=until) == 1


@pytest.mark.parametrize("said", ["soon", "-5", "٣", "Tue, 99 Foo", "9" * 5000])
def test_a_wait_that_cannot_be_read_or_is_endless_breaks_nothing(played, service, now, said):
    assert isinstance(Answer(429, said).asked_wait(now), timedelta)


@pytest.mark.parametrize("status", [302, 400, 401, 403, 413])
def test_a_push_that_is_refused_is_not_tried_again(played, service, now, status):
    service.answers = [(status, {"Location": f"{service.origin}/elsewhere"})]
    assert pushed(now) == 1
    assert not Push.objects.exists()
    assert len(service.requests) == 1  # a redirect is not followed
    assert PushSubscription.objects.get().failures == 1


def test_a_browser_that_takes_nothing_any_more_is_forgotten(bobs_browser, service, bob, now):
    service.answers = [(400, {})] * MOST_FAILURES
    for number in range(MOST_FAILURES):
        assert PushSubscription.objects.get().failures == number
        send_test(user=bob, now=now)
        send_pushes(now=now)
    assert not PushSubscription.objects.exists()


def test_a_push_that_is_taken_clears_the_failures(row, service, bob, now):
    PushSubscription.objects.update(failures=MOST_FAILURES - 1)
    send_test(user=bob, now=now)
    send_pushes(now=now)
    assert PushSubscription.objects.get().failures == 0


def test_an_address_that_leads_into_this_machine_is_never_asked(
    played, row, service, now, settings, monkeypatch, caplog
):
    port = service.origin.rpartition(":")[2]
    settings.PUBLIC_HTTP_TEST_SERVER = ""
    PushSubscription.objects.update(endpoint="https://push.example.org/1")
    answer = [(None, None, None, "", ("127.0.0.1", int(port)))]
    monkeypatch.setattr(public_http.socket, "getaddrinfo", lambda *args, **more: answer)
    assert pushed(now) == 0
    assert "push.example.org leads to 127.0.0.1" in caplog.text
    assert Push.objects.get().attempts == 1
    assert service.requests == []


def test_a_push_service_that_is_silent_delays_no_other(
    played, row, service, bob, switch_on, now, settings, monkeypatch
):
    monkeypatch.setattr(public_http, "STEP_TIMEOUT", 0.2)
    good = Browser(service.origin)
    switch_on(bob, good)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent_origin = f"http://127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setattr(
            public_http, "is_test_server", lambda url: url.startswith("http://127.0.0.1:")
        )
        PushSubscription.objects.filter(pk=row.pk).update(endpoint=f"{silent_origin}/1")
        at = after_hold(now)
        for _ in range(3):
            send_test(user=bob, now=at)
        begun = time.monotonic()
        send_pushes(now=at)
        taken = time.monotonic() - begun
    assert len(service.read(good)) == 3
    # One was tried; the others of the same push service wait with it.
    assert taken < 5
    assert Push.objects.filter(subscription=row, due_at__gte=at + MINUTE).count() == 4
    assert sum(Push.objects.values_list("attempts", flat=True)) == 1


def test_an_answer_that_comes_byte_by_byte_ends_with_the_time_for_all_of_it(
    row, service, monkeypatch, now
):
    monkeypatch.setattr(public_http, "TOTAL_TIMEOUT", 0.3)
    with push_service.dripping() as origin:
        monkeypatch.setattr(public_http, "is_test_server", lambda url: True)
        row.endpoint = f"{origin}/1"
        begun = time.monotonic()
        with suppress(OSError, HTTPException):  # or it is read as it was when it was cut
            transport.send(row, b"{}", topic="test", now=now)
        assert time.monotonic() - begun < 3


def test_what_a_killed_process_claimed_is_sent_once_more_and_not_again(played, service, now):
    at = after_hold(now)
    for number in (1, 2):
        push = Push.objects.get()
        assert sending.QUEUE.claim(push, at)  # and here the process dies
        assert send_pushes(now=at + PUSH_CLAIM_TIMEOUT - SECOND) == 0, number
        at += PUSH_CLAIM_TIMEOUT
    assert send_pushes(now=at) == 0
    assert not Push.objects.exists()
    assert service.requests == []


def test_a_push_is_sent_again_after_one_process_died(played, service, bobs_browser, now):
    at = after_hold(now)
    assert sending.QUEUE.claim(Push.objects.get(), at)
    assert send_pushes(now=at + PUSH_CLAIM_TIMEOUT) == 1
    assert len(service.read(bobs_browser)) == 1


def test_of_two_processes_only_one_gets_a_push(played, now):
    first, second = Push.objects.get(), Push.objects.get()
    assert sending.QUEUE.claim(first, after_hold(now))
    assert not sending.QUEUE.claim(second, after_hold(now))


def test_an_error_of_our_own_stops_neither_the_others_nor_the_mails(
    played, service, row, bob, switch_on, now, monkeypatch, caplog
):
    first = Push.objects.get()
    good = Browser(service.origin)
    switch_on(bob, good)
    send_test(user=bob, now=now)

    def broken(push, now):
        if push.pk == first.pk:
            raise RuntimeError("a bug")
        return payload_of(push, now)

    payload_of = sending.payload_of
    monkeypatch.setattr(sending, "payload_of", broken)
    assert pushed(now) == 2
    assert len(service.read(good)) == 1
    assert Push.objects.get().attempts == 1
    assert "a bug" in caplog.text
    assert send_due(now=after_hold(now)) == 1
    assert Notice.objects.get(kind="your-turn").state == Notice.State.SENT
