"""The clock of a locked running game: starting, stopping and counting it.

A deadline is computed from rows that keep their past (the player's rhythm as it was when the turn
began, vacations, outages): computing it again changes nothing unless they changed. Nothing here
saves the game: CLOCK_FIELDS say what to save.
"""

from datetime import datetime, timedelta

from accounts.models import User
from accounts.users import lock_user
from games.models import Game, Seat
from games.reminders import Countdown, ReminderMark, next_reminder
from games.services.clock.automatic_vacations import begin_vacation
from games.services.clock.time_off import absence_at, nights_of, schedule_of
from games.time_control import instant_after, is_late, remaining

CLOCK_FIELDS = (
    "seat_to_move",
    "turn_began_at",
    "clock_since",
    "time_left",
    "rhythm",
    "deadline",
    "deadline_set_at",
    "reminder_at",
    "reminded",
    "snoozed_until",
    "stopped_for",
    "stopped_at",
    "stopped_until",
    "wait_left",
    "held_for",
    "program_due_at",
)


def start_turn(game: Game, seat: Seat, *, now: datetime) -> User | None:
    """Give the turn to `seat` with all of its time; return who plays it.

    The player's row is locked, so that a vacation announced at the same moment is either seen
    here or sees this turn.
    """
    player = _locked(seat.player)
    game.seat_to_move = seat.number
    game.turn_began_at = now
    game.rhythm = schedule_of(player).as_data() if player and game.allows_days_off else {}
    start_clock(game, seat.time_left, player=player, now=now)
    return player


def _locked(player: User | None) -> User | None:
    return player and lock_user(player.pk)


def resume_clock(game: Game, time: timedelta, *, now: datetime) -> None:
    """Let the clock of the turn that stands run from now with so much time left."""
    assert game.seat_to_move is not None  # noqa: S101  (a running game)
    player = _locked(seat_at(game, game.seat_to_move).player)
    start_clock(game, time, player=player, now=now)


def start_clock(game: Game, time: timedelta, *, player: User | None, now: datetime) -> None:
    """Let the clock run from now with so much time left."""
    game.clock_since = now
    game.time_left = time
    game.snoozed_until = None
    game.stopped_for = game.held_for = ""
    game.stopped_at = game.stopped_until = game.wait_left = None
    game.deadline = game.reminder_at = None
    recompute_deadline(game, player=player, now=now)


def stop_clock(game: Game, why: Game.Stop, *, lasting: timedelta | None, now: datetime) -> None:
    """Let the clock stand with what is left; without a length until somebody lets it go on."""
    game.time_left = time_left(game, now)
    game.clock_since = game.deadline = game.reminder_at = None
    game.stopped_for = why
    game.stopped_at = now
    game.stopped_until = None if lasting is None else now + lasting
    game.wait_left = lasting
    game.held_for = ""


def end_turn(game: Game, seat: Seat, *, now: datetime) -> None:
    """Write down what the seat that moved has for its next turn."""
    seat.time_left = game.terms.pace.after_turn(time_left(game, now))
    seat.save(update_fields=["time_left"])


def add_time(game: Game, more: timedelta, *, player: User | None, now: datetime) -> None:
    """Give the seat to move more time for this turn, also where that begins anew."""
    assert game.time_left is not None and game.seat_to_move is not None  # noqa: S101, PT018
    game.time_left += more
    seat = seat_at(game, game.seat_to_move)
    seat.time_left += more
    seat.save(update_fields=["time_left"])
    if not game.stopped_for:
        recompute_deadline(game, player=player, now=now)


def recompute_deadline(game: Game, *, player: User | None, now: datetime) -> None:
    """Compute the deadline and the next reminder of a game whose clock runs.

    `player` is who is to move (None where nobody needs reminding).
    """
    assert game.clock_since is not None and game.time_left is not None  # noqa: S101, PT018
    since, time, away = game.clock_since, game.time_left, absence_at(game, player, now)
    deadline = instant_after(since, time, away())
    if deadline != game.deadline:
        if not _reminder_is_due(game, now):
            game.reminded = _done_with(game, player, now, remaining(time, since, now, away()))
        game.deadline = deadline
        game.deadline_set_at = now
    reminder = _reminder(game, player, now)
    game.reminder_at = reminder.at if reminder else None


def _done_with(game: Game, player: User | None, now: datetime, left: timedelta) -> timedelta:
    """Return for which time and more reminders are done with when the deadline is about to move.

    That is what is `left`, unless a reminder for more than that waits for the end of a night.
    """
    if game.deadline is None or game.reminder_at is None:
        return left
    waits = _reminder(game, player, now)
    return left if waits is None else max(left, waits.left + timedelta.resolution)


def mark_reminder_sent(game: Game, *, player: User | None, now: datetime) -> bool:
    """Note that the reminder is sent if one is due, and find the next; tell whether it was."""
    recompute_deadline(game, player=player, now=now)
    due = _reminder(game, player, now)
    if due is None or due.at > now:
        return False
    game.reminded = due.left
    game.reminder_at = game.snoozed_until = None
    recompute_deadline(game, player=player, now=now)
    return True


def _reminder(game: Game, player: User | None, now: datetime) -> ReminderMark | None:
    """Return the next reminder of a game whose deadline is counted; it may be due."""
    since, time, deadline = game.clock_since, game.time_left, game.deadline
    assert since is not None and time is not None and deadline is not None  # noqa: S101, PT018
    if player is None or player.is_program:
        return None
    away = absence_at(game, player, now)

    def moment_with(left: timedelta) -> datetime:
        return instant_after(since, time - left, away())

    until = game.snoozed_until
    if until is not None and until < deadline:
        return ReminderMark(until, remaining(time, since, until, away()))
    done = remaining(time, since, now, away()) if game.reminded is None else game.reminded
    countdown = Countdown(time, done, now, game.reminder_at, deadline, moment_with)
    return next_reminder(countdown, player.reminders, nights_of(player, since))


def _reminder_is_due(game: Game, now: datetime) -> bool:
    return game.reminder_at is not None and game.reminder_at <= now


def time_left(game: Game, now: datetime) -> timedelta:
    """Return what is left of the turn's time: what it stopped at while the clock stands."""
    assert game.time_left is not None  # noqa: S101  (a running game)
    if game.clock_since is None:
        return game.time_left
    away = absence_at(game, mover(game), now)
    return remaining(game.time_left, game.clock_since, now, away())


def is_in_time(game: Game, now: datetime) -> bool:
    """Tell whether the turn of a locked game is in time, its deadline computed anew if it passed.

    What lasts still (maintenance, a gap nobody noted yet) counts up to now; a vacation that is
    being announced is waited for; and one begins where the player wants it rather than be late.
    """
    if game.deadline is None or not is_late(game.deadline, now):
        return True
    player = _locked(mover(game))
    recompute_deadline(game, player=player, now=now)
    while is_late(game.deadline, now):
        if player is None or not begin_vacation(game, player, now=now):
            return False
        recompute_deadline(game, player=player, now=now)
    game.save(update_fields=CLOCK_FIELDS)
    return True


def mover(game: Game) -> User | None:
    """Return who is to move."""
    assert game.seat_to_move is not None  # noqa: S101  (a running game)
    return seat_at(game, game.seat_to_move).player


def seat_at(game: Game, number: int) -> Seat:
    """Return a seat with whoever plays it."""
    return game.seats.select_related("user", "stand_in").get(number=number)
