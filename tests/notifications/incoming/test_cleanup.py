"""What is deleted of mail that came in, and when."""

from datetime import timedelta

import pytest

from games.models import Game
from notifications.incoming.cleanup import ANSWERABLE, delete_old_mails
from notifications.incoming.receiving import receive
from notifications.models import ErrorReply, IncomingMail, Notice, ReplyAddress
from notifications.services.replies import reply_address
from notifications.services.reprocessing import process_again
from tests.notifications.incoming_mail import answer, turn_token

SECOND = timedelta(seconds=1)
State = IncomingMail.State


@pytest.fixture
def mail(game, ann, now):
    token = turn_token(ann, now)
    return receive(
        answer(token, "5\n", ann.email),
        recipient=reply_address(token),
        envelope_from="",
        door="imap",
        now=now,
    )


@pytest.mark.parametrize("state", [State.DONE, State.PARKED, State.HELD, State.IGNORED])
def test_the_text_of_a_mail_is_kept_for_thirty_days(mail, state, now):
    IncomingMail.objects.update(state=state, processed_at=now)
    month = timedelta(days=30)
    assert delete_old_mails(now=now + month - SECOND) == 0
    assert delete_old_mails(now=now + month) == 1
    mail.refresh_from_db()
    assert (bytes(mail.raw), mail.state) == (b"", state)
    assert delete_old_mails(now=now + month) == 0
    assert process_again([mail.pk]) == 0, "there is nothing left to read"


def test_a_mail_that_waits_is_never_emptied(mail, now):
    IncomingMail.objects.update(processed_at=now)
    assert delete_old_mails(now=now + timedelta(days=400)) == 0


def test_a_duplicate_is_known_even_when_its_text_is_gone(mail, game, ann, now):
    IncomingMail.objects.update(state=State.DONE, processed_at=now)
    delete_old_mails(now=now + timedelta(days=30))
    assert IncomingMail.objects.get().digest


def test_an_address_for_bounces_only_is_deleted_after_a_month(db, now):
    for at, purpose in ((now, "nothing"), (now + SECOND, "nothing"), (now, "game")):
        hashed = str(ReplyAddress.objects.count())
        ReplyAddress.objects.create(token_hash=hashed, purpose=purpose, created_at=at)
    assert delete_old_mails(now=now + timedelta(days=30)) == 1
    assert ReplyAddress.objects.count() == 2


def test_the_address_of_a_game_that_is_long_over_is_deleted(mail, game, now):
    Game.objects.filter(pk=game.pk).update(ended_at=now, status="finished", ending="agreed",
        deadline=None, reminder_at=None, bot_due_at=None, seat_to_move=None)  # fmt: skip
    IncomingMail.objects.all().delete()
    assert delete_old_mails(now=now + ANSWERABLE - SECOND) == 0
    assert delete_old_mails(now=now + ANSWERABLE) == 1
    assert Notice.objects.exists()


def test_the_address_of_a_running_game_is_kept(mail, now):
    assert delete_old_mails(now=now + 3 * ANSWERABLE) == 0


def test_error_answers_are_remembered_for_their_day(db, now):
    ErrorReply.objects.create(address="a@b.example", reason="stranger", answered_on=now.date())
    assert delete_old_mails(now=now + timedelta(days=2)) == 0
    assert delete_old_mails(now=now + timedelta(days=3)) == 1
