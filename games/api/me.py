"""Routes about the account of the token: who it is, what it accepts, and what is due."""

from datetime import timedelta
from http import HTTPStatus
from typing import Annotated, Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Router
from pydantic import Field

from accounts.models import Program, Scope
from accounts.server_time import server_now
from games.api import requests
from games.api import schemas as api
from games.api.access import acting, reading
from games.api.auth import ApiRequest, check_token, sent_token
from games.api.output import challenges_as_data, offers_as_data
from games.api.waiting import LONGEST_WAIT, RETRY_AFTER, wait_until
from games.queries.due import mark_of_due, offers_to
from games.queries.home import home_page
from games.services.programs import change_program

router = Router(tags=["account"])


def _accepts(program: Program | None) -> api.Accepts | None:
    if program is None:
        return None
    return api.Accepts(
        is_open=program.is_open,
        games=program.games,
        options=program.options,
        shortest=int(program.shortest.total_seconds()),
        longest=int(program.longest.total_seconds()),
        most_games=program.most_games,
        most_per_person=program.most_per_person,
    )


@router.get("/me", url_name="me", **reading(Scope.ACCOUNT_READ, api.Me))
def me(request: ApiRequest) -> api.Me:
    """Tell for whom the token acts, and what it allows."""
    user = request.user
    return api.Me(
        username=user.username,
        name=str(user),
        is_program=user.is_bot,
        owner=user.owner.username if user.owner else None,
        language=user.language,
        time_zone=user.time_zone,
        scopes=request.auth.scopes,
        expires_at=request.auth.expires_at,
        accepts=_accepts(Program.objects.filter(user=user).first()),
    )


@router.post("/me/accepts", url_name="me_accepts", **acting(Scope.TABLES, api.Accepts))
def accept_from_now_on(request: ApiRequest, given: requests.NewAccepts) -> api.Accepts | None:
    """Say what a program accepts. The server refuses everything else; running games go on."""
    program = change_program(
        user=request.user,
        is_open=given.is_open,
        games=given.games,
        options=given.options,
        shortest=timedelta(seconds=given.shortest),
        longest=timedelta(seconds=given.longest),
        most_games=given.most_games,
        most_per_person=given.most_per_person,
        now=server_now(),
    )
    return _accepts(program)


@router.get("/me/turns", url_name="me_turns", **reading(Scope.GAMES_READ, api.Turns, has_tag=True))
def turns(
    request: ApiRequest,
    response: HttpResponse,
    wait: Annotated[int, Field(ge=0, le=LONGEST_WAIT)] = 0,
) -> Any:
    """List all that is due: turns (oldest deadline first), challenges and offers.

    Send the ETag of the answer before as If-None-Match: 304 says that nothing has changed. With
    `wait` the answer comes when something changes, after so many seconds at the latest; when too
    many wait it comes at once, with Retry-After. This is the source of truth after a restart.
    """
    known = request.headers.get("If-None-Match", "")
    is_waiting = wait_until(
        lambda: _tag(request) not in known, wait if known else 0, request.user.pk
    )
    if known and wait:
        # The token may have been revoked, or have expired, while the request waited.
        check_token(sent_token(request), Scope.GAMES_READ, server_now())
    tag = _tag(request)
    if known and tag in known:
        unchanged = HttpResponse(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
        if not is_waiting:
            unchanged["Retry-After"] = str(RETRY_AFTER)
        return unchanged
    response["ETag"] = tag
    page = home_page(request.user)
    return api.Turns(
        turns=[
            api.Due(
                game=game.pk,
                url=settings.SITE_URL + reverse("game", args=[game.pk]),
                turn=game.turn_number + 1,
                rules=game.rules_slug,
                deadline=game.deadline,
                opponents=[
                    seat.username for seat in game.seats if seat.user not in (None, request.user.pk)
                ],
            )
            for game in page.awaiting
        ],
        challenges=challenges_as_data(page.challenges),
        offers=offers_as_data(offers_to(request.user), request.user),
    )


def _tag(request: HttpRequest) -> str:
    return f'W/"{mark_of_due(cast(ApiRequest, request).user)}"'
