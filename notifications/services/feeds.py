"""Making, renewing and revoking the secret address of a calendar."""

import secrets
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from notifications.models import CalendarFeed

_SALT = "notifications.calendar"
NONCE_LENGTH = 32
"""Hexadecimal digits: 128 bits."""


def renew(*, user: User, now: datetime) -> CalendarFeed:
    """Make an address for a person's calendar; one that there was no longer works."""
    values = {"nonce": secrets.token_hex(NONCE_LENGTH // 2), "made_at": now}
    feed, _ = CalendarFeed.objects.update_or_create(user=user, defaults=values)
    return feed


def revoke(*, user: User) -> None:
    """Let a person's calendar address, if there is one, no longer work."""
    CalendarFeed.objects.filter(user=user).delete()


def address_of(user: User) -> str:
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
