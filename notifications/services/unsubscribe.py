"""The links that switch one kind of mail off without signing in."""

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from notifications.kinds.registry import Kind

_SALT = "notifications.unsubscribe"


class BadToken(Exception):
    """A link that was changed on its way, or whose person is gone."""


def unsubscribe_token(user: User, kind: str) -> str:
    """Return the signed text of the link that switches one kind off for one person.

    It works for ever, with another password too: mail programs offer it beside mails that are years
    old (RFC 8058). All it can do is to switch that kind off.
    """
    return signing.Signer(salt=_SALT).sign(f"{user.pk}:{kind}")


def unsubscribe_url(user: User, kind: str) -> str:
    """Return that link."""
    path = reverse("unsubscribe", args=[unsubscribe_token(user, kind)])
    return f"{settings.SITE_URL}{path}"


def preference_from_token(token: str) -> tuple[User, Kind]:
    """Return whose mail of which kind a link switches off. Raises BadToken."""
    try:
        user_id, _, kind = signing.Signer(salt=_SALT).unsign(token).partition(":")
        return User.objects.get(pk=int(user_id), is_active=True), Kind(kind)
    except (signing.BadSignature, ValueError, User.DoesNotExist):
        raise BadToken from None
