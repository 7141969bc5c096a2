"""The links that switch the letters of one club off without signing in."""

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from games.models import ClubMember
from notifications.services.unsubscribe import BadToken

SALT = "notifications.club-letters"


def club_letters_url(user: User, club_id: int) -> str:
    """Return the link that switches the letters of a club off for one member.

    As that of a kind of mail it never expires, and can do nothing else.
    """
    token = signing.Signer(salt=SALT).sign(f"{user.pk}:{club_id}")
    return settings.SITE_URL + reverse("club_letters", args=[token])


def member_of_token(token: str) -> ClubMember:
    """Return the membership that a link is about. Raises BadToken if it is forged or over."""
    try:
        user_id, _colon, club_id = signing.Signer(salt=SALT).unsign(token).partition(":")
        joined = ClubMember.objects.select_related("club", "user")
        return joined.get(user=int(user_id), club=int(club_id), user__is_active=True)
    except (signing.BadSignature, ValueError, ClubMember.DoesNotExist):
        raise BadToken from None
