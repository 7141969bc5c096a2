"""The clock of a turn stands when no notice of it reached its player."""

from datetime import timedelta

import pytest

from games.clock.clock import StopReason
from games.models import Game
from games.services import deadlines
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.mail_commands import dispatch
from notifications.models import AddressState, IncomingMail, Kind, Notice, SkipReason
from notifications.outbox.undelivered import undelivered
from notifications.services import address_trials, addresses
from notifications.services.replies import bounce_address, found, number_games, reply_address
from tests import smtp
from tests.notifications.incoming_mail import act_on_nothing, answer, report, turn_token
from tests.notifications.outgoing_mail import play, tell, use_server

State = Notice.State
MINUTE = timedelta(minutes=1)


@pytest.fixture
def token(game, ann, now):
    """Of the mail that told ann to begin; it has been sent."""
    token = turn_token(ann, now)
    tell(now)
    return token


def bounce(token, at, **fields):
    receive(
        report(token, **fields),
        recipient=bounce_address(token),
        envelope_from="",
        door="smtp",
        now=at,
    )
    assert process_due(now=at) == 1


def stopped(game):
    return Game.objects.values_list("stop_reason", flat=True).get(pk=game.pk)


def test_the_clock_stops_if_the_only_notice_bounced(token, game, ann, now):
    bounce(token, now + MINUTE)
    assert stopped(game) == StopReason.UNDELIVERED
    ann.refresh_from_db()
    assert ann.unreachable_since == now + MINUTE
    deadlines.time_out_due(now=now + timedelta(days=5))
    game.refresh_from_db()
    assert game.status == Game.Status.ACTIVE, "the allowance was four days"


def test_a_soft_bounce_that_is_final_stops_the_clock_too(token, game, now):
    bounce(token, now + MINUTE, status="5.2.2")
    assert stopped(game) == StopReason.UNDELIVERED


def test_while_a_server_still_tries_the_clock_runs(token, game, now):
    bounce(token, now + MINUTE, status="4.4.7", action="delayed")
    assert stopped(game) == ""


def test_the_mail_of_a_turn_that_was_played_stops_nothing(token, game, ann, now):
    play(game, ann, "5", now)
    bounce(token, now + MINUTE)
    assert stopped(game) == ""


def test_the_opponents_mail_stops_no_clock_of_the_mover(game, bob, now):
    token = turn_token(bob, now)
    tell(now)
    bounce(token, now + MINUTE)
    assert stopped(game) == ""


@pytest.mark.parametrize(
    ("state", "expected"),
    [(State.SENT, ""), (State.WAITING, ""), (State.FAILED, "undelivered")],
)
def test_another_notice_of_the_turn_lets_the_clock_run(token, game, ann, state, expected, now):
    Notice.objects.create(
        kind=Kind.REMINDER,
        user=ann,
        game=game,
        turn_number=0,
        message_id="<r@example.org>",
        state=state,
        created_at=now,
        due_at=now,
    )
    bounce(token, now + MINUTE)
    assert stopped(game) == expected


def test_an_address_that_refuses_at_once_stops_the_clock(game, ann, settings, now):
    with smtp.running(smtp.Sink({ann.email: "550 5.1.1 No such user"})) as port:
        use_server(settings, port)
        tell(now)
    assert stopped(game) == StopReason.UNDELIVERED


def test_a_suspended_address_stops_the_clock_of_later_turns(game, ann, bob, now):
    tell(now)
    addresses.suspend_address(address=bob.email, diagnostic="550", notice=None, now=now)
    play(game, ann, "5", now)
    tell(now + MINUTE)
    assert Notice.objects.get(user=bob, kind=Kind.YOUR_TURN).state == State.DROPPED
    assert stopped(game) == StopReason.UNDELIVERED


def test_a_digest_that_comes_back_stops_each_of_its_turns(token, game, ann, now):
    digest = Notice.objects.create(
        kind=Kind.ACCOUNT,
        user=ann,
        message_id="<d@example.org>",
        state=State.FAILED,
        created_at=now,
        due_at=now,
    )
    found(token).notice.delete()
    reply = found(token)
    reply.notice = digest
    reply.save()
    number_games(token, [(1, game.pk, 0)])
    undelivered(digest, now)
    assert stopped(game) == StopReason.UNDELIVERED


def test_a_digest_that_never_had_an_address_stops_each_of_its_turns(game, ann, now):
    digest = Notice.objects.create(
        kind=Kind.DIGEST,
        user=ann,
        content={"games": [[1, game.pk, 0]], "news": []},
        message_id="<d@example.org>",
        state=State.PARKED,
        created_at=now,
        due_at=now,
    )
    assert undelivered(digest, now) == 1
    assert stopped(game) == StopReason.UNDELIVERED


def test_news_that_took_the_turn_along_and_came_back_stop_the_clock(token, game, ann, now):
    Notice.objects.filter(user=ann).update(
        state=State.DROPPED, skip_reason=SkipReason.TOLD_TOGETHER
    )
    news = Notice.objects.create(
        kind=Kind.OFFER,
        user=ann,
        game=game,
        turn_number=0,
        message_id="<o@example.org>",
        state=State.FAILED,
        created_at=now,
        due_at=now,
    )
    undelivered(news, now)
    assert stopped(game) == StopReason.UNDELIVERED


def test_a_player_without_turn_mail_gains_no_time_by_a_bounce_of_other_news(token, game, ann, now):
    off = SkipReason.SWITCHED_OFF
    Notice.objects.filter(user=ann).update(state=State.DROPPED, skip_reason=off)
    news = Notice.objects.create(
        kind=Kind.OFFER,
        user=ann,
        game=game,
        turn_number=0,
        message_id="<o@example.org>",
        state=State.FAILED,
        created_at=now,
        due_at=now,
    )
    undelivered(news, now)
    assert stopped(game) == ""


# Heard of again ----------------------------------------------------------------------------------


def test_a_mail_from_the_player_starts_the_clock_again(token, game, ann, monkeypatch, now):
    bounce(token, now + MINUTE)
    monkeypatch.setattr(dispatch, "execute", act_on_nothing)
    receive(
        answer(token, "board\n", ann.email),
        recipient=reply_address(token),
        envelope_from=ann.email,
        door="smtp",
        now=now + 2 * MINUTE,
    )
    process_due(now=now + 3 * MINUTE)
    assert IncomingMail.objects.latest("pk").state == IncomingMail.State.DONE
    assert stopped(game) == ""


def test_an_address_that_works_again_starts_the_clock_again(client, token, game, ann, now):
    bounce(token, now + MINUTE)
    address_trials.try_address(user=ann, address=ann.email, now=now)
    text = Notice.objects.get(kind=Kind.ACCOUNT).content["text"]
    (link,) = [word for word in text.split() if "try-again" in word]
    client.post(link.removeprefix("http://localhost:8000"))
    assert AddressState.objects.get().suspended_at is None
    assert stopped(game) == ""
