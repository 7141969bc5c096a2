"""Ends the games of a batch that are plainly lost on time, all at once.

Whatever decides over a time-out is asked of all of them together, under their locks. A game in
which anything else than a loss may follow is left to `deadlines`, which asks it by itself: more
than two seats, a vacation that may begin, mail that may hold it, a player who may not know of the
turn, a deadline that has moved.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Ending, Game, Turn
from games.rules.registry import all_rules
from games.services.clock.interruptions import availability_with, read_interruptions
from games.services.clock.undelivered_turns import told_of
from games.services.endings import forfeit_together

HeldOf = Callable[[Sequence[Game]], Collection[int]]
"""Returns the keys of those of many games that may have to wait."""


@transaction.atomic
def end_lost(keys: Iterable[int], held_of: HeldOf, *, now: datetime) -> set[int]:
    """Let the player to move lose the games that are plainly lost; return their keys.

    Rows of games and players that are locked are not waited for.
    """
    locked = Game.objects.select_for_update(of=("self",), skip_locked=True)
    found = locked.filter(pk__in=list(keys), deadline__lt=now).prefetch_related("seats")
    movers = {game: user for game in found if (user := plain_mover(game)) is not None}
    users = User.objects.select_for_update(no_key=True, skip_locked=True)
    players = users.in_bulk(set(movers.values()))
    late = list(late_games({game: players.get(user) for game, user in movers.items()}, now))
    held = held_of(late)
    free = [game for game in late if game.pk not in held]
    sure = told_of(free) & begun_games(free)
    lost = [game for game in free if game.pk in sure]
    if lost:
        forfeit_together(lost, Ending.TIMEOUT, now=now)
    return {game.pk for game in lost}


def plain_mover(game: Game) -> int | None:
    """Return the key of the player to move of a game of two who both play; None for any other."""
    seats = game.seats.all()
    plays = all(seat.user_id and seat.left_at is None for seat in seats)
    is_known = any(rules.slug == game.rules_slug for rules in all_rules())
    if len(seats) != 2 or not plays or not is_known:  # noqa: PLR2004
        return None
    return next((seat.user_id for seat in seats if seat.number == game.seat_to_move), None)


def late_games(players: Mapping[Game, User | None], now: datetime) -> Iterable[Game]:
    """Yield the games whose deadline, computed again, is the same and has passed.

    Those in which a vacation might begin instead, and those without a player, are left out.
    """
    starts = {game: game.clock_started_at for game, player in players.items() if player is not None}
    since = min(filter(None, starts.values()), default=now)
    people = {player.pk for player in players.values() if player is not None}
    interruptions = read_interruptions(people, since=since, now=now)
    outages = interruptions.outages(now)
    for game, start in starts.items():
        player = players[game]
        if player is None or start is None or (player.automatic_vacation and game.allows_vacations):
            continue
        away = interruptions.vacations.get(player.pk, ()) if game.allows_vacations else ()
        availability = availability_with(
            player,
            [span for span in away if span.end > start],
            [span for span in outages if span.end > start],
        )
        clock = game.clock
        if clock.is_late(now) and clock.deadline_with(availability) == clock.deadline:
            yield game


def begun_games(games: Sequence[Game]) -> set[int]:
    """Return the keys of the games in which the player to move has played; none with takebacks."""
    movers = {game.pk: game.seat_to_move for game in games}
    entries = Turn.objects.filter(game__in=movers).order_by().distinct()
    begun, taken_back = set(), set()
    for game_id, seat, via in entries.values_list("game_id", "seat", "via"):
        if via == Turn.Via.TAKEBACK:
            taken_back.add(game_id)
        elif via != Turn.Via.LEFT and seat == movers[game_id]:
            begun.add(game_id)
    return begun - taken_back
