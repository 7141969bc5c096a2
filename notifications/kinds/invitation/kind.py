"""The mail that invites an address to its first game here."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Event, Game
from notifications.kinds.base import Context, Purpose
from notifications.kinds.game_mail import GameMail, invitation_context, invited, skip_unless_invited
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason
from notifications.services.addresses import refuses_invitations


class InvitationMail(GameMail):
    """Asks somebody without an account to take the seat that is kept for their address."""

    kind = Kind.INVITATION
    events = frozenset({Event.Kind.INVITED})
    can_be_switched_off = False
    cadences = ()
    can_wait = False
    reply_purpose = Purpose.INVITATION

    def recipients(self, event: Event) -> list[User | str]:
        return invited(event)

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        if refuses_invitations(notice.address):
            return SkipReason.INVITATIONS_REFUSED
        return skip_unless_invited(notice)

    def context(self, notice: Notice) -> Context:
        return invitation_context(notice)

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        return _("Look at the invitation"), context["invitation_url"]

    def reply_help(self, context: Mapping[str, Any], game: Game) -> str:
        said = _("Or reply to this mail: “yes” or “no” on the first line is enough.")
        rules = _("“rules” sends you the rules first.")
        by_mail = _("You can play the whole game by mail then, without a password.")
        language = _("For French, reply “français”.")
        return " ".join([said, by_mail, rules, language])


KIND = InvitationMail()
