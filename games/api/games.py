"""Routes that read games: lists, one game, its positions, its record."""

from typing import Annotated, Any, Literal

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext
from ninja import Router
from pydantic import Field

from accounts.models import Scope
from accounts.server_time import server_now
from games import errors, models
from games.api import schemas as api
from games.api.access import reading
from games.api.auth import ApiRequest
from games.api.output import (
    cursor_of,
    entry_as_data,
    game_as_data,
    key_of,
    position_as_data,
    visible_game,
)
from games.models.undo import showing_ends_undo
from games.queries.record_files import record_file
from games.rules.registry import all_rules
from games.services.levels import levels_of
from games.services.undo_window import end_undo

router = Router(tags=["games"])

ON_A_PAGE = 20
ENTRIES_AT_ONCE = 200

Number = Annotated[int, Field(ge=0, le=1_000_000)]


def page_of_games(found: list[models.Game], request: ApiRequest) -> api.Games:
    """Return one more than a page of games as a page."""
    more = len(found) > ON_A_PAGE
    shown = found[:ON_A_PAGE]
    return api.Games(
        games=[game_as_data(game, request.user) for game in shown],
        next=cursor_of(shown[-1].pk) if more else None,
    )


@router.get("/games", url_name="games", **reading(Scope.GAMES_READ, api.Games))
def games(
    request: ApiRequest,
    status: Literal["open", "active", "finished", "aborted", "closed"] | None = None,
    cursor: Annotated[str, Field(max_length=100)] = "",
) -> api.Games:
    """Return a part of your games and tables, the newest first. Every account may ask.

    A `cursor` that this route did not give is 422 BadCursor.
    """
    own = models.Seat.objects.filter(user=request.user).values("game")
    found = models.Game.objects.filter(pk__in=own).with_players().order_by("-pk")
    if status:
        found = found.filter(status=status)
    if cursor:
        found = found.filter(pk__lt=key_of(cursor))
    rows, now = list(found[: ON_A_PAGE + 1]), server_now()
    unseen = [
        game.pk
        for game in rows
        if showing_ends_undo(game.undo_until, game.undo_by_id, request.user.pk, now=now)
    ]
    if unseen:
        end_undo(unseen)
        rows = list(found.all()[: ON_A_PAGE + 1])  # what was undone just before is not shown
    return page_of_games(rows, request)


@router.get("/games/{int:id}", url_name="game", **reading(Scope.GAMES_READ, api.Game))
def game(request: ApiRequest, id: int) -> api.Game:
    """Return a game or table: a public one, your own, or one to which you are invited.

    All others are 404 NoSuchGame.
    """
    return game_as_data(visible_game(request, id), request.user)


@router.get(
    "/games/{int:id}/position", url_name="position", **reading(Scope.GAMES_READ, api.Position)
)
def position(
    request: ApiRequest, id: int, after: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
) -> api.Position:
    """Show the newest position, or the one after so many entries; to who is to move, what is legal.

    Finding what is legal is a part of some games: there only programs are told.
    """
    return position_as_data(_begun(request, id), request.user, after)


@router.get("/games/{int:id}/entries", url_name="entries", **reading(Scope.GAMES_READ, api.Entries))
def entries(request: ApiRequest, id: int, after: Number = 0) -> api.Entries:
    """List the entries of the record after entry number `after`, oldest first."""
    found = _begun(request, id).turns.filter(number__gt=after).order_by("number")
    rows = list(found.select_related("player")[: ENTRIES_AT_ONCE + 1])
    shown = rows[:ENTRIES_AT_ONCE]
    return api.Entries(
        entries=[entry_as_data(turn) for turn in shown],
        next=shown[-1].number if len(rows) > len(shown) else None,
    )


@router.get("/games/{int:id}/record", url_name="record", **reading(Scope.GAMES_READ, api.Record))
def record(request: ApiRequest, id: int) -> dict[str, Any]:
    """Return the whole record with its hashes, as the file that the page offers.

    For everybody who may see the game. One that has not begun is 404 NoSuchGame.
    """
    return record_file(_begun(request, id))


def _begun(request: ApiRequest, id: int) -> models.Game:
    """Return a visible game that has begun. Raises NoSuchGame."""
    found = visible_game(request, id)
    if found.started_at is None:
        raise errors.NoSuchGame
    return found


@router.get("/rules", url_name="rules", **reading(Scope.GAMES_READ, api.AllRules))
def rules(request: ApiRequest) -> api.AllRules:
    """List the games that can be played here, with their options."""
    return api.AllRules(
        games=[
            api.Rules(
                game=one.slug,
                name=gettext(one.name),
                summary=gettext(one.summary),
                rulebook=settings.SITE_URL + reverse("rules_page", args=[one.slug]),
                options=[
                    api.Option(
                        key=option.key,
                        label=gettext(option.label),
                        default=option.default,
                        choices=[value for value, _label in option.choices],
                        minimum=option.minimum,
                        maximum=option.maximum,
                    )
                    for option in one.options()
                ],
                levels=[
                    api.Level(
                        level=level.number, name=gettext(level.name), summary=gettext(level.summary)
                    )
                    for level in levels_of(one.slug)
                ],
            )
            for one in all_rules()
        ]
    )
