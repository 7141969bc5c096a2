"""Retries by hand: mails are processed again or dismissed, notices and addresses tried again.

All of it is logged with its reason.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games import errors, wakeups
from games.moderation import log
from games.moderation.action_names import SiteAction
from games.moderation.permissions import check_is_moderator
from notifications import errors as mail_errors
from notifications.incoming.results import MailResult
from notifications.models import AddressState, IncomingMail
from notifications.outbox import delivery
from notifications.services import addresses


@transaction.atomic
def reprocess(mail_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Let parked, held and ignored mails be processed again; return how many.

    They are classified as if they came in now: a stranger's mail is held again unless the address
    has been verified since. The time of receipt still counts. Mails whose text was deleted are left
    out. Raises NotAnAdministrator, NoReason, NothingToRetry.
    """
    _check_permission(by, "change_incomingmail")
    keys = _locked(reprocessable(mail_ids))
    count = process_again(keys)
    _log(SiteAction.PROCESS_AGAIN, by, why, now, mails=keys)
    wakeups.notify_workers("mails")
    return count


def reprocessable(mail_ids: Iterable[int]) -> QuerySet[IncomingMail]:
    """Return those of these mails that were put aside and whose text was not deleted."""
    aside = IncomingMail.objects.processed().exclude(state=IncomingMail.State.DONE)
    return aside.with_text().filter(pk__in=list(mail_ids))


def process_again(mail_ids: Iterable[int]) -> int:
    """Let those of these mails wait that can be processed again; return how many."""
    return reprocessable(mail_ids).update(
        state=IncomingMail.State.WAITING,
        attempts=0,
        due_at=None,
        failing_since=None,
        processed_at=None,
        result="",
        error="",
    )


@transaction.atomic
def dismiss_mails(mail_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Take parked and held mails off the moderators' list for good; return how many.

    Their error is kept. Raises MayNotModerate, NoReason, NothingToRetry.
    """
    check_is_moderator(by)
    aside = IncomingMail.objects.filter(pk__in=list(mail_ids))
    keys = _locked(aside.filter(state__in=(IncomingMail.State.PARKED, IncomingMail.State.HELD)))
    count = IncomingMail.objects.filter(pk__in=keys).update(
        state=IncomingMail.State.IGNORED, result=MailResult.DISMISSED, processed_at=now
    )
    _log(SiteAction.DISMISS_MAIL, by, why, now, mails=keys)
    return count


@transaction.atomic
def resend(notice_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Let failed and parked notices be tried again from the beginning; return how many.

    Raises NotAnAdministrator, NoReason, NothingToRetry.
    """
    _check_permission(by, "change_notice")
    keys = _locked(delivery.retriable(notice_ids))
    count = delivery.retry(keys, now=now)
    _log(SiteAction.SEND_AGAIN, by, why, now, notices=keys)
    wakeups.notify_workers("notices")
    return count


@transaction.atomic
def resume_mail_to(state_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Let mail go to suspended addresses again; return how many.

    Raises NotAnAdministrator, NoReason, NothingToRetry.
    """
    _check_permission(by, "change_addressstate")
    suspended = AddressState.objects.filter(pk__in=list(state_ids), suspended_at__isnull=False)
    keys = _locked(suspended)
    found = AddressState.objects.filter(pk__in=keys).values_list("address", flat=True)
    count = sum(addresses.resume_address(address=address, now=now) for address in list(found))
    _log(SiteAction.RESUME_ADDRESS, by, why, now, addresses=keys)
    return count


def _check_permission(by: User, permission: str) -> None:
    if not by.has_perm(f"notifications.{permission}"):
        raise errors.NotAnAdministrator


def _locked(rows: QuerySet) -> list[int]:
    """Lock the rows that can still be retried and return their keys. Raises NothingToRetry."""
    keys = list(rows.select_for_update().order_by("pk").values_list("pk", flat=True))
    if not keys:
        raise mail_errors.NothingToRetry
    return keys


def _log(action: SiteAction, by: User, why: str, now: datetime, **details: object) -> None:
    log.write_entry(by=by, what=action.value, why=why, now=now, details=details)
