"""The one door through which a turn enters a game."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Event, Game, Seat, Turn
from games.rules.base import AnyRules, MoveError, is_too_long, replay
from games.services import offers
from games.services.clock.game_clock import end_turn, is_in_time
from games.services.events import record_event
from games.services.locking import check_runs, locked_game_for, seat_held
from games.services.metrics import count_turns
from games.services.progress import advance_game, append_entry


@dataclass(frozen=True)
class PlayedTurn:
    """A turn that stands in the record; `already`: it stood there before this call."""

    turn: Turn
    game: Game
    already: bool


@count_turns
@transaction.atomic
def play_turn(
    *,
    game_id: int,
    user: User,
    text: str,
    expected_turn: int,
    via: Turn.Via,
    now: datetime,
    received_at: datetime | None = None,
) -> PlayedTurn:
    """Play a whole turn, in notation, for `user`; the only way a turn enters a game.

    `expected_turn` is the number of turns that the player saw played: a turn never lands in a
    position other than the one it was meant for. The same turn sent again is answered with
    `already`. `received_at` is when the turn reached this house, where that was before `now`: the
    player's time is counted until then, the next player's from now.
    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, HasLeft, TurnTooLong, GameNotRunning,
    HeldByModerator, ClosedForMaintenance, StaleTurn, NotYourTurn, TooLate, MoveRefused; nothing has
    changed then.
    """
    game = locked_game_for(user, game_id, now)
    seat = _seat_played(game, user)
    if is_too_long(text):
        raise errors.TurnTooLong
    if expected_turn != game.turn_number:
        return _played_before(game, user, text, expected_turn)
    arrived = min(received_at or now, now)
    _check_may_move(game, seat, arrived)
    turn = _record(game, seat, text, via=via, now=now, arrived=arrived)
    return PlayedTurn(turn, game, already=False)


def _seat_played(game: Game, user: User) -> Seat:
    """Return the seat to move where `user` stands in for it, else their own.

    Raises NotAPlayer, HasLeft.
    """
    stood_in_for = game.seats.filter(stand_in=user)
    to_move = next((seat for seat in stood_in_for if seat.number == game.seat_to_move), None)
    return to_move or seat_held(game, user)


def _check_may_move(game: Game, seat: Seat, now: datetime) -> None:
    check_runs(game)
    if game.seat_to_move != seat.number:
        raise errors.NotYourTurn
    if not is_in_time(game, now):
        raise errors.TooLate


def _played_before(game: Game, user: User, text: str, expected_turn: int) -> PlayedTurn:
    """Return the turn if it is the very one that stands at that place. Raises StaleTurn."""
    if not 0 <= expected_turn < game.turn_number:
        raise errors.StaleTurn
    turns = list(game.turns.filter(number__lte=expected_turn + 1))
    if turns[-1].player_id != user.pk or _was_taken_back(game, turns[-1]):
        raise errors.StaleTurn
    before = replay(game.rules, game.options, [turn.notation for turn in turns[:-1]])
    if canonical_turn(game.rules, before, text) != turns[-1].notation:
        raise errors.StaleTurn
    return PlayedTurn(turns[-1], game, already=True)


def _was_taken_back(game: Game, turn: Turn) -> bool:
    return game.turns.filter(number__gt=turn.number, via=Turn.Via.TAKEBACK).exists()


def canonical_turn(rules: AnyRules, position: object, text: str) -> str | None:
    """Return the canonical notation of a whole turn, None where the rules refuse it."""
    try:
        return rules.format_turn(position, rules.parse_turn(position, text))
    except MoveError:
        return None


def _record(
    game: Game, seat: Seat, text: str, *, via: Turn.Via, now: datetime, arrived: datetime
) -> Turn:
    """Insert the turn and advance the game, or end it. Raises MoveRefused."""
    rules = game.rules
    position = rules.load(game.position)
    try:
        actions = rules.parse_turn(position, text)
    except MoveError as error:
        raise errors.MoveRefused(error) from error
    turn = append_entry(game, seat, rules.format_turn(position, actions), via=via, now=now)
    details: dict[str, object] = {"notation": turn.notation}
    record_event(game, Event.Kind.TURN_PLAYED, now=now, actor=turn.player, details=details)
    offers.lapse_unanswered(game, seat, now=now)
    end_turn(game, seat, now=arrived)
    advance_game(game, seat, rules.play_turn(position, actions), now=now, actor=turn.player)
    return turn
