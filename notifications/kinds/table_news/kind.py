"""The mail about a table that still waits for players, or waits no more."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Event, Game
from notifications.kinds.base import Context
from notifications.kinds.game_mail import GameMail
from notifications.kinds.recipients import other_players
from notifications.kinds.registry import Kind
from notifications.models import Notice
from notifications.services.emails.names import plain


class TableNewsMail(GameMail):
    """Tells that somebody declined or left a table, or that it is closed."""

    kind = Kind.TABLE_NEWS
    events = frozenset({Event.Kind.LEFT, Event.Kind.DECLINED, Event.Kind.CLOSED})
    can_be_switched_off = True
    lead_rank = 70

    def recipients(self, event: Event) -> list[User]:
        """Return the table's creator, or everybody who sat at a table that was closed."""
        if event.kind == Event.Kind.CLOSED:
            # Closed because an invitation was declined: that is told by the declining.
            is_told = event.details.get("ending") == Game.Ending.DECLINED
            return [] if is_told else other_players(event)
        if event.kind == Event.Kind.LEFT and self._has_left_before(event):
            return []
        return [event.game.creator] if event.game.creator_id != event.actor_id else []

    def _has_left_before(self, event: Event) -> bool:
        """Only the first leave per player is told: joining and leaving in a loop floods nobody."""
        earlier = Event.objects.filter(game=event.game, kind=event.kind, actor=event.actor)
        return earlier.filter(pk__lt=event.pk).exists()

    def context(self, notice: Notice) -> Context:
        """Return who declined or left, and whether the table is closed."""
        event = notice.event
        if event is None:
            return {}
        invited = event.invitation.email if event.invitation else ""
        closed = event.kind == Event.Kind.CLOSED or bool(event.details.get("closed"))
        return {
            "who": plain(event.actor or invited or _("Somebody")),
            "closed": closed,
            "expired": event.details.get("ending") == Game.Ending.EXPIRED,
            "new_table_url": settings.SITE_URL + reverse("new_table"),
        }

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        """Return the way to the table, or to a new one."""
        if context["closed"]:
            return _("Make a new table"), context["new_table_url"]
        return _("Look at the table"), context["url"]


KIND = TableNewsMail()
