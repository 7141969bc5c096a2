"""Games that players lost because of an outage: an administrator can reopen them together."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User, Vacation
from games import errors
from games.clock.clock import Clock
from games.clock.spans import Span, merge_spans
from games.clock.weekly_schedule import WeeklySchedule
from games.models import Ending, Game, Outage, Seat, Turn
from games.models.ending import ON_TIME
from games.moderation.game_actions import REOPENED_WITHIN, departures_on_time, reopen_game
from games.rules.registry import UnknownGame
from games.services.clock.interruptions import availability_with


@dataclass(frozen=True)
class LostGame:
    """A game that ended on time, or that players left on time, and when."""

    game: Game
    at: datetime

    @property
    def players(self) -> str:
        """Return the names of everybody at the game."""
        return ", ".join(str(seat.user) for seat in self.game.all_seats)


def games_lost_in(outage: Outage, *, now: datetime) -> list[LostGame]:
    """Return the games that ended on time during an outage or because of it, oldest end first.

    Because of it: with the outage the deadline would have been later than the end. Where that
    cannot be computed any more (the clock was stopped, or a player left a game of several), the
    outage must have touched the turn. Only what can still be reopened is listed. The number of
    queries does not depend on the number of games.
    """
    if outage.ended_at is None:
        return []
    since = max(outage.began_at, now - REOPENED_WITHIN)
    found = [*_ended_in(outage, outage.ended_at, since), *_left_in(outage, outage.ended_at, since)]
    return sorted(found, key=lambda lost: (lost.at, lost.game.pk))


def reopen_lost(
    *, game_ids: Iterable[int], by: User, why: str, now: datetime
) -> tuple[list[int], dict[int, errors.Refusal]]:
    """Reopen games, each in its own transaction; return which, and why the others were not.

    Raises NotAnAdministrator, NoReason.
    """
    if not by.has_perm("games.add_outage"):
        raise errors.NotAnAdministrator
    if not why.strip():
        raise errors.NoReason
    done, refused = [], {}
    for game_id in game_ids:
        try:
            reopen_game(game_id=game_id, by=by, why=why, now=now)
        except errors.Refusal as refusal:
            refused[game_id] = refusal
        else:
            done.append(game_id)
    return done, refused


# Games that ended --------------------------------------------------------------------------------


def _ended_in(outage: Outage, end: datetime, since: datetime) -> Iterable[LostGame]:
    games = Game.objects.filter(ending__in=ON_TIME, ended_at__gte=since, turn_began_at__lt=end)
    ended = list(games.with_players())
    movers = {game.pk: _mover(game) for game in ended}
    earliest = min([game.turn_began_at or since for game in ended], default=since)
    vacations: dict[int, list[Span]] = defaultdict(list)
    away = Vacation.objects.filter(
        user__in={mover.pk for mover in movers.values() if mover}, ends_at__gt=earliest
    )
    for user, *times in away.order_by("begins_at").values_list("user", "begins_at", "ends_at"):
        vacations[user].append(Span(*times))
    known = Outage.objects.filter(ended_at__gt=earliest).order_by("began_at")
    outages = [
        Span(began, ended)
        for began, ended in known.values_list("began_at", "ended_at")
        if ended is not None
    ]
    for game in ended:
        assert game.ended_at is not None  # noqa: S101  (they were asked for by it)
        mover = movers[game.pk]
        taken = vacations[mover.pk] if mover and game.allows_vacations else []
        is_during = outage.began_at <= game.ended_at < end
        if is_during or _is_later_now(game, mover, taken, outages):
            yield LostGame(game, game.ended_at)


def _mover(game: Game) -> User | None:
    """Return who was to move when a game ended."""
    try:
        number = game.rules.to_move(game.rules.load(game.position))
    except UnknownGame:
        return None
    return next((seat.player for seat in game.all_seats if seat.number == number), None)


def _is_later_now(
    game: Game, mover: User | None, vacations: Sequence[Span], outages: Sequence[Span]
) -> bool:
    """Tell whether a game that ended on time would have had more time with all known outages."""
    started, end = game.clock_started_at, game.ended_at
    if started is None or game.ending == Ending.UNREACHABLE or game.time_left is None:
        return True
    clock = Clock(
        seat_to_move=0,  # nobody asks
        time_left=game.time_left,
        weekly_schedule=WeeklySchedule.from_data(game.weekly_schedule),
        turn_began_at=game.turn_began_at,
        started_at=started,
        protected_at=game.clock_protected_at,
    )
    availability = availability_with(
        mover,
        [span for span in vacations if span.end > started],
        merge_spans([span for span in outages if span.end > started]),
    )
    deadline = clock.recomputed(availability, now=started).deadline
    return deadline is not None and end is not None and deadline > end


# Games that players left -------------------------------------------------------------------------


def _left_in(outage: Outage, end: datetime, since: datetime) -> Iterable[LostGame]:
    left = Seat.objects.filter(left_because__in=ON_TIME, left_at__gte=since)
    games = list(Game.objects.filter(pk__in=left.values("game")).with_players())
    turns: dict[int, list[Turn]] = defaultdict(list)
    for turn in Turn.objects.filter(game__in=games).order_by("game", "number"):
        turns[turn.game_id].append(turn)
    for game in games:
        entries = turns[game.pk]
        notations = [turn.notation for turn in entries]
        try:
            _back, returning = departures_on_time(game, game.all_seats, notations)
        except UnknownGame:
            continue
        times = [seat.left_at for seat in returning if seat.left_at is not None]
        if not times or game.ending in ON_TIME:
            continue
        before = [turn.played_at for turn in entries if turn.played_at < min(times)]
        began = max(before, default=game.started_at)
        if began is not None and began < end and max(times) >= since:
            yield LostGame(game, max(times))
