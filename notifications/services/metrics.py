"""Count and log every mail, push message and message to a webhook: never by address."""

import logging

from django.db import transaction
from prometheus_client import Counter

from notifications.models import IncomingMail, Notice, Push, WebhookMessage

log = logging.getLogger(__name__)

MAILS_OUT = Counter("pli_mails_out", "Notices by kind and outcome.", ["kind", "outcome"])
MAILS_IN = Counter("pli_mails_in", "Mails that came in, by state and result.", ["state", "result"])

PUSHES = Counter("pli_pushes", "Push messages by kind and outcome.", ["kind", "outcome"])
WEBHOOK_MESSAGES = Counter(
    "pli_webhook_messages", "Messages to webhooks by kind and outcome.", ["kind", "outcome"]
)


def count_notice(notice: Notice, outcome: str) -> None:
    """Count and log what became of a notice, once the transaction has committed.

    `outcome` is sent, together (told by another notice's mail or a digest), dropped, failed,
    bounced (after it was sent), parked, deferred (the mail server asks to wait) or retried (an
    error of our own).
    """

    def report() -> None:
        MAILS_OUT.labels(notice.kind, outcome).inc()
        fields = {"notice": notice.pk, "kind": notice.kind, "outcome": outcome}
        fields["game"] = notice.game_id
        log.info("notice %s (%s) %s", notice.pk, notice.kind, outcome, extra=fields)

    transaction.on_commit(report, robust=True)


def count_mail(mail: IncomingMail, state: str, result: str) -> None:
    """Count and log what became of a mail that came in, once the transaction has committed."""

    def report() -> None:
        MAILS_IN.labels(state, result).inc()
        game = mail.reply.game_id if mail.reply else None
        fields = {"mail": mail.pk, "outcome": state, "result": result, "game": game}
        log.info("mail %s %s: %s", mail.pk, state, result, extra=fields)

    transaction.on_commit(report, robust=True)


def count_push(push: Push, outcome: str) -> None:
    """Count and log what became of a push message.

    `outcome` is sent, dropped (not worth sending any more), deferred (it is tried again), failed
    (it is not) or gone (the browser wants no more).
    """
    kind = push.kind or "test"
    PUSHES.labels(kind, outcome).inc()
    fields = {"push": push.pk, "kind": kind, "outcome": outcome}
    log.info("push %s (%s) %s", push.pk, kind, outcome, extra=fields)


def count_webhook(message: WebhookMessage, outcome: str) -> None:
    """Count and log what became of a message to a webhook; the outcomes are those of a push."""
    kind = message.kind or "test"
    WEBHOOK_MESSAGES.labels(kind, outcome).inc()
    fields = {"webhook_message": message.pk, "kind": kind, "outcome": outcome}
    log.info("message %s to a webhook (%s) %s", message.pk, kind, outcome, extra=fields)
