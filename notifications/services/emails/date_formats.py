"""Times in words, in the active language and time zone."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_FEW_HOURS = 47.5 * _HOUR


def format_moment(moment: datetime) -> str:
    """Return "Sunday 29 November 2026, 18:40 (Europe/Paris)" in the active time zone."""
    local = timezone.localtime(moment)
    # Translators: how a moment is written, in the letters of Django's date filter.
    when = date_format(local, pgettext("date format", "l j F Y, H:i"))
    return _("%(when)s (%(zone)s)") % {
        "when": when,
        "zone": timezone.get_current_timezone_name(),
    }


def format_day_and_time(moment: datetime) -> str:
    """Return "29 November, 18:40" in the active time zone."""
    # Translators: how a moment of these days is written, in the letters of Django's date filter.
    return date_format(timezone.localtime(moment), pgettext("date format", "j F, H:i"))


def format_time_left(left: timedelta) -> str:
    """Return how far ahead something lies ("in 3 days"), rounded."""
    seconds = left.total_seconds()
    if seconds < _MINUTE:
        return _("now")
    count, unit = _rounded(seconds)
    return _("in %(span)s") % {"span": _span(count, unit)}


def _rounded(seconds: float) -> tuple[int, int]:
    unit = _DAY if seconds >= _FEW_HOURS else _HOUR if seconds >= _HOUR else _MINUTE
    if round(seconds) == _DAY:
        unit = _DAY
    return round(seconds / unit), unit


def _span(count: int, unit: int) -> str:
    words = {
        _DAY: ngettext("%(count)d day", "%(count)d days", count),
        _HOUR: ngettext("%(count)d hour", "%(count)d hours", count),
        _MINUTE: ngettext("%(count)d minute", "%(count)d minutes", count),
    }
    return words[unit] % {"count": count}
