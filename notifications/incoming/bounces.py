"""Mail of ours that came back, or that its reader marked as spam."""

from datetime import datetime

from notifications.incoming.results import MailResult
from notifications.mail_parser import Bounce, Complaint
from notifications.models import Notice, ReplyAddress
from notifications.outbox.smtp import LONGEST_REASON
from notifications.outbox.undelivered import undelivered
from notifications.services.addresses import suspend_address
from notifications.services.metrics import count_notice
from notifications.tokens import redact_tokens


def handle_bounce(bounce: Bounce, reply: ReplyAddress, *, now: datetime) -> MailResult:
    """Act on a bounce of the mail that `reply` belongs to; return its result.

    A hard one says that the address takes no mail: nothing more is sent there. After a soft one
    (a full mailbox) the next mail may arrive. While a server still tries, the mail counts as not
    arrived.
    """
    notice = reply.notice
    if not bounce.returned:
        if notice is not None:  # until it arrives, it has told nobody
            Notice.objects.filter(pk=notice.pk, delayed_at=None).update(delayed_at=now)
        return MailResult.STILL_TRYING
    diagnostic = redact_tokens(bounce.diagnostic)[:LONGEST_REASON]
    # The address that our mail went to; the bounce may name the one it was forwarded to.
    address = (notice.address if notice else "") or reply.address
    if bounce.hard and address:
        suspend_address(address=address, diagnostic=diagnostic, notice=notice, now=now)
    if notice is not None:
        sent = Notice.objects.filter(pk=notice.pk, state=Notice.State.SENT)
        if sent.update(state=Notice.State.FAILED, reason=diagnostic, skip_reason=""):
            count_notice(notice, "bounced")
        undelivered(notice, now)
    return MailResult.HARD_BOUNCE if bounce.hard else MailResult.SOFT_BOUNCE


def handle_complaint(complaint: Complaint, *, now: datetime) -> bool:
    """Send no more mail to the address that a mail went to which was marked as spam.

    Only who has the mail knows its Message-ID, so whoever sends the report is believed. Returns
    whether the mail is known.
    """
    notice = Notice.objects.filter(message_id=complaint.message_id).first()
    if notice is None or not notice.address:
        return False
    suspend_address(
        address=notice.address, diagnostic="", notice=notice, is_complaint=True, now=now
    )
    return True
