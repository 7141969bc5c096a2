"""What players say to each other at a game, and when they last looked."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Event, Game, GamePresence, Message, Seat
from games.models.message import LONGEST_MESSAGE
from games.plain_text import tidy
from games.services.locking import arrival, locked_game_for
from games.services.site_status import check_open
from games.services.suspensions import lock_acting_user

TALK_LASTS = timedelta(days=14)
"""How long players may still write after the end of a game."""

NOTED_EVERY = timedelta(seconds=30)

_HOUR = timedelta(hours=1)
_TWICE_AT_ONCE = timedelta(minutes=1)
"""The same words again within this time are the same message: a button pressed twice."""


@transaction.atomic
def say(
    *,
    game_id: int,
    user: User,
    text: str,
    via: Message.Via,
    now: datetime,
    received_at: datetime | None = None,
) -> Message:
    """Send a message to everybody at the game: plain text of at most 2,000 characters.

    The same words again within a minute return the message that is there already. `received_at` is
    when the message reached this server, if that was before `now`: the conversation may have ended
    since.
    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, TalkIsOver,
    GuestsDoNotTalk, NothingSaid, MessageTooLong, TooManyMessages, Muted, ConversationClosed,
    ClosedForMaintenance; nothing has changed then.
    """
    game = locked_game_for(user, game_id, now)
    check_open()
    _check_may_talk(game, game.seats.filter(user=user).first(), arrival(received_at, now))
    if user.is_guest:
        raise errors.GuestsDoNotTalk
    if user.is_muted(now):
        raise errors.Muted
    if game.conversation_closed_at is not None:
        raise errors.ConversationClosed
    words = tidy(text)
    if not words:
        raise errors.NothingSaid
    if len(words) > LONGEST_MESSAGE:
        raise errors.MessageTooLong(most=LONGEST_MESSAGE, length=len(words))
    newest = game.messages.order_by("-pk").first()
    is_same = newest is not None and (newest.author_id, newest.text) == (user.pk, words)
    if newest is not None and is_same and now - newest.said_at <= _TWICE_AT_ONCE:
        return newest
    lock_acting_user(user, now)  # the account may have been deleted just before
    lately = Message.objects.filter(author=user, said_at__gt=now - _HOUR).count()
    if lately >= settings.MESSAGES_AN_HOUR:
        raise errors.TooManyMessages(most=settings.MESSAGES_AN_HOUR)
    message = Message.objects.create(
        game=game, author=user, text=words, said_at=now, turn_number=game.turn_number, via=via
    )
    details: dict[str, object] = {"message": message.pk}
    game.record_event(Event.Kind.MESSAGE_SAID, now=now, actor=user, details=details)
    return message


def can_talk(game: Game, seat: Seat | None, *, now: datetime) -> bool:
    """Return whether the holder of `seat` (None: no player) may send a message now."""
    if seat is not None and seat.user is not None and seat.user.is_guest:
        return False
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


def hide(message: Message, *, now: datetime) -> bool:
    """Hide a message from everybody; return whether it was visible before."""
    seen = Message.objects.filter(pk=message.pk, hidden_at=None)
    return bool(seen.update(hidden_at=now))


def show_again(message: Message) -> bool:
    """Show a hidden message again; return whether it was hidden."""
    hidden = Message.objects.filter(pk=message.pk, hidden_at__isnull=False)
    return bool(hidden.update(hidden_at=None))


def note_presence(game: int, user: int, *, now: datetime, seen_at: datetime | None = None) -> None:
    """Remember that a player has a game's page open (keys); written once every NOTED_EVERY.

    `seen_at` is when it was written last, None if never.
    """
    if seen_at is None or now - seen_at >= NOTED_EVERY:
        GamePresence.objects.bulk_create(
            [GamePresence(game_id=game, user_id=user, seen_at=now)],
            update_conflicts=True,
            unique_fields=["game", "user"],
            update_fields=["seen_at"],
        )
