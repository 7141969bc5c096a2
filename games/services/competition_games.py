"""Games of leagues, tournaments and clubs: how they begin, and how they end on their last day."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games.clock.spans import Span, merge_spans, running_time
from games.competition.calendar import slower_seat
from games.models import ClubMatch, Ending, Game, League, Tournament, Turn
from games.rules.base import Outcome
from games.services.clock.interruptions import read_interruptions
from games.services.locking import free_game
from games.services.tables import create_table, start_full_table
from games.services.turns import finish_game


def begin_between(
    first: User,
    second: User,
    competition: League | Tournament | ClubMatch,
    *,
    is_public: bool = True,
    now: datetime,
) -> Game:
    """Begin a game of a competition; `first` has the first turn. The caller locks its row."""
    game = create_table(
        creator=first,
        rules_slug=competition.rules_slug,
        options=competition.options,
        terms=competition.terms,
        players=[first, second],
        is_public=is_public,
        now=now,
        creator_seat=0,
    )
    start_full_table(game, list(game.seats.select_related("user")), now)
    return game


def time_taken(game: Game, *, now: datetime) -> dict[int, timedelta]:
    """Return how long each seat of a running game has taken for its turns, this one included.

    Vacations, if the game allows them, and outages are left out, and since when its clock stands.
    """
    assert game.started_at is not None  # noqa: S101  (it runs)
    seats = {seat.number: seat.user_id for seat in game.seats.all()}
    users = [user for user in seats.values() if user is not None]
    interruptions = read_interruptions(users, since=game.started_at, now=now)
    outages = interruptions.outages(now)
    away: dict[int, list[Span]] = {}
    for number, user in seats.items():
        vacations = interruptions.vacations.get(user or 0, ()) if game.allows_vacations else ()
        away[number] = list(merge_spans(sorted([*vacations, *outages])))
    taken = dict.fromkeys(seats, timedelta())
    began = game.started_at
    turns = game.turns.order_by("number").exclude(via=Turn.Via.TAKEBACK)
    for number, played_at in turns.values_list("seat", "played_at"):
        taken[number] += running_time(began, max(began, played_at), away[number])
        began = max(began, played_at)
    if game.seat_to_move is not None:
        end = max(began, game.stopped_at or now)
        taken[game.seat_to_move] += running_time(began, end, away[game.seat_to_move])
    return taken


@transaction.atomic
def decide_on_last_day(game_id: int, *, now: datetime) -> bool:
    """End a game that still runs on its last possible day, as `slower_seat` says."""
    game = free_game(game_id)
    if game is None or game.status != Game.Status.ACTIVE:
        return False
    loser = slower_seat(time_taken(game, now=now))
    places = tuple(2 if seat.number == loser else 1 for seat in game.all_seats)
    outcome = Outcome(places, None, Ending.FINAL_DAY)
    finish_game(game, outcome.reason, outcome=outcome, now=now, actor=None)
    return True
