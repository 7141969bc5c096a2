"""When a session ends and what is deleted with it; which users a browser is known to.

That a browser is known is kept in a signed cookie, which outlives sessions.
"""

import time
from datetime import datetime, timedelta

from allauth.account.authentication import get_authentication_records
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.models import User
from accounts.sql import columns_of, select_rows, time_to_sql

SIGNED_IN_AT = "signed_in_at"
"""The session key for the time of the sign-in, in seconds since 1970."""

ENDED_AFTER = "ended_after"
"""The session key for the lifetime of the session that has just ended."""

BATCH = 500

DEVICE_LIFETIME = timedelta(days=365)
DEVICE_USERS = 10
"""How many users one cookie remembers. The user who signed in first is dropped."""

_DEVICE_SALT = "accounts.devices"


class SessionStore(DatabaseSessionStore):
    """Django's sessions. Every request loads one, and the ORM takes four times as long."""

    def _get_session_from_db(self) -> Session | None:
        """Return the session's row; None, and forget the key, if there is none or it expired."""
        statement = (
            f"SELECT {columns_of(Session)} FROM django_session"  # noqa: S608
            " WHERE session_key = %s AND expire_date > %s"
        )
        values = [self.session_key, time_to_sql(timezone.now())]
        found = next(iter(select_rows(Session, statement, values)), None)
        if found is None:
            self._session_key = None
        return found


def start_lifetime(session: SessionBase) -> None:
    """Record that the session's user has signed in now."""
    session[SIGNED_IN_AT] = int(time.time())


def keep_reason(session: SessionBase, lifetime: timedelta) -> None:
    """Have the sign-in page say that the previous session ended after `lifetime`."""
    hours = round(lifetime / timedelta(hours=1))
    session[ENDED_AFTER] = {"days": lifetime.days} if lifetime.days else {"hours": hours}


def lifetime_of(user: User) -> timedelta:
    """Return how long after the sign-in a session of this user ends, whatever its use."""
    return settings.STAFF_SESSION_LIFETIME if user.is_staff else settings.SESSION_LIFETIME


def is_over(request: HttpRequest, user: User) -> bool:
    """Return whether the session of this request has ended.

    A session from before sign-in times were kept began with its first authentication; if allauth
    recorded none, it begins now.
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


def is_known_device(request: HttpRequest, user: User) -> bool:
    """Return whether this user has signed in before with the browser of the request."""
    return str(user.pk) in _users_of_device(request)


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Make the browser known as this user's from now on."""
    others = [key for key in _users_of_device(request) if key != str(user.pk)]
    response.set_signed_cookie(
        settings.DEVICE_COOKIE_NAME,
        ".".join([*others, str(user.pk)][-DEVICE_USERS:]),
        salt=_DEVICE_SALT,
        max_age=DEVICE_LIFETIME,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _users_of_device(request: HttpRequest) -> list[str]:
    """Return the keys of the users who signed in with this browser, oldest first."""
    cookie = request.get_signed_cookie(
        settings.DEVICE_COOKIE_NAME, default="", salt=_DEVICE_SALT, max_age=DEVICE_LIFETIME
    )
    return cookie.split(".") if cookie else []
