"""The queue of a teacher: judges turns of games that are over, and of lessons as they go.

`Game.judge_due_at` is the queue, as `Game.bot_due_at` is that of turns (`thinking.py`).
"""

import logging
import time
from datetime import datetime, timedelta

from django.db import transaction

from games.models import Game, Judgement
from games.queries.lessons import may_be_judged
from games.rules.entries import positions, taken_back_to, withdrawn_seat
from games.rules.programs import TurnOpinion
from games.rules.registry import program_for
from games.services.locking import free_game
from games.services.site_status import is_closed
from games.services.thinking import PAUSE_AFTER_FAULT, long_thought, stopping
from games.services.thinking_time import charge, has_time_left, next_day, people_of

log = logging.getLogger(__name__)

BATCH = 20
CLAIM = timedelta(minutes=5)
SECONDS_A_ROUND = 20.0
"""After so many seconds the programs, which somebody waits for, come first again."""


def judge_due(*, now: datetime) -> int:
    """Judge turns that are due, for some seconds; return how many were judged.

    Does nothing during maintenance, and while another thread of this process thinks for long.
    """
    if is_closed() or not long_thought.acquire(blocking=False):
        return 0
    try:
        due = Game.objects.filter(judge_due_at__lte=now).order_by("judge_due_at")
        due = due.select_related("judge_asked_by__owner")
        done, until = 0, time.monotonic() + SECONDS_A_ROUND
        for game in due.with_players()[:BATCH]:
            if time.monotonic() < until and not stopping.is_set():
                done += judge_game(game, until=until, now=now)
        return done
    finally:
        long_thought.release()


def judge_game(seen: Game, *, until: float, now: datetime) -> int:
    """Claim a game and judge its turns, until time.monotonic() is `until`; return how many."""
    if not may_be_judged(seen):
        _take(seen, None)
        return 0
    asker = seen.judge_asked_by
    people = people_of(seen) if asker is None else [asker.owner or asker]
    if not has_time_left(people, now=now):
        _take(seen, next_day(now))
        return 0
    claimed = now + CLAIM
    if not _take(seen, claimed):
        return 0
    done, used = 0, time.thread_time()
    again: datetime | None = None
    try:
        entries = list(seen.turns.order_by("number").values_list("notation", flat=True))
        reached = positions(seen.rules, seen.options, entries)
        for number in range(seen.judged_turns + 1, len(entries) + 1):
            if stopping.is_set() or time.monotonic() > until:
                again = now
                break
            opinion = _judge(seen, entries[number - 1], reached[number - 1])
            if stopping.is_set():  # it may have been cut off
                again = now
                break
            if not _store(seen, number, opinion):
                return done
            done += 1
    except Exception:
        log.exception("the turns of game %s cannot be judged", seen.pk)
        again = now + PAUSE_AFTER_FAULT
    finally:
        charge(people, time.thread_time() - used, now=now)
    mine = Game.objects.filter(pk=seen.pk, judge_due_at=claimed)
    if again is None:
        mine.update(judge_due_at=None, judge_asked_by=None)
    else:
        mine.update(judge_due_at=again)
    return done


@transaction.atomic
def _take(seen: Game, until: datetime | None) -> bool:
    """Move the moment at which a game's turns are due.

    Returns False if another process has done so, or has locked the game.
    """
    game = free_game(seen.pk)
    if game is None or game.judge_due_at != seen.judge_due_at:
        return False
    game.judge_due_at = until
    if until is None:
        game.judge_asked_by = None
    game.save(update_fields=["judge_due_at", "judge_asked_by"])
    return True


def _judge(seen: Game, entry: str, before: object) -> TurnOpinion | None:
    """Return what the program says of an entry; nothing of withdrawals and takebacks."""
    if withdrawn_seat(entry) is not None or taken_back_to(entry) is not None:
        return None
    actions = seen.rules.parse_turn(before, entry)
    return program_for(seen.rules_slug).judge_turn(before, actions, stopping.is_set)


@transaction.atomic
def _store(seen: Game, number: int, opinion: TurnOpinion | None) -> bool:
    """Store the opinion on an entry; return False if another process has done so.

    A new turn of a lesson makes the game due at once: then it is claimed anew, and its judgements
    go on from the last one that was stored.
    """
    mine = Game.objects.filter(pk=seen.pk, judged_turns=number - 1)
    if not mine.update(judged_turns=number):
        return False
    if opinion is not None:
        Judgement.objects.create(game_id=seen.pk, number=number, **_columns(opinion))
    return True


def _columns(opinion: TurnOpinion) -> dict[str, object]:
    before, after = opinion.before, opinion.after
    return {
        "kept": opinion.kept,
        "best": opinion.best,
        "holding": opinion.holding,
        "choices": opinion.choices,
        "is_exact": before.is_exact and after.is_exact,
        "value_before": before.value,
        "value_after": after.value,
        "distance_before": before.distance,
        "distance_after": after.distance,
        "depth": before.depth if before.depth is not None else after.depth,
    }
