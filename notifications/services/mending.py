"""What is mended by hand: mails read once more or dismissed, notices and addresses tried again.

All of it is logged with its reason.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_noop as _

from accounts.models import User
from games.services import bell, log
from games.services.errors import Refusal
from games.services.errors.house import NotAHost
from games.services.moderation.names import HostDeed
from games.services.moderation.rights import check_moderates
from notifications.models import AddressState
from notifications.services import addresses
from notifications.services.incoming import processing
from notifications.services.outbox import delivery


class NothingToMend(Refusal):
    """Somebody else was first, or nothing is left of what was chosen."""

    template = _("None of them waits for that (any more), or its text is kept no longer.")


@transaction.atomic
def reread(mail_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Let parked, held and ignored mails be read once more; return how many.

    They are judged as if they came in now: what a stranger sent is held again unless the address
    has been verified since. The time of receipt still counts. Raises NotAHost, NoReason,
    NothingToMend.
    """
    _check(by, "change_incomingmail")
    keys = _locked(processing.rereadable(mail_ids))
    count = processing.process_again(keys, now=now)
    _log(HostDeed.PROCESS_AGAIN, by, why, now, mails=keys)
    bell.ring("mails")
    return count


@transaction.atomic
def dismiss(mail_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Put parked and held mails off the moderators' list for good; return how many.

    Raises MayNotModerate, NoReason, NothingToMend.
    """
    check_moderates(by)
    keys = _locked(processing.put_aside(mail_ids))
    count = processing.dismiss(keys, now=now)
    _log(HostDeed.DISMISS_MAIL, by, why, now, mails=keys)
    return count


@transaction.atomic
def resend(notice_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Let failed notices be tried again from the beginning; return how many.

    Raises NotAHost, NoReason, NothingToMend.
    """
    _check(by, "change_notice")
    keys = _locked(delivery.retriable(notice_ids))
    count = delivery.retry(keys, now=now)
    _log(HostDeed.SEND_AGAIN, by, why, now, notices=keys)
    bell.ring("notices")
    return count


@transaction.atomic
def resume(state_ids: Iterable[int], *, by: User, why: str, now: datetime) -> int:
    """Let mail go to suspended addresses again; return how many.

    Raises NotAHost, NoReason, NothingToMend.
    """
    _check(by, "change_addressstate")
    suspended = AddressState.objects.filter(pk__in=list(state_ids), suspended_at__isnull=False)
    keys = _locked(suspended)
    found = AddressState.objects.filter(pk__in=keys).values_list("address", flat=True)
    count = sum(addresses.resume(address=address, now=now) for address in list(found))
    _log(HostDeed.RESUME_ADDRESS, by, why, now, addresses=keys)
    return count


def _check(by: User, permission: str) -> None:
    if not (by.is_staff and by.has_perm(f"notifications.{permission}")):
        raise NotAHost


def _locked(rows: QuerySet) -> list[int]:
    """Lock what can still be mended and return its keys. Raises NothingToMend."""
    keys = list(rows.select_for_update().order_by("pk").values_list("pk", flat=True))
    if not keys:
        raise NothingToMend
    return keys


def _log(deed: HostDeed, by: User, why: str, now: datetime, **details: object) -> None:
    log.write(by=by, what=deed.value, why=why, now=now, details=details)
