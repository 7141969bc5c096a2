"""Signs that two accounts may be one person's. They prove nothing: families share a line."""

from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.db.models import Q, Value
from django.db.models.functions import Replace

from accounts.models import User

MOST = 50
"""How many addresses, and how many sessions, are looked at."""


@dataclass(frozen=True)
class Overlap:
    """Somebody who is signed in from where a person is, and when they were there last."""

    person: User
    at: datetime


def mailbox(address: str) -> str:
    """Return what is left of an address without dots before the @ and what follows a +."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{domain}"


def same_mailbox(person: User) -> list[User]:
    """Return the others whose address leads to the same mailbox up to dots and +tags."""
    if not person.email:
        return []
    wanted = mailbox(person.email)
    base, _, domain = wanted.partition("@")
    # Dots are taken out of the whole address here: that can be looked up in an index.
    dotless = EmailAddress.objects.alias(key=Replace("email", Value("."), Value("")))
    near = dotless.filter(
        Q(key=f"{base}@{domain.replace('.', '')}") | Q(key__startswith=f"{base}+")
    )
    found = near.exclude(user=person).select_related("user").order_by()[:MOST]
    return list({one.user.pk: one.user for one in found if mailbox(one.email) == wanted}.values())


def signed_in_together(person: User) -> list[Overlap]:
    """Return the others who are signed in from an address from which the person is, newest first.

    Only sessions that stand are known. The address itself is not said.
    """
    places = UserSession.objects.filter(user=person).values("ip")
    others = UserSession.objects.filter(ip__in=places).exclude(user=person)
    newest: dict[int, Overlap] = {}
    for session in others.select_related("user").order_by("-last_seen_at")[:MOST]:
        newest.setdefault(session.user.pk, Overlap(session.user, session.last_seen_at))
    return list(newest.values())
