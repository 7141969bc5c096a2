"""What mail a person wants."""

from django.db import transaction

from accounts.models import User
from notifications.kinds.base import MailKind
from notifications.kinds.lookup import all_kinds
from notifications.models import Cadence, Kind, MailPlan, MailPreference


def optional_kinds() -> list[MailKind]:
    """Return the kinds that a person chooses the cadence of.

    Whether there is a digest is a choice of its own (`MailPlan`).
    """
    return [kind for kind in all_kinds() if kind.cadences]


def cadence_of(user: User, kind: str) -> str:
    """Return when this person wants mail of a kind."""
    chosen = MailPreference.objects.filter(user=user, kind=kind).values_list("cadence", flat=True)
    return chosen.first() or Cadence.AT_ONCE


def cadences_of(user: User) -> dict[Kind, str]:
    """Return when this person wants mail of each kind that they choose for."""
    chosen = MailPreference.objects.filter(user=user).values_list("kind", "cadence")
    optional = [kind.kind for kind in optional_kinds()]
    return dict.fromkeys(optional, Cadence.AT_ONCE.value) | {
        Kind(kind): cadence for kind, cadence in chosen if kind in optional
    }


def kinds_at(user: User, cadence: Cadence) -> list[str]:
    """Return the kinds of which this person has chosen this cadence."""
    optional = [kind.kind for kind in optional_kinds()]
    chosen = MailPreference.objects.filter(user=user, cadence=cadence, kind__in=optional)
    return list(chosen.values_list("kind", flat=True))


def plan_of(user: User) -> MailPlan:
    """Return a person's hours, those of everybody if they have chosen none."""
    return MailPlan.objects.filter(user=user).first() or MailPlan(user=user)


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


def be_quiet(*, user: User) -> None:
    """Switch off every mail that one can play without."""
    for kind in optional_kinds():
        if not kind.is_needed_to_play:
            choose(user=user, kind=kind.kind, cadence=Cadence.OFF)


def be_loud(*, user: User) -> None:
    """Let every mail come again, at once."""
    for kind in optional_kinds():
        choose(user=user, kind=kind.kind, cadence=Cadence.AT_ONCE)
