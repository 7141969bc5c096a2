"""Routes about leagues: their seasons and tables, and joining, skipping and leaving."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.conf import settings
from ninja import Path, Router
from pydantic import Field

from accounts.models import Scope
from accounts.server_time import server_now
from games import league_errors, models
from games.api import requests
from games.api import schemas as api
from games.api.access import acting, reading
from games.api.auth import ApiRequest
from games.api.output import cursor_of, key_of, pace, person
from games.api.ratings import Slug
from games.models.league import DIVISIONS_ON_A_PAGE
from games.queries.leagues import (
    DivisionTable,
    LeagueCard,
    division_tables,
    league_cards,
    own_entries,
    season_for,
    team_invitations,
)
from games.queries.people import player_named
from games.services.leagues import entries, teams

router = Router(tags=["leagues"])

ACTIONS = {
    "join": entries.join_season,
    "skip": entries.skip_season,
    "decline": entries.decline_season,
    "leave": entries.leave_season,
    "alone": teams.play_without_partner,
}

MOST_SEASONS = 1_000_000

Part = Literal["plays", "skips", "declined", "waits", "left"]
"""One's part in a season; who waits found no partner, and is in the next one."""


class Season(api.Out):
    """A season. All of its games are over on `last_possible_day` at the latest."""

    number: int
    url: str
    starts_at: datetime
    started_at: datetime | None
    last_possible_day: datetime
    ended_at: datetime | None


class League(api.Out):
    """A league: the season that runs, the one to join, and the numbers of those that are over.

    `over` has only seasons among the newest 24; the first season of a league has the number 1.
    `you_play` and `you_will` are one's own part in the first two; null: none. Where `team_size` is
    2, `partner` is one's partner in the season to join, and `asked_by` are those who ask one.
    """

    game: str
    name: str
    options: dict[str, api.OptionValue]
    pace: api.Pace
    division_size: int
    legs: int
    team_size: int
    closed_at: datetime | None
    running: Season | None
    coming: Season | None
    over: list[int]
    you_play: Part | None
    you_will: Part | None
    partner: api.Player | None
    asked_by: list[api.Player]


class Leagues(api.Out):
    """All leagues."""

    leagues: list[League]


class StandingRow(api.Out):
    """A row of a table. `is_void`: the player has left, and their games count for nobody.

    `players` are both players of a team, `player` is the first of them.
    """

    place: int
    player: api.Player
    players: list[api.Player]
    points: int
    won: int
    drawn: int
    lost: int
    sonneborn_berger: float
    has_left: bool
    is_void: bool


class LeagueGame(api.Out):
    """A game of a division; `game` is null until it has begun, `first_points` until it is over.

    Players are user names; of a team that of the first one.
    """

    game: int | None
    first: str
    second: str
    first_points: int | None
    counts: bool


class Division(api.Out):
    """The table of a division. At the end `up` players go one division up, `down` one down."""

    number: int
    up: int
    down: int
    rows: list[StandingRow]
    games: list[LeagueGame]


class OwnPlace(api.Out):
    """Where one is in a season."""

    division: int
    place: int


class SeasonTables(api.Out):
    """A season with a page of its tables. `your_place` is null if you do not play in it."""

    season: Season
    divisions: list[Division]
    your_place: OwnPlace | None
    next: str | None


@router.get("/leagues", url_name="leagues", **reading(Scope.GAMES_READ, Leagues))
def list_leagues(request: ApiRequest) -> Leagues:
    """List the leagues with the season that runs, the one to join, and one's own part in both."""
    return Leagues(leagues=_leagues(request, league_cards()))


@router.get(
    "/leagues/{slug}/seasons/{int:number}",
    url_name="season",
    **reading(Scope.GAMES_READ, SeasonTables),
)
def season_tables(
    request: ApiRequest,
    slug: Slug,
    number: Annotated[int, Path(ge=1, le=MOST_SEASONS)],
    cursor: Annotated[str, Field(max_length=100)] = "",
) -> SeasonTables:
    """Return a season, the tables of its divisions as they are now, and your own place.

    There are twenty divisions on a page, from the highest one on.
    """
    found = season_for(request.user, slug, number)
    if found is None:
        raise league_errors.NoSuchLeague
    first = min(key_of(cursor), found.lowest or 0) + 1 if cursor else 1
    last = first + DIVISIONS_ON_A_PAGE - 1
    numbers = {*range(first, last + 1), found.own_division or 0}
    tables = division_tables(found, numbers=numbers) if found.started_at else []
    own = next(
        (
            OwnPlace(division=table.division.number, place=row.standing.place)
            for table in tables
            for row in table.rows
            if request.user in row.entry.people
        ),
        None,
    )
    return SeasonTables(
        season=_season(found),
        divisions=[_division(table) for table in tables if first <= table.division.number <= last],
        your_place=own,
        next=cursor_of(last) if last < (found.lowest or 0) else None,
    )


@router.post("/leagues/{slug}/{action}", url_name="act_in_league", **acting(Scope.TABLES, League))
def act_in_league(
    request: ApiRequest, slug: Slug, action: Literal["join", "skip", "decline", "leave", "alone"]
) -> League:
    """Join the next season, skip it and keep one's place, decline it, or leave the one that runs.

    Whoever leaves resigns their running games of the season. With `alone` one ends one's team of
    the next season, or withdraws what one has asked. For people only.
    """
    ACTIONS[action](rules_slug=slug, user=request.user, now=server_now())
    (found,) = _leagues(request, league_cards(slug))
    return found


@router.post(
    "/leagues/{slug}/team/partner", url_name="league_partner", **acting(Scope.TABLES, League)
)
def ask_partner(request: ApiRequest, slug: Slug, given: requests.NewChallenge) -> League:
    """Ask a player to be one's partner in the next season; accept, if they have asked one.

    Who does so joins the season. For people only.
    """
    partner = player_named(given.username)
    now = server_now()
    teams.invite_partner(rules_slug=slug, user=request.user, partner=partner, now=now)
    (found,) = _leagues(request, league_cards(slug))
    return found


def _leagues(request: ApiRequest, cards: list[LeagueCard]) -> list[League]:
    seasons = [season for card in cards for season in (card.running, card.coming)]
    own = own_entries(request.user, seasons)
    asked_by = team_invitations(request.user, [card.coming for card in cards])
    return [
        League(
            game=card.league.rules_slug,
            name=card.league.name,
            options=card.league.options,
            pace=pace(card.league.terms.pace),
            division_size=card.league.division_size,
            legs=card.league.legs,
            team_size=card.league.team_size,
            closed_at=card.league.closed_at,
            running=_season(card.running) if card.running else None,
            coming=_season(card.coming) if card.coming else None,
            over=[season.number for season in card.over],
            you_play=_state(own, card.running),
            you_will=_state(own, card.coming),
            partner=_partner(own, card.coming),
            asked_by=[
                person(one.entry.user)
                for one in asked_by
                if card.coming is not None and one.entry.season_id == card.coming.pk
            ],
        )
        for card in cards
    ]


def _state(own: dict[int, models.SeasonEntry], season: models.Season | None) -> Any:
    """Return one's part in a season: one of `Part`; None: none."""
    entry = own.get(season.pk) if season is not None else None
    if entry is None:
        return None
    return "left" if entry.left_at is not None else entry.state


def _partner(own: dict[int, models.SeasonEntry], season: models.Season | None) -> api.Player | None:
    entry = own.get(season.pk) if season is not None else None
    other = entry.teammate if entry is not None else None
    return None if other is None else person(other.user)


def _season(season: models.Season) -> Season:
    return Season(
        number=season.number,
        url=settings.SITE_URL + season.get_absolute_url(),
        starts_at=season.starts_at,
        started_at=season.started_at,
        last_possible_day=season.last_possible_day,
        ended_at=season.ended_at,
    )


def _division(table: DivisionTable) -> Division:
    return Division(
        number=table.division.number,
        up=table.up,
        down=table.down,
        rows=[
            StandingRow(
                place=row.standing.place,
                player=person(row.entry.user),
                players=[person(one) for one in row.entry.people],
                points=row.standing.points,
                won=row.standing.won,
                drawn=row.standing.drawn,
                lost=row.standing.lost,
                sonneborn_berger=row.standing.sonneborn_berger,
                has_left=row.entry.gone_at is not None,
                is_void=row.is_void,
            )
            for row in table.rows
        ],
        games=[
            LeagueGame(
                game=one.row.game_id,
                first=table.entries[one.row.first_id].user.username,
                second=table.entries[one.row.second_id].user.username,
                first_points=one.points,
                counts=one.counts,
            )
            for one in table.games
            if one.row.second_id is not None
        ],
    )
