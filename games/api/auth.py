"""Who asks: the token in the Authorization header, and nothing else."""

from datetime import datetime
from typing import Any, cast

from django.http import HttpRequest
from django.utils import translation
from django.utils.translation.trans_real import (
    get_supported_language_variant,
    parse_accept_lang_header,
)
from ninja.security import HttpBearer

from accounts import api_tokens
from accounts.models import ApiToken, Scope, User
from accounts.server_time import server_now
from games.api.errors import (
    GuestsHaveNoApi,
    MissingScope,
    NoToken,
    OwnerMayNotAct,
    TokenExpired,
    UnknownToken,
)
from games.api.limits import consume
from games.services.clock.undelivered_turns import record_contact
from games.services.suspensions import check_not_suspended, is_suspended


class ApiRequest(HttpRequest):
    """What a route receives, for type checkers."""

    user: User
    auth: ApiToken


class Token(HttpBearer):
    """Lets a request in whose token has a scope.

    `writes` says which limit it counts for.
    """

    def __init__(self, scope: Scope, *, writes: bool) -> None:
        super().__init__()
        self.scope, self.writes = scope, writes

    def __call__(self, request: HttpRequest) -> Any:
        """Return the token, and set the request's user. Raises Refusal."""
        token = sent_token(request)
        user, now = token.user, server_now()
        if language_asked(request) is None:
            translation.activate(user.language)  # ApiMiddleware ends it
        check_token(token, self.scope, now)  # what it may not do uses nothing up
        request.META[ALLOWANCE] = consume(user, writes=self.writes)
        api_tokens.note_use(token, now=now)
        cast(ApiRequest, request).user = user
        request._cached_user = user  # type: ignore[attr-defined]  # for the line in the log
        if user.unreachable_since is not None:
            record_contact(user, now=now)
        return token

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        """Never called: `__call__` does it all."""
        raise NotImplementedError


def sent_token(request: HttpRequest) -> ApiToken:
    """Return the token that a request was sent with, as it is now. Raises NoToken, UnknownToken."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not secret.strip():
        raise NoToken
    token = api_tokens.find_token(secret.strip())
    if token is None:
        raise UnknownToken
    return token


def check_token(token: ApiToken, scope: Scope, now: datetime) -> None:
    """Raise Refusal if a token may not act, or not within this scope.

    TokenExpired, GuestsHaveNoApi, AccountClosed, Barred, OwnerMayNotAct or MissingScope.
    """
    user = token.user
    if token.is_expired(now):
        raise TokenExpired
    if user.is_guest:
        raise GuestsHaveNoApi
    check_not_suspended(user, now)
    if user.owner is not None and is_suspended(user.owner, now):
        raise OwnerMayNotAct
    if scope not in token.scopes:
        refusal = MissingScope(scope=scope.value)
        refusal.extensions = {"scope": scope.value}
        refusal.headers = {
            "WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope.value}"'
        }
        raise refusal


def language_asked(request: HttpRequest) -> str | None:
    """Return the first language of Accept-Language that there is here; None if there is none."""
    for code, _ in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        try:
            return get_supported_language_variant(code)
        except LookupError:
            continue
    return None


ALLOWANCE = "pli.api_allowance"
"""The key of a request's META with what is left of its limit."""
