"""What players say to each other at a game."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.users import lock_user
from games import errors
from games.models import Event, Game, Message, Seat
from games.models.message import LONGEST_MESSAGE
from games.plain_text import tidy
from games.services.events import record_event
from games.services.locking import locked_game_for
from games.services.maintenance import check_open

TALK_LASTS = timedelta(days=14)
"""How long after the end of a game its players may still talk there."""

_HOUR = timedelta(hours=1)
_TWICE_AT_ONCE = timedelta(minutes=1)
"""Within this the same words said again are the same message: a button pressed twice."""


@transaction.atomic
def say(*, game_id: int, user: User, text: str, via: Message.Via, now: datetime) -> Message:
    """Say something to everybody at the game, as plain text of at most 2,000 characters.

    The same words again within a minute give the message that stands there already.
    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, TalkIsOver,
    NothingSaid, MessageTooLong, TooManyMessages, Muted, ConversationClosed, ClosedForMaintenance;
    nothing has changed then.
    """
    game = locked_game_for(user, game_id, now)
    check_open()
    _check_may_talk(game, game.seats.filter(user=user).first(), now)
    if user.is_muted(now):
        raise errors.Muted
    if game.conversation_closed_at is not None:
        raise errors.ConversationClosed
    words = _checked(text)
    newest = game.messages.order_by("-pk").first()
    if newest and newest.author_id == user.pk and _is_same(newest, words, now):
        return newest
    _check_rate(user, now)
    message = Message.objects.create(
        game=game, author=user, text=words, said_at=now, turn_number=game.turn_number, via=via
    )
    details: dict[str, object] = {"message": message.pk}
    record_event(game, Event.Kind.MESSAGE_SAID, now=now, actor=user, details=details)
    return message


def can_talk(game: Game, seat: Seat | None, *, now: datetime) -> bool:
    """Tell whether the holder of `seat` (None: somebody without one) may say something now."""
    try:
        _check_may_talk(game, seat, now)
    except (errors.NotAPlayer, errors.HasLeft, errors.GameNotRunning, errors.TalkIsOver):
        return False
    return True


def _check_may_talk(game: Game, seat: Seat | None, now: datetime) -> None:
    if seat is None:
        raise errors.NotAPlayer
    if game.started_at is None:
        raise errors.GameNotRunning
    if game.ended_at is None:
        if seat.left_at is not None:
            raise errors.HasLeft
    elif now > game.ended_at + TALK_LASTS:
        raise errors.TalkIsOver(days=TALK_LASTS.days)


def _checked(text: str) -> str:
    words = tidy(text)
    if not words:
        raise errors.NothingSaid
    if len(words) > LONGEST_MESSAGE:
        raise errors.MessageTooLong(most=LONGEST_MESSAGE, length=len(words))
    return words


def _is_same(message: Message, words: str, now: datetime) -> bool:
    return message.text == words and now - message.said_at <= _TWICE_AT_ONCE


def _check_rate(user: User, now: datetime) -> None:
    """Raise TooManyMessages when somebody has said enough for an hour; lock their row."""
    lock_user(user.pk)
    lately = Message.objects.filter(author=user, said_at__gt=now - _HOUR).count()
    if lately >= settings.MESSAGES_AN_HOUR:
        raise errors.TooManyMessages(most=settings.MESSAGES_AN_HOUR)


def hide(message: Message, *, now: datetime) -> bool:
    """Hide a message from everybody; tell whether it was to be seen before."""
    seen = Message.objects.filter(pk=message.pk, hidden_at=None)
    return bool(seen.update(hidden_at=now))


def show_again(message: Message) -> bool:
    """Let everybody read a hidden message again; tell whether it was hidden."""
    hidden = Message.objects.filter(pk=message.pk, hidden_at__isnull=False)
    return bool(hidden.update(hidden_at=None))
