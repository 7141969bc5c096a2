"""The links that switch one kind of mail, or the letters of one club, off without signing in."""

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from games.models import ClubMember
from notifications.kinds.registry import Kind

SALT = "notifications.unsubscribe"
CLUB_SALT = "notifications.club-letters"


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


def club_letters_url(user: User, club_id: int) -> str:
    """Return the link that switches the letters of a club off for one member.

    As that of a kind of mail it never expires, and can do nothing else.
    """
    token = signing.Signer(salt=CLUB_SALT).sign(f"{user.pk}:{club_id}")
    return settings.SITE_URL + reverse("club_letters", args=[token])


def member_of_token(token: str) -> ClubMember:
    """Return the membership that a link is about. Raises BadToken if it is forged or over."""
    try:
        user_id, _colon, club_id = signing.Signer(salt=CLUB_SALT).unsign(token).partition(":")
        joined = ClubMember.objects.select_related("club", "user")
        return joined.get(user=int(user_id), club=int(club_id), user__is_active=True)
    except (signing.BadSignature, ValueError, ClubMember.DoesNotExist):
        raise BadToken from None
