"""What a moderator can do to a game: its clock, its seats, its record, its end, who sees it.

Each function takes `seen`, the newest log entry about the game that the moderator saw, and raises
what `lock_for_moderation` or `lock_running_for_moderation` raises, besides what it names itself.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import override

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.clock.time_control import LONGEST_ALLOWANCE, SHORTEST_ALLOWANCE
from games.models import Ending, Game, Seat
from games.models.ending import ON_TIME
from games.models.game import CLOCK_COLUMNS
from games.moderation.action_names import GameAction
from games.moderation.base import lock_for_moderation, lock_running_for_moderation, log_action
from games.rules.base import BadRecord, MoveError, Outcome
from games.rules.entries import departed, replay, withdrawn_seat
from games.rules.registry import UnknownGame
from games.services.clock.game_clock import (
    add_time,
    mover,
    resume_clock,
    time_left,
)
from games.services.clock.holds import hold_clock, stays_held
from games.services.clock.undelivered_turns import is_unreached, resume_delivered
from games.services.ending_undo import clear_end
from games.services.endings import forfeit, hand_over
from games.services.record import Said, faults_of, rebuild
from games.services.suspensions import is_suspended
from games.services.takebacks import append_takeback, record_entries, take_back_to
from games.services.turns import finish_game, start_next_turn

REOPENED_WITHIN = timedelta(days=60)
"""How long after its end, or a departure, a game can be reopened."""

# The clock ---------------------------------------------------------------------------------------


@transaction.atomic
def pause_game(*, game_id: int, by: User, why: str, now: datetime, seen: int | None = None) -> Game:
    """Stop a running game until a moderator resumes it: nobody can play.

    If its clock was already stopped, that stop continues when the game is resumed.
    Raises AlreadyHeld.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    if game.stop_reason == StopReason.MODERATOR:
        raise errors.AlreadyHeld
    was = str(game.stop_reason)
    hold_clock(game, now=now)
    log_action(game, GameAction.PAUSE, by, why, now, was=was)
    return game


@transaction.atomic
def resume_game(
    *, game_id: int, by: User, why: str, now: datetime, seen: int | None = None
) -> Game:
    """Let a stopped game go on with the time that was left, at least a day.

    If the clock was already stopped when a moderator paused the game, that stop continues for as
    long as was left, unless it was for a player who could not be reached, and now can be.
    Raises NotPaused, SeatIsEmpty.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    if not game.stop_reason:
        raise errors.NotPaused
    if game.stop_reason == StopReason.SUBSTITUTE:
        raise errors.SeatIsEmpty
    release(game, now=now)
    log_action(game, GameAction.RESUME, by, why, now)
    return game


def release(game: Game, *, now: datetime) -> None:
    """Let a locked game go on whose clock is stopped, or the stop that a pause interrupted."""
    player = mover(game)
    still_unreached = player is not None and is_unreached(player)
    if game.stopped_before_hold == StopReason.UNDELIVERED and not still_unreached:
        resume_clock(game, now=now, actor=None)
        game.save(update_fields=CLOCK_COLUMNS)
    elif game.stopped_before_hold:
        game.set_clock(game.clock.released(now=now))
        game.save(update_fields=CLOCK_COLUMNS)
    else:
        if game.stop_reason == StopReason.UNDELIVERED:
            # A moderator may resume it although the player still cannot be reached.
            resume_clock(game, now=now, actor=None)
        else:
            resume_delivered(game, now=now, actor=None)
        game.save(update_fields=CLOCK_COLUMNS)


@transaction.atomic
def give_time(
    *,
    game_id: int,
    by: User,
    more: timedelta,
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Game:
    """Give the seat to move more time for its turn. Raises BadTime."""
    game = lock_running_for_moderation(game_id, by, why, seen)
    if more < SHORTEST_ALLOWANCE or time_left(game, now) + more > LONGEST_ALLOWANCE:
        raise errors.BadTime
    add_time(game, more, now=now)
    game.save(update_fields=CLOCK_COLUMNS)
    seconds = int(more.total_seconds())
    log_action(game, GameAction.ADD_TIME, by, why, now, seconds=seconds, seat=game.seat_to_move)
    return game


# The seats ---------------------------------------------------------------------------------------


@transaction.atomic
def remove_player(
    *, game_id: int, by: User, seat: int, why: str, now: datetime, seen: int | None = None
) -> Game:
    """Withdraw a seat from a game of more than two; the others play on, or the rules end the game.

    Raises BadSeat, TwoSeats, SeatHasLeft, MoveRefused.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    chosen = _seat(game, seat)
    if game.seats.count() == 2:  # noqa: PLR2004  (the other would win)
        raise errors.TwoSeats
    if chosen.left_at is not None:
        raise errors.SeatHasLeft
    try:
        withdraw_seat(game, chosen, by=by, why=why, now=now)
    except MoveError as error:
        raise errors.MoveRefused(error) from error
    return game


def withdraw_seat(game: Game, seat: Seat, *, by: User, why: str, now: datetime) -> None:
    """Withdraw a seat from a locked running game; of two players the other wins.

    Raises MoveError.
    """
    with stays_held(game, now=now):
        log_action(game, GameAction.WITHDRAW, by, why, now, seat=seat.number, player=seat.user_id)
        forfeit(game, seat, Ending.REMOVED, now=now, actor=by)


@transaction.atomic
def substitute(
    *,
    game_id: int,
    by: User,
    seat: int,
    user: User,
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Game:
    """Give a seat of a running game to another player: the position, not the past record.

    Raises BadSeat, SeatHasLeft, AlreadySeated, CannotSubstitute, SeatForOneself.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    chosen = _seat(game, seat)
    if chosen.number in departed(record_entries(game))[-1]:
        raise errors.SeatHasLeft
    if user == by:
        raise errors.SeatForOneself
    if game.seats.filter(user=user).exists():
        raise errors.AlreadySeated(name=user)
    if is_suspended(user, now):
        raise errors.CannotSubstitute(name=user)
    former = chosen.user_id
    with stays_held(game, now=now):
        time = max(chosen.time_left, game.terms.pace.for_another)
        hand_over(game, chosen, user, now, time=time)
    changed = {"seat": seat, "player": former, "substitute": user.pk}
    log_action(game, GameAction.SUBSTITUTE, by, why, now, **changed)
    return game


def _seat(game: Game, number: int) -> Seat:
    seat = game.seats.select_related("user", "played_by_partner").filter(number=number).first()
    if seat is None:
        raise errors.BadSeat
    return seat


# The record --------------------------------------------------------------------------------------


@transaction.atomic
def take_back(
    *, game_id: int, by: User, turn: int, why: str, now: datetime, seen: int | None = None
) -> Game:
    """Continue a running game from the position after entry `turn` of its record (0: the start).

    The record only grows: an entry says that turns were taken back. The player to move there has
    the time that their seat had for its newest turn. A pause of the players ends, and open offers
    lapse. Raises SeatIsEmpty, NoSuchTurn, BeforeDeparture.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    if game.is_substitute_sought:
        raise errors.SeatIsEmpty
    with stays_held(game, now=now):
        take_back_to(game, turn, actor=by, now=now)
    log_action(game, GameAction.TAKE_BACK, by, why, now, turn=turn)
    return game


@dataclass(frozen=True)
class Verification:
    """What was wrong with a game's record, and what is still wrong now."""

    found: tuple[Said, ...]
    left: tuple[Said, ...]


@transaction.atomic
def verify_record(
    *, game_id: int, by: User, why: str, now: datetime, seen: int | None = None
) -> Verification:
    """Check a record against its hashes and the cached position; rebuild the cache if it is wrong.

    The record itself is never touched. Raises UnknownRules.
    """
    game = lock_for_moderation(game_id, by, why, seen)
    try:
        found = tuple(fault.what for fault in faults_of(game))
    except UnknownGame:
        raise errors.UnknownRules from None
    if found and game.started_at is not None:
        with suppress(BadRecord):  # it is among what was found
            rebuild(game)
    left = tuple(fault.what for fault in faults_of(game)) if found else ()
    with override("en"):  # the log is in one language, whoever writes it
        told = {"found": [str(what) for what in found], "left": [str(what) for what in left]}
    log_action(game, GameAction.VERIFY, by, why, now, **told)
    return Verification(found, left)


# The end -----------------------------------------------------------------------------------------


@transaction.atomic
def adjudicate(
    *,
    game_id: int,
    by: User,
    places: Sequence[int],
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Game:
    """End a running game with this place for each seat; 1 for every seat is a draw.

    Raises BadResult.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    seats = game.seats.count()
    if len(places) != seats or min(places) != 1 or max(places) > seats:
        raise errors.BadResult(seats=seats)
    log_action(game, GameAction.ADJUDICATE, by, why, now, places=list(places))
    outcome = Outcome(tuple(places), None, Ending.ADJUDICATED)
    finish_game(game, outcome.reason, outcome=outcome, now=now, actor=by)
    return game


@transaction.atomic
def abort_as_moderator(
    *, game_id: int, by: User, why: str, now: datetime, seen: int | None = None
) -> Game:
    """End a running game without a result, or close a table that waits for players.

    Raises GameNotRunning.
    """
    game = lock_for_moderation(game_id, by, why, seen)
    if game.is_over:
        raise errors.GameNotRunning
    log_action(game, GameAction.ABORT, by, why, now)
    finish_game(game, Ending.BROKEN_OFF, now=now, actor=by)
    return game


@transaction.atomic
def reopen_game(
    *, game_id: int, by: User, why: str, now: datetime, seen: int | None = None
) -> Game:
    """Reopen a game that was lost on time, or by mail that did not arrive, in the last 60 days.

    A game that ended so runs again: the player to move has the time that their turn began with,
    at least a day. In games of several, players who left so play again, unless somebody has played
    or left since; their departures stay in the record, taken back. A seat that looks for a
    substitute, or that a partner plays, is given back to its player.

    Raises EndedOtherwise, NobodyLeftOnTime, PlayedOnSince, EndedLongAgo, PlayerIsGone and
    UnknownRules.
    """
    game = lock_for_moderation(game_id, by, why, seen)
    if game.started_at is None:
        raise errors.EndedOtherwise
    try:
        rules = game.rules
    except UnknownGame:
        raise errors.UnknownRules from None
    seats = list(game.seats.select_related("user", "played_by_partner"))
    entries, was, was_over = record_entries(game), game.ending, game.is_over
    back, returning = _what_time_did(game, seats, entries)
    since = min([seat.left_at for seat in returning if seat.left_at], default=game.ended_at)
    if since is not None and now - since > REOPENED_WITHIN:
        raise errors.EndedLongAgo(days=REOPENED_WITHIN.days)
    for seat in seats:
        plays = seat.left_at is None or seat in returning
        if plays and seat.user is not None and not seat.user.is_active:
            raise errors.PlayerIsGone(name=seat.user)

    clear_end(game, seats)
    for seat in returning:
        seat.left_at, seat.left_because, seat.played_by_partner = None, "", None
    Seat.objects.bulk_update(returning, ["left_at", "left_because", "played_by_partner"])
    game.offers.open().lapse(now)
    with stays_held(game, now=now):
        position = rules.load(game.position)
        if back < len(entries):
            position = replay(rules, game.options, entries[:back])
            append_takeback(game, back, position, actor=by, now=now)
        is_new_turn = was_over or back < len(entries)
        if is_new_turn or game.seat_to_move in [seat.number for seat in returning]:
            start_next_turn(game, position, now=now)
            game.save()
            resume_delivered(game, now=now, actor=None)
    numbers = [seat.number for seat in returning]
    log_action(game, GameAction.REOPEN, by, why, now, ending=was, seats=numbers)
    return game


def _what_time_did(
    game: Game, seats: Sequence[Seat], entries: Sequence[str]
) -> tuple[int, list[Seat]]:
    """Return the newest entry before which nobody left on time, and the seats that can come back.

    Nobody can where the game itself ended on time. Raises EndedOtherwise, NobodyLeftOnTime and
    PlayedOnSince.
    """
    if game.ending in ON_TIME:
        return len(entries), []
    back, returning = departures_on_time(game, seats, entries)
    if returning:
        return back, returning
    if game.is_over:
        raise errors.EndedOtherwise
    if any(seat.left_because in ON_TIME for seat in seats):
        raise errors.PlayedOnSince
    raise errors.NobodyLeftOnTime


def departures_on_time(
    game: Game, seats: Sequence[Seat], entries: Sequence[str]
) -> tuple[int, list[Seat]]:
    """Return after which entry nobody had left on time, and the seats whose players can come back.

    The seats are those of the newest entries if these are departures; otherwise those of a running
    game that have not left it: they wait for a substitute, or a partner plays them.
    Raises UnknownGame.
    """
    back = len(entries)
    # A game can be over for another reason than that players left it.
    if game.is_over and game.rules.outcome(game.rules.load(game.position)) is None:
        return back, []
    while back:
        number = withdrawn_seat(entries[back - 1])
        if number is None or seats[number].left_because not in ON_TIME:
            break
        back -= 1
    if back < len(entries):
        undone = {withdrawn_seat(entry) for entry in entries[back:]}
        # A partner's seat left with the partner, who plays it again.
        own = [seat for seat in seats if seat.played_by_partner is None]
        return back, [seat for seat in own if seat.number in undone]
    gone = departed(entries)[-1]
    waiting = [seat for seat in seats if seat.left_because in ON_TIME and seat.number not in gone]
    return back, [] if game.is_over else waiting


# Who sees it, and its conversation ---------------------------------------------------------------


@transaction.atomic
def set_public(
    *,
    game_id: int,
    by: User,
    is_public: bool,
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Game:
    """Show a game to everybody, or only to its players, those invited and staff.

    Raises NothingToChange.
    """
    game = lock_for_moderation(game_id, by, why, seen)
    if game.is_public == is_public:
        raise errors.NothingToChange
    game.is_public = is_public
    game.save(update_fields=["is_public"])
    log_action(game, GameAction.MAKE_PUBLIC if is_public else GameAction.MAKE_PRIVATE, by, why, now)
    return game


@transaction.atomic
def set_conversation(
    *,
    game_id: int,
    by: User,
    is_open: bool,
    why: str,
    now: datetime,
    seen: int | None = None,
) -> Game:
    """Close a game's conversation, so that nobody can write messages there, or open it again.

    Raises NothingToChange.
    """
    game = lock_for_moderation(game_id, by, why, seen)
    if (game.conversation_closed_at is None) == is_open:
        raise errors.NothingToChange
    game.conversation_closed_at = None if is_open else now
    game.save(update_fields=["conversation_closed_at"])
    action = GameAction.OPEN_CONVERSATION if is_open else GameAction.CLOSE_CONVERSATION
    log_action(game, action, by, why, now)
    return game
