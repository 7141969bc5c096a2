"""Deadlines: the periodic task that ends the turns whose time is over."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime

from django.db import transaction

from games.clock.clock import StopReason
from games.models import Game
from games.services.batches import process_due_rows
from games.services.clock.game_clock import is_in_time
from games.services.clock.lost_games import end_lost
from games.services.clock.outages import record_gap
from games.services.clock.service_checks import answer_after, are_held
from games.services.clock.timeouts import end_on_time
from games.services.clock.undelivered_turns import freeze_untold, is_told
from games.services.endings import end_unreachable
from games.services.locking import free_game

Hold = Callable[[Game], bool]
"""Tells whether a turn that came in time is still to be read, so that time must not run out yet."""

HOLDS: list[Hold] = []
"""Asked before anybody loses on time. An app that takes in turns adds its own."""

HELD_OF: dict[Hold, Callable[[Sequence[Game]], Collection[int]]] = {}
"""How to ask a hold of many games at once: the keys of all that it may hold, and perhaps more."""


def time_out_due(*, now: datetime) -> int:
    """End the running games whose deadline has passed; return how many this call ended.

    An outage that ends just now is recorded first. Nobody runs out of time while `are_held`, nor
    before pages and mail in have answered after the deadline; neither does a player who was never
    told of the turn: then its clock is stopped.
    """
    record_gap(now=now)
    due = Game.objects.filter(deadline__lt=now)
    newest = due.order_by("-deadline").values_list("deadline", flat=True).first()
    if newest is None or are_held(now=now) or not answer_after(newest, now=now):
        return 0

    @transaction.atomic
    def time_out(game_id: int) -> bool:
        game = free_game(game_id)
        if game is None or game.deadline is None or not game.clock.is_late(now):
            return False  # another run or the player's turn came first
        if any(hold(game) for hold in HOLDS):
            return False  # no vacation begins for a turn that came in time
        if is_in_time(game, now):
            return False
        if any(hold(game) for hold in HOLDS):
            return False  # for a later deadline: `is_in_time` has recomputed it
        if is_told(game):
            end_on_time(game, now=now)
        elif not freeze_untold(game, now=now):
            end_unreachable(game, now=now)
        return game.is_over or game.stop_reason != StopReason.UNDELIVERED

    def time_out_lost(keys: Iterable[int]) -> Collection[int]:
        return end_lost(keys, held_of, now=now)

    return process_due_rows(due, "deadline", time_out, time_out_lost)


def held_of(games: Sequence[Game]) -> set[int]:
    """Return the keys of those of many locked games that may be held."""
    held: set[int] = set()
    for hold in HOLDS:
        among = HELD_OF.get(hold)
        held.update(among(games) if among else [game.pk for game in games if hold(game)])
    return held
