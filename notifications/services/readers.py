"""The people who can be written to, and their addresses."""

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef

from accounts.models import User
from notifications.models import AddressState


def verified_address(user: User) -> str:
    """Return the address that mail goes to; empty without a verified one.

    The primary one comes first, but one that mail came back from only when there is no other.
    """
    verified = EmailAddress.objects.filter(user=user, verified=True)
    came_back = AddressState.objects.filter(address=OuterRef("email"), suspended_at__isnull=False)
    addresses = verified.annotate(came_back=Exists(came_back)).order_by(
        "came_back", "-primary", "pk"
    )
    return addresses.values_list("email", flat=True).first() or ""


def gets_mail(user: User) -> bool:
    """Tell whether this person can be told anything by mail."""
    return user.is_active and not user.is_bot and bool(verified_address(user))
