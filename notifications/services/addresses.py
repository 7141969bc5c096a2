"""Addresses that mail came back from: nothing goes there until their owner says so."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse

from accounts.addresses import normal_or_none
from accounts.models import User
from accounts.users import lock_user
from games.services.clock.undelivered_turns import record_contact
from notifications.kinds.account.kind import KIND
from notifications.models import AccountMailCount, AddressState, Notice
from notifications.services.account import write_account_notice

TRIAL_LASTS = timedelta(days=3)
"""How long the link of a mail that tries an address works."""

BETWEEN_TRIALS = timedelta(minutes=5)

_SALT = "notifications.try-again"


class BadTrial(Exception):
    """A link that was changed on its way, is too old, or is about an address that works."""


class TriedJustNow(Exception):
    """A mail went there a moment ago; it must be given time."""


class TriedTooOften(Exception):
    """The address had as many account mails as it may get."""


def is_address_suspended(address: str) -> bool:
    """Tell whether mail to this address came back and nobody has had it tried again."""
    states = AddressState.objects.filter(address=address)
    return states.filter(suspended_at__isnull=False).exists()


def suspended_addresses(user: User) -> Iterable[AddressState]:
    """Return this person's verified addresses that mail came back from."""
    theirs = EmailAddress.objects.filter(user=user, verified=True).values("email")
    states = AddressState.objects.filter(address__in=theirs, suspended_at__isnull=False)
    return states.order_by("address")


def suspend_address(*, address: str, diagnostic: str, notice: Notice | None, now: datetime) -> None:
    """Send no more mail to an address. A mail sent before it was tried again says nothing new."""
    state, _ = AddressState.objects.get_or_create(address=address)
    sent_at = notice.sent_at if notice else None
    if state.resumed_at and sent_at and sent_at < state.resumed_at:
        return
    AddressState.objects.filter(pk=state.pk).update(
        suspended_at=state.suspended_at or now, diagnostic=diagnostic, notice=notice
    )


def resume_address(*, address: str, now: datetime) -> bool:
    """Send mail to an address again; tell whether that changed anything."""
    suspended = AddressState.objects.filter(address=address, suspended_at__isnull=False)
    return bool(suspended.update(suspended_at=None, resumed_at=now, diagnostic=""))


@transaction.atomic
def try_address(*, user: User, address: str, now: datetime) -> None:
    """Send this person's suspended address a mail whose link lets notices go there again.

    Raises BadTrial for an address that is not theirs or works, TriedJustNow, TriedTooOften.
    """
    lock_user(user.pk)
    wanted = normal_or_none(address)
    state = next((one for one in suspended_addresses(user) if one.address == wanted), None)
    if state is None:
        raise BadTrial
    lately = Notice.objects.filter(user=user, address=state.address, kind=KIND.kind)
    if lately.filter(created_at__gt=now - BETWEEN_TRIALS).exists():
        raise TriedJustNow
    path = reverse("address_again", args=[signing.dumps(state.address, salt=_SALT)])
    notice = write_account_notice(
        template_prefix=KIND.template("again"),
        address=state.address,
        reader=user,
        language=user.language,
        context={"user": user, "url": settings.SITE_URL + path},
        group=AccountMailCount.Group.REQUESTED,
        now=now,
    )
    if notice is None:
        raise TriedTooOften


def arrived(token: str, *, now: datetime) -> str:
    """Send mail to an address again, for this link of ours was read there; return the address.

    Whoever it belongs to was heard of: their clocks run again. Raises BadTrial.
    """
    address = address_of_trial(token)
    resume_address(address=address, now=now)
    for known in EmailAddress.objects.filter(email=address, verified=True):
        record_contact(known.user, now=now)
    return address


def address_of_trial(token: str) -> str:
    """Return the address that a mail's link is about. Raises BadTrial."""
    try:
        return str(signing.loads(token, salt=_SALT, max_age=TRIAL_LASTS))
    except signing.BadSignature:
        raise BadTrial from None
