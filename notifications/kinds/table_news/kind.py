"""The mail about a table that waits for players, or was closed."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Ending, Event
from notifications.emails.formatting import plain
from notifications.kinds.base import Context
from notifications.kinds.game_mail import GameMail, details_of, other_players
from notifications.kinds.registry import Kind
from notifications.models import Notice


class TableNewsMail(GameMail):
    """Tells that somebody declined or left a table, or that it is closed."""

    kind = Kind.TABLE_NEWS
    events = frozenset({Event.Kind.LEFT, Event.Kind.DECLINED, Event.Kind.CLOSED})
    can_be_switched_off = True
    is_caused_by_players = True
    lead_rank = 70

    def recipients(self, event: Event) -> list[User]:
        """Return the table's creator, or all players of a table that was closed."""
        if event.kind == Event.Kind.CLOSED:
            # If an invitation was declined, that event tells of it.
            was_declined = details_of(event).get("ending") == Ending.DECLINED
            return [] if was_declined else other_players(event)
        if event.kind == Event.Kind.LEFT:
            # Only the first time: joining and leaving in a loop must flood nobody.
            earlier = Event.objects.filter(game=event.game, kind=event.kind, actor=event.actor)
            if earlier.filter(pk__lt=event.pk).exists():
                return []
        return [event.game.creator] if event.game.creator_id != event.actor_id else []

    def context(self, notice: Notice) -> Context:
        event = notice.event
        if event is None:
            return {}
        invited = event.invitation.email if event.invitation else ""
        closed = event.kind == Event.Kind.CLOSED or bool(details_of(event).get("closed"))
        return {
            "who": plain(event.actor or invited or _("Somebody")),
            "closed": closed,
            "expired": details_of(event).get("ending") == Ending.EXPIRED,
            "new_table_url": settings.SITE_URL + reverse("new_table"),
        }

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        if context["closed"]:
            return _("Create a new table"), context["new_table_url"]
        return _("Look at the table"), context["url"]


KIND = TableNewsMail()
