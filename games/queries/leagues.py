"""Leagues, the tables of their seasons, and what a page shows of them.

A table is computed from the games as they stand, each time that it is asked for. The number of
queries depends neither on the players nor on the games.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Case, Count, Max, OuterRef, Prefetch, Subquery, When
from django.db.models.functions import Coalesce

from accounts.models import User
from games.competition.divisions import exchanged
from games.models import (
    Division,
    League,
    LeagueGame,
    Season,
    SeasonEntry,
    Seat,
    TeamInvitation,
)
from games.queries.cross_tables import CrossTable, PlayedGame, points_of_games


class DivisionTable(CrossTable):
    """The table of one division."""

    def __init__(
        self, division: Division, entries: Sequence[SeasonEntry], games: Sequence[PlayedGame]
    ) -> None:
        super().__init__(entries, games)
        self.division = division


def division_tables(
    season: Season, only: int | None = None, numbers: Collection[int] | None = None
) -> list[DivisionTable]:
    """Return the tables of a season, the highest division first; three queries.

    With `only`, the key of a division, its table alone, which then does not say who moves. With
    `numbers` those of these divisions.
    """
    chosen: dict[str, object] = {} if only is None else {"division": only}
    near = dict(chosen)
    if numbers is not None:
        # How many move depends on the sizes of the next divisions too.
        chosen["division__number__in"] = set(numbers)
        near["division__number__in"] = {one + by for one in numbers for by in (-1, 0, 1)}
    entries: defaultdict[Division, list[SeasonEntry]] = defaultdict(list)
    playing = season.entries.filter(order__isnull=False, **near).select_related(
        "user", "division", "partner__user"
    )
    for entry in playing.order_by("division__number", "order"):
        assert entry.division is not None  # noqa: S101  (the filter)
        entries[entry.division].append(entry)
    of_season = LeagueGame.objects.filter(division__season=season, **chosen)
    seats = Seat.objects.filter(game__league_game__in=of_season).order_by()
    games: defaultdict[int, list[PlayedGame]] = defaultdict(list)
    rows = of_season.select_related("game")
    columns = "game__status", "game__ended_at"
    rows = rows.only(*[field.attname for field in LeagueGame._meta.fields], *columns)
    for one in points_of_games(rows, seats.values_list("game", "number", "place")):
        assert isinstance(one.row, LeagueGame)  # noqa: S101  (rows of leagues were given)
        games[one.row.division_id].append(one)
    tables = [DivisionTable(one, players, games[one.pk]) for one, players in entries.items()]
    if only is not None:
        return tables
    moved = exchanged([len(table.entries) for table in tables])
    for index, table in enumerate(tables):
        table.down, table.up = moved[index], moved[index - 1] if index else 0
    return [table for table in tables if numbers is None or table.division.number in numbers]


def season_for(user: User | AnonymousUser, rules_slug: str, number: int) -> Season | None:
    """Return a season with its league, None if there is none; one query.

    It has the number of its lowest division (`lowest`) and of the user's (`own_division`), if any.
    """
    own = SeasonEntry.objects.filter(season=OuterRef("pk"), user=user.pk)
    facts = {
        "lowest": Max("divisions__number"),
        "own_division": Subquery(own.values("division__number")),
    }
    found = Season.objects.select_related("league").annotate(**facts)
    return found.filter(league__rules_slug=rules_slug, number=number).first()


def next_season(league: League) -> Season | None:
    """Return the season of a league that has not begun; None if the league has ended."""
    return league.seasons.filter(started_at=None, ended_at=None).order_by("number").first()


NEWEST_SEASONS = 24
"""A page shows so many seasons of a league: those of two years, if each lasts a month."""


@dataclass(frozen=True)
class LeagueCard:
    """A league with its newest seasons: the one that runs, the one to join, and those before."""

    league: League
    running: Season | None
    coming: Season | None
    over: Sequence[Season]

    @property
    def joined(self) -> int:
        """How many players the season to join has."""
        return getattr(self.coming, "joined", 0)


def league_cards(slug: str | None = None) -> list[LeagueCard]:
    """Return all leagues, or the one of a game, with their newest seasons first; two queries."""
    # Counted of the season to join alone: all others together have many more players.
    plays = SeasonEntry.objects.filter(season=OuterRef("pk"), state=SeasonEntry.State.PLAYS)
    count = plays.order_by().values("season").annotate(count=Count("pk")).values("count")
    to_join = When(started_at=None, ended_at=None, then=Coalesce(Subquery(count), 0))
    seasons = Season.objects.annotate(joined=Case(to_join, default=0)).order_by("-number")
    newest_seasons = Prefetch("seasons", seasons[:NEWEST_SEASONS], to_attr="newest")
    leagues = League.objects.prefetch_related(newest_seasons)
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


def seasons_before(league: League, number: int) -> list[Season]:
    """Return the seasons of a league before this number that were played, newest first."""
    played = league.seasons.filter(started_at__isnull=False, ended_at__isnull=False)
    return list(played.filter(number__lt=number).order_by("-number")[:NEWEST_SEASONS])


def blocked_in_season(user: User | AnonymousUser, season: Season | None) -> list[User]:
    """Return whom a user has blocked of those who play in a season; nobody learns who blocked them.

    Who comes by a place of the season before is among them once the season has its own entry.
    """
    if season is None or not user.is_authenticated:
        return []
    plays = User.objects.filter(
        league_entries__season=season, league_entries__state=SeasonEntry.State.PLAYS
    )
    return list(plays.filter(pk__in=user.blocks.values("of")).order_by("username"))


def own_entries(
    user: User | AnonymousUser, seasons: Iterable[Season | None]
) -> dict[int, SeasonEntry]:
    """Return a user's entries of these seasons, by season; at most one query."""
    if not user.is_authenticated:
        return {}
    found = SeasonEntry.objects.filter(user=user, season__in=[one for one in seasons if one])
    found = found.select_related("user", "partner_of__user", "partner__user")
    return {entry.season_id: entry for entry in found}


def team_invitations(
    user: User | AnonymousUser, seasons: Iterable[Season | None]
) -> list[TeamInvitation]:
    """Return the open invitations to teams that a user can answer in these seasons; one query."""
    if not user.is_authenticated:
        return []
    keys = [one.pk for one in seasons if one is not None and one.league.has_teams]
    if not keys:
        return []
    found = TeamInvitation.objects.filter(
        user=user, state=TeamInvitation.State.OPEN, entry__season__in=keys
    )
    return list(found.select_related("entry__user"))
