"""Routes about wishes for opponents of the token's user."""

from typing import Any, cast

from ninja import Router

from accounts.models import Scope
from accounts.server_time import server_now
from games import models
from games.api import competition_schemas as api
from games.api import requests
from games.api.access import acting, reading
from games.api.acting import pace_given
from games.api.auth import ApiRequest
from games.api.once import answer_once
from games.api.output import pace
from games.queries.wishes import ShownWish, shown_wishes
from games.services.wishes import make_wish, withdraw_wish

router = Router(tags=["wishes"])


@router.get("/wishes", url_name="wishes", **reading(Scope.GAMES_READ, api.Wishes))
def list_wishes(request: ApiRequest) -> api.Wishes:
    """List the wishes for opponents of the token's user, the oldest first."""
    return api.Wishes(wishes=_wishes(request))


@router.post("/wishes", url_name="wishes", **acting(Scope.TABLES, api.Wish))
def wish_for_opponents(request: ApiRequest, given: requests.NewWish) -> Any:
    """Wish for opponents; a wish for the same game and pace is changed. Takes an Idempotency-Key.

    It stays until it is withdrawn, and each game that begins by it is rated. For people only.
    """

    def act() -> api.Wish:
        wish = make_wish(
            user=request.user,
            rules_slug=given.game,
            options=dict(given.options),
            pace=pace_given(given.pace),
            lowest=given.lowest,
            highest=given.highest,
            at_once=given.at_once,
            via=models.Wish.Via.API,
            now=server_now(),
        )
        return next(one for one in _wishes(request) if one.id == wish.pk)

    return answer_once(request, act)


@router.post(
    "/wishes/{int:id}/withdraw", url_name="withdraw_wish", **acting(Scope.TABLES, api.Wishes)
)
def withdraw_a_wish(request: ApiRequest, id: int) -> api.Wishes:
    """Withdraw a wish; its games go on. Answers the wishes that are left."""
    withdraw_wish(wish_id=id, user=request.user, now=server_now())
    return api.Wishes(wishes=_wishes(request))


def _wishes(request: ApiRequest) -> list[api.Wish]:
    return [_wish(one) for one in shown_wishes(request.user, now=server_now())]


def _wish(shown: ShownWish) -> api.Wish:
    wish, usual = shown.wish, shown.usual_wait
    return api.Wish(
        id=wish.pk,
        game=wish.rules_slug,
        game_name=wish.name,
        options=wish.options,
        pace=pace(wish.time_control),
        lowest=wish.lowest,
        highest=wish.highest,
        at_once=wish.at_once,
        running=shown.running,
        state=cast(Any, shown.state),
        waits_since=wish.waits_since,
        others_waiting=shown.others,
        usual_wait=None if usual is None else usual.total_seconds(),
    )
