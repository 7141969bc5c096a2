"""What is mended by hand: mails read once more or dismissed, notices and addresses tried again.

All of it is logged with its reason.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games import errors
from games.services import log, wakeups
from games.services.moderation.action_names import SiteAction
from games.services.moderation.permissions import check_is_moderator
from notifications import errors as mail_errors
from notifications.models import AddressState
from notifications.outbox import delivery
from notifications.services import addresses
from notifications.services.incoming import processing


@transaction.atomic
def reprocess(mail_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Let parked, held and ignored mails be read once more; return how many.

    They are judged as if they came in now: what a stranger sent is held again unless the address
    has been verified since. The time of receipt still counts. Raises NotAHost, NoReason,
    NothingToRetry.
    """
    _check(by, "change_incomingmail")
    keys = _locked(processing.reprocessable(mail_ids))
    count = processing.process_again(keys, now=now)
    _log(SiteAction.PROCESS_AGAIN, by, why, now, mails=keys)
    wakeups.notify_workers("mails")
    return count


@transaction.atomic
def dismiss_mails(mail_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Put parked and held mails off the moderators' list for good; return how many.

    Raises MayNotModerate, NoReason, NothingToRetry.
    """
    check_is_moderator(by)
    keys = _locked(processing.quarantined(mail_ids))
    count = processing.dismiss(keys, now=now)
    _log(SiteAction.DISMISS_MAIL, by, why, now, mails=keys)
    return count


@transaction.atomic
def resend(notice_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Let failed and parked notices be tried again from the beginning; return how many.

    Raises NotAHost, NoReason, NothingToRetry.
    """
    _check(by, "change_notice")
    keys = _locked(delivery.retriable(notice_ids))
    count = delivery.retry(keys, now=now)
    _log(SiteAction.SEND_AGAIN, by, why, now, notices=keys)
    wakeups.notify_workers("notices")
    return count


@transaction.atomic
def resume_mail_to(state_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Let mail go to suspended addresses again; return how many.

    Raises NotAHost, NoReason, NothingToRetry.
    """
    _check(by, "change_addressstate")
    suspended = AddressState.objects.suspended().filter(pk__in=list(state_ids))
    keys = _locked(suspended)
    found = AddressState.objects.filter(pk__in=keys).values_list("address", flat=True)
    count = sum(addresses.resume_address(address=address, now=now) for address in list(found))
    _log(SiteAction.RESUME_ADDRESS, by, why, now, addresses=keys)
    return count


def _check(by: User, permission: str) -> None:
    if not by.has_perm(f"notifications.{permission}"):
        raise errors.NotAHost


def _locked(rows: QuerySet) -> list[int]:
    """Lock what can still be mended and return its keys. Raises NothingToRetry."""
    keys = list(rows.select_for_update().order_by("pk").values_list("pk", flat=True))
    if not keys:
        raise mail_errors.NothingToRetry
    return keys


def _log(deed: SiteAction, by: User, why: str, now: datetime, **details: object) -> None:
    log.write_entry(by=by, what=deed.value, why=why, now=now, details=details)
