"""The addresses that answers and bounces come back to."""

import base64
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.db import transaction

from games.queries import seat_of
from notifications.models import IncomingMail, Notice, ReplyAddress
from notifications.tokens import LOCAL_PART

Box = IncomingMail.Box
Purpose = ReplyAddress.Purpose

TOKEN_BYTES = 16
"""128 random bits."""


@dataclass(frozen=True)
class Destination:
    """An address of ours that a mail came to. The token is not shown in any repr."""

    box: str
    token_hash: str
    token: str = field(repr=False)


def new_reply(notice: Notice, purpose: ReplyAddress.Purpose, *, now: datetime) -> str:
    """Make the reply address of a notice that is about to be sent; return its token.

    The token is kept in the notice's content until it is sent, so that all tries have the same;
    but when its game has moved on between two tries, the letter shows another board and gets
    another address. The first try may have arrived after all: its address stays what it was.
    """
    known = str(notice.content.get("token", ""))
    if known and _is_for_board(known, notice):
        return known
    token = new_token()
    notice.content = {**notice.content, "token": token}
    with transaction.atomic():
        about = _about(notice) | {"purpose": purpose}
        ReplyAddress.objects.create(token_hash=hash_of(token), created_at=now, **about)
        Notice.objects.filter(pk=notice.pk).update(content=notice.content)
    return token


def new_token() -> str:
    """Return a token that no address has."""
    return base64.b32encode(secrets.token_bytes(TOKEN_BYTES)).decode().rstrip("=").lower()


def new_trial(*, now: datetime) -> str:
    """Make a reply address that is for nothing, only to see that mail arrives; return its token."""
    token = new_token()
    ReplyAddress.objects.create(token_hash=hash_of(token), created_at=now, purpose=Purpose.NOTHING)
    return token


def number_games(token: str, games: Sequence[tuple[int, int, int]]) -> None:
    """Say what the numbers of a digest mean: (number, game, turns played) each."""
    numbered = [list(game) for game in games]
    ReplyAddress.objects.filter(token_hash=hash_of(token)).update(
        purpose=Purpose.DIGEST, content=numbered
    )


def found(token: str) -> ReplyAddress | None:
    """Return what a token is for, None when it was never given out. Case is ignored."""
    return with_hash(hash_of(token))


def with_hash(token_hash: str) -> ReplyAddress | None:
    """Return what the token with this hash is for, None when it was never given out."""
    loaded = ReplyAddress.objects.select_related("user", "game", "notice", "invitation__game")
    return loaded.filter(token_hash=token_hash).first()


def destination(address: str) -> Destination | None:
    """Return which of our addresses this is, None if its shape or its domain are not ours.

    Whether the token was ever given out is not asked.
    """
    local, _, domain = address.strip(" <>").rpartition("@")
    shape = LOCAL_PART.fullmatch(local)
    if shape is None or domain.lower() != settings.REPLY_DOMAIN.lower():
        return None
    return Destination(shape[1].lower(), hash_of(shape[2]), shape[2].lower())


def reply_address(token: str) -> str:
    """Return the address that answers go to."""
    return f"{Box.REPLY}-{token}@{settings.REPLY_DOMAIN}"


def bounce_address(token: str) -> str:
    """Return the address that a mail comes back to when it cannot be delivered."""
    return f"{Box.BOUNCE}-{token}@{settings.REPLY_DOMAIN}"


def hash_of(token: str) -> str:
    """Return what is kept of a token."""
    return sha256(token.lower().encode()).hexdigest()


def redact_token(raw: bytes, token: str) -> bytes:
    """Return a mail without the token of the address it came to: what we keep opens nothing."""
    return re.sub(token.encode(), b"x" * len(token), raw, flags=re.IGNORECASE)


def _about(notice: Notice) -> dict[str, object]:
    invited = notice.event.invitation_id if notice.event else notice.content.get("invitation")
    seat = seat_of(notice.game, notice.user) if notice.game and notice.user else None
    return {
        "user": notice.user,
        "address": "" if notice.user else notice.address,
        "notice": notice,
        "game": notice.game,
        "seat": seat.number if seat else None,
        "turn_number": _turns_shown(notice),
        "invitation_id": invited,
    }


def _turns_shown(notice: Notice) -> int | None:
    """Return how many turns are played on the board that the letter shows: the newest."""
    return notice.game.turn_number if notice.game else None


def _is_for_board(token: str, notice: Notice) -> bool:
    shown = _turns_shown(notice)
    return ReplyAddress.objects.filter(token_hash=hash_of(token), turn_number=shown).exists()
