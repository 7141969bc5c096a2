"""Answers a repeated request with an Idempotency-Key as the first time, without doing it again."""

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar, cast

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from ninja import Schema

from accounts.api_tokens import ANSWERS_KEPT
from accounts.models import ApiAnswer, User
from accounts.server_time import server_now
from games.api.errors import BadKey, KeyReused

LONGEST = 100

Answer = TypeVar("Answer", bound=Schema)


def answer_once(request: HttpRequest, act: Callable[[], Answer]) -> Answer | dict[str, Any]:
    """Return what `act` does, or what it did when the request with this key came first.

    Both are one transaction with the key: a request that was refused, or whose process was killed,
    did nothing and can be sent again. Raises BadKey, KeyReused.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return act()
    if not (key.isascii() and key.isprintable() and 0 < len(key) <= LONGEST):
        raise BadKey
    user = cast(User, request.user)
    digest = hashlib.sha256(f"{request.method} {request.path}\n".encode() + request.body)
    request_hash = digest.hexdigest()
    now = server_now()
    with transaction.atomic():
        too_old = ApiAnswer.objects.filter(user=user, key=key, created_at__lt=now - ANSWERS_KEPT)
        too_old.delete()
        try:
            with transaction.atomic():
                # A second request with the key waits here until the first is done.
                kept = ApiAnswer.objects.create(
                    user=user,
                    key=key,
                    request_hash=request_hash,
                    status=200,
                    created_at=now,
                )
        except IntegrityError:
            before = ApiAnswer.objects.get(user=user, key=key)
            if before.request_hash != request_hash:
                raise KeyReused from None
            return cast(dict[str, Any], before.body)
        answer = act()
        kept.body = answer.model_dump(mode="json")
        kept.save(update_fields=["body"])
    return answer
