"""Vacations as people write them: "10 days", "20 Dec to 3 Jan", "du 20 au 27 décembre"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

_MONTH_NAMES = (
    "jan january janv janvier",
    "feb february fev fevr fevrier",
    "mar march mars",
    "apr april avr avril",
    "may mai",
    "jun june juin",
    "jul july juil juillet",
    "aug august aout",
    "sep sept september septembre",
    "oct october octobre",
    "nov november novembre",
    "dec december decembre",
)
_MONTHS = {
    name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()
}
_DAYS = re.compile(
    r"\s*:?\s*(?:for |pendant |pour |de )?(\d{1,4})\s*"
    r"(?:(?:d|days?|j|jours?)|(?P<weeks>w|weeks?|semaines?))?"
)
_NUMBER = r"\d{1,2}(?:st|nd|rd|th|er)?"
_MONTH = rf"(?:{'|'.join(_MONTHS)})\.?"
_DAY = (
    rf"(?:\d{{4}}-\d{{1,2}}-\d{{1,2}}|{_NUMBER}(?: of| de)? ?{_MONTH}(?:,? \d{{4}})?"
    rf"|{_MONTH} {_NUMBER}(?:,? \d{{4}})?|\d{{1,2}}[./]\d{{1,2}}(?:[./]\d{{4}}|[./]\d{{2}}|\.)?)"
)
_SPAN = re.compile(
    rf"\s*:?\s*(?:(?:from|du|between|entre|de)\s+)?(?:the |le )?(?P<first>{_DAY}|{_NUMBER})"
    rf"\s*(?:(?:,|to|until|till|through|and|au|jusqu'au|et|-+)\s*|(?<=\s))(?:the |le )?"
    rf"(?P<last>{_DAY})"
)
_UNTIL = re.compile(rf"\s*:?\s*(?:until|till|to|jusqu'au|au)\s+(?:the |le )?(?P<last>{_DAY})")
_WORDS = re.compile(r"\d+|[a-z]+")
_CENTURY = 100


class Day(NamedTuple):
    """A day of the calendar; `year` is None if it was not written."""

    day: int
    month: int
    year: int | None = None


@dataclass(frozen=True, slots=True)
class VacationCommand:
    """Take a vacation: so many days from now, or from the first day to the last, both included.

    Without a first day it begins today.
    """

    days: int | None = None
    first: Day | None = None
    last: Day | None = None

    def dates(self, today: date) -> tuple[date, date]:
        """Return the first and the last day; a year that was not written is the next that fits.

        Only for a vacation without a number of days. Raises ValueError if there is no such day, or
        if the last comes before the first.
        """
        assert self.last is not None  # noqa: S101  (a vacation has days or a last day)
        last_year = self.last.year
        if self.first is None:
            last = _next(self.last, today)
            return _ordered(today, last)
        if self.first.year is not None:
            first = date(self.first.year, self.first.month, self.first.day)
            return _ordered(first, _next(self.last, first))
        if last_year is not None:
            last = date(last_year, self.last.month, self.last.day)
            first = date(last_year, self.first.month, self.first.day)
            return (first if first <= last else first.replace(year=last_year - 1)), last
        first = date(today.year, self.first.month, self.first.day)
        last = _next(self.last, first)
        if last < today:
            first = first.replace(year=today.year + 1)
            last = _next(self.last, first)
        return first, last


def parse_vacation(text: str) -> VacationCommand | None:
    """Return the vacation that stands behind the word "vacation", folded; None if none does."""
    if days := _DAYS.fullmatch(text):
        count = int(days[1]) * (7 if days["weeks"] else 1)
        return VacationCommand(days=count) if count else None
    if until := _UNTIL.fullmatch(text):
        last = _parse_day(until["last"])
        return VacationCommand(last=last) if last else None
    span = _SPAN.fullmatch(text)
    last = _parse_day(span["last"]) if span else None
    if span is None or last is None:
        return None
    alone = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|er)?", span["first"])
    # "from 20 to 27 December"
    first = Day(int(alone[1]), last.month) if alone else _parse_day(span["first"])
    found = VacationCommand(first=first, last=last) if first else None
    try:
        # A leap year before them all: only what no year makes a day is refused here.
        return found if found and found.dates(date(2000, 1, 1)) else None
    except ValueError:
        return None


def _parse_day(text: str) -> Day | None:
    """Return a day; of two numbers the day comes first, unless only the second can be one."""
    words = _WORDS.findall(re.sub(r"(?<=\d)(?:st|nd|rd|th|er)\b", "", text))
    numbers = [int(word) for word in words if word.isdigit()]
    month = next((_MONTHS[word] for word in words if word in _MONTHS), None)
    year = None
    if month is not None:
        day, year = numbers[0], (numbers[1] if len(numbers) > 1 else None)
    elif re.match(r"\d{4}-", text):
        year, month, day = numbers
    else:
        day, month, *years = numbers
        if years:
            year = years[0] if years[0] >= _CENTURY else 2000 + years[0]
        if month > len(_MONTH_NAMES) >= day:
            day, month = month, day
    try:
        date(year or 2000, month, day)
    except ValueError:
        return None
    return Day(day, month, year)


def _next(day: Day, after: date) -> date:
    """Return the date of a day: in its own year, or the first that is not before another."""
    if day.year is not None:
        return date(day.year, day.month, day.day)
    found = date(after.year, day.month, day.day)
    return found if found >= after else found.replace(year=after.year + 1)


def _ordered(first: date, last: date) -> tuple[date, date]:
    if last < first:
        raise ValueError
    return first, last
