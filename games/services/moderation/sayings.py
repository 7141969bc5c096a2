"""Hiding what somebody said."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Event, Message
from games.services import log
from games.services.conduct import messages
from games.services.errors import NoReason
from games.services.errors.conduct import NoSuchMessage
from games.services.errors.moderation import NothingToChange
from games.services.events import record_event
from games.services.locking import locked_game
from games.services.moderation.names import Censure
from games.services.moderation.rights import check_is_no_player, check_moderates


def hide(*, message_id: int, by: User, why: str, now: datetime) -> Message:
    """Hide a message from everybody.

    Raises MayNotModerate, NoReason, NoSuchMessage, OwnGame, NothingToChange.
    """
    return _judge(Censure.HIDE, message_id, by, why, now)


def show(*, message_id: int, by: User, why: str, now: datetime) -> Message:
    """Let everybody read a hidden message again. Raises as `hide`."""
    return _judge(Censure.SHOW, message_id, by, why, now)


@transaction.atomic
def _judge(what: Censure, message_id: int, by: User, why: str, now: datetime) -> Message:
    check_moderates(by)
    if not why.strip():
        raise NoReason
    game_id = Message.objects.filter(pk=message_id).values_list("game", flat=True).first()
    if game_id is None:
        raise NoSuchMessage
    game = locked_game(game_id)
    check_is_no_player(game, by)
    message = game.messages.select_related("author").get(pk=message_id)
    hides = what == Censure.HIDE
    if not (messages.hide(message, now=now) if hides else messages.show_again(message)):
        raise NothingToChange
    details: dict[str, object] = {"message": message_id}
    act = log.write(
        by=by, what=what.value, why=why, now=now, game=game, person=message.author, details=details
    )
    said = {"what": what.value, "why": act.why, "act": act.number} | details
    record_event(game, Event.Kind.MODERATED, now=now, actor=by, details=said)
    message.refresh_from_db(fields=["hidden_at"])
    return message
