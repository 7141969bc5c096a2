"""The API as a whole: its routes, what becomes of refusals, and the OpenAPI document."""

import logging
from http import HTTPStatus
from itertools import chain
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from accounts.models import Scope, User
from games import errors
from games.api import (
    acting,
    games,
    ladders,
    leagues,
    me,
    puzzles,
    ratings,
    tables,
    tournaments,
    wishes,
)
from games.api.access import TAG_HEADER
from games.api.auth import ApiRequest
from games.api.errors import (
    BadRequest,
    NoSuchAddress,
    NotJson,
    RequestTooLong,
    ServerFault,
    Unavailable,
    is_temporary,
)
from games.api.output import game_as_data
from games.api.problems import CONTENT_TYPE, problem_of
from games.queries.seats import game_for

log = logging.getLogger(__name__)

VERSION = "1.2"

DESCRIPTION = """
Play by program. docs/api.md leads from a token to the first move; the changelog of this API is
there too. Nothing is removed within v1. New members and codes may be added.
"""


class PliAPI(NinjaAPI):
    """NinjaAPI whose document says that refusals are problems."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name of the function behind a route."""
        return str(operation.view_func.__name__)

    _document: OpenAPISchema | None = None

    def get_openapi_schema(self, **kwargs: Any) -> OpenAPISchema:
        """Return the document, with headers of answers and the right media type for refusals.

        It takes half a second to make, so each process makes it once: nobody may change it.
        """
        if self._document is None:
            document = super().get_openapi_schema(**kwargs)
            for operation in chain(*(path.values() for path in document["paths"].values())):
                for status, response in operation["responses"].items():
                    content = response.get("content", {})
                    if int(status) >= HTTPStatus.BAD_REQUEST and "application/json" in content:
                        content[CONTENT_TYPE] = content.pop("application/json")
                    response["headers"] = _headers_of(operation, int(status))
            self._document = document
        return self._document


def _headers_of(operation: dict[str, Any], status: int) -> dict[str, Any]:
    """Return the headers of an answer, described. Not all of them are always there."""
    names = ["RateLimit", "RateLimit-Policy"]
    takes_tag = any(one["name"] == TAG_HEADER["name"] for one in operation["parameters"])
    if takes_tag and status in (200, 304):
        names.append("ETag")
    if status in (304, 429, 503):
        names.append("Retry-After")
    if status in (401, 403):
        names.append("WWW-Authenticate")
    return {name: {"description": HEADERS[name], "schema": {"type": "string"}} for name in names}


HEADERS = {
    "ETag": "Send it as If-None-Match with the next request.",
    "RateLimit": "What is left of the limit, and in how many seconds it begins anew.",
    "RateLimit-Policy": "The limit's name, how many requests it allows, and in how many seconds.",
    "Retry-After": "After how many seconds to ask again.",
    "WWW-Authenticate": "That a token is needed, or which scope it lacks.",
}

api = PliAPI(
    title="Pli",
    version=VERSION,
    description=DESCRIPTION.strip(),
    urls_namespace="api",
    docs_url=None,
    openapi_url="openapi.json",
)
api.add_router("", me.router)
api.add_router("", games.router)
api.add_router("", acting.router)
api.add_router("", tables.router)
api.add_router("", tables.talk)
api.add_router("", wishes.router)
api.add_router("", ratings.router)
api.add_router("", leagues.router)
api.add_router("", ladders.router)
api.add_router("", tournaments.router)
api.add_router("", puzzles.router)


@api.exception_handler(errors.Refusal)
def _refused(request: HttpRequest, refusal: errors.Refusal) -> HttpResponse:
    """Answer a refusal; where the state of a game is why, with that state."""
    state = _state_of(request) if refusal.status == HTTPStatus.CONFLICT else None
    return problem_of(refusal, state)


def _state_of(request: HttpRequest) -> dict[str, Any] | None:
    """Return the present state of the game that a request is about.

    None if the token's user may not see the game, or the token may not read games.
    """
    match, user = request.resolver_match, request.user
    if match is None or not isinstance(user, User) or "id" not in match.kwargs:
        return None
    scopes = {Scope.GAMES_READ, Scope.PLAY, Scope.TABLES}
    if scopes.isdisjoint(cast(ApiRequest, request).auth.scopes):
        return None
    if not match.route.startswith(("api/v1/games/", "api/v1/tables/")):
        return None
    try:
        game = game_for(match.kwargs["id"], user)
    except errors.NoSuchGame:
        return None
    data = game_as_data(game, user)
    return {"turn": data.next_turn, "game": data.model_dump()}


@api.exception_handler(ValidationError)
def _not_as_described(request: HttpRequest, error: ValidationError) -> HttpResponse:
    refusal, mistakes = BadRequest(), []
    for one in error.errors[:20]:
        source, *members = map(str, one["loc"])
        if source == "body":
            del members[:1]  # the name of the argument in our code
        mistakes.append({"where": [source, *members], "what": one["msg"]})
    refusal.extensions = {"errors": mistakes}
    return problem_of(refusal)


@api.exception_handler(UnreadablePostError)
def _broken_off(request: HttpRequest, error: UnreadablePostError) -> HttpResponse:
    """Answer a program that has stopped sending, should it still listen."""
    return problem_of(NotJson())


@api.exception_handler(RequestDataTooBig)
def _too_long(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return problem_of(RequestTooLong(most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE))


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Answer what ninja itself refuses: a body that is not JSON."""
    return problem_of(NotJson() if error.status_code == HTTPStatus.BAD_REQUEST else BadRequest())


@api.exception_handler(Http404)
def _nothing_here(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem_of(NoSuchAddress())


@api.exception_handler(Exception)
def _failed(request: HttpRequest, error: Exception) -> HttpResponse:
    """Record an error of ours as Django would."""
    log.error("the API failed", exc_info=error)
    got_request_exception.send(sender=None, request=request)
    return problem_of(Unavailable() if is_temporary(error) else ServerFault())
