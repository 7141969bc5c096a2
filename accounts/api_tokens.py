"""Tokens of the API: making, finding and revoking them."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from accounts.models import ApiAnswer, ApiToken, Scope, SecurityEvent, User
from accounts.security_log import record
from accounts.users import lock_user

PREFIX = "pli_"
"""How every token begins, so that people and scanners of source code recognise one."""

NOTED_EVERY = timedelta(minutes=5)
"""How often the time of last use is written."""

MOST_TOKENS = 20
"""Tokens that one account can have at a time."""

ANSWERS_KEPT = timedelta(days=1)
"""How long a request with an Idempotency-Key is answered as the first time."""


class TooManyTokens(Exception):
    """The account has MOST_TOKENS tokens already."""


def hash_of_secret(secret: str) -> str:
    """Return what is stored of a token. It has 256 random bits, so no salt is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def create_token(
    *,
    user: User,
    name: str,
    scopes: Iterable[str],
    expires_at: datetime | None,
    request: HttpRequest | None,
    now: datetime,
) -> tuple[ApiToken, str]:
    """Make a token for a person or the account of their program; return it with its secret.

    The secret is not kept: nobody can be shown it again. `request` is what the security log keeps
    of who made it. Raises TooManyTokens.
    """
    lock_user(user.pk)
    if user.api_tokens.count() >= MOST_TOKENS:
        raise TooManyTokens
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        hash=hash_of_secret(secret),
        scopes=[scope for scope in Scope.values if scope in set(scopes)],
        created_at=now,
        expires_at=expires_at,
    )
    made = SecurityEvent.Kind.TOKEN_MADE
    record(made, user=user.owner or user, request=request, now=now, name=name)
    return token, secret


def tokens_of(person: User) -> QuerySet[ApiToken]:
    """Return the tokens of a person and of their programs, the newest first."""
    mine = Q(user=person) | Q(user__owner=person)
    return ApiToken.objects.filter(mine).select_related("user").order_by("-pk")


@transaction.atomic
def revoke_token(*, token: ApiToken, by: User, request: HttpRequest | None, now: datetime) -> None:
    """Let a token no longer work, whatever a request is doing with it."""
    token.delete()
    revoked = SecurityEvent.Kind.TOKEN_REVOKED
    record(revoked, user=by, request=request, now=now, name=token.name)


def find_token(secret: str) -> ApiToken | None:
    """Return the token with this secret, with its user and their owner."""
    if not secret.startswith(PREFIX) or not secret.isascii():
        return None
    found = ApiToken.objects.select_related("user__owner")
    return found.filter(hash=hash_of_secret(secret)).first()


def note_use(token: ApiToken, *, now: datetime) -> None:
    """Keep when a token was last used, with one UPDATE in NOTED_EVERY."""
    if token.last_used_at is None or now - token.last_used_at >= NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def delete_old_answers(*, now: datetime) -> int:
    """Delete the answers that are no longer given again; return how many."""
    deleted, _ = ApiAnswer.objects.filter(created_at__lt=now - ANSWERS_KEPT).delete()
    return deleted
