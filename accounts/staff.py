"""Staff powers: everything that an account may do beyond what a player may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from accounts.models import User

SECOND_FACTORS = ("totp", "webauthn")
"""The kinds of `Authenticator` that count. Recovery codes alone do not: allauth signs in somebody
who has nothing else without asking for them."""


def has_second_factor(user: User) -> bool:
    """Return whether the account has a second factor now.

    `accounts.backend.Backend` annotates the user of a request with it; of other objects the
    database is asked.
    """
    from allauth.mfa.models import Authenticator  # it needs the user model, which imports this

    known = getattr(user, "has_second_factor", None)
    if known is None:
        return Authenticator.objects.filter(user=user, type__in=SECOND_FACTORS).exists()
    return bool(known)


def has_staff_powers(user: User) -> bool:
    """Return whether the account is staff and may use that: it has a second factor.

    Settings may waive the second factor (STAFF_NEEDS_TWO_FACTORS = False).
    """
    if not (user.is_active and user.is_staff):
        return False
    return not settings.STAFF_NEEDS_TWO_FACTORS or has_second_factor(user)
