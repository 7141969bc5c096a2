"""The longest that one turn can last: what a table promises before anybody sits down."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache

from games.clock.clock import MOST_STRETCH
from games.clock.spans import instant_after, merge_spans
from games.clock.weekly_schedule import WeeklySchedule


@lru_cache(maxsize=4096)
def longest_turn(time: timedelta, schedule: WeeklySchedule, year: int) -> timedelta:
    """Return how long a turn of so much time lasts at most if it begins in a year (UTC).

    Vacations, outages and what players agree on come on top. A turn lasts longest if it begins
    together with a day off or quiet hours, so only these beginnings are tried: all of the year,
    because an hour more or less counts when the clocks are changed.
    """
    if schedule.is_empty:
        return time
    longest, most = time, MOST_STRETCH * time
    end = datetime(year + 1, 1, 1, tzinfo=UTC)
    for span in merge_spans(schedule.spans(datetime(year, 1, 1, tzinfo=UTC))):
        if span.start >= end or longest >= most:
            break
        deadline = instant_after(span.start, time, merge_spans(schedule.spans(span.start)))
        longest = max(longest, min(deadline - span.start, most))
    return longest
