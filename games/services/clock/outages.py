"""Noting when this service was down or closed: nobody's time ran then.

Everything that counts time reads these rows (games.services.clock.time_off), so an outage counts
from the moment it is noted. The games' deadlines are recomputed once, afterwards.
"""

import logging
from datetime import datetime

from django.db import transaction
from django.db.models.functions import Now

from accounts.server_time import MOST_SKEW
from games.models import Game, Heartbeat, Outage
from games.services.clock.game_clock import CLOCK_FIELDS, mover, recompute_deadline
from games.services.clock.time_off import SIGN_OF_LIFE
from games.services.locking import free_game

logger = logging.getLogger(__name__)

BATCH = 200
"""How many games one round counts anew."""

ONLY = 1
"""The key of the one heartbeat."""


def record_heartbeat(*, now: datetime) -> int:
    """Give a sign of life; return how many outages this call noted (none or one).

    Any number of processes may do so at once: a gap is noted by the one that closes it.
    """
    beat, new = Heartbeat.objects.get_or_create(pk=ONLY, defaults={"at": now})
    if beat.at - now > MOST_SKEW and _take_back_future(now):
        return 0
    if new or now <= beat.at:
        return 0
    return _beat_on(beat.at, now)


def _take_back_future(now: datetime) -> bool:
    """Set a heartbeat that the database's own clock calls future to now; tell whether it was.

    A process with a wrong clock has written it. Left there, it would hide every outage until then.
    """
    future = Heartbeat.objects.filter(pk=ONLY, at__gt=Now() + MOST_SKEW)
    if not future.update(at=now):
        return False
    logger.error("the heartbeat was in the future: it is set to %s", now)
    return True


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


def recount_after_outage(*, now: datetime) -> int:
    """Compute the deadlines that an ended outage moves anew, a batch; return how many games.

    How far it has come is kept with the outage, so that any process can go on where another was
    killed. Doing a batch twice does no harm: a deadline depends on nothing but rows.
    """
    ended = Outage.objects.filter(ended_at__isnull=False, counted_up_to__isnull=False)
    outage = ended.order_by("pk").first()
    return _recount_batch(outage, now) if outage else 0


def _recount_batch(outage: Outage, now: datetime) -> int:
    """Recompute the deadlines of the next games; stop before one that is locked.

    A game that cannot be recomputed at all is logged and passed over.
    """
    running = Game.objects.filter(pk__gt=outage.counted_up_to or 0, deadline__isnull=False)
    ids = list(running.order_by("pk").values_list("pk", flat=True)[:BATCH])
    same = Outage.objects.filter(pk=outage.pk, counted_up_to=outage.counted_up_to)
    if not ids:
        same.update(counted_up_to=None)
        return 1  # the next round may find another outage
    reached = outage.counted_up_to
    done = 0
    for game_id in ids:
        try:
            if not _recount(game_id, outage, now):
                break
        except Exception:
            logger.exception("game %s cannot be recomputed after an outage", game_id)
        reached = game_id
        done += 1
    same.update(counted_up_to=reached)
    return done


@transaction.atomic
def _recount(game_id: int, outage: Outage, now: datetime) -> bool:
    """Recompute the deadline of a game; return False when somebody else has it locked."""
    game = free_game(game_id)
    if game is None:
        # Locked, or deleted meanwhile.
        return not Game.objects.filter(pk=game_id).exists()
    if game.deadline is not None:
        _count_after(game, outage, now)
    return True


def apply_outages(game: Game, *, now: datetime) -> None:
    """Count a locked running game anew if an ended outage waits for that."""
    waiting = Outage.objects.filter(ended_at__isnull=False, counted_up_to__lt=game.pk)
    outage = waiting.order_by("began_at").first()
    if outage is not None:
        _count_after(game, outage, now)


def _count_after(game: Game, outage: Outage, now: datetime) -> None:
    """Count anew; a reminder that was due before the outage began is still due."""
    due, player = game.reminder_at, mover(game)
    recompute_deadline(game, player=player, now=now)
    if due is not None and due <= now and player is not None:
        # One that waited for a night to end is rather sent early than never.
        keep = due <= outage.began_at or not player.reminders_at_night
        game.reminder_at = due if keep else game.reminder_at
    game.save(update_fields=CLOCK_FIELDS)
