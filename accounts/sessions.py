"""When a session ends, and what is deleted with it."""

import time
from datetime import datetime, timedelta

from allauth.account.authentication import get_authentication_records
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.http import HttpRequest

from accounts.models import User

SIGNED_IN_AT = "signed_in_at"
"""The key under which a session keeps when its person signed in, in seconds since 1970."""

ENDED_AFTER = "ended_after"
"""The session key for the lifetime of the session that has just ended."""

BATCH = 500


def start_lifetime(session: SessionBase) -> None:
    """Note that the session's person has signed in now."""
    session[SIGNED_IN_AT] = int(time.time())


def keep_reason(session: SessionBase, lifetime: timedelta) -> None:
    """Let the sign-in page say that the session before this one has ended after `lifetime`."""
    hours = round(lifetime / timedelta(hours=1))
    session[ENDED_AFTER] = {"days": lifetime.days} if lifetime.days else {"hours": hours}


def lifetime_of(user: User) -> timedelta:
    """Return how long after the sign-in a session of this person ends, whatever its use."""
    return settings.STAFF_SESSION_LIFETIME if user.is_staff else settings.SESSION_LIFETIME


def is_over(request: HttpRequest, user: User) -> bool:
    """Return whether the session of this request has ended.

    A session from before sign-in times were kept began with its first authentication; if allauth
    noted none, it begins now.
    """
    if SIGNED_IN_AT not in request.session:
        records = get_authentication_records(request, user)
        request.session[SIGNED_IN_AT] = int(records[0]["at"] if records else time.time())
    age = time.time() - request.session[SIGNED_IN_AT]
    return age >= lifetime_of(user).total_seconds()


def delete_expired_sessions(*, now: datetime) -> int:
    """Delete some expired sessions, with the address and browser of each; return how many."""
    expired = Session.objects.filter(expire_date__lt=now).order_by("expire_date")
    keys = list(expired.values_list("session_key", flat=True)[:BATCH])
    UserSession.objects.filter(session_key__in=keys).delete()
    Session.objects.filter(session_key__in=keys).delete()
    return len(keys)
