"""Answers to mail that is not a player's: one for an address and reason a day, no more."""

from datetime import UTC, datetime

from notifications.kinds.account.kind import KIND
from notifications.models import AccountMailCount, ErrorReply
from notifications.services.account import write_account_notice
from notifications.services.addresses import is_address_suspended


def answer_stranger(
    *, address: str, reason: str, language: str, now: datetime, in_reply_to: str = ""
) -> bool:
    """Write to somebody whose mail we cannot act on, once a day; return whether that was done.

    Says nothing of whose reply address it was. `in_reply_to` is the Message-ID of their mail.
    """
    today = now.astimezone(UTC).date()
    _, is_first = ErrorReply.objects.get_or_create(
        address=address, reason=reason, answered_on=today
    )
    if not is_first or is_address_suspended(address):
        return False
    notice = write_account_notice(
        template_prefix=KIND.template(reason),
        address=address,
        reader=None,
        language=language,
        context={},
        in_reply_to=in_reply_to,
        group=AccountMailCount.Group.REQUESTED,
        now=now,
    )
    return notice is not None
