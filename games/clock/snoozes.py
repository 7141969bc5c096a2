"""How long a turn can be snoozed: out of the player's way, but never for longer than is safe."""

from datetime import datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

LITTLE_TIME = timedelta(days=1)
"""With less time for their turn a player is warned, and a snooze is ignored."""

LATER = timedelta(hours=4)
MORNING = time(9)


class Snooze(StrEnum):
    """What a player can choose: some hours, or until the next morning."""

    LATER = "later"
    TOMORROW = "tomorrow"


def snooze_ends(
    deadline: datetime | None, reminder_at: datetime | None, zone: ZoneInfo, *, now: datetime
) -> dict[Snooze, datetime]:
    """Return when each snooze that can be chosen now ends, in the player's time zone `zone`.

    It ends at the next reminder, and LITTLE_TIME before the deadline, if that is earlier: none can
    be chosen if that is already so, and not LATER if that is not before midnight.
    """
    local = now.astimezone(zone)
    later = (local + LATER).replace(minute=0, second=0, microsecond=0)
    morning = datetime.combine(local.date() + timedelta(days=1), MORNING, zone)
    ends = {Snooze.LATER: later} if later.date() == local.date() else {}
    ends[Snooze.TOMORROW] = morning
    limits = [reminder_at] if reminder_at is not None else []
    if deadline is not None:
        limits.append(deadline - LITTLE_TIME)
    earliest = {choice: min(end, *limits) if limits else end for choice, end in ends.items()}
    return {choice: end for choice, end in earliest.items() if end > now}


def is_urgent(deadline: datetime | None, now: datetime) -> bool:
    """Return whether so little time is left for a turn that its player is warned."""
    return deadline is not None and deadline - now < LITTLE_TIME


def active_snooze(
    snoozed_until: datetime | None, deadline: datetime | None, *, now: datetime
) -> datetime | None:
    """Return until when a turn is snoozed, None if it is not.

    A deadline that has come closer since then ends a snooze too.
    """
    if snoozed_until is None or snoozed_until <= now:
        return None
    return None if is_urgent(deadline, now) else snoozed_until


def snooze_words(until: datetime, now: datetime) -> str:
    """Return when a snooze ends, in the active time zone: "18:00", "tomorrow, 09:00"."""
    local = timezone.localtime(until)
    words = f"{local:%H:%M}"
    is_today = local.date() == timezone.localtime(now).date()
    return words if is_today else _("tomorrow, %(time)s") % {"time": words}
