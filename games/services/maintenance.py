"""Closing the site for maintenance (reading works then, writing waits), and declaring outages."""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from accounts.models import User
from games import errors
from games.models import Outage
from games.services import log, wakeups
from games.services.moderation.action_names import SiteAction
from games.services.site_status import clear_site_status

LONGEST_DECLARED = timedelta(days=30)
"""A declared outage that is longer is a typing error."""

LONGEST_NOTE = 200
"""Characters."""


def is_closed() -> bool:
    """Tell whether the site is closed for maintenance."""
    return Outage.current_maintenance() is not None


def check_open() -> None:
    """Raise ClosedForMaintenance while the site is closed for maintenance."""
    maintenance = Outage.current_maintenance()
    if maintenance is not None:
        raise errors.ClosedForMaintenance(note=maintenance.note)


@transaction.atomic
def declare_outage(
    *, began_at: datetime, ended_at: datetime, note: str, by: User, why: str, now: datetime
) -> Outage:
    """Record an outage of the past that was not noticed here (mail was down, say).

    Everybody can read the note; moderators read in the log why it was declared.
    Raises NotAHost, NoReason, BadOutage.
    """
    check_is_administrator(by)
    if not began_at < ended_at <= now or ended_at - began_at > LONGEST_DECLARED:
        raise errors.BadOutage(most=LONGEST_DECLARED.days)
    outage = Outage.objects.create(
        kind=Outage.Kind.DECLARED,
        began_at=began_at,
        ended_at=ended_at,
        noted_at=now,
        note=_tidy_note(note),
        by=by,
    )
    _log_outage(SiteAction.DECLARE_OUTAGE, outage, by, why, now)
    return outage


@transaction.atomic
def begin_maintenance(*, note: str, by: User, why: str, now: datetime) -> Outage:
    """Close the site: reading works, writing is refused with the note, and no clock runs.

    Raises NotAHost, NoReason, BadOutage, ClosedAlready.
    """
    check_is_administrator(by)
    note = _tidy_note(note)
    kind = Outage.Kind.MAINTENANCE
    try:
        with transaction.atomic():
            outage = Outage.objects.create(
                kind=kind, began_at=now, ended_at=None, noted_at=now, note=note, by=by
            )
    except IntegrityError:
        raise errors.ClosedAlready from None
    _log_outage(SiteAction.CLOSE_HOUSE, outage, by, why, now)
    clear_site_status()
    return outage


@transaction.atomic
def end_maintenance(*, by: User, why: str, now: datetime) -> Outage:
    """Open the site again; every clock continues with the time that it had left.

    Maintenance that took no time at all leaves no row. Raises NotAHost, NoReason, NotClosed.
    """
    check_is_administrator(by)
    outage = Outage.current_maintenance()
    if outage is None:
        raise errors.NotClosed
    ongoing = Outage.objects.filter(pk=outage.pk, ended_at=None)
    if now <= outage.began_at:
        ongoing.delete()
    elif not ongoing.update(ended_at=now):
        raise errors.NotClosed  # another administrator was first
    outage.ended_at = now
    _log_outage(SiteAction.OPEN_HOUSE, outage, by, why, now)
    clear_site_status()
    wakeups.notify_workers("mails")
    return outage


def check_is_administrator(by: User) -> None:
    """Raise NotAHost unless a user may close and open the site."""
    if not by.has_perm("games.add_outage"):
        raise errors.NotAHost


def _tidy_note(note: str) -> str:
    """Return the note without needless spaces. Raises BadOutage."""
    note = " ".join(note.split())
    if len(note) > LONGEST_NOTE or not note.isprintable():
        raise errors.BadOutage(most=LONGEST_DECLARED.days)
    return note


def _log_outage(action: SiteAction, outage: Outage, by: User, why: str, now: datetime) -> None:
    """Write an entry of the moderation log. Raises NoReason."""
    details: dict[str, object] = {
        "outage": outage.pk,
        "began": outage.began_at.isoformat(),
        "ended": outage.ended_at.isoformat() if outage.ended_at else "",
        "note": outage.note,
    }
    log.write_entry(by=by, what=action.value, why=why, now=now, details=details)
