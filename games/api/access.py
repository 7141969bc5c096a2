"""What every route declares: who may use it, and which answers it can give."""

from typing import Any

from accounts.models import Scope
from games.api.auth import Token
from games.api.schemas import Problem

REFUSED_READING = (401, 403, 404, 409, 422, 429, 503)
REFUSED_ACTING = (400, 401, 403, 404, 409, 413, 422, 429, 503)


def reading(scope: Scope, answer: Any) -> dict[str, Any]:
    """Return what a route that reads passes to ninja."""
    return {
        "auth": Token(scope, writes=False),
        "response": {200: answer, **dict.fromkeys(REFUSED_READING, Problem)},
        "openapi_extra": {"x-scope": scope.value},
    }


def acting(scope: Scope, answer: Any) -> dict[str, Any]:
    """Return what a route that acts passes to ninja."""
    return {
        "auth": Token(scope, writes=True),
        "response": {200: answer, **dict.fromkeys(REFUSED_ACTING, Problem)},
        "openapi_extra": {"x-scope": scope.value},
    }
