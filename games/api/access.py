"""What every route declares: who may use it, which headers it reads, and how it can answer."""

from typing import Any

from accounts.models import Scope
from games.api.auth import Token
from games.api.once import LONGEST
from games.api.schemas import Problem

REFUSED_READING = (401, 403, 404, 409, 422, 429, 503)
REFUSED_ACTING = (400, 401, 403, 404, 409, 413, 422, 429, 503)

KEY_HEADER = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A key of your own. For a day the same request with it is done only once.",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST, "pattern": "^[ -~]+$"},
}
TAG_HEADER = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "The ETag of the answer before: 304 if nothing has changed.",
    "schema": {"type": "string", "pattern": "^[ -~]*$"},
}


def reading(scope: Scope, answer: Any, *, has_tag: bool = False) -> dict[str, Any]:
    """Return what a route that reads passes to ninja. With `has_tag` it can answer 304."""
    unchanged = {304: None} if has_tag else {}
    return {
        "auth": Token(scope, writes=False),
        "response": {200: answer, **unchanged, **dict.fromkeys(REFUSED_READING, Problem)},
        "openapi_extra": _described(scope, TAG_HEADER if has_tag else None),
    }


def acting(scope: Scope, answer: Any, *, takes_key: bool = False) -> dict[str, Any]:
    """Return what a route that acts passes to ninja. `takes_key`: it uses `answer_once`."""
    return {
        "auth": Token(scope, writes=True),
        "response": {200: answer, **dict.fromkeys(REFUSED_ACTING, Problem)},
        "openapi_extra": _described(scope, KEY_HEADER if takes_key else None),
    }


def _described(scope: Scope, header: dict[str, Any] | None) -> dict[str, Any]:
    """Return what ninja does not know of a route, for the OpenAPI document."""
    return {"x-scope": scope.value} | ({"parameters": [header]} if header else {})
