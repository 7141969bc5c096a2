"""Players in templates: who is away, and the reports about them."""

from datetime import datetime

from django import template
from django.template import Context

from accounts.models import User
from games.models import Report
from games.models.report import WAITING

register = template.Library()


@register.simple_tag(takes_context=True)
def away_until(context: Context, person: User | None) -> datetime | None:
    """Return when an absent player comes back, from the page's `away`; None if they are here."""
    away: dict[int, datetime] = context.get("away") or {}
    return away.get(person.pk) if person else None


@register.simple_tag
def waiting_reports() -> int:
    """Return the number of reports that no moderator has closed."""
    return Report.objects.filter(state__in=WAITING).count()
