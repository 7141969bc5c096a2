"""Which people have signed in with a browser before: a signed cookie that outlives sessions."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.models import User

LIFETIME = timedelta(days=365)
MOST_PEOPLE = 10
"""Users whose browser is remembered in one cookie. The one who signed in first is dropped."""

_SALT = "accounts.devices"


def is_known_device(request: HttpRequest, user: User) -> bool:
    """Return whether this person has signed in with the browser of the request before."""
    return str(user.pk) in _people(request)


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Let the browser be known as this person's from now on."""
    others = [key for key in _people(request) if key != str(user.pk)]
    response.set_signed_cookie(
        settings.DEVICE_COOKIE_NAME,
        ".".join([*others, str(user.pk)][-MOST_PEOPLE:]),
        salt=_SALT,
        max_age=LIFETIME,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _people(request: HttpRequest) -> list[str]:
    """Return the keys of the users who signed in with this browser, oldest first."""
    said = request.get_signed_cookie(
        settings.DEVICE_COOKIE_NAME, default="", salt=_SALT, max_age=LIFETIME
    )
    return said.split(".") if said else []
