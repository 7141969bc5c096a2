"""The addresses that users get mail at, and addresses from which mail bounced."""

from collections.abc import Iterable
from datetime import datetime

from allauth.account.models import EmailAddress

from accounts.models import User
from notifications.models import AddressState, Notice
from notifications.services import shared_reads


def verified_address(user: User) -> str:
    """Return the address that mail goes to; empty without a verified one.

    The primary one comes first, but a suspended one only if there is no other.
    """
    reads = shared_reads.of_reader(user)
    if reads is not None:
        return reads.addresses.get(user.pk, "")
    addresses = shared_reads.verified_addresses().filter(user=user)
    return addresses.values_list("email", flat=True).first() or ""


def gets_mail(user: User) -> bool:
    """Return whether this user can be told anything by mail."""
    return user.can_get_mail and bool(verified_address(user))


def with_address(users: Iterable[User]) -> set[int]:
    """Return the keys of those of these users for whom `gets_mail`."""
    able = [user.pk for user in users if user.can_get_mail]
    verified = EmailAddress.objects.filter(user__in=able, verified=True)
    return set(verified.values_list("user_id", flat=True))


def is_address_suspended(address: str) -> bool:
    """Return whether mail to this address bounced and it has not been confirmed since."""
    known = shared_reads.known_suspension(address)
    if known is not None:
        return known
    return AddressState.objects.suspended().filter(address=address).exists()


HAS_SUSPENDED_ADDRESS = """
EXISTS (
  SELECT 1 FROM account_emailaddress AS own
  JOIN notifications_addressstate AS state ON state.address = own.email
  WHERE own.user_id = accounts_user.id AND own.verified AND state.suspended_at IS NOT NULL
)"""
"""Whether `suspended_addresses` has any for a row of accounts_user: every page asks that."""


def suspended_addresses(user: User) -> Iterable[AddressState]:
    """Return this user's verified addresses that are suspended."""
    theirs = EmailAddress.objects.filter(user=user, verified=True).values("email")
    return AddressState.objects.suspended().filter(address__in=theirs).order_by("address")


def suspend_address(
    *,
    address: str,
    diagnostic: str,
    notice: Notice | None,
    is_complaint: bool = False,
    now: datetime,
) -> None:
    """Send no more mail to an address; `is_complaint`: its reader marked our mail as spam.

    What is said of a mail from before the address was resumed is ignored.
    """
    state, _ = AddressState.objects.get_or_create(address=address)
    sent_at = notice.sent_at if notice else None
    if state.resumed_at and sent_at and sent_at < state.resumed_at:
        return
    AddressState.objects.filter(pk=state.pk).update(
        suspended_at=state.suspended_at or now,
        diagnostic=diagnostic,
        notice=notice,
        is_complaint=is_complaint or state.is_complaint,
    )


def resume_address(*, address: str, now: datetime, despite_complaint: bool = True) -> bool:
    """Send mail to an address again; return whether it was suspended.

    Who marked our mail as spam has to ask for it, or to write to us.
    """
    suspended = AddressState.objects.suspended().filter(address=address)
    if not despite_complaint:
        suspended = suspended.filter(is_complaint=False)
    fields = {"suspended_at": None, "resumed_at": now, "diagnostic": "", "is_complaint": False}
    return bool(suspended.update(**fields))


def refuse_invitations(address: str) -> None:
    """Let no invitation go to an address, from anybody."""
    AddressState.objects.update_or_create(address=address, defaults={"refuses_invitations": True})


def refuses_invitations(address: str) -> bool:
    """Return whether the reader of an address has refused all further invitations."""
    return AddressState.objects.filter(address=address, refuses_invitations=True).exists()
