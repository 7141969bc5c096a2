"""The forms of the page "Your time"."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.clock.reminders import HOURS, MOST_MARKS, QUARTER
from games.clock.weekly_schedule import MOST_DAYS_OFF

EARLIEST, LATEST = date(1970, 1, 2), date(9998, 12, 30)
"""Days with which every zone can compute; the services refuse days as far away as these."""


class WeekForm(forms.Form):
    days_off = forms.TypedMultipleChoiceField(
        label=_("Days off"),
        coerce=int,
        choices=list(WEEKDAYS.items()),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_(
            "Up to three days of the week on which your clock does not run, from midnight to "
            "midnight."
        ),
    )
    quiet_from = forms.TimeField(
        label=_("Quiet hours from"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )
    quiet_until = forms.TimeField(
        label=_("until"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )
    most_days_off = MOST_DAYS_OFF


def week_of(person: User) -> dict[str, object]:
    """Return a user's week as the initial values of `WeekForm`."""
    return {
        "days_off": person.days_off,
        "quiet_from": person.quiet_from,
        "quiet_until": person.quiet_until,
    }


def reminder_choices() -> list[tuple[str, str]]:
    """Return the reminders with their words in the active language."""
    hours = []
    for count in HOURS:
        words = ngettext("%(count)d hour before", "%(count)d hours before", count)
        hours.append((f"{count}h", words % {"count": count}))
    return [(QUARTER, gettext("when a quarter of the time is left")), *hours]


class RemindersForm(forms.Form):
    marks = forms.MultipleChoiceField(
        label=_("Remind me"),
        choices=reminder_choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_(
            "Up to five, each sent once; when a deadline moves they move with it. Those that would "
            "come soon after one another are one mail."
        ),
    )
    at_night = forms.BooleanField(
        label=_("Also at night"),
        required=False,
        help_text=_(
            "Otherwise a reminder that would come in your quiet hours (or from 22 to 8 if you have "
            "none) comes shortly before them, or as they end."
        ),
    )
    most_marks = MOST_MARKS


class AutomaticForm(forms.Form):
    automatic = forms.BooleanField(
        label=_("Begin a vacation instead of losing on time"),
        required=False,
        help_text=_(
            "When your time in a game would run out, a vacation of up to seven days begins "
            "automatically, as long as days are left. Another one begins only if you came by in "
            "between. We tell you by mail. New accounts begin with this."
        ),
    )


class VacationForm(forms.Form):
    first = forms.DateField(
        label=_("First day"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text=_("Empty or today: at once."),
    )
    last = forms.DateField(
        label=_("Last day"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text=_("Your time runs again from the midnight after it."),
    )


def span_of(
    first: date | None, last: date, zone: ZoneInfo, now: datetime
) -> tuple[datetime, datetime]:
    """Return the start and end of a vacation: whole days of `zone`, or from `now` on."""
    today = now.astimezone(zone).date()
    begins_at = now if first in (None, today) else _midnight(first, zone)
    return begins_at, _midnight(min(last, LATEST) + timedelta(days=1), zone)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    sane = min(max(day, EARLIEST), LATEST)
    return datetime.combine(sane, time.min, tzinfo=zone).astimezone(UTC)
