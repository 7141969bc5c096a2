"""A player's finished games: searched, newest first, a page at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Self

from django.db.models import Exists, Max, Min, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from accounts.names import BOT_NAMES, shown_name
from accounts.users import users_named
from games.models import Seat
from games.queries.game_filter import LONGEST_NAME, GameFilter
from games.queries.home import ListedGame, finished_listed

ON_A_PAGE = 30

FIRST_YEAR, LAST_YEAR = 2000, 2999


class GameResult(StrEnum):
    """How a game ended for the player."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    ABORTED = "aborted"


@dataclass(frozen=True)
class Search:
    """What is searched for: a kind of game, how a name begins, a `GameResult`, a year (or 0).

    `player` is the user name of somebody who plays too.
    """

    game: str = ""
    name: str = ""
    result: str = ""
    year: int = 0
    player: str = ""

    @classmethod
    def from_params(cls, params: Mapping[str, Any]) -> Self:
        """Return what an address asks for; what is unknown is left out."""
        shared = GameFilter.from_params(params)
        result, year = str(params.get("result", "")), str(params.get("year", ""))
        is_year = year.isascii() and year.isdigit() and FIRST_YEAR <= int(year[:5]) <= LAST_YEAR
        return cls(
            shared.game,
            shared.name,
            result if result in list(GameResult) else "",
            int(year) if is_year else 0,
            str(params.get("with", "")).replace("\0", "")[:LONGEST_NAME],
        )


@dataclass(frozen=True)
class FoundGames:
    """A page of search results. `older` is the number of its last game if there are more.

    `years` are those in which the player's games ended, newest first.
    """

    games: list[ListedGame]
    older: int | None
    years: list[int]


def finished_games(user: User, search: Search, *, before: int | None = None) -> FoundGames:
    """Return the player's finished games that match, newest first.

    `before` continues after the game of this number. Every question is answered from the player's
    own seats, by index.
    """
    own = Seat.objects.filter(user=user, ended_at__isnull=False).order_by("-ended_at", "-game_id")
    found = _matching(own, search, user)
    if before is not None:
        last = Subquery(own.filter(game=before).values("ended_at")[:1])
        earlier = Q(ended_at__lt=last) | Q(ended_at=last, game_id__lt=before)
        # The first condition, which follows from the second, is the one that an index answers.
        found = found.filter(ended_at__lte=last).filter(earlier)
    keys = list(found.values_list("game_id", flat=True)[: ON_A_PAGE + 1])
    shown = keys[:ON_A_PAGE]
    ends = own.order_by().aggregate(newest=Max("ended_at"), oldest=Min("ended_at"))
    years: list[int] = []
    if ends["newest"] is not None:
        newest, oldest = (end.astimezone(user.zone).year for end in ends.values())
        years = list(range(newest, oldest - 1, -1))
    older = shown[-1] if len(keys) > len(shown) else None
    return FoundGames(finished_listed(user, shown), older, years)


def _matching(seats: QuerySet[Seat], search: Search, user: User) -> QuerySet[Seat]:
    """Keep the seats of games that match."""
    if search.game:
        seats = seats.filter(game__rules_slug=search.game)
    if search.year:
        begin, end = (
            datetime(year, 1, 1, tzinfo=user.zone).astimezone(UTC)
            for year in (search.year, search.year + 1)
        )
        seats = seats.filter(ended_at__gte=begin, ended_at__lt=end)
    others = Seat.objects.filter(game=OuterRef("game")).exclude(pk=OuterRef("pk"))
    if search.result == GameResult.ABORTED:
        seats = seats.filter(place=None)
    elif search.result == GameResult.LOST:
        seats = seats.filter(place__gt=1)
    elif search.result:
        somebody_lost = Exists(others.filter(place__gt=1))
        is_won = search.result == GameResult.WON
        seats = seats.filter(somebody_lost if is_won else ~somebody_lost, place=1)
    if search.player:
        together = Seat.objects.filter(user__username=search.player).exclude(user=user)
        seats = seats.filter(game__in=together.values("game"))
    if search.name:
        typed = search.name.casefold()
        bots = [n for n in BOT_NAMES if typed in shown_name("", n, is_bot=True).casefold()]
        if bots:
            is_bot = Q(user__is_bot=True, user__display_name__in=bots)
            return seats.filter(Exists(others.filter(is_bot)))
        named = [key for key in users_named(search.name) if key != user.pk]
        seats = seats.filter(game__in=Seat.objects.filter(user__in=named).values("game"))
    return seats
