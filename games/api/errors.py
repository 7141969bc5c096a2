"""What only the API refuses. Everything else is refused by the services, as on pages."""

import errno
from typing import Any

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext_noop as _

from games.errors import Refusal


class ApiRefusal(Refusal):
    """A refusal with more members in its answer: `extensions`, and `headers`."""

    def __init__(self, **values: object) -> None:
        super().__init__(**values)
        self.extensions: dict[str, Any] = {}
        self.headers: dict[str, str] = {}


# fmt: off

class NoToken(ApiRefusal, status=401, text=_(
    "Send a token: “Authorization: Bearer pli_…”. You make one on the page “Programs and tokens”."
)): ...
class UnknownToken(ApiRefusal, status=401, text=_(
    "This token does not exist, or was revoked."
)): ...
class TokenExpired(ApiRefusal, status=401, text=_("This token has expired. Make a new one.")): ...
class MissingScope(ApiRefusal, status=403, text=_(
    "This token does not have the scope “%(scope)s”. Make one that has it."
)): ...
class GuestsHaveNoApi(ApiRefusal, status=403, text=_(
    "Guests cannot use the API. Sign up first."
)): ...
class OwnerMayNotAct(ApiRefusal, status=403, text=_(
    "The account of this program’s owner is suspended or closed, so the program cannot act."
)): ...
class TooManyRequests(ApiRefusal, status=429, text=_(
    "Too many requests: the limit “%(limit)s” allows %(most)s a minute. Wait %(seconds)s seconds."
)): ...
class NoSuchAddress(ApiRefusal, status=404, text=_("There is nothing at this address.")): ...
class MethodNotAllowed(ApiRefusal, status=405, text=_(
    "This address does not take this method."
)): ...
class BadRequest(ApiRefusal, status=422, text=_("The request is not as the reference says.")): ...
class NotJson(ApiRefusal, status=400, text=_("The body of the request is not JSON.")): ...
class RequestTooLong(ApiRefusal, status=413, text=_(
    "The body of the request is too long: %(most)s bytes are the most."
)): ...
class BadCursor(ApiRefusal, status=422, text=_(
    "This is no cursor. Take the one from the answer before."
)): ...
class BadKey(ApiRefusal, status=422, text=_(
    "An Idempotency-Key has 1 to 100 visible ASCII characters."
)): ...
class KeyReused(ApiRefusal, status=422, text=_(
    "This Idempotency-Key was used with another request. Take a new one."
)): ...
class NoSuchPositionYet(ApiRefusal, status=404, text=_(
    "The game has only %(most)s entries."
)): ...
class NoSuchChallenge(ApiRefusal, status=404, text=_("There is no such challenge to you.")): ...
class NoRatingsShown(ApiRefusal, status=404, text=_(
    "There is no such player, or they do not show you their ratings."
)): ...
class ServerFault(ApiRefusal, status=500, text=_(
    "An error of ours. It is recorded. Ask for the present state, then try again."
)): ...
class Unavailable(ApiRefusal, status=503, text=_(
    "Pli is busy. Nothing was changed. Please try again in a few seconds."
)): ...

# fmt: on

RETRY_AFTER = 5
"""Seconds after which a request that found the database busy or gone is worth repeating."""


def is_temporary(error: BaseException | None) -> bool:
    """Tell whether a request failed because the database is locked or gone, or a disk is full.

    Nothing is wrong with the request, and its transaction was rolled back.
    """
    return isinstance(error, OperationalError | InterfaceError) or (
        isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    )
