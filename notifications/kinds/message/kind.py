"""The mail that brings what players say."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Event, Game
from games.models import Message as GameMessage
from games.queries.conversations import visible_messages
from notifications.kinds.game_mail import GameMail
from notifications.kinds.recipients import other_players, still_playing
from notifications.kinds.registry import Kind
from notifications.kinds.reply_help import turn_help
from notifications.models import Notice, SkipReason
from notifications.services.mailed_messages import untold


class MessageMail(GameMail):
    """Brings the newest messages; every other mail about the game brings them too."""

    kind = Kind.MESSAGE
    events = frozenset({Event.Kind.MESSAGE_SAID})
    can_be_switched_off = True
    waits_for_turn = True
    lead_rank = 80
    is_in_every_mail = True

    def recipients(self, event: Event) -> list[User]:
        """Return the others who want to read the author.

        Players who have left a running game hear nothing more of it.
        """
        others = other_players(event) if event.game.is_over else still_playing(event)
        said = GameMessage.objects.filter(pk=event.details.get("message"))
        return [reader for reader in others if visible_messages(reader, said).exists()]

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason where it was told already, or its reader answered it on the page."""
        if notice.user is None or notice.game is None:
            return SkipReason.NOTHING_TO_TELL
        fresh = untold(notice.user, notice.game)
        if not fresh:
            key = notice.event.details.get("message") if notice.event else None
            said = GameMessage.objects.filter(pk=key or 0, hidden_at=None)
            is_readable = visible_messages(notice.user, said).exists()
            return SkipReason.TOLD_TOGETHER if is_readable else SkipReason.NOTHING_TO_TELL
        own = GameMessage.objects.filter(
            game=notice.game, author=notice.user, via=GameMessage.Via.WEB
        )
        return SkipReason.ANSWERED if own.filter(pk__gt=fresh[-1].pk).exists() else None

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        """Return the way to the turn, or to the conversation."""
        if context["my_turn"]:
            return super().button(context)
        return _("Answer"), context["url"] + "#conversation"

    def reply_help(self, context: Mapping[str, Any], game: Game) -> str:
        """Return how to answer, and to play."""
        say = _("To answer, reply to this mail with “say” and your words on the first line.")
        return " ".join(filter(None, [say, turn_help(context, game)]))


KIND = MessageMail()
