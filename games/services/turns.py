"""The one door through which a turn enters a game."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.clock import is_late
from games.models import Event, Game, Seat, Turn
from games.rules.base import AnyRules, MoveError, is_too_long, replay
from games.services import offers
from games.services.errors import (
    GameNotRunning,
    HasLeft,
    MoveRefused,
    NotAPlayer,
    NotYourTurn,
    StaleTurn,
    TooLate,
    TurnTooLong,
)
from games.services.events import record_event
from games.services.locking import locked_game
from games.services.progress import append, go_on


@dataclass(frozen=True)
class PlayedTurn:
    """A turn that stands in the record; `already`: it stood there before this call."""

    turn: Turn
    game: Game
    already: bool


@transaction.atomic
def play_turn(
    *, game_id: int, user: User, text: str, expected_turn: int, via: Turn.Via, now: datetime
) -> PlayedTurn:
    """Play a whole turn, in notation, for `user`; the only way a turn enters a game.

    `expected_turn` is the number of turns that the player saw played: a turn never lands in a
    position other than the one it was meant for. The same turn sent again is answered with
    `already`. Raises NoSuchGame, NotAPlayer, HasLeft, TurnTooLong, GameNotRunning, StaleTurn,
    NotYourTurn, TooLate, MoveRefused; nothing has changed then.
    """
    game = locked_game(game_id)
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise NotAPlayer
    if seat.left_at is not None:
        raise HasLeft
    if is_too_long(text):
        raise TurnTooLong
    if expected_turn != game.turn_number:
        return _played_before(game, seat, text, expected_turn)
    _check_may_move(game, seat, now)
    turn = _record(game, seat, text, via, now)
    return PlayedTurn(turn, game, already=False)


def _check_may_move(game: Game, seat: Seat, now: datetime) -> None:
    if game.status != Game.Status.ACTIVE or game.deadline is None:
        raise GameNotRunning
    if game.seat_to_move != seat.number:
        raise NotYourTurn
    if is_late(game.deadline, now):
        raise TooLate


def _played_before(game: Game, seat: Seat, text: str, expected_turn: int) -> PlayedTurn:
    """Return the turn if it is the very one that stands at that place. Raises StaleTurn."""
    if not 0 <= expected_turn < game.turn_number:
        raise StaleTurn
    turns = list(game.turns.filter(number__lte=expected_turn + 1))
    if turns[-1].seat != seat.number:
        raise StaleTurn
    before = replay(game.rules, game.options, [turn.notation for turn in turns[:-1]])
    if canonical_turn(game.rules, before, text) != turns[-1].notation:
        raise StaleTurn
    return PlayedTurn(turns[-1], game, already=True)


def canonical_turn(rules: AnyRules, position: object, text: str) -> str | None:
    """Return the canonical notation of a whole turn, None where the rules refuse it."""
    try:
        return rules.format_turn(rules.parse_turn(position, text))
    except MoveError:
        return None


def _record(game: Game, seat: Seat, text: str, via: Turn.Via, now: datetime) -> Turn:
    """Insert the turn and advance the game, or end it. Raises MoveRefused."""
    rules = game.rules
    position = rules.load(game.position)
    try:
        actions = rules.parse_turn(position, text)
    except MoveError as error:
        raise MoveRefused(error) from error
    turn = append(game, seat, rules.format_turn(actions), via=via, now=now)
    details: dict[str, object] = {"notation": turn.notation}
    record_event(game, Event.Kind.TURN_PLAYED, now=now, actor=turn.player, details=details)
    offers.lapse_unanswered(game, seat, now=now)
    go_on(game, seat, rules.play_turn(position, actions), now=now, actor=turn.player)
    return turn
