"""Routes for ratings: the list of a game, and those of one player."""

from datetime import datetime
from typing import Annotated

from ninja import Path, Router
from pydantic import Field

from accounts.models import Scope
from accounts.server_time import server_now
from games import errors, models
from games.api import schemas as api
from games.api.access import reading
from games.api.auth import ApiRequest
from games.api.errors import BadCursor, NoRatingsShown
from games.api.output import cursor_of, key_of, person
from games.models.rating import Strength
from games.queries import ratings
from games.queries.profiles import Profile, profile_of
from games.rules.registry import UnknownGame

router = Router(tags=["ratings"])

Slug = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,40}$")]
Username = Annotated[str, Path(max_length=60)]
TableKind = Annotated[str, Field(max_length=8)]


class Rating(api.Out):
    """A rating: the strength is `number` ± `range` 19 times of 20; `level` is a program's, or 0.

    `table` is the kind of table: "2" to "9" players, or "4t", so many in teams.
    """

    game: str
    table: str
    level: int
    number: int
    range: int
    is_provisional: bool
    games: int


class RatedPlayer(api.Out):
    """A player in the list."""

    player: api.Player
    rating: Rating


class RatingList(api.Out):
    """A page of the list of a game. `tables` are its kinds of table."""

    game: str
    table: str
    tables: list[str]
    ratings: list[RatedPlayer]
    next: str | None


class PlayerRatings(api.Out):
    """All ratings of a player."""

    player: api.Player
    ratings: list[Rating]


class RatingChange(api.Out):
    """What a game made of a rating. `weight`, from 0 to 1, is how much of the change counted."""

    game: int
    ended_at: datetime
    before: int
    number: int
    range: int
    weight: float


class RatingHistory(api.Out):
    """The newest changes of a rating, the newest first."""

    player: api.Player
    game: str
    table: str
    changes: list[RatingChange]


@router.get("/ratings/{slug}", url_name="ratings", **reading(Scope.GAMES_READ, RatingList))
def rating_list(
    request: ApiRequest,
    slug: Slug,
    table: TableKind = "",
    programs: bool = False,
    cursor: Annotated[str, Field(max_length=100)] = "",
) -> RatingList:
    """List the ratings of a game that are not provisional, the strongest first, in pages.

    `table` is one of `tables`, the kinds of table; the first if it is left out. People and programs
    have lists of their own. Players who do not show their results to the token's user are left out.
    """
    kinds = _kinds(slug)
    kind = table if table in kinds else kinds[0]
    if cursor and not models.Rating.objects.filter(pk=key_of(cursor), rules_slug=slug).exists():
        raise BadCursor  # that rating was deleted: the list would begin anew
    found = ratings.rating_list(
        slug,
        kind,
        request.user,
        of_program=programs,
        after=key_of(cursor) if cursor else 0,
        now=server_now(),
    )
    return RatingList(
        game=slug,
        table=kind,
        tables=kinds,
        ratings=[RatedPlayer(player=person(one.player), rating=_rating(one)) for one in found.rows],
        next=cursor_of(found.following) if found.following else None,
    )


@router.get(
    "/players/{username}/ratings",
    url_name="player_ratings",
    **reading(Scope.GAMES_READ, PlayerRatings),
)
def ratings_of_a_player(request: ApiRequest, username: Username) -> PlayerRatings:
    """List the ratings of a player, those of most games first.

    Whoever does not show their results to the token's user is answered as if they were not there.
    """
    found = _shown(request, username)
    return PlayerRatings(
        player=person(found.person), ratings=[_rating(one) for one in found.ratings]
    )


@router.get(
    "/players/{username}/ratings/{slug}",
    url_name="player_rating_history",
    **reading(Scope.GAMES_READ, RatingHistory),
)
def history_of_a_rating(
    request: ApiRequest,
    username: Username,
    slug: Slug,
    table: TableKind = "",
    level: Annotated[int, Field(ge=0, le=9999)] = 0,
) -> RatingHistory:
    """List what the newest hundred games changed of a player's rating, the newest first.

    `level` is that of a program of this server.
    """
    found, kinds = _shown(request, username), _kinds(slug)
    kind = table if table in kinds else kinds[0]
    return RatingHistory(
        player=person(found.person),
        game=slug,
        table=kind,
        changes=[
            RatingChange(
                game=one.game_id,
                ended_at=one.ended_at,
                before=one.number_before,
                number=one.number,
                range=one.range,
                weight=one.weight,
            )
            for one in ratings.changes_of(found.person, slug, kind, level)
        ],
    )


def _shown(request: ApiRequest, username: str) -> Profile:
    """Return a player whose ratings the caller may see. Raises NoRatingsShown."""
    found = profile_of(username, request.user, now=server_now())
    if found is None or not found.shows_ratings:
        raise NoRatingsShown
    return found


def _kinds(slug: str) -> list[str]:
    """Return the kinds of table of a game. Raises UnknownRules."""
    try:
        return list(ratings.table_kinds(slug))
    except UnknownGame:
        raise errors.UnknownRules from None


def _rating(one: models.Rating | Strength) -> Rating:
    return Rating(
        game=one.rules_slug,
        table=one.table_kind,
        level=one.level,
        number=one.number,
        range=one.range,
        is_provisional=one.is_provisional,
        games=one.games,
    )
