"""Routes about wishes for opponents of the token's user."""

from datetime import datetime
from typing import Any, Literal, cast

from ninja import Router

from accounts.models import Scope
from accounts.server_time import server_now
from games import models
from games.api import requests
from games.api import schemas as api
from games.api.access import acting, reading
from games.api.acting import pace_given
from games.api.auth import ApiRequest
from games.api.once import answer_once
from games.api.output import pace
from games.queries.wishes import shown_wishes
from games.services.wishes import make_wish, withdraw_wish

router = Router(tags=["wishes"])


class Wish(api.Out):
    """A wish for opponents whose rating is from `lowest` to `highest` (null: no limit).

    `state` is `waits` while we look for an opponent, `enough` while `at_once` games are running,
    `rests` after the player let a game run out of time (wish again to go on), and `away` during a
    vacation. `others_waiting` is counted up to 100. `usual_wait` is in seconds, null if too little
    is known.
    """

    id: int
    game: str
    game_name: str
    options: dict[str, api.OptionValue]
    pace: api.Pace
    lowest: int | None
    highest: int | None
    at_once: int
    running: int
    state: Literal["waits", "enough", "rests", "away"]
    waits_since: datetime | None
    others_waiting: int
    usual_wait: float | None


class Wishes(api.Out):
    """The wishes of the token's user."""

    wishes: list[Wish]


@router.get("/wishes", url_name="wishes", **reading(Scope.GAMES_READ, Wishes))
def list_wishes(request: ApiRequest) -> Wishes:
    """Return your wishes for opponents, the oldest first. Every account may ask."""
    return Wishes(wishes=_wishes(request))


@router.post("/wishes", url_name="wishes", **acting(Scope.TABLES, Wish, takes_key=True))
def wish_for_opponents(request: ApiRequest, given: requests.NewWish) -> Any:
    """Make a wish for opponents, and return it. Takes an Idempotency-Key.

    A wish of yours for the same game and pace is changed instead. A wish stays until you withdraw
    it; every game that begins by it is rated. Only for accounts of people, not of programs.
    """

    def act() -> Wish:
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


@router.post("/wishes/{int:id}/withdraw", url_name="withdraw_wish", **acting(Scope.TABLES, Wishes))
def withdraw_a_wish(request: ApiRequest, id: int) -> Wishes:
    """Withdraw a wish of yours, and return those that are left. Games that began by it go on."""
    withdraw_wish(wish_id=id, user=request.user, now=server_now())
    return Wishes(wishes=_wishes(request))


def _wishes(request: ApiRequest) -> list[Wish]:
    return [
        Wish(
            id=shown.wish.pk,
            game=shown.wish.rules_slug,
            game_name=shown.wish.name,
            options=shown.wish.options,
            pace=pace(shown.wish.time_control),
            lowest=shown.wish.lowest,
            highest=shown.wish.highest,
            at_once=shown.wish.at_once,
            running=shown.running,
            state=cast(Any, shown.state),
            waits_since=shown.wish.waits_since,
            others_waiting=shown.others,
            usual_wait=shown.usual_wait.total_seconds() if shown.usual_wait is not None else None,
        )
        for shown in shown_wishes(request.user, now=server_now())
    ]
