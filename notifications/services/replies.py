"""The addresses that replies and bounces come back to."""

import base64
import re
import secrets
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from accounts.models import User
from games.queries.seats import seat_of
from notifications.models import IncomingMail, Notice, ReplyAddress
from notifications.tokens import LOCAL_PART

Box = IncomingMail.Box
Purpose = ReplyAddress.Purpose

_LOCAL_PART = re.compile(LOCAL_PART.pattern.encode(), re.IGNORECASE)

TOKEN_BYTES = 16
"""128 random bits."""


@dataclass(frozen=True)
class Destination:
    """An address of ours that a mail came to. `repr` does not show the token."""

    box: str
    token_hash: str
    token: str = field(repr=False)


def new_reply(notice: Notice, purpose: ReplyAddress.Purpose, *, now: datetime) -> str:
    """Make the reply address of a notice that is about to be sent; return its token.

    The token is kept in the notice's content until it is sent, so that all attempts have the same.
    But if its game has moved on between two attempts, the mail shows another board and gets another
    address. The first attempt may have arrived after all: its address keeps its meaning.
    """
    turn_number = notice.game.turn_number if notice.game else None
    known = str(notice.content.get("token", ""))
    if known:
        same = ReplyAddress.objects.filter(token_hash=hash_of(known), turn_number=turn_number)
        if same.exists():
            return known
    token = new_token()
    notice.content = {**notice.content, "token": token}
    with transaction.atomic():
        _reply_row(notice, token, purpose, now).save(force_insert=True)
        Notice.objects.filter(pk=notice.pk).update(content=notice.content)
    return token


def new_replies(
    notices: Iterable[tuple[Notice, ReplyAddress.Purpose]], *, now: datetime
) -> Set[int]:
    """Make the reply addresses of notices in one query; return the keys of these notices.

    Those that had one before are left out. The tokens are in the notices' content, which is not
    saved.
    """
    new = [(notice, purpose) for notice, purpose in notices if not notice.content.get("token")]
    tokens = [new_token() for _ in new]
    ReplyAddress.objects.bulk_create(
        _reply_row(notice, token, purpose, now)
        for (notice, purpose), token in zip(new, tokens, strict=True)
    )
    for (notice, _), token in zip(new, tokens, strict=True):
        notice.content = {**notice.content, "token": token}
    return frozenset(notice.pk for notice, _ in new)


def _reply_row(
    notice: Notice, token: str, purpose: ReplyAddress.Purpose, now: datetime
) -> ReplyAddress:
    """Return the unsaved reply address of a notice's mail."""
    seat = seat_of(notice.game, notice.user) if notice.game and notice.user else None
    invitation = notice.event.invitation_id if notice.event else notice.content.get("invitation")
    return ReplyAddress(
        token_hash=hash_of(token),
        bounce_hash=hash_of(bounce_token(token)),
        purpose=purpose,
        user=notice.user,
        address="" if notice.user else notice.address,
        notice=notice,
        game=notice.game,
        seat=seat.number if seat else None,
        # How many turns are played on the board that the mail shows.
        turn_number=notice.game.turn_number if notice.game else None,
        invitation_id=invitation,
        puzzle_id=notice.content.get("puzzle"),
        ladder_challenge_id=notice.content.get("ladder_challenge"),
        puzzle_line=notice.content.get("puzzle_line", ""),
        questions=notice.content.get("questions", []),
        created_at=now,
    )


def new_token() -> str:
    """Return a new random token: 26 letters and digits in lower case."""
    return base64.b32encode(secrets.token_bytes(TOKEN_BYTES)).decode().rstrip("=").lower()


def bounce_token(token: str) -> str:
    """Return the token of the address for bounces that belongs to a reply address.

    Nobody can tell one from the other, so who knows where to reply cannot report that our mail did
    not arrive.
    """
    digest = salted_hmac("notifications.bounce", token.lower(), algorithm="sha256").digest()
    return base64.b32encode(digest[:TOKEN_BYTES]).decode().rstrip("=").lower()


def new_trial(*, now: datetime) -> str:
    """Make a reply address that only shows whether mail arrives; return its token."""
    token = new_token()
    ReplyAddress.objects.create(
        token_hash=hash_of(token),
        bounce_hash=hash_of(bounce_token(token)),
        created_at=now,
        purpose=Purpose.NOTHING,
    )
    return token


def number_games(token: str, games: Sequence[tuple[int, int, int]]) -> None:
    """Store what the numbers of a digest mean: (number, game, turns played) each."""
    numbered = [list(game) for game in games]
    ReplyAddress.objects.filter(token_hash=hash_of(token)).update(
        purpose=Purpose.DIGEST, content=numbered
    )


def found(token: str) -> ReplyAddress | None:
    """Return the reply address of a token, None if there is none. Case is ignored."""
    return with_hash(hash_of(token))


def with_hash(token_hash: str, box: str = Box.REPLY) -> ReplyAddress | None:
    """Return the reply address of the token with this hash in one of our boxes; None: no such one.

    Addresses from before bounces had tokens of their own take both in the same.
    """
    loaded = ReplyAddress.objects.select_related(
        "user", "game", "notice", "invitation__game", "puzzle"
    )
    if box == Box.BOUNCE:
        older = Q(token_hash=token_hash, bounce_hash=None)
        return loaded.filter(Q(bounce_hash=token_hash) | older).first()
    return loaded.filter(token_hash=token_hash).first()


def destination(address: str) -> Destination | None:
    """Return which of our addresses this is, None if its form or its domain is not ours.

    Does not check whether the token exists.
    """
    if is_play_address(address):
        return Destination(Box.REPLY, hash_of(settings.PLAY_ADDRESS), "")
    local, _, domain = address.strip(" <>").rpartition("@")
    shape = LOCAL_PART.fullmatch(local)
    if shape is None or domain.lower() != settings.REPLY_DOMAIN.lower():
        return None
    return Destination(shape[1].lower(), hash_of(shape[2]), shape[2].lower())


def is_play_address(address: str) -> bool:
    """Tell whether this is the fixed address, which exists only if senders are checked."""
    same = address.strip(" <>").lower() == settings.PLAY_ADDRESS.lower()
    return same and bool(settings.AUTHSERV_IDS)


def new_play_reply(user: User, *, now: datetime) -> ReplyAddress:
    """Make the row that stands for a mail to the fixed address; nobody knows its token."""
    return ReplyAddress.objects.create(
        token_hash=hash_of(new_token()), purpose=Purpose.GAME, user=user, created_at=now
    )


def reply_address(token: str) -> str:
    """Return the address that replies go to."""
    return f"{Box.REPLY}-{token}@{settings.REPLY_DOMAIN}"


def bounce_address(token: str) -> str:
    """Return the envelope sender of the mail with this reply token, to which bounces go."""
    return f"{Box.BOUNCE}-{bounce_token(token)}@{settings.REPLY_DOMAIN}"


def hash_of(token: str) -> str:
    """Return what is stored of a token: its SHA-256 in hex."""
    return sha256(token.lower().encode()).hexdigest()


def redact_raw(raw: bytes, token: str) -> bytes:
    """Return a mail without the tokens of our addresses: what is stored gives no access.

    A bounce has two: that of the address it came to (`token`), and the one to reply to.
    """
    raw = re.sub(token.encode(), b"x" * len(token), raw, flags=re.IGNORECASE)
    return _LOCAL_PART.sub(lambda found: found[1] + b"-" + b"x" * len(found[2]), raw)
