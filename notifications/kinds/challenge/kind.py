"""The mail that challenges a player."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Event, Game
from notifications.emails.formatting import accept_help
from notifications.kinds.base import Context, Purpose
from notifications.kinds.game_mail import GameMail, invitation_context, invited, skip_unless_invited
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason


class ChallengeMail(GameMail):
    """Asks a player to take the seat that is kept for them."""

    kind = Kind.CHALLENGE
    events = frozenset({Event.Kind.CHALLENGED})
    can_be_switched_off = True
    is_caused_by_players = True
    is_needed_to_play = True
    is_pushed = True
    reply_purpose = Purpose.INVITATION

    def recipients(self, event: Event) -> list[User | str]:
        return invited(event)

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        return skip_unless_invited(notice)

    def asks_for_answer(self, notice: Notice) -> bool:
        return True

    def context(self, notice: Notice) -> Context:
        return invitation_context(notice)

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        return _("Answer the challenge"), context["invitation_url"]

    def reply_help(self, context: Mapping[str, Any], game: Game) -> str:
        return accept_help()


KIND = ChallengeMail()
