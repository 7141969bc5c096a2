"""Mail of ours that came back."""

from datetime import datetime

from notifications.mail_parser import Bounce
from notifications.models import Notice, ReplyAddress
from notifications.outbox.smtp import LONGEST_REASON
from notifications.outbox.undelivered import undelivered
from notifications.services.addresses import suspend_address
from notifications.tokens import redact_tokens

HARD, SOFT, STILL_TRYING = "hard-bounce", "soft-bounce", "still-trying"


def handle_bounce(bounce: Bounce, reply: ReplyAddress, *, now: datetime) -> str:
    """Act on a bounce of the mail that `reply` belongs to; return its result.

    A hard one says that the address takes no mail: nothing more is sent there. After a soft one
    (a full mailbox) the next mail may arrive. While a server still tries there is nothing to do.
    """
    if not bounce.returned:
        return STILL_TRYING
    diagnostic = redact_tokens(bounce.diagnostic)[:LONGEST_REASON]
    if bounce.hard and (address := _sent_to(reply)):
        suspend_address(address=address, diagnostic=diagnostic, notice=reply.notice, now=now)
    if reply.notice is not None:
        _not_sent_after_all(reply.notice, diagnostic)
        undelivered(reply.notice, now)
    return HARD if bounce.hard else SOFT


def _sent_to(reply: ReplyAddress) -> str:
    """Return where our mail went; what the bounce says may be where it was forwarded to."""
    return (reply.notice.address if reply.notice else "") or reply.address


def _not_sent_after_all(notice: Notice, diagnostic: str) -> None:
    sent = Notice.objects.filter(pk=notice.pk, state=Notice.State.SENT)
    sent.update(state=Notice.State.FAILED, reason=diagnostic, skip_reason="")
