"""Programs and their levels in templates."""

from dataclasses import dataclass
from datetime import timedelta

from django import template
from django.conf import settings
from django.utils.translation import gettext

from accounts.models import User
from games.clock.durations import span_in_words
from games.rules.base import AnyRules
from games.rules.registry import all_rules
from games.services.levels import levels_of

register = template.Library()


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


@register.simple_tag
def thinking_time_a_day() -> str:
    """Return for how long programs think for one person in a day, in words."""
    return span_in_words(timedelta(seconds=settings.THINKING_SECONDS_A_DAY))
