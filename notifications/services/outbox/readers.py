"""Who can be written to, and where."""

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef
from django.db.models.functions import Lower

from accounts.models import User
from notifications.models import AddressState, Kind, Notice

OF_A_TURN = (Kind.GAME_BEGUN, Kind.YOUR_TURN, Kind.PLAYER_LEFT, Kind.REMINDER)
"""The notices that tell a player to move."""


def verified_address(user: User) -> str:
    """Return the address that mail goes to; empty without a verified one.

    The primary one comes first, but one that mail came back from only when there is no other.
    """
    verified = EmailAddress.objects.filter(user=user, verified=True)
    came_back = AddressState.objects.filter(
        address=OuterRef("lower_email"), suspended_at__isnull=False
    )
    ordered = verified.annotate(lower_email=Lower("email"), came_back=Exists(came_back))
    addresses = ordered.order_by("came_back", "-primary", "pk")
    return addresses.values_list("email", flat=True).first() or ""


def gets_mail(user: User) -> bool:
    """Tell whether this person can be told anything by mail."""
    return user.is_active and not user.is_program and bool(verified_address(user))


def is_told(user: User, kind: str) -> bool:
    """Tell whether a notice of a kind is written for this person.

    One that tells of a turn is, without an address too: that it reaches nobody stops the clock.
    """
    if kind in OF_A_TURN:
        return user.is_active and not user.is_program
    return gets_mail(user)


def address_of(notice: Notice) -> str:
    """Return where a notice goes now; empty when it can go nowhere.

    Account mails name their address (it may be the one to be verified), as do invitations of
    people without an account; all others go to the reader's verified address of the moment.
    """
    if notice.user is None or notice.kind == Kind.ACCOUNT:
        return notice.address
    return verified_address(notice.user) if notice.user.is_active else ""
