"""Times and paces in templates."""

from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.server_time import server_now
from games.clock import durations
from games.forms.terms import ON_TIMEOUT
from games.models import Game
from games.queries import turn_bounds as queries
from games.queries.seats import Viewer
from games.services.levels import name_of_level

register = template.Library()


@register.filter
def span(duration: timedelta) -> str:
    """Return a duration in words: "3 days", "1 day, 12 hours"."""
    return durations.span_in_words(duration)


@register.filter
def distance(when: datetime) -> str:
    """Return how far ahead an instant is: "12 days"."""
    return durations.distance_in_words(when - server_now())


@register.filter
def pace(game: Game) -> str:
    """Return a table's pace in words: "3 days for each turn"."""
    return durations.pace_in_words(game.terms.pace)


@register.simple_tag
def turn_bounds(game: Game, viewer: Viewer) -> list[str]:
    """Return what a table promises about time, as sentences."""
    return queries.turn_bounds(game, viewer, now=server_now())


@register.filter
def longest_of_others(game: Game) -> str:
    """Return how long a turn of those who sit at an open table lasts at most."""
    return queries.longest_of_others(game, now=server_now())


@register.filter
def moment(when: datetime) -> SafeString:
    """Return an instant as HTML, in the reader's zone, which it names."""
    local = timezone.localtime(when)
    zone = timezone.get_current_timezone_name()
    words = date_format(local, "DATETIME_FORMAT")
    return format_html('<time datetime="{}">{} ({})</time>', local.isoformat(), words, zone)


@register.filter
def on_timeout(game: Game) -> str:
    """Return what happens to a seat that runs out of time; empty with two seats."""
    if game.rules.seats(game.options) == 2:  # noqa: PLR2004
        return ""
    if game.on_timeout == Game.OnTimeout.PROGRAM:
        level = name_of_level(game.rules_slug, game.substitute_level)
        said = _("A program takes the seat over, also of a player who resigns: %(level)s.")
        return said % {"level": level}
    return str(ON_TIMEOUT[Game.OnTimeout(game.on_timeout)])
