"""Going back to an earlier position: by undoing one's newest turn, by agreement, by a moderator.

The record only grows: an entry says after which entry the game continues (`rules.entries`).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Event, Game, Offer, Turn
from games.models.game import CLOCK_COLUMNS
from games.rules.entries import departed, replay, takeback
from games.services.clock.game_clock import lock_player, mover, recompute_deadline, seat_at
from games.services.conduct.messages import note_presence
from games.services.locking import check_runs, load_seats, locked_game_for, seat_held
from games.services.turns import RECORD_FIELDS, append_entry, start_next_turn
from games.services.undo_window import restore_state


@transaction.atomic
def undo_turn(
    *, game_id: int, user: User, now: datetime, received_at: datetime | None = None
) -> Game:
    """Take back the newest turn of the game, which `user` played and nobody else knows of yet.

    `undo_window` says until when. The clock runs on as if the turn had not been played, and offers
    that it answered are open again. What `user` has planned in this game is dropped.
    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, HeldByModerator,
    ClosedForMaintenance, NothingToUndo, UndoIsOver.
    """
    game = locked_game_for(user, game_id, now)
    load_seats(game)
    seat_held(game, user)
    check_runs(game)
    newest = game.turns.filter(number=game.turn_number).first()
    if (
        newest is None
        or newest.player_id != user.pk
        or newest.via in (Turn.Via.LEFT, Turn.Via.TAKEBACK)
    ):
        raise errors.NothingToUndo
    before = game.before_turn
    if before is None or before["number"] != newest.number or not game.may_undo(user.pk, now=now):
        raise errors.UndoIsOver

    seat = seat_at(game, newest.seat)
    append_takeback(
        game, newest.number - 1, game.rules.load(game.previous_position), actor=user, now=now
    )
    details: dict[str, object] = {"notation": newest.notation}
    game.record_event(Event.Kind.TURN_UNDONE, now=now, actor=user, details=details)
    game.offers.open().filter(turn_number=newest.number).lapse(now)
    played_at = datetime.fromisoformat(before["played_at"])
    earlier = game.offers.filter(turn_number__lt=newest.number)
    lapsed = earlier.filter(state=Offer.State.LAPSED, closed_at=played_at)
    lapsed.update(state=Offer.State.OPEN, closed_at=None)
    game.planned_turns.filter(user=user).delete()
    restore_state(game, seat, before)
    seat.save(update_fields=["time_left"])
    # No mail tells them of this turn again, and their time runs.
    note_presence(game.pk, user.pk, now=now, seen_at=None)
    # A vacation or an outage may have been recorded since the turn.
    lock_player(seat)
    recompute_deadline(game, player=mover(game), now=now)
    game.save(update_fields=[*RECORD_FIELDS, *CLOCK_COLUMNS])
    return game


def take_back_to(game: Game, turn: int, *, actor: User, now: datetime) -> None:
    """Continue a locked running game from the position after entry `turn` (0: the start).

    The player to move there has the time that their seat had for its newest turn. A pause of the
    players ends, open offers lapse, and what anybody has planned is dropped.
    Raises NoSuchTurn, BeforeDeparture.
    """
    if not 0 <= turn < game.turn_number:
        raise errors.NoSuchTurn(last=game.turn_number - 1)
    entries = record_entries(game)
    check_nobody_left_since(entries, turn)
    position = replay(game.rules, game.options, entries[:turn])
    append_takeback(game, turn, position, actor=actor, now=now)
    game.offers.open().lapse(now)
    game.planned_turns.all().delete()
    start_next_turn(game, position, now=now)
    game.save(update_fields=[*RECORD_FIELDS, *CLOCK_COLUMNS])


def check_nobody_left_since(entries: Sequence[str], turn: int) -> None:
    """Raise BeforeDeparture if a player has left since entry `turn` of a record."""
    gone = departed(entries)
    if gone[turn] != gone[-1]:
        raise errors.BeforeDeparture(first=gone.index(gone[-1]))


def append_takeback(game: Game, turn: int, position: Any, *, actor: User, now: datetime) -> None:
    """Add the entry that goes back to `position`, which stood after entry `turn`.

    Sets RECORD_FIELDS without saving them.
    """
    to_move = game.rules.to_move(position)
    assert to_move is not None  # noqa: S101  (the game went on from there)
    seat = seat_at(game, to_move)
    append_entry(game, seat, takeback(turn), via=Turn.Via.TAKEBACK, now=now, player=actor)
    game.previous_position = game.position
    game.position = game.rules.dump(position)


def record_entries(game: Game) -> list[str]:
    """Return the notations of the record, in order."""
    return list(game.turns.order_by("number").values_list("notation", flat=True))
