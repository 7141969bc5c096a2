"""Making, renewing and revoking the secret address of a calendar.

An address works until it is renewed or revoked on its person's page, or their password changes:
whoever was in the account may have noted it. Signing out other browsers leaves it as it is.
"""

import secrets
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from accounts.server_time import server_now
from notifications.models import CalendarFeed

_SALT = "notifications.calendar"
NONCE_LENGTH = 32
"""Hexadecimal digits: 128 bits."""


def renew(*, user: User, now: datetime) -> CalendarFeed:
    """Make an address for a person's calendar; one that there was no longer works."""
    feed, _ = CalendarFeed.objects.update_or_create(user=user, defaults=_new_address(now))
    return feed


def _new_address(now: datetime) -> dict[str, Any]:
    return {"nonce": secrets.token_hex(NONCE_LENGTH // 2), "made_at": now}


def renew_with_password(sender: type[User], instance: User, created: bool, **more: Any) -> None:
    """Give the calendar of somebody whose password changes another address, if there is one.

    Receives every saving of a User: also that of a command. `_password` is what Django itself looks
    at to know of a new password; it is None when a password is only hashed anew.
    """
    if not created and getattr(instance, "_password", None) is not None:
        CalendarFeed.objects.filter(user=instance).update(**_new_address(server_now()))


def revoke(*, user: User) -> None:
    """Let a person's calendar address, if there is one, no longer work."""
    CalendarFeed.objects.filter(user=user).delete()


def feed_url(user: User) -> str:
    """Return the whole address of a person's calendar; empty where there is none."""
    feed = CalendarFeed.objects.filter(user=user).first()
    if feed is None:
        return ""
    return settings.SITE_URL + reverse("calendar", args=[feed.nonce + _signature(feed.nonce)])


def reader_of(key: str) -> User | None:
    """Return whose calendar a key opens; None for one that was revoked or never made."""
    nonce, signature = key[:NONCE_LENGTH], key[NONCE_LENGTH:]
    if not constant_time_compare(signature, _signature(nonce)):
        return None
    feed = CalendarFeed.objects.filter(nonce=nonce, user__is_active=True).select_related("user")
    found = feed.first()
    return found.user if found else None


def _signature(nonce: str) -> str:
    return salted_hmac(_SALT, nonce, algorithm="sha256").hexdigest()[:NONCE_LENGTH]
