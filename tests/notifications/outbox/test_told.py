"""Nobody is timed out untold, and nobody holds a turn with mail that does not arrive."""

from datetime import timedelta
from smtplib import SMTPRecipientsRefused

import pytest

from games import errors
from games.clock.time_control import PaceKind, TimeControl
from games.models import Event, Game, Terms
from games.services.clock.stops import end_stops
from games.services.clock.undelivered_turns import record_contact
from games.services.conduct.messages import note_presence
from games.services.deadlines import time_out_due
from games.services.endings import abort_unreached, win_unreached
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import UnknownRecipient, receive
from notifications.kinds.base import kind_of
from notifications.models import Cadence, IncomingMail, Kind, Notice
from notifications.outbox import delivery
from notifications.services.preferences import set_cadence
from notifications.services.replies import bounce_address, bounce_token, new_reply, reply_address
from tests.games.play import DAY, SECOND, begin, fresh, refused
from tests.notifications.incoming_mail import answer, report
from tests.notifications.outgoing_mail import play, tell, told

pytestmark = [pytest.mark.django_db, pytest.mark.told]

HOUR = timedelta(hours=1)


@pytest.fixture
def to_move(game, ann, now):
    """Ann has played, and bob is to move: his mail waits in the outbox."""
    tell(now)
    play(game, ann, "5", now)
    told(now)
    return fresh(game)


def refuse(monkeypatch, code=451):
    def send(self, letter):
        raise SMTPRecipientsRefused({letter.to[0]: (code, b"try later")})

    monkeypatch.setattr(delivery.MailConnection, "send", send)


def late(game):
    return game.deadline + SECOND


def token_of_turn(user):
    """Return the reply token of the newest mail about a turn to a person."""
    notice = Notice.objects.filter(user=user, kind=Kind.YOUR_TURN).latest("pk")
    return new_reply(notice, kind_of(notice.kind).reply_purpose_of(notice), now=notice.created_at)


def take(raw, to, now, *, sender="", door="smtp"):
    receive(raw, recipient=to, envelope_from=sender, door=door, now=now)
    process_due(now=now)


# Told or not -----------------------------------------------------------------------------------


def test_who_was_told_by_mail_and_does_not_play_loses(to_move, now):
    tell(now)
    assert time_out_due(now=late(to_move)) == 1
    assert fresh(to_move).ending in ("timeout", "never-begun")


@pytest.mark.parametrize("days", [1, 2, 3])
def test_a_turn_whose_mail_was_never_taken_does_not_end_on_time(ann, bob, now, monkeypatch, days):
    game = begin(ann, bob, now=now, days=days)
    tell(now)
    play(game, ann, "5", now)
    refuse(monkeypatch)
    game = fresh(game)
    moment = now
    while moment < game.deadline:
        tell(moment)
        moment += 6 * HOUR
    assert time_out_due(now=late(game)) == 0
    assert fresh(game).stop_reason == "undelivered"


def test_when_our_own_server_sends_again_the_turn_goes_on_with_a_day(to_move, bob, now):
    end = late(to_move)
    assert time_out_due(now=end) == 0
    assert fresh(to_move).stop_reason == "undelivered"
    back = end + 5 * HOUR
    tell(back)
    game = fresh(to_move)
    assert game.stop_reason == ""
    assert game.deadline >= back + DAY
    bob.refresh_from_db()
    assert bob.unreachable_since is None
    assert time_out_due(now=late(game)) == 1


def test_a_visit_of_the_games_page_tells_too(to_move, bob, now):
    note_presence(to_move.pk, bob.pk, now=now + HOUR)
    assert time_out_due(now=late(to_move)) == 1


def test_who_wants_no_mail_about_turns_is_not_waited_for(game, ann, bob, now):
    set_cadence(user=bob, kind=Kind.YOUR_TURN, cadence=Cadence.OFF)
    tell(now)
    play(game, ann, "5", now)
    tell(now)
    assert time_out_due(now=late(fresh(game))) == 1


def test_a_mail_that_is_delayed_on_its_way_has_told_nobody(to_move, bob, now):
    tell(now)
    raw = report(token_of_turn(bob), status="4.4.1", action="delayed", address=bob.email)
    take(
        raw.encode() if isinstance(raw, str) else raw, bounce_address(token_of_turn(bob)), now + DAY
    )
    assert fresh(to_move).stop_reason == ""
    assert time_out_due(now=late(to_move)) == 0
    assert fresh(to_move).stop_reason == "undelivered"


# The address for bounces -----------------------------------------------------------------------


def test_the_address_for_bounces_has_a_token_of_its_own(to_move, bob, now):
    token = token_of_turn(bob)
    assert bounce_token(token) != token
    forged = f"bounce-{token}@{reply_address(token).partition('@')[2]}"
    with pytest.raises(UnknownRecipient):
        take(report(token), forged, now)


@pytest.mark.parametrize("sender", ["bob@example.org", "someone@example.com"])
def test_a_report_with_a_sender_is_ignored(to_move, bob, now, sender):
    tell(now)
    token = token_of_turn(bob)
    take(report(token, address=bob.email), bounce_address(token), now, sender=sender)
    assert IncomingMail.objects.get().state == IncomingMail.State.IGNORED
    assert fresh(to_move).stop_reason == ""


def test_a_report_to_the_address_for_replies_is_ignored(to_move, bob, now):
    tell(now)
    token = token_of_turn(bob)
    take(report(token, address=bob.email), reply_address(token), now)
    assert IncomingMail.objects.get().state == IncomingMail.State.IGNORED
    assert fresh(to_move).stop_reason == ""


def test_what_is_kept_of_a_report_has_neither_token(to_move, bob, now):
    tell(now)
    token = token_of_turn(bob)
    raw = report(token, address=bob.email) + f"\r\nReply-To: {reply_address(token)}\r\n".encode()
    take(raw, bounce_address(token), now)
    kept = bytes(IncomingMail.objects.get().raw).decode()
    assert token not in kept
    assert bounce_token(token) not in kept


def test_an_answer_of_ours_that_comes_back_stops_nothing(to_move, bob, now):
    tell(now)
    token = token_of_turn(bob)
    take(answer(token, "help\n", bob.email), reply_address(token), now, sender=bob.email)
    reply = Notice.objects.filter(user=bob, kind=Kind.ANSWER).latest("pk")
    token = new_reply(reply, kind_of(reply.kind).reply_purpose_of(reply), now=now)
    tell(now)
    take(report(token, address=bob.email), bounce_address(token), now + HOUR)
    assert fresh(to_move).stop_reason == ""


# How long a turn is held -----------------------------------------------------------------------


def bounced(game, user, now, status="4.2.2"):
    """Let the newest mail of a turn come back because the mailbox is full."""
    token = token_of_turn(user)
    take(report(token, status=status, address=user.email), bounce_address(token), now)
    user.refresh_from_db()


def test_twelve_forged_bounces_hold_a_turn_no_longer_than_sixty_days(to_move, bob, now):
    """Each is sent a minute before the deadline, and `help` follows after nine days."""
    tell(now)
    moment = now
    for number in range(12):
        game = fresh(to_move)
        if game.status != "active":
            break
        if not game.stop_reason:
            moment = max(moment, game.deadline - timedelta(minutes=1))
            Notice.objects.filter(user=bob, kind=Kind.YOUR_TURN).update(state="sent")
            bounced(game, bob, moment + number * SECOND)
        moment += 9 * DAY
        end_stops(now=moment)
        time_out_due(now=moment)
        bob.refresh_from_db()
        record_contact(bob, now=moment)
    end = fresh(to_move)
    while end.status == "active":
        moment += HOUR
        end_stops(now=moment)
        time_out_due(now=moment)
        end = fresh(to_move)
    assert end.ended_at - to_move.turn_began_at <= 2 * DAY + 60 * DAY + 12 * DAY


def test_a_contact_gives_back_a_days_time_of_a_total_pace_and_not_all_of_it(ann, bob, now):
    terms = Terms(TimeControl(PaceKind.TOTAL, bank=30 * DAY))
    game = begin(ann, bob, now=now, terms=terms)
    tell(now)
    play(game, ann, "5", now)
    tell(now)
    a_day_left = now + 29 * DAY
    bounced(game, bob, a_day_left)
    assert fresh(game).stop_reason == "undelivered"
    back = a_day_left + 3 * DAY
    record_contact(bob, now=back)
    assert fresh(game).deadline == back + DAY


@pytest.mark.parametrize(
    ("end_wait", "status"), [(win_unreached, "finished"), (abort_unreached, "aborted")]
)
def test_after_fourteen_days_the_opponent_chooses(to_move, ann, bob, now, end_wait, status):
    tell(now)
    bounced(to_move, bob, now + HOUR)
    stopped = now + HOUR
    for user, moment in ((ann, stopped + 14 * DAY - SECOND), (bob, stopped + 14 * DAY)):
        with refused(errors.StillWaiting, "for 14 days", status=409):
            end_wait(game_id=to_move.pk, user=user, now=moment)
    end_wait(game_id=to_move.pk, user=ann, now=stopped + 14 * DAY)
    game = fresh(to_move)
    assert (game.status, game.ending) == (status, "unreachable")
    if status == "finished":
        assert [seat.place for seat in game.seats.all()] == [1, 2]
    assert game.events.filter(kind=Event.Kind.ENDED).count() == 1


def test_the_opponent_may_also_wait_until_the_sixty_days_are_over(to_move, bob, now):
    tell(now)
    bounced(to_move, bob, now + HOUR)
    assert end_stops(now=now + HOUR + 60 * DAY - SECOND) == 0
    assert end_stops(now=now + HOUR + 60 * DAY) == 1
    assert Game.objects.get().ending == "unreachable"
