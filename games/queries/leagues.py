"""Leagues, the tables of their seasons, and what a page shows of them.

A table is computed from the games as they stand, each time that it is asked for. The number of
queries depends neither on the players nor on the games.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Prefetch, Q

from accounts.models import User
from games.competition.divisions import exchanged
from games.competition.standings import (
    DRAW,
    LOSS,
    WIN,
    PairingResult,
    Standing,
    standings,
    sure_of_first,
    sure_of_last,
)
from games.models import Division, Game, League, LeagueGame, Season, SeasonEntry, Seat


@dataclass(frozen=True)
class PlayedGame:
    """A game of a division as it stands; `points` are those of `first`, None if there are none."""

    row: LeagueGame
    status: str
    ended_at: datetime | None
    points: int | None

    @property
    def counts(self) -> bool:
        """Whether it is in the table: it may still be played. One without a result is not."""
        return self.row.annulled_at is None and self.status not in ("aborted", "closed")


@dataclass(frozen=True)
class TableCell:
    """A game in the cross table, from the side of the row's player.

    `points` are None while it is being played, and of one that does not count (`is_void`).
    """

    game_id: int | None
    points: int | None
    is_first: bool
    is_void: bool


@dataclass(frozen=True)
class TableRow:
    """A player in a division's table, with the games against each of the others in its order."""

    entry: SeasonEntry
    standing: Standing
    cells: Sequence[Sequence[TableCell] | None]
    is_void: bool
    fate: str
    """"up" or "down" (would move), "sure-up" or "sure-down" (will for certain), or ""."""

    @property
    def running(self) -> int:
        """How many games the player still plays in the division."""
        cells = (cell for cells in self.cells for cell in cells or ())
        return sum(
            one.game_id is not None and one.points is None for one in cells if not one.is_void
        )


class DivisionTable:
    """The table of one division."""

    def __init__(
        self, division: Division, entries: Sequence[SeasonEntry], games: Sequence[PlayedGame]
    ) -> None:
        self.division = division
        self.entries = {entry.pk: entry for entry in entries}
        self.games = games
        self.up = self.down = 0

    @cached_property
    def void(self) -> set[int]:
        """The players who left before half of their games were over: none of them counts."""
        found = set()
        for entry in self.entries.values():
            if entry.left_at is None:
                continue
            own = [one for one in self.games if entry.pk in (one.row.first_id, one.row.second_id)]
            over = [one for one in own if one.ended_at and one.ended_at < entry.left_at]
            if 2 * len(over) < len(own):
                found.add(entry.pk)
        return found

    @cached_property
    def standings(self) -> list[Standing]:
        """The table, first place first; players whose games do not count are last."""
        players = [pk for pk in self.entries if pk not in self.void]
        results = [
            PairingResult(one.row.first_id, one.row.second_id, one.points)
            for one in self.games
            if one.counts
        ]
        table = standings(players, results)
        last = [pk for pk in self.entries if pk in self.void]
        return table + [
            Standing(pk, len(table) + place, 0, 0, 0, 0, 0, 0.0, 0)
            for place, pk in enumerate(last, 1)
        ]

    @cached_property
    def rows(self) -> list[TableRow]:
        """The rows of the table for a page."""
        sure_up = sure_of_first(self.standings, self.up)
        sure_down = sure_of_last(self.standings, self.down)
        cells: defaultdict[tuple[int, int], list[TableCell]] = defaultdict(list)
        for one in self.games:
            first, second = one.row.first_id, one.row.second_id
            is_void = not one.counts or first in self.void or second in self.void
            points = None if is_void else one.points
            other = None if points is None else WIN - points
            game_id = one.row.game_id
            cells[first, second].append(TableCell(game_id, points, True, is_void))
            cells[second, first].append(TableCell(game_id, other, False, is_void))
        order = [row.player for row in self.standings]
        rows = []
        for row in self.standings:
            fate = ""
            if row.place > len(order) - self.down:
                fate = "sure-down" if row.player in sure_down else "down"
            elif row.place <= self.up:
                fate = "sure-up" if row.player in sure_up else "up"
            against = [None if pk == row.player else cells[row.player, pk] for pk in order]
            is_void = row.player in self.void
            rows.append(TableRow(self.entries[row.player], row, against, is_void, fate))
        return rows


def division_tables(season: Season, only: int | None = None) -> list[DivisionTable]:
    """Return the tables of a season, the highest division first; three queries.

    With `only`, the key of a division, its table alone, which then does not say who moves.
    """
    chosen = {} if only is None else {"division": only}
    entries: defaultdict[Division, list[SeasonEntry]] = defaultdict(list)
    playing = season.entries.filter(division__isnull=False, **chosen).select_related(
        "user", "division"
    )
    for entry in playing.order_by("division__number", "order"):
        assert entry.division is not None  # noqa: S101  (the filter)
        entries[entry.division].append(entry)
    places: dict[int, dict[int, int | None]] = defaultdict(dict)
    of_season = LeagueGame.objects.filter(division__season=season, **chosen)
    seats = Seat.objects.filter(game__league_game__in=of_season).order_by()
    for game, number, place in seats.values_list("game", "number", "place"):
        places[game][number] = place
    games: defaultdict[int, list[PlayedGame]] = defaultdict(list)
    rows = of_season.select_related("game")
    columns = "game__status", "game__ended_at"
    for row in rows.only(*[field.attname for field in LeagueGame._meta.fields], *columns):
        games[row.division_id].append(_as_it_stands(row, places))
    tables = [DivisionTable(one, players, games[one.pk]) for one, players in entries.items()]
    if only is not None:
        return tables
    moved = exchanged([len(table.entries) for table in tables])
    for index, table in enumerate(tables):
        table.down, table.up = moved[index], moved[index - 1] if index else 0
    return tables


def _as_it_stands(row: LeagueGame, places: Mapping[int, Mapping[int, int | None]]) -> PlayedGame:
    """Return a game with the points of the first player, who has seat 0."""
    game = row.game
    if game is None:
        return PlayedGame(row, "", None, None)
    points = None
    if game.status == Game.Status.FINISHED:
        first, second = places[game.pk].get(0), places[game.pk].get(1)
        points = DRAW if first == second else WIN if first == 1 else LOSS
    return PlayedGame(row, game.status, game.ended_at, points)


def next_season(league: League) -> Season | None:
    """Return the season of a league that has not begun; None if the league has ended."""
    return league.seasons.filter(started_at=None, ended_at=None).order_by("number").first()


@dataclass(frozen=True)
class LeagueCard:
    """A league with its newest seasons: the one that runs, the one to join, and the last one."""

    league: League
    running: Season | None
    coming: Season | None
    over: Sequence[Season]

    @property
    def joined(self) -> int:
        """How many players the season to join has."""
        return getattr(self.coming, "joined", 0)


def league_cards(slug: str | None = None) -> list[LeagueCard]:
    """Return all leagues, or the one of a game, with their seasons, newest first; two queries."""
    plays = Count("entries", filter=Q(entries__state=SeasonEntry.State.PLAYS))
    seasons = Season.objects.annotate(joined=plays).order_by("-number")
    leagues = League.objects.prefetch_related(Prefetch("seasons", seasons, to_attr="newest"))
    if slug is not None:
        leagues = leagues.filter(rules_slug=slug)
    cards = []
    for league in leagues:
        newest: Sequence[Season] = league.newest
        for season in newest:
            season.league = league
        running = [one for one in newest if one.started_at and not one.ended_at]
        coming = [one for one in newest if not one.started_at and not one.ended_at]
        over = [one for one in newest if one.started_at and one.ended_at]
        cards.append(LeagueCard(league, next(iter(running), None), next(iter(coming), None), over))
    return cards


def own_entries(
    user: User | AnonymousUser, seasons: Iterable[Season | None]
) -> dict[int, SeasonEntry]:
    """Return a user's entries of these seasons, by season; at most one query."""
    if not user.is_authenticated:
        return {}
    found = SeasonEntry.objects.filter(user=user, season__in=[one for one in seasons if one])
    return {entry.season_id: entry for entry in found}
