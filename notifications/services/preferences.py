"""What mail a person wants, and the links that change it without signing in."""

from collections.abc import Iterable

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse

from accounts.models import User
from notifications.models import Cadence, Kind, MailPlan, MailPreference, Notice

ALWAYS = frozenset({Kind.ACCOUNT, Kind.ANSWER, Kind.INVITATION, Kind.STAFF_DIGEST})
"""What nobody can switch off: mail about the account, answers, mail to people without one, and what
awaits the moderators."""

OPTIONAL = tuple(kind for kind in Kind if kind not in ALWAYS | {Kind.DIGEST})
"""What a person chooses the cadence of; whether there is a digest is a choice of its own."""

_SALT = "notifications.unsubscribe"


class BadToken(Exception):
    """A link that was changed on its way, or whose person is gone."""


def cadence_of(user: User, kind: str) -> str:
    """Return when this person wants mail of a kind."""
    chosen = MailPreference.objects.filter(user=user, kind=kind).values_list("cadence", flat=True)
    return chosen.first() or Cadence.AT_ONCE


def cadences_of(user: User) -> dict[Kind, str]:
    """Return when this person wants mail of each kind that they choose for."""
    chosen = MailPreference.objects.filter(user=user).values_list("kind", "cadence")
    return dict.fromkeys(OPTIONAL, Cadence.AT_ONCE.value) | {
        Kind(kind): cadence for kind, cadence in chosen if kind in OPTIONAL
    }


def kinds_at(user: User, cadence: Cadence) -> list[str]:
    """Return the kinds of which this person has chosen this cadence."""
    chosen = MailPreference.objects.filter(user=user, cadence=cadence, kind__in=OPTIONAL)
    return list(chosen.values_list("kind", flat=True))


def plan_of(user: User) -> MailPlan:
    """Return a person's hours, those of everybody if they have chosen none."""
    return MailPlan.objects.filter(user=user).first() or MailPlan(user=user)


def can_stop(notice: Notice) -> bool:
    """Tell whether this mail is of a kind that its reader can switch off."""
    return notice.user is not None and notice.kind not in ALWAYS


def cadences_for(kind: Kind) -> Iterable[Cadence]:
    """Return what can be chosen for a kind: a reminder that comes late is none."""
    if kind == Kind.REMINDER:
        return (Cadence.AT_ONCE, Cadence.OFF)
    return tuple(Cadence)


@transaction.atomic
def choose(*, user: User, kind: Kind, cadence: Cadence) -> None:
    """Remember when this person wants mail of a kind.

    Who wants no digest wants no other mail instead: what it brought is switched off with it.
    """
    if kind == Kind.DIGEST and cadence == Cadence.OFF:
        plans = MailPlan.objects.filter(user=user)
        plans.update(digest_every=None, digest_due_at=None)
        kept = MailPreference.objects.filter(user=user, cadence=Cadence.DIGEST)
        kept.update(cadence=Cadence.OFF)
    MailPreference.objects.update_or_create(user=user, kind=kind, defaults={"cadence": cadence})


NEEDED = frozenset(
    {Kind.YOUR_TURN, Kind.REMINDER, Kind.GAME_BEGUN, Kind.GAME_OVER, Kind.CHALLENGE, Kind.OFFER}
)
"""Without these nobody could play by mail alone."""


def be_quiet(*, user: User) -> None:
    """Switch off every mail that one can play without."""
    for kind in OPTIONAL:
        if kind not in NEEDED:
            choose(user=user, kind=kind, cadence=Cadence.OFF)


def be_loud(*, user: User) -> None:
    """Let every mail come again, at once."""
    for kind in OPTIONAL:
        choose(user=user, kind=kind, cadence=Cadence.AT_ONCE)


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
