"""Lengths of time and paces in words, in the active language, for pages and mails."""

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.clock.spans import NOTHING
from games.clock.time_control import PaceKind, TimeControl

_SECOND = timedelta(seconds=1)
_MINUTE = timedelta(minutes=1)
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)

_SHOWN_IN_HOURS = 47.5 * _HOUR
"""Less than this is rounded to hours, more to days."""


def span_in_words(span: timedelta) -> str:
    """Return the two largest units, rounded down: "3 days", "1 day, 12 hours".

    Less than a minute is "less than a minute", and zero is "no time".
    """
    if span <= NOTHING:
        return _("no time")
    if span < _MINUTE:
        return _("less than a minute")
    units = _units(span)[:-1]
    largest = next(place for place, unit in enumerate(units) if unit)
    return ", ".join(filter(None, units[largest : largest + 2]))


def largest_unit_in_words(span: timedelta) -> str:
    """Return the largest unit, rounded down: "3 days", "12 hours"."""
    if span < _MINUTE:
        return span_in_words(span)
    return next(filter(None, _units(span)))


def exactly_in_words(span: timedelta) -> str:
    """Return all units down to seconds: "3 days, 2 hours, 5 seconds"."""
    return ", ".join(filter(None, _units(span))) or span_in_words(span)


def _units(span: timedelta) -> list[str]:
    """Return the days, hours, minutes and seconds in words; empty where there are none."""
    days, rest = divmod(span, _DAY)
    hours, rest = divmod(rest, _HOUR)
    minutes, rest = divmod(rest, _MINUTE)
    seconds = rest // _SECOND
    texts = [
        days and ngettext("%(count)d day", "%(count)d days", days),
        hours and ngettext("%(count)d hour", "%(count)d hours", hours),
        minutes and ngettext("%(count)d minute", "%(count)d minutes", minutes),
        seconds and ngettext("%(count)d second", "%(count)d seconds", seconds),
    ]
    counts = (days, hours, minutes, seconds)
    return [text % {"count": n} if text else "" for text, n in zip(texts, counts, strict=True)]


def distance_in_words(span: timedelta) -> str:
    """Return how far ahead an instant is, rounded: "3 days", up to 47 hours "47 hours".

    Wherever a deadline is told, its distance is told like this.
    """
    if span < _MINUTE:
        return span_in_words(span)
    unit = _DAY if span >= _SHOWN_IN_HOURS else _HOUR if span >= _HOUR else _MINUTE
    if round(span / _SECOND) == round(_DAY / _SECOND):
        unit = _DAY
    count = round(span / unit)
    if unit == _DAY:
        words = ngettext("%(count)d day", "%(count)d days", count)
    elif unit == _HOUR:
        words = ngettext("%(count)d hour", "%(count)d hours", count)
    else:
        words = ngettext("%(count)d minute", "%(count)d minutes", count)
    return words % {"count": count}


def wait_in_words(span: timedelta) -> str:
    """Return how long somebody waits, rounded: "less than a minute", "5 hours", "3 days"."""
    return distance_in_words(max(span, _SECOND))


def rounded_up_in_words(span: timedelta) -> str:
    """Return a bound in words: whole hours, and days and hours from one day on; never too little.

    Less than an hour is rounded up to whole minutes.
    """
    unit = _HOUR if span > _HOUR else _MINUTE
    return span_in_words(-(-span // unit) * unit)


def pace_in_words(pace: TimeControl) -> str:
    """Return a pace as part of a sentence: "3 days for each turn"."""
    if pace.kind == PaceKind.TURN:
        return _("%(time)s for each turn") % {"time": span_in_words(pace.allowance)}
    if pace.kind == PaceKind.TOTAL:
        return _("%(time)s for the whole game") % {"time": span_in_words(pace.bank)}
    return _("%(bank)s at the start, %(more)s more after each turn, %(cap)s at most") % {
        "bank": span_in_words(pace.bank),
        "more": span_in_words(pace.allowance),
        "cap": span_in_words(pace.cap),
    }
