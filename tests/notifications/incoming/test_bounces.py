"""Mail that came back: the address is suspended, the player is told, their clock is stopped."""

from datetime import timedelta

import pytest
from django.urls import reverse

from notifications.incoming import bounces, receiving
from notifications.incoming.processing import process_due
from notifications.models import AddressState, IncomingMail, Kind, Notice, SkipReason
from notifications.outbox import delivery
from notifications.services import addresses
from notifications.services.replies import bounce_address, reply_address
from tests import smtp
from tests.notifications.incoming_mail import answer, report, turn_token
from tests.notifications.outgoing_mail import play, tell, use_server

State = Notice.State


@pytest.fixture
def frozen(monkeypatch):
    """Users who could not be told of their turn, as (name, kind of notice)."""
    seen = []

    def undelivered(notice, now):
        seen.append((notice.user.username, notice.kind))

    for module in (delivery, bounces):
        monkeypatch.setattr(module, "undelivered", undelivered)
    return seen


@pytest.fixture
def come_back(game, ann, now):
    """Let the mail that ann got about her turn come back."""
    token = turn_token(ann, now)
    tell(now)

    def coming(at=now + timedelta(minutes=1), **report_fields):
        receiving.receive(
            report(token, **report_fields),
            recipient=bounce_address(token),
            envelope_from="",
            door="smtp",
            now=at,
        )
        return process_due(now=at)

    return coming


def result():
    mail = IncomingMail.objects.latest("pk")
    return mail.state, mail.result


def test_a_hard_bounce_suspends_the_address(come_back, ann, frozen, now):
    assert come_back() == 1
    assert result() == ("done", "hard-bounce")
    state = AddressState.objects.get()
    assert (state.address, state.suspended_at) == (ann.email, now + timedelta(minutes=1))
    assert state.diagnostic == "550 5.1.1 No such user here"
    notice = Notice.objects.get(user=ann)
    assert (notice.state, notice.reason) == (State.FAILED, "550 5.1.1 No such user here")
    assert frozen == [("ann", Kind.GAME_BEGUN)]


def test_a_bounce_is_never_answered(come_back, frozen, now):
    before = Notice.objects.count()
    come_back()
    assert Notice.objects.count() == before


def test_nothing_more_goes_to_a_suspended_address(come_back, game, ann, bob, frozen, now):
    come_back()
    play(game, ann, "5", now)
    play(game, bob, "1", now)
    tell(now + timedelta(minutes=2))
    notice = Notice.objects.get(user=ann, kind=Kind.YOUR_TURN)
    assert (notice.state, notice.skip_reason) == (State.DROPPED, SkipReason.ADDRESS_SUSPENDED)
    assert frozen[1:] == [("ann", Kind.YOUR_TURN)]


def test_another_verified_address_takes_over(come_back, game, ann, bob, frozen, now):
    come_back()
    ann.emailaddress_set.create(email="other@example.org", verified=True)
    play(game, ann, "5", now)
    play(game, bob, "1", now)
    tell(now + timedelta(minutes=2))
    notice = Notice.objects.get(user=ann, kind=Kind.YOUR_TURN)
    assert (notice.state, notice.address) == (State.SENT, "other@example.org")


@pytest.mark.parametrize(
    ("fields", "expected", "clock"),
    [
        ({"status": "5.2.2"}, ("done", "soft-bounce"), [("ann", Kind.GAME_BEGUN)]),
        ({"status": "4.4.7", "action": "delayed"}, ("ignored", "still-trying"), []),
    ],
)
def test_a_soft_bounce_suspends_nothing(come_back, frozen, fields, expected, clock):
    come_back(**fields)
    assert result() == expected
    assert not AddressState.objects.exists()
    assert frozen == clock


def test_what_was_forwarded_and_came_back_suspends_our_address(come_back, ann, frozen):
    come_back(address="elsewhere@example.net")
    assert AddressState.objects.get().address == ann.email


def test_anything_but_a_bounce_to_a_return_address_is_ignored(game, ann, now):
    token = turn_token(ann, now)
    raw = f"From: {ann.email}\r\nTo: {bounce_address(token)}\r\n\r\n5\r\n".encode()
    receiving.receive(
        raw, recipient=bounce_address(token), envelope_from=ann.email, door="smtp", now=now
    )
    process_due(now=now)
    assert result() == ("ignored", "no-bounce")


# Refused at once ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "suspended"),
    [
        ("550 5.1.1 No such user here", True),
        ("550 mailbox unavailable", True),
        ("553 5.1.3 Bad address", True),
        ("550 5.7.1 Your server is not welcome", False),
        ("554 5.7.1 Relay access denied", False),
        ("550 relay not permitted", False),
    ],
)
def test_a_refusal_while_sending_counts_like_a_bounce(
    game, ann, settings, frozen, words, suspended, now
):
    with smtp.running(smtp.Sink({ann.email: words})) as port:
        use_server(settings, port)
        tell(now)
    assert addresses.is_address_suspended(ann.email) == suspended
    assert Notice.objects.get(user=ann).state == State.FAILED
    assert frozen == [("ann", Kind.GAME_BEGUN)]


def test_a_temporary_refusal_suspends_no_address(game, ann, settings, frozen, now):
    with smtp.running(smtp.Sink({ann.email: "451 4.2.0 Come again"})) as port:
        use_server(settings, port)
        tell(now)
    assert not AddressState.objects.exists()
    assert frozen == []


def test_a_clock_that_cannot_be_stopped_delays_no_other_mail(
    game, ann, bob, settings, monkeypatch, now
):
    def broken(notice, now):
        Notice.objects.all().delete()
        raise ZeroDivisionError

    monkeypatch.setattr(delivery, "undelivered", broken)
    with smtp.running(smtp.Sink({ann.email: "550 5.1.1 No"})) as port:
        use_server(settings, port)
        tell(now)
    assert Notice.objects.get(user=ann).state == State.FAILED
    assert Notice.objects.get(user=bob, kind=Kind.GAME_BEGUN).state == State.SENT


def test_a_sender_that_dies_before_the_clock_is_stopped_has_not_given_up(
    game, ann, settings, monkeypatch, now
):
    def dies(notice, now):
        raise KeyboardInterrupt

    with smtp.running(smtp.Sink({ann.email: "550 5.1.1 No"})) as port:
        use_server(settings, port)
        with monkeypatch.context() as patch:
            patch.setattr(delivery, "undelivered", dies)
            with pytest.raises(KeyboardInterrupt):
                tell(now)
        assert Notice.objects.get(user=ann).state == State.CLAIMED
        delivery.send_due(now=now + 2 * delivery.CLAIM_TIMEOUT)
    notice = Notice.objects.get(user=ann)
    assert (notice.state, notice.skip_reason) == (State.DROPPED, SkipReason.ADDRESS_SUSPENDED)
    game.refresh_from_db()
    assert game.stop_reason == "undelivered"


# Trying again ------------------------------------------------------------------------------------


@pytest.fixture
def suspended(ann, now):
    addresses.suspend_address(address=ann.email, diagnostic="550 <b>Gone</b>", notice=None, now=now)
    return ann


def test_the_player_is_told_on_their_pages(client, suspended, bob):
    client.force_login(suspended)
    for name in ("home", "mail_preferences"):
        page = client.get(reverse(name)).content.decode()
        assert suspended.email in page
        assert "550 &lt;b&gt;Gone&lt;/b&gt;" in page
        assert reverse("try_address") in page
    client.force_login(bob)
    assert reverse("try_address") not in client.get(reverse("home")).content.decode()
    client.logout()
    assert reverse("try_address") not in client.get(reverse("home")).content.decode()


def trial_link(now):
    notice = Notice.objects.get(kind=Kind.ACCOUNT)
    (link,) = [word for word in notice.content["text"].split() if "try-again" in word]
    return notice, link.removeprefix("http://localhost:8000")


def test_a_mail_that_arrives_resumes_the_address(client, suspended, sink, now):
    client.force_login(suspended)
    client.post(reverse("try_address"), {"address": suspended.email})
    notice, link = trial_link(now)
    assert delivery.send_due(now=notice.due_at) == 1
    assert [message["To"] for message in sink.messages] == [suspended.email]
    client.logout()
    assert client.get(link).status_code == 200
    assert addresses.is_address_suspended(suspended.email), "a GET never acts"
    assert client.post(link).status_code == 200
    assert not addresses.is_address_suspended(suspended.email)


def test_an_address_that_writes_to_us_works(game, suspended, bob, now):
    token = turn_token(suspended, now)
    addresses.suspend_address(address=bob.email, diagnostic="", notice=None, now=now)
    mail = answer(token, "help", suspended.email)
    receiving.receive(
        mail, recipient=reply_address(token), envelope_from=suspended.email, door="smtp", now=now
    )
    assert process_due(now=now) == 1
    assert not addresses.is_address_suspended(suspended.email)
    assert addresses.is_address_suspended(bob.email)


def test_a_mail_in_somebodys_name_resumes_nothing(game, suspended, bob, now):
    token = turn_token(bob, now)
    mail = answer(token, "help", suspended.email)
    receiving.receive(
        mail, recipient=reply_address(token), envelope_from=suspended.email, door="smtp", now=now
    )
    assert process_due(now=now) == 1
    assert addresses.is_address_suspended(suspended.email)


def test_an_address_at_which_a_sign_in_code_was_read_works(client, suspended):
    client.post(reverse("account_request_login_code"), {"email": suspended.email})
    assert addresses.is_address_suspended(suspended.email)
    code = next(
        word
        for word in Notice.objects.latest("pk").content["text"].split()
        if word.replace("-", "").isalnum() and word.isupper() and len(word) > 5
    )
    client.post(reverse("account_confirm_login_code"), {"code": code})
    assert not addresses.is_address_suspended(suspended.email)


def test_a_password_proves_nothing_of_the_address(client, suspended):
    suspended.set_password("a long pass phrase")
    suspended.save()
    client.post(
        reverse("account_login"), {"login": suspended.email, "password": "a long pass phrase"}
    )
    assert client.get(reverse("profile_edit")).status_code == 200
    assert addresses.is_address_suspended(suspended.email)


def test_asking_twice_for_a_test_mail_sends_one(client, suspended):
    client.force_login(suspended)
    for _ in range(2):
        client.post(reverse("try_address"), {"address": suspended.email})
    assert Notice.objects.filter(kind=Kind.ACCOUNT).count() == 1


def test_nobody_can_have_mail_sent_to_somebody_elses_address(client, suspended, cat):
    client.force_login(cat)
    client.post(reverse("try_address"), {"address": suspended.email})
    assert not Notice.objects.filter(kind=Kind.ACCOUNT).exists()
    assert client.get(reverse("try_address")).status_code == 405


def test_a_link_that_was_changed_does_nothing(client, suspended):
    client.force_login(suspended)
    client.post(reverse("try_address"), {"address": suspended.email})
    link = reverse("address_again", args=[f"{suspended.email}:x:y"])
    assert client.post(link).status_code == 404
    assert addresses.is_address_suspended(suspended.email)


def test_a_bounce_that_comes_late_does_not_suspend_again(come_back, ann, frozen, now):
    come_back()
    addresses.resume_address(address=ann.email, now=now + timedelta(minutes=5))
    assert come_back(at=now + timedelta(minutes=6), address="forwarded@example.net") == 1
    assert not addresses.is_address_suspended(ann.email)
