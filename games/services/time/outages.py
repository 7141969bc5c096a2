"""Noting when this service was down or closed: nobody's time ran then.

Whatever counts time reads these rows (games.services.time.away), so that an outage counts from the
moment it is noted; the deadlines that stand in the games are computed anew afterwards, once.
"""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from accounts.models import User
from games.models import Game, Heartbeat, Outage
from games.services import bell, log
from games.services.errors.house import BadOutage, ClosedAlready, NotAHost, NotClosed
from games.services.house import forget
from games.services.locking import locked_game
from games.services.maintenance import standing_maintenance
from games.services.moderation.names import HostDeed
from games.services.sweeping import sweep
from games.services.time.away import SIGN_OF_LIFE
from games.services.time.timing import CLOCK_FIELDS, count, mover

BATCH = 200
"""How many games one round counts anew."""

LONGEST_DECLARED = timedelta(days=30)
"""A declared outage that is longer is a slip of the pen."""

LONGEST_NOTE = 200
"""Characters."""

ONLY = 1
"""The key of the one heartbeat."""


def beat_heart(*, now: datetime) -> int:
    """Give a sign of life; return how many outages this call noted (none or one).

    Any number of processes may do so at once: a gap is noted by the one that closes it.
    """
    beat, new = Heartbeat.objects.get_or_create(pk=ONLY, defaults={"at": now})
    if new or now <= beat.at:
        return 0
    return _beat_on(beat.at, now)


def note_gap(*, now: datetime) -> None:
    """Note the outage that ends now, if one does: called before anybody's time is looked at."""
    last = Heartbeat.objects.values_list("at", flat=True).first()
    if last is not None and now - last > SIGN_OF_LIFE:
        _beat_on(last, now)


@transaction.atomic
def _beat_on(last: datetime, now: datetime) -> int:
    """Move the heartbeat from `last` to now, and note the gap if that was long ago."""
    if not Heartbeat.objects.filter(pk=ONLY, at=last).update(at=now):
        return 0  # another process has given the sign
    if now - last <= SIGN_OF_LIFE:
        return 0
    Outage.objects.create(kind=Outage.Kind.GAP, began_at=last, ended_at=now, noted_at=now)
    return 1


@transaction.atomic
def declare(
    *, began_at: datetime, ended_at: datetime, note: str, by: User, why: str, now: datetime
) -> Outage:
    """Note an outage of the past that nothing here noticed (the mail was down, say).

    Everybody reads the note in the ledger, moderators read in the log why it was declared.
    Raises NotAHost, NoReason, BadOutage.
    """
    check_host(by)
    if not began_at < ended_at <= now or ended_at - began_at > LONGEST_DECLARED:
        raise BadOutage(most=LONGEST_DECLARED.days)
    outage = Outage.objects.create(
        kind=Outage.Kind.DECLARED,
        began_at=began_at,
        ended_at=ended_at,
        noted_at=now,
        note=_checked(note),
        by=by,
    )
    _log(HostDeed.DECLARE_OUTAGE, outage, by, why, now)
    return outage


@transaction.atomic
def begin_maintenance(*, note: str, by: User, why: str, now: datetime) -> Outage:
    """Close the house: reading works, writing is refused with the note, and all clocks stand.

    Raises NotAHost, NoReason, BadOutage, ClosedAlready.
    """
    check_host(by)
    words = _checked(note)
    kind = Outage.Kind.MAINTENANCE
    try:
        with transaction.atomic():
            outage = Outage.objects.create(
                kind=kind, began_at=now, ended_at=None, noted_at=now, note=words, by=by
            )
    except IntegrityError:
        raise ClosedAlready from None
    _log(HostDeed.CLOSE_HOUSE, outage, by, why, now)
    forget()
    return outage


@transaction.atomic
def end_maintenance(*, by: User, why: str, now: datetime) -> Outage:
    """Open the house again; what was left of everybody's time is left.

    A moment that took no time at all leaves no entry in the ledger. Raises NotAHost, NoReason,
    NotClosed.
    """
    check_host(by)
    outage = standing_maintenance()
    if outage is None:
        raise NotClosed
    lasting = Outage.objects.filter(pk=outage.pk, ended_at=None)
    if now <= outage.began_at:
        lasting.delete()
    elif not lasting.update(ended_at=now):
        raise NotClosed  # another host was first
    outage.ended_at = now
    _log(HostDeed.OPEN_HOUSE, outage, by, why, now)
    forget()
    bell.ring("mails")
    return outage


def check_host(by: User) -> None:
    """Raise NotAHost unless somebody may close the house and open it."""
    if not by.has_perm("games.add_outage"):
        raise NotAHost


def _log(deed: HostDeed, outage: Outage, by: User, why: str, now: datetime) -> None:
    ended = outage.ended_at.isoformat() if outage.ended_at else ""
    details: dict[str, object] = {
        "outage": outage.pk,
        "began": outage.began_at.isoformat(),
        "ended": ended,
        "note": outage.note,
    }
    log.write(by=by, what=deed.value, why=why, now=now, details=details)


def _checked(note: str) -> str:
    words = " ".join(note.split())
    if len(words) > LONGEST_NOTE or not words.isprintable():
        raise BadOutage(most=LONGEST_DECLARED.days)
    return words


def recount_after_outage(*, now: datetime) -> int:
    """Compute the deadlines that an ended outage moves anew, a batch; return how many games.

    How far it has come is kept with the outage, so that any process can go on where another was
    killed. Doing a batch twice does no harm: a deadline depends on nothing but rows.
    """
    ended = Outage.objects.filter(ended_at__isnull=False, counted_up_to__isnull=False)
    outage = ended.order_by("pk").first()
    return _recount_batch(outage, now) if outage else 0


def _recount_batch(outage: Outage, now: datetime) -> int:
    running = Game.objects.filter(pk__gt=outage.counted_up_to or 0, deadline__isnull=False)
    ids = list(running.order_by("pk").values_list("pk", flat=True)[:BATCH])
    sweep(ids, lambda game_id: _recount(game_id, outage, now))
    same = Outage.objects.filter(pk=outage.pk, counted_up_to=outage.counted_up_to)
    same.update(counted_up_to=ids[-1] if ids else None)
    return len(ids) or 1  # the next round may find another outage


@transaction.atomic
def _recount(game_id: int, outage: Outage, now: datetime) -> bool:
    game = locked_game(game_id)
    if game.deadline is None:
        return False
    _count_after(game, outage, now)
    return True


def catch_up(game: Game, *, now: datetime) -> None:
    """Count a locked running game anew if an ended outage waits for that."""
    waiting = Outage.objects.filter(ended_at__isnull=False, counted_up_to__lt=game.pk)
    outage = waiting.order_by("began_at").first()
    if outage is not None:
        _count_after(game, outage, now)


def _count_after(game: Game, outage: Outage, now: datetime) -> None:
    """Count anew; a reminder that was due before the outage began is still due."""
    due, player = game.reminder_at, mover(game)
    count(game, player=player, now=now)
    if due is not None and due <= now and player is not None:
        # One that waited for a night to end is rather sent early than never.
        keep = due <= outage.began_at or not player.reminders_at_night
        game.reminder_at = due if keep else game.reminder_at
    game.save(update_fields=CLOCK_FIELDS)
