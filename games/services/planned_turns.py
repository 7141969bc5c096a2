"""Which planned turn has come about, and which may still come."""

import hashlib
import json
from collections.abc import Iterable, Sequence

from games.models import Game, PlannedTurn
from games.rules.entries import effective_entries
from games.services.clock.game_clock import seat_at


def planned_turn(game: Game) -> PlannedTurn | None:
    """Return what the player to move has planned for the newest position of a locked game."""
    if game.seat_to_move is None:
        return None
    player = seat_at(game, game.seat_to_move).player
    planned = game.planned_turns.filter(user=player, key=position_key(entries_that_count(game)))
    turn = planned.first()
    if turn is not None and player is not None:
        turn.user = player
    return turn


def turns_in_reach(
    entries: Sequence[str], planned: Iterable[PlannedTurn]
) -> list[tuple[list[str], PlannedTurn]]:
    """Return the planned turns that may still come, each with the turns that are missing yet."""
    found = []
    for turn in planned:
        played = len(entries) - turn.begins_after
        missing = turn.line[max(played, 0) :]
        if 0 <= played <= len(turn.line) and turn.key == position_key([*entries, *missing]):
            found.append((missing, turn))
    return found


def entries_that_count(game: Game) -> list[str]:
    """Return the notations of the entries that led to a game's newest position, in order."""
    entries = list(game.turns.order_by("number").values_list("notation", flat=True))
    return [entries[number - 1] for number in effective_entries(entries)]


def position_key(entries: Iterable[str]) -> str:
    """Return the SHA-256 (hex) of the notations, as a JSON array, of all turns to a position."""
    return hashlib.sha256(json.dumps(list(entries)).encode()).hexdigest()
