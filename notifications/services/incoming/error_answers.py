"""Answers to mail that is not a player's: one for an address and reason a day, no more."""

from datetime import UTC, datetime

from notifications.models import ErrorAnswer
from notifications.services.account import write_account_notice
from notifications.services.addresses import is_suspended


def answer_stranger(
    *, address: str, reason: str, language: str, now: datetime, in_reply_to: str = ""
) -> bool:
    """Write to somebody whose mail we cannot act on; tell whether they had no answer yet today.

    Says nothing of whose reply address it was. `in_reply_to` is the Message-ID of their mail.
    """
    today = now.astimezone(UTC).date()
    _, is_first = ErrorAnswer.objects.get_or_create(
        address=address.lower(), reason=reason, answered_on=today
    )
    if not is_first or is_suspended(address):
        return False
    write_account_notice(
        template_prefix=f"mails/{reason}",
        address=address,
        reader=None,
        language=language,
        context={},
        in_reply_to=in_reply_to,
        now=now,
    )
    return True
