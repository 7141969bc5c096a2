"""What a ladder does by itself: challenges run out, results move players, and who is idle sinks.

Each step looks at the rows under the lock of the ladder and does what is not done: it can run at
any time, any number of times at once, and go on after a process that was killed.
"""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from games.clock.spans import instant_after, merge_spans, remaining_time
from games.competition.ladders import ANSWER_TIME, IDLE_TIME, MOST_SUNK, SINK_TIME
from games.models import Game, LadderChallenge, LadderPlace
from games.services.batches import BATCH, process_due_rows, process_rows
from games.services.clock.interruptions import read_interruptions
from games.services.ladders.places import (
    apply_result,
    end_challenge,
    let_go,
    lock_ladder,
    locked_place,
    move_to,
    note_activity,
    take_off,
    take_place,
)
from games.services.locking import free_game
from games.services.site_status import is_closed
from games.services.suspensions import is_suspended

State, Outcome = LadderChallenge.State, LadderChallenge.Outcome

CHALLENGE_HOLDS: list[Callable[[LadderChallenge], bool]] = []
"""Asked before a challenge runs out: whether an answer that came in time is still to be read. An
app that takes in answers adds its own."""


def run_ladders(*, now: datetime) -> int:
    """Do whatever is due on all ladders; return how many challenges and players changed.

    Nothing happens during maintenance.
    """
    if is_closed():
        return 0
    waiting = LadderChallenge.objects.filter(state=State.WAITING)
    away = waiting.filter(challenged__vacations__ends_at__gt=F("made_at"))
    done = process_rows(_keys(away), lambda key: _move_due(key, now))
    due = waiting.filter(due_at__lt=now)
    done += process_due_rows(due, "due_at", lambda key: end_unanswered(key, now=now))
    known = Q(game__undo_until=None) | Q(game__undo_until__lte=now)
    over = [Game.Status.FINISHED, Game.Status.ABORTED]
    ended = LadderChallenge.objects.filter(known, state=State.PLAYING, game__status__in=over)
    done += process_rows(_keys(ended), lambda key: apply_ended_game(key, now=now))
    on_ladder = LadderPlace.objects.exclude(place=None)
    gone = Q(user__is_active=False) | Q(user__barred_until__gte=now + IDLE_TIME)
    done += process_rows(_keys(on_ladder.filter(gone)), lambda key: let_go(key, now=now))
    idle = on_ladder.filter(sinks_at__lte=now)
    return done + process_due_rows(idle, "sinks_at", lambda key: sink(key, now=now))


def _keys(rows: object) -> list[int]:
    found = rows.order_by("pk").distinct()  # type: ignore[attr-defined]
    return list(found.values_list("pk", flat=True)[:BATCH])


# Challenges --------------------------------------------------------------------------------------


def due_with_absences(challenge: LadderChallenge, now: datetime) -> datetime:
    """Return until when a challenge can be answered: vacations and outages are not counted."""
    read = read_interruptions([challenge.challenged_id], since=challenge.made_at, now=now)
    vacations = read.vacations.get(challenge.challenged_id, ())
    away = merge_spans(vacations, read.outages(now))
    return instant_after(challenge.made_at, ANSWER_TIME, away)


@transaction.atomic
def _move_due(key: int, now: datetime) -> bool:
    """Write until when a challenge can be answered; return whether that has changed."""
    challenge = _locked(key, State.WAITING)
    if challenge is None:
        return False
    due_at = due_with_absences(challenge, now)
    changed = LadderChallenge.objects.filter(pk=key).exclude(due_at=due_at)
    return changed.update(due_at=due_at) > 0


def _locked(key: int, state: LadderChallenge.State) -> LadderChallenge | None:
    """Return a challenge with its ladder locked; None if it is in another state."""
    ladder_id = LadderChallenge.objects.values_list("ladder", flat=True).get(pk=key)
    ladder = lock_ladder(ladder_id)
    found = LadderChallenge.objects.select_for_update(of=("self",)).filter(pk=key, state=state)
    challenge = found.select_related("challenger").first()
    if challenge is not None:
        challenge.ladder = ladder
    return challenge


@transaction.atomic
def end_unanswered(key: int, *, now: datetime) -> bool:
    """End a challenge whose time is over: the challenger takes the place, unless they are gone.

    It is left to a later run while a mail that may answer it waits.
    """
    challenge = _locked(key, State.WAITING)
    if challenge is None:
        return False
    challenge.due_at = due_with_absences(challenge, now)
    if challenge.due_at >= now:
        challenge.save(update_fields=["due_at"])
        return False
    if any(hold(challenge) for hold in CHALLENGE_HOLDS):
        return False
    if is_suspended(challenge.challenger, now):
        end_challenge(challenge, Outcome.WITHDRAWN, now=now)
    else:
        end_challenge(challenge, Outcome.UNANSWERED, now=now)
        take_place(challenge)
    challenge.save()
    return True


@transaction.atomic
def apply_ended_game(key: int, *, now: datetime) -> bool:
    """Do what the result of a ladder's game says, once; return whether it was done."""
    game_id = LadderChallenge.objects.values_list("game", flat=True).get(pk=key)
    game = free_game(game_id) if game_id is not None else None
    if game is None or not game.is_over:
        return False
    challenge = _locked(key, State.PLAYING)
    if challenge is None:
        return False
    apply_result(challenge, game, now=now)
    note_activity(challenge.ladder_id, challenge.challenger_id, challenge.challenged_id, now=now)
    return True


# Players who do not play -------------------------------------------------------------------------


@transaction.atomic
def sink(key: int, *, now: datetime) -> bool:
    """Let an idle player sink below the next one who is not idle; return whether they did.

    The time runs anew for the first of the ladder, who can challenge nobody, and for everybody with
    a challenge that goes on. It does not run during vacations and outages. After MOST_SUNK times
    the player leaves the ladder.
    """
    own = locked_place(key)
    if own is None or own.sinks_at > now:
        return False
    length = SINK_TIME if own.sunk else IDLE_TIME
    read = read_interruptions([own.user_id], since=own.idle_from, now=now)
    away = merge_spans(read.vacations.get(own.user_id, ()), read.outages(now))
    left = remaining_time(length, own.idle_from, now, away)
    if left:
        own.sinks_at = now + left
        own.save(update_fields=["sinks_at"])
        return False
    theirs = Q(challenger=own.user_id) | Q(challenged=own.user_id)
    playing = own.ladder.challenges.exclude(state=State.OVER).filter(theirs)
    if own.place == 1 or playing.exists():
        note_activity(own.ladder_id, own.user_id, now=now)
        return False
    below = own.ladder.places.filter(place__gt=own.place, sunk=0, sinks_at__gt=now)
    lower = below.order_by("place").values_list("place", flat=True).first()
    if lower is not None:
        move_to(own, lower)
    own.sunk += 1
    own.idle_from, own.sinks_at = now, now + SINK_TIME
    own.save()
    if own.sunk >= MOST_SUNK:
        take_off(own, LadderPlace.Left.IDLE, now=now)
    return True
