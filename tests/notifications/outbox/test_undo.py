"""Mails about a turn that its player undoes or takes back, and what being told of it means."""

import pytest
from django.core import mail

from games import errors
from games.services.conduct.messages import say
from games.services.deadlines import time_out_due
from games.services.offers import accept_offer, offer_takeback
from games.services.takebacks import undo_turn
from notifications.emails.game_context import TurnUndone, game_context
from notifications.models import Notice
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.services.calendar import calendar_of
from tests.games.play import DAY, SECOND, fresh, refused
from tests.notifications.outgoing_mail import after_hold, forget, play, sent, tell, told

pytestmark = pytest.mark.django_db

OVER = "Your turn can no longer be undone"


@pytest.fixture
def played(game, ann, bob, now):
    """Ann has played, and the mail to bob waits."""
    tell(now)
    mail.outbox.clear()
    play(game, ann, "5", now)
    make_notices(now=now)
    return fresh(game)


def undo(game, user, *, now):
    undo_turn(game_id=game.pk, user=user, now=now)


def test_the_mail_about_a_turn_that_was_undone_is_never_sent(played, ann, bob, now):
    undo(played, ann, now=now + SECOND)
    assert tell(now + SECOND) == 1
    assert mail.outbox == []
    assert Notice.objects.filter(user=bob, kind="your-turn").latest("pk").state == "dropped"


def test_the_mail_about_the_turn_played_instead_tells_of_that_alone(played, ann, now):
    undo(played, ann, now=now + SECOND)
    play(played, ann, "1", now + 2 * SECOND)
    tell(now + 2 * SECOND)
    (letter,) = mail.outbox
    assert letter.to == ["bob@example.org"]
    assert "en haut à gauche" in letter.body
    assert "au centre" not in letter.body


def test_nothing_is_undone_when_the_mail_has_left(played, ann, now):
    send_due(now=after_hold(now))
    assert [letter.to for letter in mail.outbox] == [["bob@example.org"]]
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(played, ann, now=after_hold(now))


def test_any_mail_that_shows_the_game_to_the_opponent_ends_it(played, ann, bob, now):
    Notice.objects.filter(user=bob).update(due_at=now + SECOND)
    send_due(now=now + SECOND)
    assert mail.outbox[0].to == ["bob@example.org"]
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(played, ann, now=now + 2 * SECOND)


def test_a_mail_to_the_player_ends_nothing(played, ann, now):
    game_context(played, ann, now)
    undo(played, ann, now=now + SECOND)


def test_a_mail_is_not_written_with_a_turn_that_was_undone_meanwhile(played, ann, bob, now):
    undo(played, ann, now=now + SECOND)
    with pytest.raises(TurnUndone):
        game_context(played, bob, now + 2 * SECOND)


def test_the_opponents_calendar_ends_it(played, ann, bob, now):
    calendar_of(ann, now=now)
    assert fresh(played).undo_until is not None
    assert b"BEGIN:VEVENT" in calendar_of(bob, now=now)
    with refused(errors.UndoIsOver, OVER, status=409):
        undo(played, ann, now=now + SECOND)


def test_a_message_that_waits_ends_nothing(played, ann, bob, now):
    say(game_id=played.pk, user=ann, text="One moment", via="web", now=now)
    make_notices(now=now)
    send_due(now=now + SECOND)
    undo(played, ann, now=now + SECOND)


@pytest.mark.told
def test_who_undoes_a_turn_loses_on_time_as_if_it_had_not_been_played(played, ann, bob, now):
    """No mail tells them again that it is their turn: they know."""
    play(played, bob, "1", now + DAY)
    tell(now + DAY)
    deadline = fresh(played).deadline
    play(played, ann, "9", now + DAY)
    undo(played, ann, now=now + DAY + SECOND)
    assert fresh(played).deadline == deadline
    assert time_out_due(now=deadline + SECOND) == 1
    assert (fresh(played).status, fresh(played).ending) == ("finished", "timeout")


def test_everybody_is_told_of_a_takeback(played, ann, bob, now):
    tell(now)
    forget()
    offer_takeback(game_id=played.pk, user=ann, now=now)
    assert told(now) == [("offer", "bob")]
    assert sent(after_hold(now)) == [("bob", "offer")]
    assert "ann propose de reprendre le coup 1 (5)" in mail.outbox[0].body
    accept_offer(game_id=played.pk, user=bob, now=now + DAY)
    assert told(now + DAY) == [("offer", "ann"), ("your-turn", "ann")]
    assert sent(after_hold(now + DAY)) == [("ann", "your-turn")]
    letter = mail.outbox[0].body
    assert "It is your turn" in letter
    assert "Turn 1 (5) is taken back. bob accepted." in letter
