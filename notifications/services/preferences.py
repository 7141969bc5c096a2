"""What mail a person wants, and the links that change it without signing in."""

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from notifications.models import Cadence, Kind, MailPreference, Notice

ALWAYS = frozenset({Kind.ACCOUNT, Kind.INVITATION})
"""What nobody can switch off: mail about the account, and mail to people who have none."""

OPTIONAL = tuple(kind for kind in Kind if kind not in ALWAYS)

_SALT = "notifications.unsubscribe"


class BadToken(Exception):
    """A link that was changed on its way, or whose person is gone."""


def cadence_of(user: User, kind: str) -> str:
    """Return when this person wants mail of a kind."""
    chosen = MailPreference.objects.filter(user=user, kind=kind).values_list("cadence", flat=True)
    return chosen.first() or Cadence.AT_ONCE


def can_stop(notice: Notice) -> bool:
    """Tell whether this mail is of a kind that its reader can switch off."""
    return notice.user is not None and notice.kind not in ALWAYS


def choose(*, user: User, kind: Kind, cadence: Cadence) -> None:
    """Remember when this person wants mail of a kind."""
    MailPreference.objects.update_or_create(user=user, kind=kind, defaults={"cadence": cadence})


def unsubscribe_token(user: User, kind: str) -> str:
    """Return the signed text of the link that switches one kind off for one person, for ever."""
    return signing.Signer(salt=_SALT).sign(f"{user.pk}:{kind}")


def unsubscribe_url(user: User, kind: str) -> str:
    """Return that link."""
    path = reverse("unsubscribe", args=[unsubscribe_token(user, kind)])
    return f"{settings.SITE_URL}{path}"


def from_token(token: str) -> tuple[User, Kind]:
    """Return whose mail of which kind a link switches off. Raises BadToken."""
    try:
        user_id, _, kind = signing.Signer(salt=_SALT).unsign(token).partition(":")
        return User.objects.get(pk=int(user_id), is_active=True), Kind(kind)
    except (signing.BadSignature, ValueError, User.DoesNotExist):
        raise BadToken from None
