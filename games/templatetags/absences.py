"""Who is away, in templates."""

from datetime import datetime

from django import template
from django.template import Context

from accounts.models import User

register = template.Library()


@register.simple_tag(takes_context=True)
def away_until(context: Context, person: User | None) -> datetime | None:
    """Return when a person comes back, as far as the page's `away` knows; None: they are here."""
    away: dict[int, datetime] = context.get("away") or {}
    return away.get(person.pk) if person else None
