"""Taking a game back to an earlier turn. The record only grows: it says so."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.models import Game, Turn
from games.models.game import CLOCK_COLUMNS
from games.rules.base import replay, takeback
from games.services.clock.game_clock import seat_at
from games.services.moderation.action_names import GameAction
from games.services.moderation.base import lock_running_for_moderation, log_action
from games.services.moderation.clocks import hold
from games.services.turns import RECORD_FIELDS, append_entry, start_next_turn


@transaction.atomic
def take_back(
    *, game_id: int, by: User, turn: int, why: str, now: datetime, seen: int | None = None
) -> Game:
    """Let a running game go on from the position after entry `turn` of its record (0: the start).

    Whoever is to move there has what the seat had for its newest turn; a pause is over, unless a
    moderator stopped the game. What players offered lapses.
    Raises as `lock_running_for_moderation`, and SeatIsEmpty, NoSuchTurn, BeforeDeparture.
    """
    game = lock_running_for_moderation(game_id, by, why, seen)
    _check_turn(game, turn)
    entries = list(game.turns.order_by("number").values_list("notation", flat=True))
    position = replay(game.rules, game.options, entries[:turn])
    to_move = game.rules.to_move(position)
    assert to_move is not None  # noqa: S101  (the game went on from there)
    seat = seat_at(game, to_move)
    append_entry(game, seat, takeback(turn), via=Turn.Via.TAKEBACK, now=now, player=by)
    game.previous_position = game.position
    game.position = game.rules.dump(position)
    game.offers.open().lapse(now)
    _begin(game, position, now)
    log_action(game, GameAction.TAKE_BACK, by, why, now, turn=turn)
    return game


def _check_turn(game: Game, turn: int) -> None:
    if game.is_substitute_sought:
        raise errors.SeatIsEmpty
    if not 0 <= turn < game.turn_number:
        raise errors.NoSuchTurn(last=game.turn_number - 1)
    left = game.turns.filter(via=Turn.Via.LEFT, number__gt=turn).order_by("-number").first()
    if left is not None:
        raise errors.BeforeDeparture(first=left.number)


def _begin(game: Game, position: object, now: datetime) -> None:
    held = game.stop_reason == StopReason.MODERATOR
    start_next_turn(game, position, now=now)
    game.save(update_fields=[*RECORD_FIELDS, *CLOCK_COLUMNS])
    if held:
        hold(game, now=now)
