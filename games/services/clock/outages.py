"""Recording when this service was down: no clock runs then.

Everything that counts time reads these rows (games.services.clock.game_clock), so an outage counts
from the moment it is recorded. The games' deadlines are recomputed once, afterwards.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models.functions import Now

from accounts.server_time import MOST_SKEW
from games.clock.spans import NOTHING
from games.models import Game, Heartbeat, Outage
from games.models.game import CLOCK_COLUMNS
from games.models.outage import LONGEST_SILENCE
from games.services.clock.game_clock import current_availability
from games.services.locking import free_game

log = logging.getLogger(__name__)

BATCH = 200
"""How many games one run recomputes."""

ONLY = Heartbeat.Of.PERIODIC_TASKS
"""The key of the heartbeat of the periodic tasks."""

BEAT_AGAIN = timedelta(seconds=30)
"""Each task of the clocks writes a heartbeat that is older than this, so that a task of a minute is
not taken for an outage."""

AFTER_START = timedelta(minutes=5)
"""How long after an outage of the whole service nobody loses on time."""


def record_heartbeat(*, now: datetime) -> int:
    """Write that this service is up; return how many outages this call recorded (none or one).

    Any number of processes may do so at once: a gap is recorded by the one that closes it.
    """
    beat, is_new = Heartbeat.objects.get_or_create(pk=ONLY, defaults={"at": now})
    if beat.at - now > MOST_SKEW:
        # A process with a wrong clock may have written it, if the database's clock agrees that it
        # is in the future. Left there, it would hide every outage until then.
        future = Heartbeat.objects.filter(pk=ONLY, at__gt=Now() + MOST_SKEW)
        if future.update(at=now):
            log.error("the heartbeat was in the future: it is set to %s", now)
            return 0
    if is_new or now <= beat.at:
        return 0
    return _move_heartbeat(beat.at, now, longest=LONGEST_SILENCE)


def record_start(*, now: datetime) -> int:
    """Write that the periodic tasks start; return how many outages this call recorded.

    If somebody's time ran out since the last heartbeat, or does in the first minutes, the gap is
    an outage however short: nobody loses by a restart.
    """
    last = _last_heartbeat()
    if last is None or now <= last:
        return 0
    near = Game.objects.filter(deadline__gt=last, deadline__lte=now + AFTER_START)
    return _move_heartbeat(last, now, longest=NOTHING if near.exists() else LONGEST_SILENCE)


def record_gap(*, now: datetime) -> None:
    """Record the outage that ends now, if one does: called before any deadline is checked."""
    last = _last_heartbeat()
    if last is not None and now - last > BEAT_AGAIN:
        _move_heartbeat(last, now, longest=LONGEST_SILENCE)


def _last_heartbeat() -> datetime | None:
    return Heartbeat.objects.filter(pk=ONLY).values_list("at", flat=True).first()


def has_just_started(*, now: datetime) -> bool:
    """Tell whether the service was down until a few minutes ago."""
    started = Outage.objects.filter(kind=Outage.Kind.GAP, ended_at__lte=now)
    return started.filter(ended_at__gt=now - AFTER_START).exists()


@transaction.atomic
def _move_heartbeat(last: datetime, now: datetime, *, longest: timedelta) -> int:
    """Move the heartbeat from `last` to now; return 1 if that is a gap longer than `longest`.

    Such a gap is recorded as an outage.
    """
    if not Heartbeat.objects.filter(pk=ONLY, at=last).update(at=now):
        return 0  # another process was first
    if now - last <= longest:
        return 0
    Outage.objects.create(kind=Outage.Kind.GAP, began_at=last, ended_at=now, noted_at=now)
    return 1


def recount_after_outage(*, now: datetime) -> int:
    """Recompute a batch of the deadlines that an ended outage moves; return how many.

    How far it has come is kept with the outage, so any process can continue where another was
    killed. Doing a batch twice does no harm: a deadline depends on nothing but rows. A batch ends
    before a game that is locked; a game that cannot be recomputed is logged and skipped.
    """
    record_gap(now=now)
    ended = Outage.objects.filter(ended_at__isnull=False, counted_up_to__isnull=False)
    outage = ended.order_by("pk").first()
    if outage is None:
        return 0
    running = Game.objects.filter(pk__gt=outage.counted_up_to or 0, deadline__isnull=False)
    ids = list(running.order_by("pk").values_list("pk", flat=True)[:BATCH])
    # Compared, so that of two processes only one moves the mark.
    same = Outage.objects.filter(pk=outage.pk, counted_up_to=outage.counted_up_to)
    if not ids:
        same.update(counted_up_to=None)
        return 1  # the next run may find another outage
    reached = outage.counted_up_to
    done = 0
    for game_id in ids:
        try:
            with transaction.atomic():
                game = free_game(game_id)
                if game is None and Game.objects.filter(pk=game_id).exists():
                    break  # locked
                if game is not None and game.deadline is not None:
                    recompute_after_outage(game, outage, now=now)
        except Exception:
            log.exception("game %s cannot be recomputed after an outage", game_id)
        reached = game_id
        done += 1
    same.update(counted_up_to=reached)
    return done


def apply_outages(game: Game, *, now: datetime) -> None:
    """Recompute a locked running game if an ended outage has not been applied to it yet."""
    waiting = Outage.objects.filter(ended_at__isnull=False, counted_up_to__lt=game.pk)
    outage = waiting.order_by("began_at").first()
    if outage is not None:
        recompute_after_outage(game, outage, now=now)


def recompute_after_outage(game: Game, outage: Outage, *, now: datetime) -> None:
    """Recompute and save the clock of a locked running game after an outage."""
    availability = current_availability(game, now)
    game.set_clock(game.clock.after_outage(outage.began_at, availability, now=now))
    game.save(update_fields=CLOCK_COLUMNS)
