"""Hiding what somebody said."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Event, Message
from games.services import log
from games.services.conduct import messages
from games.services.events import record_event
from games.services.locking import locked_game
from games.services.moderation.action_names import MessageAction
from games.services.moderation.permissions import check_is_moderator, check_is_no_player


def hide_message(*, message_id: int, by: User, why: str, now: datetime) -> Message:
    """Hide a message from everybody.

    Raises MayNotModerate, NoReason, NoSuchMessage, OwnGame, NothingToChange.
    """
    return _judge(MessageAction.HIDE, message_id, by, why, now)


def show_message(*, message_id: int, by: User, why: str, now: datetime) -> Message:
    """Let everybody read a hidden message again. Raises as `hide_message`."""
    return _judge(MessageAction.SHOW, message_id, by, why, now)


@transaction.atomic
def _judge(what: MessageAction, message_id: int, by: User, why: str, now: datetime) -> Message:
    check_is_moderator(by)
    if not why.strip():
        raise errors.NoReason
    game_id = Message.objects.filter(pk=message_id).values_list("game", flat=True).first()
    if game_id is None:
        raise errors.NoSuchMessage
    game = locked_game(game_id)
    check_is_no_player(game, by)
    message = game.messages.select_related("author").get(pk=message_id)
    hides = what == MessageAction.HIDE
    if not (messages.hide(message, now=now) if hides else messages.show_again(message)):
        raise errors.NothingToChange
    details: dict[str, object] = {"message": message_id}
    act = log.write_entry(
        by=by, what=what.value, why=why, now=now, game=game, person=message.author, details=details
    )
    said = {"what": what.value, "why": act.why, "act": act.number} | details
    record_event(game, Event.Kind.MODERATED, now=now, actor=by, details=said)
    message.refresh_from_db(fields=["hidden_at"])
    return message
