"""When a season begins, when it ends at the latest, and how a game is decided on its final day."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from games.clock.time_control import PaceKind, TimeControl

BREAK = timedelta(days=3)
"""From a season's final day until the next season begins."""

JOINING = timedelta(days=7)
"""How long one can join the first season of a league at least."""

LAST_DAYS = timedelta(days=5)
"""How long before the final day players are told that it comes."""

SLOW = 0.6
"""On the final day, a player who has used more than this share of the thinking time loses."""

MONTHS = 12


def month_after(moment: datetime, months: int = 1) -> datetime:
    """Return the beginning (UTC) of the month that is so many months after that of `moment`."""
    moment = moment.astimezone(UTC)
    count = moment.year * MONTHS + moment.month - 1 + months
    return datetime(count // MONTHS, count % MONTHS + 1, 1, tzinfo=UTC)


def first_start(now: datetime) -> datetime:
    """Return when the first season of a league that is opened now begins."""
    start = month_after(now)
    return start if start - now >= JOINING else month_after(now, 2)


def final_day(starts_at: datetime, months: int) -> datetime:
    """Return the final day of a season that lasts so many months."""
    return month_after(starts_at, months) - BREAK


def last_possible_day(
    starts_at: datetime,
    final_at: datetime,
    pace: TimeControl,
    stretch: int | None,
    *,
    seats: int = 2,
) -> datetime:
    """Return when all games of a season are over at the latest: no later than its final day.

    The clocks alone say so where each of the `seats` has one time for the whole game: `stretch` is
    how many times it can last as long with days off, None where vacations count too.
    """
    if pace.kind != PaceKind.TOTAL or stretch is None:
        return final_at
    return min(final_at, starts_at + seats * stretch * pace.bank)


def slower_side(used: Mapping[int, timedelta]) -> int | None:
    """Return the side that loses a game which still runs on the final day; None: it is drawn.

    `used` is how long each of two sides has thought, partners together. Who took more than three
    fifths of it loses.
    """
    total = sum(used.values(), timedelta())
    return next((side for side, time in used.items() if time > SLOW * total), None)
