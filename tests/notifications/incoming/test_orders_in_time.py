"""Every order by mail counts from its receipt, not from the moment at which it is read."""

from datetime import timedelta

import pytest

from accounts.models import Vacation
from games.clock.clock import StopReason
from games.clock.time_control import per_turn
from games.models import Game, Message, Offer
from games.services import deadlines, endings, offers, tables
from games.services.conduct.messages import TALK_LASTS
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.models import IncomingMail
from notifications.services.replies import number_games, reply_address
from tests.games.play import DAY, SECOND, begin
from tests.notifications.incoming_mail import answer, turn_token
from tests.notifications.outgoing_mail import play

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def hand_in(person, order, at, token):
    """Let somebody's answer to the mail with this token come in; it is not read yet."""
    receive(
        answer(token, f"{order}\n", person.email),
        recipient=reply_address(token),
        envelope_from=person.email,
        door="smtp",
        now=at,
    )


def read(at):
    """Read what has come in, after the periodic tasks have run; return what became of it."""
    deadlines.time_out_due(now=at)
    tables.expire_due(now=at)
    assert process_due(now=at) == 1
    return IncomingMail.objects.latest("pk").result


def ask(person, order, now):
    """Order what is asked back; return the token of the letter that asks."""
    hand_in(person, order, now, turn_token(person, now))
    assert read(now) == "asked"
    return turn_token(person, now)


def fresh(game):
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def late(game):
    """Some minutes after the deadline."""
    return game.deadline + 5 * MINUTE


IN_TIME = [timedelta(0), SECOND, HOUR]


@pytest.mark.parametrize("early", IN_TIME)
def test_resigning(game, ann, now, late, early):
    hand_in(ann, "yes", game.deadline - early, ask(ann, "resign", now))
    assert read(late) == "done"
    assert fresh(game).ending == "resigned"


def test_a_question_does_not_stop_the_clock(game, ann, now, late):
    token = ask(ann, "resign", now)
    hand_in(ann, "yes", game.deadline + SECOND, token)
    assert read(late) == "refused"
    assert fresh(game).ending == "never-begun"


@pytest.mark.parametrize("early", IN_TIME)
def test_a_vacation_begins_when_its_mail_came_and_moves_the_deadline(game, ann, now, late, early):
    received = game.deadline - early
    hand_in(ann, "vacation 5", received, turn_token(ann, now))
    assert read(late) == "done"
    vacation = Vacation.objects.get()
    assert (vacation.begins_at, vacation.ends_at) == (received, received + 5 * DAY)
    assert vacation.announced_at == late
    assert deadlines.time_out_due(now=late) == 0
    assert fresh(game).status == Game.Status.ACTIVE


def test_a_vacation_from_today_on_begins_when_its_mail_came(game, ann, now, late):
    received = game.deadline - SECOND
    today = received.astimezone(ann.zone).date()
    hand_in(ann, f"vacation {today} {today + 3 * DAY}", received, turn_token(ann, now))
    assert read(late) == "done"
    assert Vacation.objects.get().begins_at == received


def test_the_player_to_move_accepts_an_agreed_end(game, ann, bob, now, late):
    offers.offer_end(game_id=game.pk, user=bob, now=now)
    hand_in(ann, "yes", game.deadline - SECOND, ask(ann, "accept", now))
    assert read(late) == "done"
    assert fresh(game).ending == "agreed"


def test_the_opponent_accepts_an_agreed_end(game, ann, bob, now, late):
    offers.offer_end(game_id=game.pk, user=ann, now=now)
    hand_in(bob, "oui", game.deadline - SECOND, ask(bob, "accept", now))
    assert read(late) == "done"
    assert fresh(game).ending == "agreed"


@pytest.mark.parametrize("as_digest", [False, True])
def test_a_pause_begins_when_the_consent_came(game, ann, bob, now, late, as_digest):
    offers.offer_pause(game_id=game.pk, user=ann, days=3, now=now)
    received = game.deadline - MINUTE
    token = turn_token(bob, now)
    if as_digest:
        number_games(token, [(1, game.pk, 0)])
    hand_in(bob, "1 accept" if as_digest else "accept", received, token)
    assert read(late) == "done"
    game = fresh(game)
    assert (game.stop_reason, game.stopped_at) == (StopReason.PAUSED, received)
    assert (game.time_left, game.stopped_until) == (MINUTE, received + 3 * DAY)


def test_a_pause_does_not_reach_back_into_another_players_turn(game, ann, bob, now):
    """Ann plays between the receipt of bob's consent and its reading: none of her time is bob's."""
    offers.offer_pause(game_id=game.pk, user=ann, days=3, now=now)
    token = turn_token(bob, now)
    hand_in(bob, "accept", now + HOUR, token)
    play(game, ann, "5", now + 2 * HOUR)
    assert read(now + 3 * HOUR) == "done"
    game = fresh(game)
    assert (game.stop_reason, game.stopped_at) == (StopReason.PAUSED, now + 2 * HOUR)
    assert game.time_left == game.allowance


def test_another_pace_is_accepted(game, ann, bob, now, late):
    offers.offer_pace(game_id=game.pk, user=ann, pace=per_turn(7 * DAY), now=now)
    hand_in(bob, "accept", game.deadline - SECOND, turn_token(bob, now))
    assert read(late) == "done"
    assert (fresh(game).status, fresh(game).deadline) == (Game.Status.ACTIVE, late + 7 * DAY)


def test_an_offer_is_declined(game, ann, bob, now, late):
    offers.offer_end(game_id=game.pk, user=ann, now=now)
    hand_in(bob, "decline", game.deadline - SECOND, turn_token(bob, now))
    assert read(late) == "done"
    assert Offer.objects.get().state == "declined"


def test_an_end_is_offered(game, bob, now, late):
    hand_in(bob, "offer end", game.deadline - SECOND, turn_token(bob, now))
    assert read(late) == "done"
    assert Offer.objects.get().made_at == late


def test_a_reminder_is_put_off_from_the_receipt_on(game, ann, now):
    received = game.deadline - 2 * HOUR
    hand_in(ann, "later 1h", received, turn_token(ann, now))
    assert read(game.deadline - 30 * MINUTE) == "done"
    assert fresh(game).snoozed_until == received + HOUR


def test_a_message_is_said_while_the_conversation_is_open(game, ann, now):
    endings.resign(game_id=game.pk, user=ann, now=now)
    hand_in(ann, "say Thank you", now + TALK_LASTS, turn_token(ann, now))
    assert read(now + TALK_LASTS + MINUTE) == "done"
    assert Message.objects.get().text == "Thank you"


@pytest.mark.parametrize(("order", "status"), [("accept", "active"), ("decline", "closed")])
def test_an_invitation_is_answered_before_its_table_expires(challenge, bob, now, order, status):
    table = challenge.game
    hand_in(bob, order, table.expires_at - SECOND, turn_token(bob, now))
    assert read(table.expires_at + MINUTE) == "done"
    table = fresh(table)
    assert table.status == status
    assert table.ending == ("" if order == "accept" else "declined")


@pytest.mark.parametrize("order", ["resign", "accept", "decline", "offer end"])
def test_what_came_a_second_late_does_not_count(game, ann, bob, now, late, order):
    offers.offer_pause(game_id=game.pk, user=bob, days=3, now=now)
    hand_in(ann, order, game.deadline + SECOND, turn_token(ann, now))
    assert read(late) == "refused"
    assert fresh(game).ending == "never-begun"


def test_a_vacation_that_came_a_second_late_saves_no_game(game, ann, now, late):
    hand_in(ann, "vacation 5", game.deadline + SECOND, turn_token(ann, now))
    read(late)
    assert fresh(game).ending == "never-begun"


def test_an_opponents_mail_about_another_game_does_not_delay_the_deadline(
    game, ann, bob, now, late
):
    other = begin(bob, ann, now=now)
    hand_in(bob, "say Hello", game.deadline - SECOND, turn_token(bob, now))
    IncomingMail.objects.update(received_at=now)
    assert IncomingMail.objects.get().reply.game == other
    deadlines.time_out_due(now=late)
    assert (fresh(game).status, fresh(other).status) == ("aborted", "active")
