"""When a message at a game is mailed, and when not."""

from datetime import timedelta

from django.core import mail

from games.models import Message
from games.services import endings
from games.services.conduct.messages import hide, say
from notifications.models import Cadence, Kind, Notice, SkipReason
from notifications.outbox.recipients import make_notices
from notifications.outbox.scheduling import TURN_IS_NEAR
from notifications.services.preferences import set_cadence
from tests.games.play import SECOND
from tests.notifications.outgoing_mail import play, sent, tell

HOUR = timedelta(hours=1)
TO_BOB = [("bob", "your-turn")]


def speak(game, user, text, now):
    return say(game_id=game.pk, user=user, text=text, via=Message.Via.WEB, now=now)


def test_a_message_of_a_waiting_player_is_mailed_after_the_hold(told, bob, now):
    speak(told, bob, "Hello", now)
    make_notices(now=now)
    assert sent(now + 89 * SECOND) == []
    assert sent(now + 90 * SECOND) == [("ann", "message")]
    assert "Hello" in mail.outbox[0].body


def test_a_message_of_the_player_to_move_waits_a_while_for_their_turn(told, ann, now):
    speak(told, ann, "Hello", now)
    make_notices(now=now)
    assert sent(now + TURN_IS_NEAR - SECOND) == []
    assert sent(now + TURN_IS_NEAR) == [("bob", "message")]


def test_the_turn_mail_brings_the_messages_since_the_readers_last_mail(told, ann, now):
    speak(told, ann, "Hello", now)
    play(told, ann, "5", now + 5 * SECOND)
    speak(told, ann, "Your turn", now + 6 * SECOND)
    make_notices(now=now + 6 * SECOND)
    assert sent(now + 96 * SECOND) == TO_BOB
    body = mail.outbox[0].body
    assert body.index("    Hello") < body.index("    Your turn")
    assert sent(now + HOUR) == []
    told_so = Notice.objects.filter(kind=Kind.MESSAGE).values_list("skip_reason", flat=True)
    assert set(told_so) == {SkipReason.TOLD_TOGETHER}


def test_no_message_is_told_twice_nor_to_its_author(told, ann, bob, now):
    speak(told, ann, "Hello", now)
    play(told, ann, "5", now)
    make_notices(now=now)
    sent(now + 90 * SECOND)
    speak(told, bob, "Good morning", now + HOUR)
    play(told, bob, "1", now + HOUR)
    make_notices(now=now + HOUR)
    assert sent(now + HOUR + 90 * SECOND) == [("ann", "your-turn")]
    body = mail.outbox[0].body
    assert "Good morning" in body
    assert "Hello" not in body
    speak(told, bob, "Still there?", now + 2 * HOUR)
    make_notices(now=now + 2 * HOUR)
    assert sent(now + 2 * HOUR + 90 * SECOND) == [("ann", "message")]
    assert "Good morning" not in mail.outbox[0].body


def test_a_message_that_was_answered_on_the_page_is_no_mail(told, ann, bob, now):
    speak(told, bob, "Hello", now)
    make_notices(now=now)
    speak(told, ann, "Hello to you", now + 30 * SECOND)
    assert sent(now + 90 * SECOND) == []
    assert Notice.objects.get(kind=Kind.MESSAGE).skip_reason == SkipReason.ANSWERED


def test_a_message_hidden_within_the_hold_is_no_mail(told, bob, now):
    message = speak(told, bob, "Rude", now)
    make_notices(now=now)
    hide(message, now=now)
    assert sent(now + 90 * SECOND) == []
    notice = Notice.objects.get(kind=Kind.MESSAGE)
    assert notice.skip_reason == SkipReason.NOTHING_TO_TELL


def test_switched_off_messages_still_come_with_the_turn(told, ann, bob, now):
    set_cadence(user=bob, kind=Kind.MESSAGE, cadence=Cadence.OFF)
    speak(told, ann, "Hello", now)
    play(told, ann, "5", now)
    make_notices(now=now)
    assert sent(now + 90 * SECOND) == TO_BOB
    assert "Hello" in mail.outbox[0].body


def test_after_the_end_messages_are_mails_of_their_own(told, ann, bob, now):
    endings.resign(game_id=told.pk, user=ann, now=now)
    tell(now)
    speak(told, ann, "Thank you", now + HOUR)
    make_notices(now=now + HOUR)
    assert sent(now + HOUR + 90 * SECOND) == [("bob", "message")]
