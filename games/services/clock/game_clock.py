"""The clock of a locked running game: reads what it depends on, and changes it.

What a change does is in `games.clock.clock`. A deadline is computed from rows that keep their past
(the player's week as it was when the turn began, vacations, outages), so computing it again changes
nothing unless they changed. Nothing here but `is_in_time` saves the game: CLOCK_COLUMNS say what
to save.
"""

from datetime import datetime, timedelta

from accounts.models import User
from accounts.users import lock_user
from games.clock.clock import Availability, Clock, StopReason
from games.clock.weekly_schedule import WeeklySchedule
from games.models import Game, Seat
from games.models.game import CLOCK_COLUMNS
from games.services.clock.time_off import availability_of, schedule_of
from games.services.clock.vacation_days import begin_automatic_vacation


def start_turn(game: Game, seat: Seat, *, now: datetime) -> User | None:
    """Give the turn to `seat` with all of its time; return its player.

    The player's row is locked, so that a vacation announced at the same moment is either seen
    here or sees this turn.
    """
    player = seat.player and lock_user(seat.player.pk)
    schedule = schedule_of(player) if player and game.allows_days_off else WeeklySchedule()
    availability = availability_of(game, player, now)
    game.set_clock(Clock.for_turn(seat.number, seat.time_left, schedule, availability, now=now))
    return player


def end_turn(game: Game, seat: Seat, *, now: datetime) -> None:
    """Save what the seat that moved has for its next turn."""
    seat.time_left = game.clock.time_after_turn(
        game.terms.pace, current_availability(game, now), now=now
    )
    seat.save(update_fields=["time_left"])


def stop_clock(game: Game, reason: StopReason, *, wait: timedelta | None, now: datetime) -> None:
    """Stop the clock and keep what is left; `wait=None` stops it until somebody resumes it."""
    availability = current_availability(game, now)
    game.set_clock(game.clock.stopped(reason, wait=wait, availability=availability, now=now))


def resume_clock(game: Game, *, now: datetime, time: timedelta | None = None) -> None:
    """Let the clock of this turn run from now on with `time`, or with what was left (None)."""
    player = mover(game)
    if player is not None:
        player = lock_user(player.pk)
    game.set_clock(game.clock.resumed(availability_of(game, player, now), now=now, time=time))


def add_time(game: Game, more: timedelta, *, now: datetime) -> None:
    """Give the seat to move more time for this turn, also if the turn starts again later."""
    seat = seat_at(game, game.clock.seat_to_move)
    seat.time_left += more
    seat.save(update_fields=["time_left"])
    availability = availability_of(game, seat.player, now)
    game.set_clock(game.clock.with_more_time(more, availability, now=now))


def recompute_deadline(game: Game, *, player: User | None, now: datetime) -> None:
    """Compute the deadline and the next reminder again; `player` is to move."""
    game.set_clock(game.clock.recomputed(availability_of(game, player, now), now=now))


def time_left(game: Game, now: datetime) -> timedelta:
    """Return what is left of the turn's time; while the clock is stopped, what was left then."""
    return game.clock.remaining(current_availability(game, now), now=now)


def is_in_time(game: Game, now: datetime) -> bool:
    """Tell whether the turn is in time; a deadline that has passed is first recomputed and saved.

    An outage that is still going on counts up to now. A vacation that is being announced is waited
    for, and one begins by itself if the player wants that rather than lose on time.
    """
    if not game.clock.is_late(now):
        return True
    player = mover(game)
    if player is not None:
        player = lock_user(player.pk)
    recompute_deadline(game, player=player, now=now)
    while game.clock.is_late(now):
        if player is None or not begin_automatic_vacation(game, player, now=now):
            return False
        recompute_deadline(game, player=player, now=now)
    game.save(update_fields=CLOCK_COLUMNS)
    return True


def current_availability(game: Game, now: datetime) -> Availability:
    """Return what the clock of a running game depends on."""
    return availability_of(game, mover(game), now)


def mover(game: Game) -> User | None:
    """Return the player to move."""
    return seat_at(game, game.clock.seat_to_move).player


def seat_at(game: Game, number: int) -> Seat:
    """Return a seat with its player."""
    return game.seats.select_related("user", "played_by_partner").get(number=number)
