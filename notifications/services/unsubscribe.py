"""The links that switch one kind of mail off without signing in."""

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from notifications.kinds.registry import Kind

SALT = "notifications.unsubscribe"


class BadToken(Exception):
    """The link is forged, or its user no longer exists."""


def unsubscribe_token(user: User, kind: str) -> str:
    """Return the signed text of the link that switches one kind off for one user.

    It never expires, whatever the password: mail programs offer it for mails that are years old
    (RFC 8058). It can only switch that kind off.
    """
    return signing.Signer(salt=SALT).sign(f"{user.pk}:{kind}")


def unsubscribe_url(user: User, kind: str) -> str:
    """Return the link that switches one kind off for one user."""
    path = reverse("unsubscribe", args=[unsubscribe_token(user, kind)])
    return f"{settings.SITE_URL}{path}"


def preference_from_token(token: str) -> tuple[User, Kind]:
    """Return the user and the kind of mail that a link switches off. Raises BadToken."""
    try:
        user_id, _, kind = signing.Signer(salt=SALT).unsign(token).partition(":")
        return User.objects.get(pk=int(user_id), is_active=True), Kind(kind)
    except (signing.BadSignature, ValueError, User.DoesNotExist):
        raise BadToken from None
