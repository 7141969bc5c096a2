"""A turn's only mail that does not arrive stops the clock; the others and the host are told."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.core import mail

from games.models import Game
from games.services import offers, reminders
from games.services.clock import added_time, stops, undelivered_turns
from games.services.clock.undelivered_turns import record_contact
from games.services.conduct.messages import note_presence
from notifications.models import Cadence, Kind, Notice
from notifications.outbox import delivery
from notifications.outbox.undelivered import undelivered
from notifications.services.preferences import set_cadence
from tests.notifications.outgoing_mail import after_hold, forget, html_of, play, tell, told

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

DAY = timedelta(days=1)


@pytest.fixture
def asked(game, ann, now):
    """Ann has played: bob is to move, and his mail waits."""
    tell(now)
    play(game, ann, "5", now)
    told(now)
    mail.outbox.clear()
    return Notice.objects.get(kind=Kind.YOUR_TURN)


def stop_of(game):
    return Game.objects.values_list("stop_reason", flat=True).get(pk=game.pk)


def refuse(monkeypatch, error=None):
    """Let every mail be refused for good, as a mail server does for an address it does not know."""
    import smtplib

    def send(self, letter):
        raise error or smtplib.SMTPRecipientsRefused({letter.to[0]: (550, b"no such user")})

    monkeypatch.setattr(delivery.MailConnection, "send", send)


def test_a_refused_mail_of_a_turn_stops_its_clock(asked, game, bob, now, monkeypatch):
    refuse(monkeypatch)
    tell(now)
    assert stop_of(game) == "undelivered"
    asked.refresh_from_db()
    assert asked.state == Notice.State.FAILED


def test_a_mail_that_is_only_late_stops_nothing(asked, game, now, monkeypatch):
    refuse(monkeypatch, ConnectionResetError("gone"))
    tell(now)
    assert stop_of(game) == ""


def test_a_mail_given_up_after_many_tries_stops_the_clock(asked, game, now, monkeypatch):
    import smtplib

    refuse(monkeypatch, smtplib.SMTPRecipientsRefused({"x": (451, b"later")}))
    for _ in range(30):
        tell(now)
        now += timedelta(hours=12)
    asked.refresh_from_db()
    assert asked.state == Notice.State.FAILED
    assert stop_of(game) == "undelivered"


def test_a_player_without_an_address_any_more_cannot_be_told(asked, game, bob, now):
    EmailAddress.objects.filter(user=bob).delete()
    tell(now)
    assert stop_of(game) == "undelivered"


def test_a_player_who_never_had_an_address_cannot_be_told_either(game, ann, bob, now):
    tell(now)
    EmailAddress.objects.filter(user=bob).delete()
    play(game, ann, "5", now)
    tell(now)
    assert stop_of(game) == "undelivered"


@pytest.mark.parametrize("address", [True, False])
def test_a_player_who_switched_turn_mail_off_is_not_unreached(
    asked, game, bob, now, monkeypatch, address
):
    set_cadence(user=bob, kind=Kind.YOUR_TURN, cadence=Cadence.OFF)
    EmailAddress.objects.filter(user=bob).update(verified=address)
    refuse(monkeypatch)
    tell(now)
    assert stop_of(game) == ""


def test_the_start_of_a_game_is_told_to_the_player_to_move(game, ann, bob, now, monkeypatch):
    refuse(monkeypatch)
    tell(now)
    assert stop_of(game) == "undelivered"
    ann.refresh_from_db()
    bob.refresh_from_db()
    assert (ann.unreachable_since, bob.unreachable_since) == (after_hold(now), None)


def test_a_bounce_stops_the_clock_too(asked, game, now):
    tell(now)
    asked.refresh_from_db()
    assert asked.state == Notice.State.SENT
    assert undelivered(asked, now=now + DAY)
    assert stop_of(game) == "undelivered"


def test_a_bounce_of_an_old_turn_stops_nothing(asked, game, bob, now):
    tell(now)
    play(game, bob, "1", now)
    assert not undelivered(asked, now=now)
    assert stop_of(game) == ""


def test_where_another_mail_of_the_turn_arrived_the_clock_runs(asked, game, now, monkeypatch):
    tell(now)
    reminders.remind_due(now=now + 3.5 * DAY)
    refuse(monkeypatch)
    tell(now + 3.5 * DAY)
    assert Notice.objects.get(kind=Kind.REMINDER).state == Notice.State.FAILED
    assert stop_of(game) == ""


def test_a_player_who_visited_since_knows(asked, game, bob, now):
    UserSession.objects.create(user=bob, session_key="k", ip="::1", last_seen_at=now)
    assert not undelivered(asked, now=now + DAY)
    assert stop_of(game) == ""


def test_a_player_who_visited_before_the_turn_does_not_know(asked, game, bob, now):
    before = now - timedelta(seconds=1)
    UserSession.objects.create(user=bob, session_key="k", ip="::1", last_seen_at=before)
    assert undelivered(asked, now=now + DAY)


@pytest.mark.parametrize(("seconds", "stopped"), [(-1, 1), (0, 0)])
def test_a_player_who_had_the_game_open_since_knows(asked, game, bob, now, seconds, stopped):
    """Their session was noted a moment before, or is forgotten already."""
    note_presence(game.pk, bob.pk, now=now + timedelta(seconds=seconds))
    assert undelivered(asked, now=now + DAY) == stopped


def test_a_player_who_signed_in_since_knows(asked, bob, now):
    bob.last_login = now
    bob.save()
    assert not undelivered(asked, now=now + DAY)


def test_mail_about_something_else_stops_nothing(game, bob, now):
    tell(now)
    offers.offer_end(game_id=game.pk, user=bob, now=now)
    told(now)
    offer = Notice.objects.get(kind=Kind.OFFER)
    assert not undelivered(offer, now=now)


def test_a_clock_that_cannot_be_stopped_leaves_the_failure_written_down(
    asked, game, now, monkeypatch
):
    refuse(monkeypatch)

    def broken(notice, *, now):
        raise RuntimeError("broken")

    monkeypatch.setattr(delivery, "undelivered", broken)
    tell(now)
    asked.refresh_from_db()
    assert asked.state == Notice.State.FAILED


# Who is told -----------------------------------------------------------------------------------


@pytest.fixture
def frozen(asked, game, bob, now):
    forget()
    assert undelivered_turns.freeze_undelivered(game_id=game.pk, turn_number=1, user=bob, now=now)
    return game


def test_the_opponent_and_the_administrator_are_told(frozen, ann, bob, now, settings):
    settings.HOST_ADDRESS = "host@example.net"
    assert told(now) == [("clock", "ann"), ("clock", "host@example.net")]
    tell(now)
    letters = {letter.to[0]: letter for letter in mail.outbox}
    for letter in letters.values():
        assert "clock is stopped" in letter.body
        assert "Our mail does not reach bob" in letter.body
        assert "Our mail does not reach" in html_of(letter)
    assert "Dear ann" in letters["ann@example.org"].body


def test_without_a_hosts_address_only_the_opponent_is_told(frozen, now, settings):
    settings.HOST_ADDRESS = ""
    assert told(now) == [("clock", "ann")]


def test_the_contact_is_told_to_the_opponent(frozen, ann, bob, now):
    told(now)
    forget()
    bob.refresh_from_db()
    record_contact(bob, now=now + DAY)
    assert told(now + DAY) == [("clock", "ann")]


def test_more_time_is_told_to_the_player_with_more_time(game, ann, bob, now):
    told(now)
    added_time.grant_time(game_id=game.pk, user=bob, now=now)
    assert told(now) == [("clock", "ann")]
    mail.outbox.clear()
    tell(now)
    letter = next(m for m in mail.outbox if "gives you more time" in m.body)
    assert "1 day more for this turn" in letter.body


def test_an_accepted_pause_and_its_end_are_told_to_the_other(game, ann, bob, now):
    told(now)
    offers.offer_pause(game_id=game.pk, user=bob, days=7, now=now)
    assert told(now) == [("offer", "ann")]
    offers.accept_offer(game_id=game.pk, user=ann, now=now)
    assert told(now) == [("offer", "bob")]
    stops.end_pause(game_id=game.pk, user=bob, now=now)
    assert told(now) == [("clock", "ann")]
