"""What mail a user wants, and when their digest comes."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction

from accounts.models import User
from notifications.kinds.base import MailKind, all_kinds
from notifications.models import (
    DAILY,
    Cadence,
    DigestSchedule,
    Kind,
    MailPreference,
    PuzzleSubscription,
)
from notifications.services import shared_reads


def optional_kinds() -> list[MailKind]:
    """Return the kinds whose cadence a user chooses.

    Whether there is a digest is a choice of its own (`DigestSchedule`).
    """
    return [kind for kind in all_kinds() if kind.cadences]


def cadence_of(user: User, kind: str) -> str:
    """Return when this user wants mail of a kind."""
    reads = shared_reads.of_reader(user)
    if reads is not None:
        return reads.wishes.cadence_of(user, kind)
    chosen = MailPreference.objects.filter(user=user, kind=kind).values_list("cadence", flat=True)
    return chosen.first() or Cadence.AT_ONCE


def cadences_of(user: User) -> dict[Kind, str]:
    """Return when this user wants mail of each optional kind."""
    chosen = MailPreference.objects.filter(user=user).values_list("kind", "cadence")
    optional = [kind.kind for kind in optional_kinds()]
    return dict.fromkeys(optional, Cadence.AT_ONCE.value) | {
        Kind(kind): cadence for kind, cadence in chosen if kind in optional
    }


def kinds_at(user: User, cadence: Cadence) -> list[str]:
    """Return the optional kinds for which this user has chosen this cadence."""
    optional = [kind.kind for kind in optional_kinds()]
    chosen = MailPreference.objects.filter(user=user, cadence=cadence, kind__in=optional)
    return list(chosen.values_list("kind", flat=True))


@transaction.atomic
def set_cadence(*, user: User, kind: Kind, cadence: Cadence) -> None:
    """Set when this user wants mail of a kind.

    Without a digest, the kinds that came with it are switched off too: a user who stops the digest
    does not want other mail instead.
    """
    if kind == Kind.DIGEST and cadence == Cadence.OFF:
        schedules = DigestSchedule.objects.filter(user=user)
        schedules.update(digest_every=None, digest_due_at=None)
        kept = MailPreference.objects.filter(user=user, cadence=Cadence.DIGEST)
        kept.update(cadence=Cadence.OFF)
    if kind == Kind.PUZZLE and cadence == Cadence.OFF:
        PuzzleSubscription.objects.filter(user=user).delete()
    MailPreference.objects.update_or_create(user=user, kind=kind, defaults={"cadence": cadence})


def switch_off_optional_mail(*, user: User) -> None:
    """Switch off every mail that is not needed to play ("quiet")."""
    for kind in optional_kinds():
        if not kind.is_needed_to_play:
            set_cadence(user=user, kind=kind.kind, cadence=Cadence.OFF)
    if gets_puzzles(user):
        set_cadence(user=user, kind=Kind.PUZZLE, cadence=Cadence.OFF)


def switch_on_all_mail(*, user: User) -> None:
    """Let every mail come at once ("loud")."""
    for kind in optional_kinds():
        set_cadence(user=user, kind=kind.kind, cadence=Cadence.AT_ONCE)


# The digest ------------------------------------------------------------------------------------


def digest_schedule_of(user: User) -> DigestSchedule:
    """Return a user's schedule; an unsaved one with the defaults if they have chosen none."""
    reads = shared_reads.of_reader(user)
    if reads is not None:
        return reads.wishes.schedule_of(user)
    return DigestSchedule.objects.filter(user=user).first() or DigestSchedule(user=user)


def save_digest_schedule(
    *,
    user: User,
    later_hours: int,
    digest_every: int | None,
    digest_hour: int,
    now: datetime,
) -> DigestSchedule:
    """Save a user's schedule. If the digest's hours are unchanged, the next one stays due."""
    schedule, _ = DigestSchedule.objects.get_or_create(user=user)
    before = (schedule.digest_every, schedule.digest_hour)
    schedule.later_hours = later_hours
    schedule.digest_every, schedule.digest_hour = digest_every, digest_hour
    if before[1] != digest_hour:
        due = next_daily(digest_hour, user.zone, now)
        PuzzleSubscription.objects.filter(user=user).update(due_at=due)
    if before != (digest_every, digest_hour):
        schedule.digest_due_at = None
        schedule.digest_due_at = next_digest_at(schedule, now)
    schedule.save()
    return schedule


def next_digest_at(schedule: DigestSchedule, now: datetime) -> datetime | None:
    """Return when the next digest is due after `now`; None: there is none.

    One that was missed while the service was down comes once, late, not several times.
    """
    if schedule.digest_every is None:
        return None
    if schedule.digest_every == DAILY:
        return next_daily(schedule.digest_hour, schedule.user.zone, now)
    return next_after_hours(schedule.digest_every, schedule.digest_due_at or now, now)


def next_daily(hour: int, zone: ZoneInfo, after: datetime) -> datetime:
    """Return the first instant after `after` at which clocks in `zone` show `hour`, in UTC.

    Once for every calendar day there: an hour that comes twice counts the first time, one that is
    left out counts when the clocks have been put forward.
    """

    def on(day: date) -> datetime:
        return datetime.combine(day, time(hour), tzinfo=zone).astimezone(UTC)

    day = after.astimezone(zone).date()
    while on(day) <= after:
        day += timedelta(days=1)
    return on(day)


def next_after_hours(hours: int, due: datetime, now: datetime) -> datetime:
    """Return the first instant after `now` that is a multiple of `hours` after `due`."""
    step = timedelta(hours=hours)
    return due + step * ((now - due) // step + 1)


# The puzzle of the day -------------------------------------------------------------------------


def gets_puzzles(user: User) -> bool:
    """Return whether this user has the puzzle of the day sent."""
    return PuzzleSubscription.objects.filter(user=user).exists()


@transaction.atomic
def subscribe_to_puzzles(*, user: User, now: datetime) -> None:
    """Send the user the puzzle of each day, from their digest's next hour on.

    Nothing changes for who has it sent already.
    """
    due = next_daily(digest_schedule_of(user).digest_hour, user.zone, now)
    PuzzleSubscription.objects.get_or_create(user=user, defaults={"due_at": due})
    set_cadence(user=user, kind=Kind.PUZZLE, cadence=Cadence.AT_ONCE)
