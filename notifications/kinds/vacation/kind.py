"""The mail about a vacation that began automatically because its player ran out of time."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.models.vacation import away_until
from games.models import Event
from notifications.emails.formatting import format_moment
from notifications.kinds.base import Context
from notifications.kinds.game_mail import GameMail, details_of, player_to_move
from notifications.kinds.registry import Kind
from notifications.models import Notice


class VacationMail(GameMail):
    """Tells a player until when they are on vacation now."""

    kind = Kind.VACATION
    events = frozenset({Event.Kind.VACATION_BEGUN})
    can_be_switched_off = True

    def recipients(self, event: Event) -> list[User]:
        return player_to_move(event)

    def context(self, notice: Notice) -> Context:
        event, user = notice.event, notice.user
        if event is None or user is None:
            return {}
        # Another vacation may follow without a gap: then they are away until the end of that.
        back = away_until([user.pk], event.at).get(user.pk)
        until = back or datetime.fromisoformat(details_of(event)["until"])
        return {
            "until": format_moment(until),
            "your_time_url": settings.SITE_URL + reverse("your_time"),
        }

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        return _("Look at your vacations"), context["your_time_url"]


KIND = VacationMail()
