"""Mail that comes in while the site is closed waits, and is executed when the site opens."""

import pytest

from games import errors
from games.models import Game
from games.moderation.site import begin_maintenance, end_maintenance
from games.services import invitations, turns
from games.services.clock.outages import recount_after_outage
from games.services.deadlines import time_out_due
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.mail_commands import dispatch
from notifications.models import IncomingMail, Kind, Notice
from notifications.outbox.recipients import make_notices
from notifications.services.replies import reply_address
from tests.games.play import DAY, SECOND
from tests.notifications.incoming_mail import answer, token_of
from tests.staff_users import staffed

State = IncomingMail.State


@pytest.fixture
def host(db):
    return staffed("host")


def come_in(token, ann, at, text="5\n"):
    return receive(
        answer(token, text, ann.email),
        recipient=reply_address(token),
        envelope_from=ann.email,
        door="smtp",
        now=at,
    )


def answers(ann):
    return Notice.objects.filter(kind=Kind.ANSWER, user=ann)


def test_a_turn_that_comes_in_meanwhile_is_played_when_it_opens(game, token, ann, host, now):
    """The site is closed from a second before the deadline on, for longer than any turn takes."""
    deadline = game.deadline
    begin_maintenance(note="", by=host, why="so", now=deadline - SECOND)
    mail = come_in(token, ann, deadline + DAY)
    for days in (1, 5, 9):
        assert process_due(now=deadline + days * DAY) == 0
        assert time_out_due(now=deadline + days * DAY) == 0
    mail.refresh_from_db()
    assert (mail.state, mail.attempts) == (State.WAITING, 0)
    assert not answers(ann).exists()
    opened = deadline + 10 * DAY
    end_maintenance(by=host, why="done", now=opened)
    recount_after_outage(now=opened)
    # Longer than what was left: the mail came in time, however late it is read.
    assert time_out_due(now=opened + DAY) == 0
    assert process_due(now=opened + DAY) == 1
    game.refresh_from_db()
    assert (game.turn_number, game.status) == (1, Game.Status.ACTIVE)
    assert answers(ann).count() == 1


@pytest.mark.parametrize("text", ["help\n", "vacation 3\n", "say hello\n", "5\n"])
def test_every_command_waits_while_the_site_is_closed(game, token, ann, host, now, text):
    begin_maintenance(note="", by=host, why="so", now=now)
    come_in(token, ann, now + SECOND, text)
    assert process_due(now=now + SECOND) == 0
    assert not answers(ann).exists()


def test_a_turn_that_was_late_before_the_site_closed_stays_late(game, token, ann, host, now):
    late = game.deadline + SECOND
    come_in(token, ann, late)
    begin_maintenance(note="", by=host, why="so", now=late + SECOND)
    end_maintenance(by=host, why="done", now=late + DAY)
    assert process_due(now=late + DAY) == 1
    game.refresh_from_db()
    assert game.turn_number == 0
    section = answers(ann).get().content["sections"][0]
    assert "Your time for this turn has run out." in section["paragraphs"]


@pytest.mark.parametrize("where", [(turns, "play_turn"), (dispatch, "say")])
def test_a_mail_in_processing_while_the_site_closes_is_processed_again(
    game, token, ann, host, monkeypatch, now, where
):
    """Nothing of it is executed: the turn waits with the message below it."""

    def closing(**about):
        raise errors.ClosedForMaintenance(note="")

    mail = come_in(token, ann, now, "5\nHello\n")
    with monkeypatch.context() as patch:
        patch.setattr(*where, closing)
        assert process_due(now=now) == 0
    mail.refresh_from_db()
    assert (mail.state, mail.attempts, mail.result) == (State.WAITING, 0, "")
    assert not answers(ann).exists()
    game.refresh_from_db()
    assert game.turn_number == 0
    assert process_due(now=now) == 1
    game.refresh_from_db()
    assert game.messages.get().text == "Hello"
    assert game.turn_number == 1


def test_an_invited_address_is_answered_when_the_site_opens(table, ann, monkeypatch, now):
    """That the site closes while their mail is processed is no refusal: the mail waits."""

    def closing(**about):
        raise errors.ClosedForMaintenance(note="")

    eve = "eve@example.net"
    invitations.invite(game_id=table.pk, by=ann, email=eve, now=now)
    make_notices(now=now)
    token = token_of(Notice.objects.get(kind=Kind.INVITATION), now)
    mail = receive(
        answer(token, "accept\n", eve),
        recipient=reply_address(token),
        envelope_from=eve,
        door="smtp",
        now=now,
    )
    with monkeypatch.context() as patch:
        patch.setattr(invitations, "accept", closing)
        assert process_due(now=now) == 0
    mail.refresh_from_db()
    assert (mail.state, mail.attempts, mail.result) == (State.WAITING, 0, "")
    assert not Notice.objects.filter(kind=Kind.ANSWER).exists()
    assert process_due(now=now) == 1
    table.refresh_from_db()
    assert table.status == Game.Status.ACTIVE
