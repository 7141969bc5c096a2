"""Players in templates: who is away, and the reports about them."""

from datetime import datetime

from django import template
from django.template import Context

from accounts.models import User
from games.models import Game, Rating, RatingChange, Report
from games.models.report import WAITING
from games.queries.ratings import change_words, rating_words

register = template.Library()


@register.simple_tag(takes_context=True)
def away_until(context: Context, person: User | None) -> datetime | None:
    """Return when an absent player comes back, from the page's `away`; None if they are here."""
    away: dict[int, datetime] = context.get("away") or {}
    return away.get(person.pk) if person else None


@register.simple_tag(takes_context=True)
def rating_at(context: Context, game: Game) -> str:
    """Return the rating of a table's creator, from the page's `ratings`; empty without one."""
    ratings: dict[int, Rating] = context.get("ratings") or {}
    return rating_words(ratings[game.pk]) if game.pk in ratings else ""


@register.simple_tag(takes_context=True)
def rating_change(context: Context, person: User | None) -> str:
    """Return what a game made of a player's rating, from the page's `rating_changes`."""
    changes: dict[int, RatingChange] = context.get("rating_changes") or {}
    return change_words(changes[person.pk]) if person and person.pk in changes else ""


@register.simple_tag
def waiting_reports() -> int:
    """Return the number of reports that no moderator has closed."""
    return Report.objects.filter(state__in=WAITING).count()
