"""Template tags for a player's absence and rating, and for a program's games and levels."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django import template
from django.conf import settings
from django.template import Context
from django.utils.translation import gettext

from accounts.models import User
from games.clock.durations import span_in_words
from games.models import Game, Rating, RatingChange
from games.queries.ratings import change_words, rating_words
from games.rules.base import AnyRules
from games.rules.registry import all_rules
from games.services.levels import levels_of
from games.services.thinking_time import seconds_a_day

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


@dataclass(frozen=True)
class ShownLevel:
    """A level in the active language."""

    number: int
    name: str
    summary: str


@register.filter
def levels(rules: AnyRules) -> list[ShownLevel]:
    """Return the levels of a game's program, weakest first."""
    return [
        ShownLevel(level.number, gettext(level.name), gettext(level.summary))
        for level in levels_of(rules.slug)
    ]


@register.filter
def games_of_program(person: User) -> tuple[AnyRules, ...]:
    """Return the games that the site's own program plays; none for another account."""
    is_ours = person.is_bot and person.username == settings.PRACTICE_PARTNER_USERNAME
    return all_rules() if is_ours and person.is_active else ()


@register.simple_tag(takes_context=True)
def thinking_time_a_day(context: Context) -> str:
    """Return, in words, how long programs may think in a day for the reader of the page."""
    reader = context["request"].user
    seconds = seconds_a_day(reader if isinstance(reader, User) else None)
    return span_in_words(timedelta(seconds=seconds))
