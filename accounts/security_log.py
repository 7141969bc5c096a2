"""The security log: sign-ins, failed attempts and changes of how somebody signs in."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Lower
from django.dispatch import Signal
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import SecurityEvent, User
from accounts.server_time import server_now

Kind = SecurityEvent.Kind

ROWS_AN_HOUR = 20
"""How many events of a kind get a row of their own, for each user and hour."""

MOST_ADDRESSES = 10
"""How many IP addresses a row of repeated failures keeps."""

LONGEST = 100
"""How much is kept of a text that somebody typed."""

BATCH = 1000

signed_in_on_new_device = Signal()
"""Somebody signed in with a browser they had not used before. Arguments: user."""

factor_removed_by_staff = Signal()
"""A superuser removed a second factor. Arguments: user, authenticator."""


@transaction.atomic
def record(
    kind: Kind,
    *,
    user: User | None,
    request: HttpRequest | None,
    now: datetime | None = None,
    **details: Any,
) -> SecurityEvent:
    """Record an event. `request` is None for what was not done in the user's own browser.

    Attackers can cause failures without end: all of one user (or of nobody) in one hour are one
    row that counts them. Of other kinds, what exceeds ROWS_AN_HOUR is counted in the last row.
    """
    now = now or server_now()
    event = SecurityEvent(
        user=user,
        kind=kind,
        at=now,
        ip=get_adapter().get_client_ip(request) if request else None,
        user_agent=request.headers.get("User-Agent", "")[:200] if request else "",
        details={
            key: value[:LONGEST] if isinstance(value, str) else value
            for key, value in details.items()
        },
    )
    hour = now.replace(minute=0, second=0, microsecond=0)
    same = SecurityEvent.objects.filter(
        user=user, kind=kind, at__gte=hour, at__lt=hour + timedelta(hours=1)
    )
    most = 1 if kind in (Kind.FAILURE, Kind.LOCKOUT) else ROWS_AN_HOUR
    rows = list(same.order_by("-pk").select_for_update()[:most])
    if len(rows) < most:
        event.save(force_insert=True)
        return event
    # The newest row counts this event, and describes it instead of the one before.
    row = rows[0]
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
    return event


def record_failure(
    request: HttpRequest, *, user: User | None, method: str, kind: Kind = Kind.FAILURE
) -> None:
    """Record a failure to sign in as `user`, or to re-authenticate."""
    signed_in = getattr(request, "user", None)
    again = signed_in is not None and signed_in.is_authenticated
    record(kind, user=user, request=request, method=method, again=again)


def find_user(credentials: Mapping[str, Any]) -> User | None:
    """Return the user whose user name or verified address was typed, or None.

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


METHODS = {
    "password": _("with the password"),
    "code": _("with a code by e-mail"),
    "passkey": _("with a passkey"),
    "password_reset": _("with a new password"),
    "factor": _("with a second factor"),
    "sign-up": _("after signing up"),
}
FACTORS = {
    "totp": _("authenticator app"),
    "recovery_codes": _("recovery codes"),
    "webauthn": _("passkey"),
}


def describe(event: SecurityEvent) -> str:
    """Return what happened, in the reader's language."""
    if event.kind == SecurityEvent.Kind.FAILURE and event.details.get("again"):
        return gettext("Attempt to confirm your identity failed")
    return capfirst(event.get_kind_display())


def remarks(event: SecurityEvent) -> list[str]:
    """Return the details in the reader's language, the most important first."""
    details = event.details
    others = details.get("addresses", [])
    said = [
        gettext("on a new device") if details.get("new_device") else "",
        gettext("by an administrator") if details.get("by_staff") else "",
        METHODS.get(details.get("method", ""), ""),
        FACTORS.get(details.get("factor", ""), ""),
        details.get("email", ""),
        details.get("name", ""),
        gettext("before: %(former)s") % details if details.get("former") else "",
        ngettext("%(count)d time", "%(count)d times", event.times) % {"count": event.times}
        if event.times > 1
        else "",
        gettext("from %(addresses)s") % {"addresses": ", ".join(filter(None, others))}
        if len(others) > 1
        else "",
    ]
    return [str(remark) for remark in said if remark]
