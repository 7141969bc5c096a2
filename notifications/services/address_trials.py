"""A mail to a suspended address whose link, once opened, lets notices go there again."""

from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse

from accounts.addresses import normal_or_none
from accounts.models import User
from accounts.server_time import server_now
from accounts.users import lock_user
from games.services.clock.undelivered_turns import record_contact
from notifications.kinds.account.kind import KIND
from notifications.models import AccountMailCount, Notice
from notifications.services.account import write_account_notice
from notifications.services.addresses import resume_address, suspended_addresses

LINK_LIFETIME = timedelta(days=3)

TRIAL_INTERVAL = timedelta(minutes=5)
"""A trial mail is given this long to arrive before there can be another."""

SALT = "notifications.try-again"


_READ_IN_A_MAIL = frozenset({"code", "password_reset"})
"""Ways to sign in, as allauth names them, that need what a mail said."""


class BadTrial(Exception):
    """The link is forged or too old, or the address works or is not the user's."""


class TriedJustNow(Exception):
    """A mail went there within TRIAL_INTERVAL."""


class TriedTooOften(Exception):
    """The address had as many account mails as it may get."""


@transaction.atomic
def try_address(*, user: User, address: str, now: datetime) -> None:
    """Send a mail to this user's suspended address; its link lets notices go there again.

    Raises BadTrial for an address that is not theirs or works, TriedJustNow, TriedTooOften.
    """
    lock_user(user.pk)
    wanted = normal_or_none(address)
    state = next((one for one in suspended_addresses(user) if one.address == wanted), None)
    if state is None:
        raise BadTrial
    sent = Notice.objects.filter(user=user, address=state.address, kind=KIND.kind)
    if sent.filter(created_at__gt=now - TRIAL_INTERVAL).exists():
        raise TriedJustNow
    path = reverse("address_again", args=[signing.dumps(state.address, salt=SALT)])
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


def resume_by_link(token: str, *, now: datetime) -> str:
    """Send mail to an address again, because this link was read there; return the address.

    That is contact with its owner: their clocks run again. Raises BadTrial.
    """
    address = address_of_link(token)
    resume_address(address=address, now=now)
    for known in EmailAddress.objects.filter(email=address, verified=True):
        record_contact(known.user, now=now)
    return address


def address_of_link(token: str) -> str:
    """Return the address that a trial mail's link is about. Raises BadTrial."""
    try:
        return str(signing.loads(token, salt=SALT, max_age=LINK_LIFETIME))
    except signing.BadSignature:
        raise BadTrial from None


def resume_after_code(*, method: str, email: str | None = None, **_kwargs: Any) -> None:
    """Let notices go again to an address whose owner has read a sign-in mail that went there."""
    if email and method in _READ_IN_A_MAIL:
        resume_address(address=email, now=server_now(), despite_complaint=False)
