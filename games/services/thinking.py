"""Turns of programs: claimed, thought about outside of any transaction, and then played.

`Game.bot_due_at` is the queue. Whoever takes a game from it moves that moment on to when the claim
expires: a worker that is killed leaves the game to the next one, and no two think about it at once.
"""

import logging
import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from games import errors
from games.models import Game, Seat, Turn
from games.rules.programs import IsStopped, Level
from games.rules.registry import UnknownGame, program_for
from games.services.bots import answer_for_bots
from games.services.clock.game_clock import mover
from games.services.levels import is_quick, level_to_move, level_with
from games.services.locking import free_game, locked_game
from games.services.site_status import is_closed
from games.services.thinking_time import charge, has_time_left, next_day, people_of
from games.services.turns import play_turn
from games.wakeups import notify_workers

log = logging.getLogger(__name__)

BATCH = 50
PAUSE_AFTER_FAULT = timedelta(minutes=1)

LATEST_ANSWER = timedelta(hours=1)
"""A program whose people have used up its time waits for the next day only if it has this long
from then on."""

stopping = threading.Event()
"""Set when this process is to end: what is being thought about is given back."""

long_thought = threading.Lock()
"""Held by the one thread of a process that thinks for long; another can answer for quick levels."""


@dataclass(frozen=True)
class ClaimedTurn:
    """A turn that this process thinks about: `game` as it was then, and when the claim expires."""

    game: Game
    level: Level
    expires_at: datetime


def wake_thinkers(*, now: datetime) -> None:
    """Wake the process that thinks, which may rest, if a program's turn or a judgement is due.

    What another process has claimed and never finished is due again without anybody writing it.
    """
    if Game.objects.filter(Q(bot_due_at__lte=now) | Q(judge_due_at__lte=now)).exists():
        notify_workers("bots")


def play_for_bots(*, now: datetime) -> int:
    """Play the turns of programs that are due; return how many were played and offers answered.

    What is offered to a program is answered before it plays. Turns of quick levels come first,
    then one of a level that thinks for long, unless another thread of this process is thinking for
    long. Programs do nothing during maintenance.
    """
    if is_closed():
        return 0
    done, began = answer_for_bots(now=now), time.monotonic()
    quick: list[Game] = []
    slow: list[Game] = []
    for game in _due_games(now):
        try:
            (quick if is_quick(level_to_move(game)) else slow).append(game)
        except Exception:
            # One broken game must not keep the programs from the others.
            log.exception("the program at game %s is not known", game.pk)
            _take(game, now + PAUSE_AFTER_FAULT)
    done += sum(play_due_turn(game, _moved_on(now, began)) for game in quick)
    if slow and long_thought.acquire(blocking=False):
        try:
            done += any(play_due_turn(game, _moved_on(now, began)) for game in slow)
        finally:
            long_thought.release()
    return done


def _moved_on(now: datetime, began: float) -> datetime:
    """Return the moment that `now`, when time.monotonic() was `began`, has become: whole seconds.

    Games of one round are played one after the other, and each may be thought about for long.
    """
    return now + timedelta(seconds=int(time.monotonic() - began))


def _due_games(now: datetime) -> list[Game]:
    """Return games in which a program is to move now, with players, the oldest first.

    At most BATCH games of quick levels, and at most BATCH of slow ones. Those of guests come last:
    it costs nothing to become many of them.
    """
    due = Game.objects.filter(bot_due_at__lte=now, seats__number=F("seat_to_move"))
    chosen: dict[bool, list[int]] = {True: [], False: []}
    guests = Seat.objects.filter(game=OuterRef("pk"), user__guest_until__isnull=False)
    oldest = ("is_of_guest", "bot_due_at", "pk")
    due = due.alias(is_of_guest=Exists(guests)).order_by(*oldest)
    levels = due.values_list("pk", "rules_slug", "seats__level")
    for pk, rules_slug, number in levels.iterator():
        try:
            kind = is_quick(level_with(rules_slug, number))
        except UnknownGame:
            kind = True  # the caller logs it
        if len(chosen[kind]) < BATCH:
            chosen[kind].append(pk)
    # Still due: another process may have claimed or played a turn since, and a person be to move.
    games = Game.objects.filter(pk__in=[*chosen[True], *chosen[False]], bot_due_at__lte=now)
    return list(games.with_players().alias(is_of_guest=Exists(guests)).order_by(*oldest))


def play_due_turn(seen: Game, now: datetime) -> bool:
    """Claim the turn of a program, think and play; return whether a turn was played.

    The turn is chosen before the row is locked: that takes long, and nobody who resigns or writes
    meanwhile waits for it.
    """
    if stopping.is_set():
        return False
    claimed = claim_turn(seen, now)
    if claimed is None:
        return False
    began, used = time.monotonic(), time.thread_time()
    try:
        text = choose_turn(claimed, stopping.is_set)
        if stopping.is_set():
            _due_again(claimed, seen.bot_due_at)
            return False
        now = _moved_on(now, began)
        is_played = _play(claimed, text, now)
    except errors.Refusal as refusal:
        log.info("the program’s turn at game %s was refused: %s", seen.pk, refusal.code)
    except Exception:
        # One broken game must not keep the programs from the others.
        log.exception("the program cannot play at game %s", seen.pk)
    else:
        return is_played
    finally:
        charge(people_of(seen), time.thread_time() - used, now=now)
    _due_again(claimed, now + PAUSE_AFTER_FAULT)
    return False


def claim_turn(seen: Game, now: datetime) -> ClaimedTurn | None:
    """Take a game whose program is due; None if it must wait or another process has taken it.

    A program that thinks for long waits for the next day if its people have used up today's time.
    If its own time would be over then, it plays as the lowest level does.
    """
    level = level_to_move(seen)
    if not is_quick(level) and not has_time_left(people_of(seen), now=now):
        again = next_day(now)
        if seen.deadline is None or seen.deadline > again + LATEST_ANSWER:
            _take(seen, again)
            return None
        level = program_for(seen.rules_slug).levels[0]
    expires_at = now + timedelta(seconds=60 + 3 * level.seconds)
    return ClaimedTurn(seen, level, expires_at) if _take(seen, expires_at) else None


@transaction.atomic
def _take(seen: Game, until: datetime) -> bool:
    """Move the moment at which a program is due.

    Returns False if another process has done so, or has locked the game.
    """
    game = free_game(seen.pk)
    if game is None or (game.bot_due_at, game.head_hash) != (seen.bot_due_at, seen.head_hash):
        return False
    game.bot_due_at = until
    game.save(update_fields=["bot_due_at"])
    return True


def _due_again(claimed: ClaimedTurn, at: datetime | None) -> None:
    """Give a claimed game back, to be taken again at a moment."""
    Game.objects.filter(pk=claimed.game.pk, bot_due_at=claimed.expires_at).update(bot_due_at=at)


def choose_turn(claimed: ClaimedTurn, is_stopped: IsStopped) -> str:
    """Return the notation of a whole turn: the same each time for the same position and level."""
    game = claimed.game
    rules, position = game.rules, game.rules.load(game.position)
    program, seed = program_for(game.rules_slug), seed_of(game.pk, game.turn_number)
    actions = program.choose_turn(position, claimed.level.number, seed, is_stopped)
    return rules.format_turn(position, actions)


def seed_of(game_id: int, turn_number: int) -> int:
    """Return the seed of a program's chance in one turn of one game: no other turn has it."""
    return (game_id << 32) + turn_number


@transaction.atomic
def _play(claimed: ClaimedTurn, text: str, now: datetime) -> bool:
    """Play a turn if its game stands where it stood, and a program is still due there.

    Whoever finished first may play, even where a claim has expired: the others find another record.
    """
    game = locked_game(claimed.game.pk)  # a thought is worth a short wait
    is_due = game.bot_due_at is not None and game.head_hash == claimed.game.head_hash
    player = mover(game) if is_due else None
    if player is None or not player.is_played_here:
        return False
    play_turn(
        game_id=game.pk,
        user=player,
        text=text,
        expected_turn=game.turn_number,
        via=Turn.Via.BOT,
        now=now,
    )
    return True
