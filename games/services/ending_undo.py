"""Undoing the end of a game that a player has just brought about.

Who resigned a game of two, aborted a game, or was the last to agree to its end can undo that for as
long as a turn could be undone (`undo_window`), and no longer than the time of the player to move
lasts. The game runs again as if it had not ended: its clock, its open offers and what players had
planned are as before. An offer that the end accepted is open again, and not answered by this
player. Only the turn before the end can no longer be undone. The end added nothing to the record,
so the record does not change. Its event becomes one of another kind, of which nobody is told.

A player who leaves a game that others continue cannot undo that: the record says so.
"""

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games import errors, wakeups
from games.models import Event, Game, Offer, PlannedTurn, Seat, SharedAnalysis
from games.services.clock.game_clock import lock_player, mover, recompute_deadline, seat_at
from games.services.locking import load_seats, locked_game_for, seat_held
from games.services.result_counts import subtract_results
from games.services.site_status import check_open
from games.services.suspensions import is_suspended
from games.services.tables import guest_games
from games.services.undo_window import restore_state


@transaction.atomic
def undo_end(*, game_id: int, user: User, now: datetime) -> Game:
    """Let a game run again that `user` has just ended, while nobody else knows of it.

    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, HasLeft, ClosedForMaintenance,
    NoEndToUndo, EndIsFinal, GuestGamesEnough.
    """
    # Before the game's row, as those who write the notices of an event do: else each could wait
    # for the other.
    events = Event.objects.select_for_update(of=("self",)).order_by("pk")
    ended = events.filter(game=game_id, kind=Event.Kind.ENDED).last()
    game = locked_game_for(user, game_id, now)
    load_seats(game)
    seat_held(game, user)
    check_open()
    if not game.is_over or ended is None or ended.actor_id != user.pk:
        raise errors.NoEndToUndo
    before = game.before_turn
    if before is None or not game.may_undo(user.pk, now=now) or ended.at != game.ended_at:
        raise errors.EndIsFinal
    if _was_followed(game) or not _lock_players(game, now):
        raise errors.EndIsFinal
    if user.is_guest and guest_games(user) >= settings.GUEST_GAMES:
        raise errors.GuestGamesEnough(most=settings.GUEST_GAMES)

    clear_end(game, game.all_seats)
    ended.kind = Event.Kind.END_UNDONE
    ended.details = {**ended.details, "undone_at": now.isoformat()}
    ended.save(update_fields=["kind", "details"])
    reopened = game.offers.filter(pk__in=[*before["offers"], before["accepted"]])
    reopened.update(state=Offer.State.OPEN, closed_at=None)
    for offer in reopened.filter(pk=before["accepted"]):
        offer.answers.filter(seat__user=user).delete()
    for plan in before["plans"]:
        planned_at = datetime.fromisoformat(plan["planned_at"])
        PlannedTurn.objects.create(game=game, **{**plan, "planned_at": planned_at})
    seat = seat_at(game, int(before["clock"]["seat_to_move"]))
    restore_state(game, seat, before)
    # A vacation or an outage may have been recorded since the end.
    recompute_deadline(game, player=mover(game), now=now)
    game.save()
    if game.bot_due_at is not None:
        wakeups.notify_workers("bots")
    return game


def _was_followed(game: Game) -> bool:
    """Return whether something was done since that only a game that is over allows."""
    shared = SharedAnalysis.objects.filter(game=game, shared_at__gte=game.ended_at)
    return game.rematches.exists() or shared.exists()


def _lock_players(game: Game, now: datetime) -> bool:
    """Lock the players of a game, in one order; return whether all of them may play.

    Who closes or bars an account ends its running games afterwards, and would not find this one.
    """
    playing = [seat for seat in game.all_seats if seat.left_at is None]
    for seat in sorted(playing, key=lambda seat: seat.user_id or 0):
        lock_player(seat)
    return not any(seat.player is None or is_suspended(seat.player, now) for seat in playing)


def clear_end(game: Game, seats: Sequence[Seat]) -> None:
    """Remove the end and the result of a locked game that is to run again.

    Its seats and the counts of results are saved, the game itself is not. A game that runs does not
    change.
    """
    subtract_results(game.pk)
    for seat in seats:
        seat.place = seat.points = seat.ended_at = None
    Seat.objects.bulk_update(seats, ["place", "points", "ended_at"])
    game.status, game.ending, game.ended_at = Game.Status.ACTIVE, "", None
