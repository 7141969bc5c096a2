"""The secret addresses of calendars.

An address works until its user renews or revokes it, or their password changes: somebody else who
was signed in may have copied it. Signing out other browsers does not change it.
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

SALT = "notifications.calendar"
NONCE_LENGTH = 32
"""Hexadecimal digits: 128 bits."""


def renew(*, user: User, now: datetime) -> CalendarFeed:
    """Give a user's calendar a new address; the old one stops working."""
    feed, _ = CalendarFeed.objects.update_or_create(user=user, defaults=_new_address(now))
    return feed


def _new_address(now: datetime) -> dict[str, Any]:
    return {"nonce": secrets.token_hex(NONCE_LENGTH // 2), "made_at": now}


def renew_with_password(sender: type[User], instance: User, created: bool, **more: Any) -> None:
    """Renew the calendar's address, if there is one, when the password changes.

    Receives post_save of User, so also what commands do. Django itself uses `_password` to see a
    new password; it is None when a password is only rehashed.
    """
    if not created and getattr(instance, "_password", None) is not None:
        CalendarFeed.objects.filter(user=instance).update(**_new_address(server_now()))


def revoke(*, user: User) -> None:
    """Switch a user's calendar off."""
    CalendarFeed.objects.filter(user=user).delete()


def feed_url(user: User) -> str:
    """Return the URL of a user's calendar; empty if there is none."""
    feed = CalendarFeed.objects.filter(user=user).first()
    if feed is None:
        return ""
    return settings.SITE_URL + reverse("calendar", args=[feed.nonce + _signature(feed.nonce)])


def reader_of(key: str) -> User | None:
    """Return the user whose calendar a key opens; None for an invalid key."""
    nonce, signature = key[:NONCE_LENGTH], key[NONCE_LENGTH:]
    if not constant_time_compare(signature, _signature(nonce)):
        return None
    feed = CalendarFeed.objects.filter(nonce=nonce, user__is_active=True).select_related("user")
    found = feed.first()
    return found.user if found else None


def _signature(nonce: str) -> str:
    return salted_hmac(SALT, nonce, algorithm="sha256").hexdigest()[:NONCE_LENGTH]
