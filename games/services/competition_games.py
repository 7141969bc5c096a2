"""Games of leagues, tournaments and clubs: how they begin, and how they end on their last day."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games import wakeups
from games.clock.spans import Span, merge_spans, running_time
from games.competition.calendar import slower_side
from games.models import ClubMatch, Ending, Event, Game, League, Seat, Tournament, Turn
from games.rules.base import Outcome
from games.rules.registry import rules_for
from games.services.clock.interruptions import read_interruptions
from games.services.locking import free_game
from games.services.tables import create_table, new_table, start_clock, start_full_table
from games.services.turns import finish_game


def begin_between(
    first: Sequence[User],
    second: Sequence[User],
    competition: League | Tournament | ClubMatch,
    *,
    is_public: bool = True,
    now: datetime,
) -> Game:
    """Begin a game of a competition; the first of `first` has the first turn.

    Both are the players of a side in the order of its seats: partners sit where the rules put them.
    The caller locks its row.
    """
    game = create_table(
        creator=first[0],
        rules_slug=competition.rules_slug,
        options=competition.options,
        terms=competition.terms,
        players=_seated(first, second, competition),
        is_public=is_public,
        now=now,
        creator_seat=0,
    )
    start_full_table(game, list(game.seats.select_related("user")), now)
    return game


def _seated(
    first: Sequence[User], second: Sequence[User], competition: League | Tournament | ClubMatch
) -> list[User]:
    """Return the players of both sides in the order of the seats."""
    sides = rules_for(competition.rules_slug).sides(competition.options)
    waiting = iter(first), iter(second)
    return [next(waiting[0 if side == sides[0] else 1]) for side in sides]


def begin_together(
    pairs: Sequence[tuple[Sequence[User], Sequence[User]]],
    competition: League | Tournament,
    *,
    now: datetime,
) -> list[Game]:
    """Begin a public game of each pair, as `begin_between` does; all rows are written at once.

    The players to move are locked in the order of their keys.
    """
    rules, options = rules_for(competition.rules_slug), competition.options
    mover = rules.to_move(rules.initial(options))
    assert mover is not None  # noqa: S101  (no game is over before it begins)
    movers = User.objects.select_for_update(no_key=True).order_by("pk")
    seatings = [_seated(first, second, competition) for first, second in pairs]
    locked = movers.in_bulk({players[mover].pk for players in seatings})
    interruptions = read_interruptions(set(locked), since=now, now=now)
    games, seats, events = [], [], []
    for players in seatings:
        game = new_table(
            creator=players[0],
            rules_slug=competition.rules_slug,
            options=options,
            terms=competition.terms,
            creator_seat=0,
            now=now,
        )
        first = game.terms.pace.first
        game.loaded_seats = [
            Seat(game=game, number=number, user=locked.get(user.pk, user), time_left=first)
            for number, user in enumerate(players)
        ]
        start_clock(game, interruptions, now=now)
        games.append(game)
        seats += game.loaded_seats
        events.append(Event(game=game, kind=Event.Kind.STARTED, at=now, turn_number=0))
    Game.objects.bulk_create(games)
    Seat.objects.bulk_create(seats)
    Event.objects.bulk_create(events)
    wakeups.notify_workers("events")
    return games


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
    # Nobody takes time for leaving: it belongs to the turn in which they left.
    turns = game.turns.order_by("number").exclude(via__in=(Turn.Via.TAKEBACK, Turn.Via.LEFT))
    for number, played_at in turns.values_list("seat", "played_at"):
        taken[number] += running_time(began, max(began, played_at), away[number])
        began = max(began, played_at)
    if game.seat_to_move is not None:
        end = max(began, game.stopped_at or now)
        taken[game.seat_to_move] += running_time(began, end, away[game.seat_to_move])
    return taken


@transaction.atomic
def decide_on_last_day(game_id: int, *, now: datetime) -> bool:
    """End a game that still runs on its last possible day, as `slower_side` says."""
    game = free_game(game_id)
    if game is None or game.status != Game.Status.ACTIVE:
        return False
    sides = game.rules.sides(game.options)
    used = dict.fromkeys(sides, timedelta())
    for seat, time in time_taken(game, now=now).items():
        used[sides[seat]] += time
    loser = slower_side(used)
    places = tuple(2 if side == loser else 1 for side in sides)
    outcome = Outcome(places, None, Ending.FINAL_DAY)
    finish_game(game, outcome.reason, outcome=outcome, now=now, actor=None)
    return True
