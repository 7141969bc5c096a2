"""A mailed turn counts from its receipt: nobody loses on time while it waits."""

from datetime import timedelta

import pytest

from accounts.models import User, Vacation
from games.clock.clock import StopReason
from games.models import Game, Outage, Turn
from games.services import deadlines
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.models import IncomingMail
from notifications.services.replies import bounce_address, number_games, reply_address
from tests.notifications.incoming_mail import answer, report
from tests.notifications.outgoing_mail import tell

SECOND = timedelta(seconds=1)


def take(token, person, at):
    return receive(
        answer(token, "5\n", person.email),
        recipient=reply_address(token),
        envelope_from=person.email,
        door="smtp",
        now=at,
    )


def status(game):
    return Game.objects.get(pk=game.pk).status


@pytest.mark.parametrize("early", [timedelta(0), SECOND])
def test_a_turn_that_came_in_time_is_played_however_late_it_is_read(token, game, ann, early):
    received = game.deadline - early
    take(token, ann, received)
    late = game.deadline + timedelta(minutes=5)
    assert deadlines.time_out_due(now=late) == 0
    assert process_due(now=late) == 1
    turn = Turn.objects.get()
    assert (turn.notation, turn.played_at) == ("5", late)
    assert deadlines.time_out_due(now=late) == 0
    assert status(game) == Game.Status.ACTIVE


def test_no_vacation_begins_for_a_turn_that_came_in_time(token, game, ann):
    User.objects.filter(pk=ann.pk).update(automatic_vacation=True)
    take(token, ann, game.deadline)
    assert deadlines.time_out_due(now=game.deadline + SECOND) == 0
    assert not Vacation.objects.exists()


def test_a_mail_that_is_in_time_because_of_an_outage_delays_the_deadline(token, game, ann, now):
    Outage.objects.create(
        kind="gap", began_at=now, ended_at=now + 10 * SECOND, noted_at=game.deadline
    )
    take(token, ann, game.deadline + 10 * SECOND)
    assert deadlines.time_out_due(now=game.deadline + 11 * SECOND) == 0
    assert status(game) == Game.Status.ACTIVE


def test_a_turn_that_came_a_second_late_does_not_count(token, game, ann):
    take(token, ann, game.deadline + SECOND)
    deadlines.time_out_due(now=game.deadline + 2 * SECOND)
    assert status(game) != Game.Status.ACTIVE


@pytest.mark.parametrize("state", ["done", "parked", "held", "ignored"])
def test_a_processed_mail_does_not_delay_the_deadline(token, game, ann, state):
    take(token, ann, game.deadline - SECOND)
    IncomingMail.objects.update(state=state)
    deadlines.time_out_due(now=game.deadline + SECOND)
    assert status(game) != Game.Status.ACTIVE


def test_a_bounce_that_waits_to_be_read_counts_too(token, game, ann):
    tell(game.started_at)
    before = game.deadline - SECOND
    receive(
        report(token),
        recipient=bounce_address(token),
        envelope_from="",
        door="smtp",
        now=before,
    )
    assert deadlines.time_out_due(now=game.deadline + SECOND) == 0
    process_due(now=game.deadline + 2 * SECOND)
    deadlines.time_out_due(now=game.deadline + 3 * SECOND)
    assert status(game) == Game.Status.ACTIVE
    assert Game.objects.get(pk=game.pk).stop_reason == StopReason.UNDELIVERED


def test_the_answer_to_a_digest_counts_for_each_of_its_games(token, game, ann):
    number_games(token, [(1, game.pk, 0)])
    mail = take(token, ann, game.deadline)
    mail.reply.game = None
    mail.reply.save()
    assert deadlines.time_out_due(now=game.deadline + SECOND) == 0
    assert status(game) == Game.Status.ACTIVE
