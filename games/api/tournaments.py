"""Routes about tournaments: list and open them, one with its rounds, join, leave and cancel."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, cast

from django.conf import settings
from ninja import Router
from pydantic import Field

from accounts.models import Scope, User
from accounts.server_time import server_now
from games import models
from games.api import requests
from games.api import schemas as api
from games.api.access import acting, reading
from games.api.acting import pace_given
from games.api.auth import ApiRequest
from games.api.games import ON_A_PAGE
from games.api.once import answer_once
from games.api.output import cursor_of, key_of, pace, person
from games.queries import tournaments as queries
from games.services.tournaments import entries

router = Router(tags=["tournaments"])

Form = Literal["round-robin", "swiss", "knockout", "groups"]


class Tournament(api.Out):
    """A tournament: `form` is its system. All of it is over on `last_possible_day` at the latest.

    `game_days`, `legs` (games of each pair), `best_of` (games of a match), `swiss_rounds`,
    `group_size` and `has_third_place` say how it is played; what its form does not use has no
    meaning. `seed_hash` is the SHA-256 of the seed of all lots, `seed` is null until it has
    started. `link` is null if it is open to all; whoever opened it and its players are told it,
    others get null too.
    """

    id: int
    url: str
    name: str
    form: Form
    game: str
    options: dict[str, api.OptionValue]
    pace: api.Pace
    allows_vacations: bool
    allows_days_off: bool
    game_days: int
    most_players: int
    legs: int
    best_of: int
    swiss_rounds: int
    group_size: int
    has_third_place: bool
    least_rating: int | None
    most_rating: int | None
    is_by_link: bool
    opened_by: api.Player
    opened_at: datetime
    starts_at: datetime
    starts_when_full: bool
    started_at: datetime | None
    ended_at: datetime | None
    is_cancelled: bool
    last_possible_day: datetime
    joined: int
    you_play: Literal["plays", "left"] | None
    link: str | None
    seed_hash: str
    seed: str | None


class Tournaments(api.Out):
    """A page of tournaments, the newest first."""

    tournaments: list[Tournament]
    next: str | None


class Entrant(api.Out):
    """A player. The lot is drawn for `joined_as`; `number` is the place in the order drawn."""

    player: api.Player
    joined_as: int
    number: int | None
    group: int | None
    has_left: bool


class TournamentRow(api.Out):
    """A row of a table. `is_void`: the player has left, and their games count for nobody."""

    place: int
    player: str
    points: int
    won: int
    drawn: int
    lost: int
    sonneborn_berger: float
    is_void: bool


class TournamentTable(api.Out):
    """The table of all, or of a group."""

    group: int | None
    rows: list[TournamentRow]


class MatchGame(api.Out):
    """A game of a match: `first` has the first turn.

    `game` is null until it has begun, `first_points` until it is over.
    """

    game: int | None
    leg: int
    first: str
    first_points: int | None
    counts: bool


class Match(api.Out):
    """A pair of a round. Without `second`, `first` is free. `goes_on` is who has won a knock-out's.

    The losers of the semi-finals play one `for_third_place`. Players are user names.
    """

    board: int
    first: str
    second: str | None
    goes_on: str | None
    for_third_place: bool
    games: list[MatchGame]


class Round(api.Out):
    """A round, over on `last_possible_day` at the latest. Of a knock-out: who loses is out."""

    number: int
    is_knockout: bool
    started_at: datetime
    last_possible_day: datetime
    ended_at: datetime | None
    matches: list[Match]


class TournamentState(api.Out):
    """A tournament with its players, rounds and tables as its games stand.

    `tables` is empty for a knock-out; `order` are the user names in the order of the end, once it
    is over.
    """

    tournament: Tournament
    entrants: list[Entrant]
    tables: list[TournamentTable]
    rounds: list[Round]
    order: list[str]


@router.get("/tournaments", url_name="tournaments", **reading(Scope.GAMES_READ, Tournaments))
def list_tournaments(
    request: ApiRequest,
    state: Literal["open", "running", "over"] | None = None,
    cursor: Annotated[str, Field(max_length=100)] = "",
) -> Tournaments:
    """List tournaments, the newest first: those open to all, and yours.

    One that is only for who has its link is shown to whoever opened it and to its players. A
    `cursor` that this route did not give is 422 BadCursor.
    """
    found = queries.tournament_list(request.user).select_related("opened_by")
    if state == "open":
        found = found.filter(started_at=None, ended_at=None)
    elif state == "running":
        found = found.filter(started_at__isnull=False, ended_at=None)
    elif state == "over":
        found = found.filter(ended_at__isnull=False)
    if cursor:
        found = found.filter(pk__lt=key_of(cursor))
    rows = list(found[: ON_A_PAGE + 1])
    shown = rows[:ON_A_PAGE]
    own = queries.own_entrants(request.user, shown)
    return Tournaments(
        tournaments=[
            _tournament(one, request.user, own.get(one.pk), one.joined, one.shown_last_day)  # type: ignore[attr-defined]
            for one in shown
        ],
        next=cursor_of(shown[-1].pk) if len(rows) > ON_A_PAGE else None,
    )


@router.post(
    "/tournaments",
    url_name="tournaments",
    **acting(Scope.TABLES, TournamentState, takes_key=True),
)
def open_a_tournament(request: ApiRequest, given: requests.NewTournament) -> Any:
    """Open a tournament, which you do not join by that. Takes an Idempotency-Key.

    A player may have opened two that are not over: 403 OpenedEnough. A start that is too soon or
    too late is 422 BadStart.
    """

    def act() -> TournamentState:
        plan = {name: getattr(given, name) for name in entries.Plan.__dataclass_fields__}
        made = entries.open_tournament(
            user=request.user,
            rules_slug=given.game,
            options=dict(given.options),
            terms=models.Terms(
                pace_given(given.pace), given.allows_vacations, given.allows_days_off
            ),
            plan=entries.Plan(**plan),
            by_link=given.by_link,
            now=server_now(),
        )
        return _state(made.pk, request.user, made.key)

    return answer_once(request, act)


@router.get(
    "/tournaments/{int:id}",
    url_name="tournament",
    **reading(Scope.GAMES_READ, TournamentState),
)
def show_tournament(
    request: ApiRequest, id: int, key: Annotated[str, Field(max_length=40)] = ""
) -> TournamentState:
    """Return a tournament with its players, rounds and tables.

    `key` is that of its link. One that you may not see is 404 NoSuchTournament, as is one that is
    not there.
    """
    return _state(id, request.user, key)


@router.post(
    "/tournaments/{int:id}/{action}",
    url_name="act_in_tournament",
    **acting(Scope.TABLES, TournamentState),
)
def act_in_tournament(
    request: ApiRequest,
    id: int,
    action: Literal["join", "leave", "cancel"],
    given: requests.LinkKey,
) -> TournamentState:
    """Join a tournament, leave it, or cancel one that you have opened, before its start.

    `key` is that of its link. Whoever leaves after the start resigns their running games in it.
    After the start joining is 409 TournamentHasStarted. For people only: a program is
    403 NoProgramsInTournaments.
    """
    user, key, now = request.user, given.key, server_now()
    queries.visible_tournament(id, user, key)
    if action == "join":
        entries.join_tournament(tournament_id=id, user=user, key=key, now=now)
    elif action == "leave":
        entries.leave_tournament(tournament_id=id, user=user, now=now)
    else:
        entries.cancel_tournament(tournament_id=id, user=user, now=now)
    return _state(id, user, key)


def _state(pk: int, user: User, key: str) -> TournamentState:
    """Return a tournament as it stands. Raises NoSuchTournament."""
    found = queries.visible_tournament(pk, user, key)
    state = queries.TournamentState(found)
    own = next((one for one in state.everybody if one.user_id == user.pk), None)
    joined = sum(one.left_at is None for one in state.everybody)
    last_day = found.last_day_of(len(state.entrants) or found.most_players)
    was_played = found.started_at is not None and found.ended_at is not None
    order = state.final_order() if was_played else []
    return TournamentState(
        tournament=_tournament(found, user, own, joined, last_day),
        entrants=[
            Entrant(
                player=person(one.user),
                joined_as=one.joined_as,
                number=one.number,
                group=one.group,
                has_left=one.left_at is not None,
            )
            for one in state.everybody
        ],
        tables=[
            TournamentTable(
                group=group,
                rows=[
                    TournamentRow(
                        place=row.standing.place,
                        player=state.entrants[row.entry.pk].user.username,
                        points=row.standing.points,
                        won=row.standing.won,
                        drawn=row.standing.drawn,
                        lost=row.standing.lost,
                        sonneborn_berger=row.standing.sonneborn_berger,
                        is_void=row.is_void,
                    )
                    for row in table.rows
                ],
            )
            for group, table in state.tables
        ],
        rounds=[
            Round(
                number=one.number,
                is_knockout=one.is_knockout,
                started_at=one.started_at,
                last_possible_day=one.final_at,
                ended_at=one.ended_at,
                matches=_matches(state.matches(one), state),
            )
            for one in state.rounds
        ],
        order=[one.user.username for one, _won in order],
    )


def _matches(matches: Sequence[queries.Match], state: queries.TournamentState) -> list[Match]:
    return [
        Match(
            board=one.board,
            first=one.first.user.username,
            second=one.second.user.username if one.second is not None else None,
            for_third_place=one.for_third_place,
            goes_on=one.goes_on.user.username if one.goes_on is not None else None,
            games=[
                MatchGame(
                    game=game.row.game_id,
                    leg=game.row.leg,
                    first=state.entrants[game.row.first_id].user.username,
                    first_points=game.points,
                    counts=game.counts,
                )
                for game in one.games
                if one.second is not None and isinstance(game.row, models.TournamentGame)
            ],
        )
        for one in matches
    ]


def _tournament(
    one: models.Tournament,
    user: User,
    own: models.Entrant | None,
    joined: int,
    last_day: datetime,
) -> Tournament:
    """Return a tournament as a user sees it, who plays as `own`."""
    plays = own is not None and own.left_at is None
    url = settings.SITE_URL + one.get_absolute_url()
    knows_link = bool(one.key) and (plays or one.opened_by_id == user.pk)
    return Tournament(
        id=one.pk,
        url=url,
        name=str(one),
        form=cast(Any, one.form),
        game=one.rules_slug,
        options=one.options,
        pace=pace(one.terms.pace),
        allows_vacations=one.allows_vacations,
        allows_days_off=one.allows_days_off,
        game_days=one.game_days,
        most_players=one.most_players,
        legs=one.legs,
        best_of=one.best_of,
        swiss_rounds=one.swiss_rounds,
        group_size=one.group_size,
        has_third_place=one.has_third_place,
        least_rating=one.least_rating,
        most_rating=one.most_rating,
        is_by_link=bool(one.key),
        opened_by=person(one.opened_by),
        opened_at=one.opened_at,
        starts_at=one.starts_at,
        starts_when_full=one.starts_when_full,
        started_at=one.started_at,
        ended_at=one.ended_at,
        is_cancelled=one.is_cancelled,
        last_possible_day=last_day,
        joined=joined,
        you_play=None if own is None else "plays" if plays else "left",
        link=f"{url}?key={one.key}" if knows_link else None,
        seed_hash=one.seed_hash,
        seed=one.seed if one.started_at else None,
    )
