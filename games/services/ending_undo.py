"""Undoing that a player has just ended a game, or has left one that others continue.

Who resigned, aborted a game, or was the last to agree to its end can undo that for as long as a
turn could be undone (`undo_window`), and no longer than the time of the player to move lasts. The
game goes on as if nothing had happened: its clock, its open offers and what players had planned are
as before. An offer that the end accepted is open again, and not answered by this player. Only the
turn before can no longer be undone. The event becomes one of another kind, of which nobody is told.

An end adds nothing to the record, so the record does not change. A departure is an entry of it, and
so is what undoes it: a takeback to the entry before, as a player who undoes a turn adds one. The
seats that left with the player (a partner's, or a vacant one) come back with them, and a game that
ended because of it runs again. What was meant for the turn before (`record.numbers_of_turn`), by a
mail or an open page, is still meant for the turn after.

It is final when a bot is to move, who plays at once, or when a program took the seat over; when
anybody plays, leaves or makes an offer; and when a mail was dropped because of it.
"""

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games import errors, wakeups
from games.models import (
    Ending,
    Event,
    Game,
    LadderChallenge,
    Offer,
    PlannedTurn,
    Seat,
    SharedAnalysis,
)
from games.rules.entries import replay
from games.services.clock.game_clock import lock_player, mover, recompute_deadline, seat_at
from games.services.conduct.messages import note_presence
from games.services.locking import load_seats, locked_game_for, seat_held
from games.services.result_counts import subtract_results
from games.services.site_status import check_open
from games.services.suspensions import is_suspended
from games.services.tables import guest_games
from games.services.takebacks import append_takeback, record_entries
from games.services.undo_window import restore_state


@transaction.atomic
def undo_end(*, game_id: int, user: User, now: datetime) -> Game:
    """Let a game go on that `user` has just ended or left, while nobody else knows of it.

    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, HasLeft, ClosedForMaintenance,
    NoEndToUndo, EndIsFinal, DepartureIsFinal, GuestGamesEnough.
    """
    # Before the game's row, as those who write the notices of an event do: else each could wait
    # for the other.
    events = Event.objects.select_for_update(of=("self",)).order_by("pk")
    endings = (Event.Kind.ENDED, Event.Kind.DEPARTED)
    happened = list(events.filter(game=game_id, kind__in=endings))
    game = locked_game_for(user, game_id, now)
    load_seats(game)
    own = next((seat for seat in game.all_seats if seat.user_id == user.pk), None)
    if own is None or own.left_because != Ending.RESIGNED:
        own = seat_held(game, user)
    check_open()
    has_left, before = own.left_at is not None, game.before_turn
    happened = _events_to_undo(game, own, happened, now)
    assert before is not None  # noqa: S101  (else nothing can be undone)
    if user.is_guest and guest_games(user) >= settings.GUEST_GAMES:
        raise errors.GuestGamesEnough(most=settings.GUEST_GAMES)

    if game.is_over:
        clear_end(game, game.all_seats)
        for plan in before["plans"]:
            planned_at = datetime.fromisoformat(plan["planned_at"])
            PlannedTurn.objects.create(game=game, **{**plan, "planned_at": planned_at})
    if has_left:
        own.left_at, own.left_because = None, ""
        own.save(update_fields=["left_at", "left_because"])
        entries = record_entries(game)[: before["number"]]
        position = replay(game.rules, game.options, entries)
        append_takeback(game, before["number"], position, actor=user, now=now)
        # A mail about their turn may have been dropped while they were gone: they know of it.
        note_presence(game.pk, user.pk, now=now, seen_at=None)
    for event in happened:
        was_end = event.kind == Event.Kind.ENDED
        event.kind = Event.Kind.END_UNDONE if was_end else Event.Kind.DEPARTURE_UNDONE
        event.details = {**event.details, "undone_at": now.isoformat()}
        event.save(update_fields=["kind", "details"])
    reopened = game.offers.filter(pk__in=[*before["offers"], before["accepted"]])
    reopened.update(state=Offer.State.OPEN, closed_at=None)
    for offer in reopened.filter(pk=before["accepted"]):
        offer.answers.filter(seat__user=user).delete()
    restore_state(game, seat_at(game, int(before["clock"]["seat_to_move"])), before)
    # A vacation or an outage may have been recorded since the end.
    recompute_deadline(game, player=mover(game), now=now)
    game.save()
    if game.bot_due_at is not None:
        wakeups.notify_workers("bots")
    return game


def _events_to_undo(game: Game, own: Seat, happened: list[Event], now: datetime) -> list[Event]:
    """Return which of a game's ends and departures the player of seat `own` can undo together.

    Raises NoEndToUndo, EndIsFinal, DepartureIsFinal.
    """
    has_left, before = own.left_at is not None, game.before_turn
    final = errors.DepartureIsFinal if has_left else errors.EndIsFinal
    if not has_left:
        happened = [event for event in happened if event.kind == Event.Kind.ENDED][-1:]
        if not game.is_over or not happened or happened[0].actor_id != own.user_id:
            raise errors.NoEndToUndo
    if before is None or not game.may_undo(own.user_id, now=now):
        raise final
    if has_left:
        happened = [event for event in happened if event.turn_number > before["number"]]
        is_newest = game.turn_number == before.get("departed")
    else:
        is_newest = happened[0].at == game.ended_at
    since, newest = own.left_at or game.ended_at, before["number"]
    # What was done since: an offer, or what only a game that is over allows. And if mails about the
    # newest turn were looked for since, none was written, and nobody would tell the player to move.
    untold = game.events.filter(
        kind=Event.Kind.TURN_PLAYED, turn_number=newest, noticed_at__gt=since
    )
    shared = SharedAnalysis.objects.filter(game=game, shared_at__gte=since)
    followed = (game.rematches, shared, game.offers.filter(turn_number__gt=newest), untold)
    if not is_newest or any(found.exists() for found in followed):
        raise final
    if not _lock_players(game, own, now):
        raise final
    return happened


def _lock_players(game: Game, own: Seat, now: datetime) -> bool:
    """Lock the players of a game, in one order; return whether all who must may play.

    Who closes or bars an account ends its running games afterwards: it would not find a game that
    was over then, or that its player had left.
    """
    playing = [seat for seat in game.all_seats if seat.left_at is None or seat == own]
    for seat in sorted(playing, key=lambda seat: seat.user_id or 0):
        lock_player(seat)
    must_play = playing if game.is_over else [own]
    return not any(seat.player is None or is_suspended(seat.player, now) for seat in must_play)


def clear_end(game: Game, seats: Sequence[Seat]) -> None:
    """Remove the end and the result of a locked game that is to run again.

    Its seats, the counts of results and the challenge of a ladder are saved, the game itself is
    not. A game that runs does not change.
    """
    subtract_results(game.pk)
    LadderChallenge.reopen(game.pk)
    for seat in seats:
        seat.place = seat.points = seat.ended_at = None
    Seat.objects.bulk_update(seats, ["place", "points", "ended_at"])
    game.status, game.ending, game.ended_at = Game.Status.ACTIVE, "", None
