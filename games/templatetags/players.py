"""Players in templates: who is away, and what one can do about a player."""

from datetime import datetime

from django import template
from django.template import Context

from accounts.models import Block, User
from games.models import Report
from games.models.report import WAITING

register = template.Library()


@register.simple_tag(takes_context=True)
def away_until(context: Context, person: User | None) -> datetime | None:
    """Return when an absent player comes back, from the page's `away`; None if they are here."""
    away: dict[int, datetime] = context.get("away") or {}
    return away.get(person.pk) if person else None


@register.inclusion_tag("games/_conduct_towards.html", takes_context=True)
def conduct_towards(context: Context, person: User) -> dict[str, object]:
    """Show a signed-in viewer how to block or report another player."""
    viewer = context["user"]
    if not isinstance(viewer, User) or viewer.pk == person.pk or person.is_bot:
        return {}
    blocked = Block.objects.filter(by=viewer, of=person).exists()
    return {"person": person, "blocked": blocked, "csrf_token": context.get("csrf_token")}


@register.simple_tag
def waiting_reports() -> int:
    """Return the number of reports that no moderator has closed."""
    return Report.objects.filter(state__in=WAITING).count()
