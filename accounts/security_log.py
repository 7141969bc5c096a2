"""Keeps what happens at the door of accounts, and deletes it when it is old."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Lower
from django.http import HttpRequest

from accounts.models import SecurityEvent, User
from accounts.server_time import server_now

Kind = SecurityEvent.Kind

ROWS_AN_HOUR = 20
"""How many events of a kind get a row of their own, for each person and hour."""

MOST_ADDRESSES = 10
"""How many IP addresses a row of repeated failures keeps."""

LONGEST = 100
"""How much is kept of a text that somebody typed."""

BATCH = 1000


@transaction.atomic
def record(
    kind: Kind,
    *,
    user: User | None,
    request: HttpRequest | None,
    now: datetime | None = None,
    **details: Any,
) -> SecurityEvent:
    """Keep an event. `request` is None for what was not done in the person's own browser.

    Attackers can cause failures without end: all of one person (or of nobody) in one hour are one
    row that counts them. Of other kinds, what exceeds ROWS_AN_HOUR is counted in the last row.
    """
    now = now or server_now()
    event = SecurityEvent(
        user=user,
        kind=kind,
        at=now,
        ip=get_adapter().get_client_ip(request) if request else None,
        user_agent=request.headers.get("User-Agent", "")[:200] if request else "",
        details={key: _bounded(value) for key, value in details.items()},
    )
    hour = now.replace(minute=0, second=0, microsecond=0)
    same = SecurityEvent.objects.filter(
        user=user, kind=kind, at__gte=hour, at__lt=hour + timedelta(hours=1)
    )
    most = 1 if kind in (Kind.FAILURE, Kind.LOCKOUT) else ROWS_AN_HOUR
    rows = list(same.order_by("-pk").select_for_update()[:most])
    if len(rows) == most:
        _count(rows[0], event)
    else:
        event.save(force_insert=True)
    return event


def _count(row: SecurityEvent, event: SecurityEvent) -> None:
    """Let a row count an event and tell of it instead of the one before."""
    addresses = list(row.details.get("addresses", [row.ip]))
    if event.ip not in addresses and len(addresses) < MOST_ADDRESSES:
        addresses.append(event.ip)
    SecurityEvent.objects.filter(pk=row.pk).update(
        times=F("times") + 1,
        at=event.at,
        ip=event.ip,
        user_agent=event.user_agent,
        details=event.details | {"addresses": addresses},
    )


def record_failure(
    request: HttpRequest, *, user: User | None, method: str, kind: Kind = Kind.FAILURE
) -> None:
    """Keep that somebody failed to sign in as `user`, or to re-authenticate."""
    signed_in = getattr(request, "user", None)
    again = signed_in is not None and signed_in.is_authenticated
    record(kind, user=user, request=request, method=method, again=again)


def person_named(credentials: Mapping[str, Any]) -> User | None:
    """Return whose user name or verified address was typed; None if it is nobody's.

    An address that is not verified may be somebody else's: they would see who signs in with it.
    """
    name = str(credentials.get("username") or credentials.get("email") or "").lower()
    if "@" in name:
        verified = EmailAddress.objects.filter(email=name, verified=True)
        address = verified.select_related("user").first()
        return address.user if address else None
    return User.objects.alias(lower=Lower("username")).filter(lower=name).first()


def delete_old_events(*, now: datetime) -> int:
    """Delete some of the events that are older than SECURITY_EVENTS_KEPT; return how many."""
    old = SecurityEvent.objects.filter(at__lt=now - settings.SECURITY_EVENTS_KEPT).order_by("at")
    some = list(old.values_list("pk", flat=True)[:BATCH])
    return SecurityEvent.objects.filter(pk__in=some).delete()[0]


def _bounded(value: Any) -> Any:
    return value[:LONGEST] if isinstance(value, str) else value
