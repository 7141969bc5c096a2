"""The mail that brings players' messages."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Event, Game
from games.models import Message as GameMessage
from games.queries.conversations import visible_messages
from notifications.emails.formatting import turn_help
from notifications.emails.game_context import unmailed_messages
from notifications.kinds.game_mail import GameMail, details_of, other_players, still_playing
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason


class MessageMail(GameMail):
    """Brings the newest messages, as every other mail about the game does."""

    kind = Kind.MESSAGE
    events = frozenset({Event.Kind.MESSAGE_SAID})
    can_be_switched_off = True
    is_caused_by_players = True
    is_pushed = True
    waits_for_turn = True
    lead_rank = 80
    is_in_every_mail = True

    def recipients(self, event: Event) -> list[User]:
        """Return the other players, without those who have muted the author.

        Players who have left a running game get no more messages.
        """
        others = other_players(event) if event.game.is_over else still_playing(event)
        said = GameMessage.objects.filter(pk=details_of(event).get("message", 0))
        return [reader for reader in others if visible_messages(reader, said).exists()]

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        if notice.user is None or notice.game is None:
            return SkipReason.NOTHING_TO_TELL
        unmailed = unmailed_messages(notice.user, notice.game)
        if not unmailed:
            key = details_of(notice.event).get("message", 0)
            said = GameMessage.objects.filter(pk=key, hidden_at=None)
            is_readable = visible_messages(notice.user, said).exists()
            return SkipReason.TOLD_TOGETHER if is_readable else SkipReason.NOTHING_TO_TELL
        own = GameMessage.objects.filter(
            game=notice.game, author=notice.user, via=GameMessage.Via.WEB
        )
        return SkipReason.ANSWERED if own.filter(pk__gt=unmailed[-1].pk).exists() else None

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        if context["my_turn"]:
            return super().button(context)
        return _("Answer"), context["url"] + "#conversation"

    def reply_help(self, context: Mapping[str, Any], game: Game) -> str:
        say = _("To answer, reply to this mail with “say” and your words on the first line.")
        return " ".join(filter(None, [say, turn_help(context, game)]))


KIND = MessageMail()
