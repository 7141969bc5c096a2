"""More time for an opponent, by one click."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.clock.time_control import LONGEST_ALLOWANCE, PaceKind, TimeControl
from games.models import Event, Game, Seat, Turn
from games.models.game import CLOCK_COLUMNS
from games.services.clock.game_clock import add_time, mover, time_left
from games.services.conduct.asking import check_may_ask
from games.services.locking import running_game
from games.services.record import numbers_of_turn

DAY = timedelta(days=1)

MOST_GRANTS = 7
"""How often one player may give time for one turn: each time is told by mail."""


@transaction.atomic
def grant_time(*, game_id: int, user: User, now: datetime) -> timedelta:
    """Give the opponent who is to move more time for this turn; return how much.

    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, HeldByModerator, ClosedForMaintenance,
    TooLate, SeatIsSought, OnlyForOpponents, TimeEnough, AskedEnough.
    """
    game, seat = running_game(game_id, user, now)
    if game.stop_reason == StopReason.SUBSTITUTE:
        raise errors.SeatIsSought
    if not is_opponents_turn(game, seat):
        raise errors.OnlyForOpponents
    more = added_time_for(game.terms.pace)
    if time_left(game, now) + more > LONGEST_ALLOWANCE or is_given_enough(
        game, user, grants_of_turn(game)
    ):
        raise errors.TimeEnough
    check_may_ask(user, filter(None, [mover(game)]), now)
    add_time(game, more, now=now)
    game.save(update_fields=CLOCK_COLUMNS)
    details: dict[str, object] = {"seconds": int(more.total_seconds()), "seat": game.seat_to_move}
    game.record_event(Event.Kind.TIME_GRANTED, now=now, actor=user, details=details)
    return more


def is_given_enough(game: Game, user: User, grants: Sequence[Event]) -> bool:
    """Tell whether `user` can give the seat to move no more time, after the gifts for this turn.

    Between two sides nobody else is harmed. With more, a friend's gifts would hold up the others:
    all gifts for one turn together are no more than the usual time for a turn.
    """
    if sum(event.actor_id == user.pk for event in grants) >= MOST_GRANTS:
        return True
    if len(set(game.rules.sides(game.options))) <= 2:  # noqa: PLR2004
        return False
    seconds = sum(event.details["seconds"] for event in grants)
    pace = game.terms.pace
    return timedelta(seconds=seconds) + added_time_for(pace) > usual_time(pace)


def grants_of_turn(game: Game) -> list[Event]:
    """Return the gifts of time for the turn that is being played."""
    # An entry of a player who left while another was to move does not begin a new turn, and neither
    # does one that undoes it.
    begun_at = numbers_of_turn(game.pk, game.turn_number)[-1]
    entries = game.turns.filter(number__lte=begun_at).exclude(via=Turn.Via.LEFT)
    newest = entries.order_by("-number").first()
    granted = game.events.filter(
        kind=Event.Kind.TIME_GRANTED,
        turn_number__gte=newest.number if newest else 0,
        details__seat=game.seat_to_move,
    )
    return list(granted)


def is_opponents_turn(game: Game, seat: Seat) -> bool:
    """Tell whether a player of another side than `seat` is to move."""
    if game.seat_to_move is None:
        return False
    sides = game.rules.sides(game.options)
    return sides[seat.number] != sides[game.seat_to_move]


def added_time_for(pace: TimeControl) -> timedelta:
    """Return what one click gives: a day, or a turn's time if that is less."""
    return min(DAY, usual_time(pace))


def usual_time(pace: TimeControl) -> timedelta:
    """Return the time for a turn; where there is one time for the whole game, that."""
    return pace.bank if pace.kind == PaceKind.TOTAL else pace.allowance
