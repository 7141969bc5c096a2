"""Routes about leagues: their seasons and tables, and joining, skipping and leaving."""

from typing import Annotated, Any, Literal

from django.conf import settings
from ninja import Path, Router

from accounts.models import Scope
from accounts.server_time import server_now
from games import league_errors, models
from games.api import competition_schemas as api
from games.api.access import acting, reading
from games.api.auth import ApiRequest
from games.api.output import pace, person
from games.api.ratings import Slug
from games.queries.leagues import (
    DivisionTable,
    LeagueCard,
    division_tables,
    league_cards,
    own_entries,
)
from games.services.leagues import entries

router = Router(tags=["leagues"])

ACTIONS = {
    "join": entries.join_season,
    "skip": entries.skip_season,
    "decline": entries.decline_season,
    "leave": entries.leave_season,
}

MOST_SEASONS = 1_000_000


@router.get("/leagues", url_name="leagues", **reading(Scope.GAMES_READ, api.Leagues))
def list_leagues(request: ApiRequest) -> api.Leagues:
    """List the leagues with the season that runs, the one to join, and one's own part in both."""
    return api.Leagues(leagues=_leagues(request, league_cards()))


@router.get(
    "/leagues/{slug}/seasons/{int:number}",
    url_name="season",
    **reading(Scope.GAMES_READ, api.SeasonTables),
)
def season_tables(
    request: ApiRequest, slug: Slug, number: Annotated[int, Path(ge=1, le=MOST_SEASONS)]
) -> api.SeasonTables:
    """Show a season with the tables of its divisions as its games stand, and one's own place."""
    found = (
        models.Season.objects.select_related("league")
        .filter(league__rules_slug=slug, number=number)
        .first()
    )
    if found is None:
        raise league_errors.NoSuchLeague
    tables = division_tables(found) if found.started_at else []
    own = next(
        (
            api.OwnPlace(division=table.division.number, place=row.standing.place)
            for table in tables
            for row in table.rows
            if row.entry.user_id == request.user.pk
        ),
        None,
    )
    return api.SeasonTables(
        season=_season(found),
        divisions=[_division(table) for table in tables],
        your_place=own,
    )


@router.post(
    "/leagues/{slug}/{action}", url_name="act_in_league", **acting(Scope.TABLES, api.League)
)
def act_in_league(
    request: ApiRequest, slug: Slug, action: Literal["join", "skip", "decline", "leave"]
) -> api.League:
    """Join the next season, skip it and keep one's place, decline it, or leave the one that runs.

    Whoever leaves resigns their running games of the season. For people only.
    """
    ACTIONS[action](rules_slug=slug, user=request.user, now=server_now())
    (found,) = _leagues(request, league_cards(slug))
    return found


def _leagues(request: ApiRequest, cards: list[LeagueCard]) -> list[api.League]:
    seasons = [season for card in cards for season in (card.running, card.coming)]
    own = own_entries(request.user, seasons)
    return [
        api.League(
            game=card.league.rules_slug,
            name=card.league.name,
            options=card.league.options,
            pace=pace(card.league.terms.pace),
            division_size=card.league.division_size,
            legs=card.league.legs,
            closed_at=card.league.closed_at,
            running=_season(card.running) if card.running else None,
            coming=_season(card.coming) if card.coming else None,
            over=[season.number for season in card.over],
            you_play=_state(own, card.running),
            you_will=_state(own, card.coming),
        )
        for card in cards
    ]


def _state(own: dict[int, models.SeasonEntry], season: models.Season | None) -> Any:
    """Return one's part in a season: "plays", "skips", "declined" or "left"; None: none."""
    entry = own.get(season.pk) if season is not None else None
    if entry is None:
        return None
    return "left" if entry.left_at is not None else entry.state


def _season(season: models.Season) -> api.Season:
    return api.Season(
        number=season.number,
        url=settings.SITE_URL + season.get_absolute_url(),
        starts_at=season.starts_at,
        started_at=season.started_at,
        last_possible_day=season.last_possible_day,
        ended_at=season.ended_at,
    )


def _division(table: DivisionTable) -> api.Division:
    return api.Division(
        number=table.division.number,
        up=table.up,
        down=table.down,
        rows=[
            api.StandingRow(
                place=row.standing.place,
                player=person(row.entry.user),
                points=row.standing.points,
                won=row.standing.won,
                drawn=row.standing.drawn,
                lost=row.standing.lost,
                sonneborn_berger=row.standing.sonneborn_berger,
                has_left=row.entry.left_at is not None,
                is_void=row.is_void,
            )
            for row in table.rows
        ],
        games=[
            api.LeagueGame(
                game=one.row.game_id,
                first=table.entries[one.row.first_id].user.username,
                second=table.entries[one.row.second_id].user.username,
                first_points=one.points,
                counts=one.counts,
            )
            for one in table.games
        ],
    )
