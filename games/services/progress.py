"""A running game moving on: an entry of its record, then the next player's time or the end."""

from datetime import datetime
from typing import Any

from accounts.models import User
from games.models import Game, Seat, Turn
from games.models.game import CLOCK_COLUMNS
from games.services import wakeups
from games.services.clock.game_clock import seat_at, start_turn
from games.services.conclusion import end_by_rules
from games.services.record import turn_hash

RECORD_FIELDS = ("position", "previous_position", "turn_number", "head_hash")


def append_entry(
    game: Game,
    seat: Seat,
    notation: str,
    *,
    via: Turn.Via,
    now: datetime,
    player: User | None = None,
) -> Turn:
    """Insert the next entry of a locked game's record; the game's columns are not saved yet.

    `player` is whose doing it is, when not of whoever plays the seat.
    """
    player = player or seat.player
    assert player is not None  # noqa: S101  (a game begins when every seat is taken)
    # The clocks of two machines differ by some milliseconds, the record never runs backwards.
    before = game.turns.filter(number=game.turn_number).values_list("played_at", flat=True).first()
    played_at = max(now, before) if before else now
    turn = Turn.objects.create(
        game=game,
        number=game.turn_number + 1,
        seat=seat.number,
        player=player,
        notation=notation,
        played_at=played_at,
        via=via,
        hash=turn_hash(game.head_hash, seat.number, notation, played_at),
    )
    game.turn_number = turn.number
    game.head_hash = turn.hash
    return turn


def advance_game(
    game: Game, seat: Seat, position: Any, *, now: datetime, actor: User | None
) -> None:
    """Save a locked game in the position after `seat` played or left.

    It is over, or whoever is to move has all of a turn's time, unless `seat` left while it was
    somebody else's turn: then that turn's time goes on.
    """
    game.previous_position = game.position
    game.position = game.rules.dump(position)
    outcome = game.rules.outcome(position)
    if outcome is not None:
        end_by_rules(game, outcome, now=now, actor=actor)
        return
    if seat.number == game.seat_to_move or game.rules.to_move(position) != game.seat_to_move:
        start_next_turn(game, position, now=now)
    game.save(update_fields=[*RECORD_FIELDS, *CLOCK_COLUMNS])


def start_next_turn(game: Game, position: Any, *, now: datetime) -> None:
    """Give the turn, with all of its time, to whoever is to move in `position`.

    Sets CLOCK_COLUMNS without saving them.
    """
    number = game.rules.to_move(position)
    assert number is not None  # noqa: S101  (a position without outcome has somebody to move)
    player = start_turn(game, seat_at(game, number), now=now)
    game.program_due_at = None
    if player is not None and player.is_program:
        game.program_due_at = now
        wakeups.notify_workers("programs")
