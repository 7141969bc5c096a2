"""Addresses of programs that are told by HTTP what happens, and the messages still to be sent."""

import secrets
from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from notifications.kinds.registry import choices

WEBHOOK_CLAIM_TIMEOUT = timedelta(minutes=2)
"""After this long without a result the process that was sending a message counts as dead."""

LONGEST_URL = 500


def new_webhook_id() -> str:
    """Return the identifier of a message, by which its receiver knows one that comes twice."""
    return f"msg_{secrets.token_urlsafe(18)}"


def new_salt() -> str:
    """Return random text from which a webhook's secret is derived."""
    return secrets.token_hex(16)


class Webhook(models.Model):
    """An address that is told of what happens at the games of `user`.

    `owner` looks after it and is told when it fails: the user, or the owner of a program's account.
    Its secret is derived from `salt` and SECRET_KEY (`webhooks.signing.secret_of`). `failing_since`
    is when the first message failed after the last that was taken. A webhook with `switched_off_at`
    is sent nothing. `owner_told_at` is when the owner was last told that a message was given up.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="webhooks",
        verbose_name=_("person"),
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="owned_webhooks",
        verbose_name=_("owner"),
    )
    url = models.CharField(_("address"), max_length=LONGEST_URL)
    salt = models.CharField(max_length=32, default=new_salt)
    created_at = models.DateTimeField(_("made"))
    last_success_at = models.DateTimeField(_("last message taken"), null=True, blank=True)
    last_error = models.CharField(_("last error"), max_length=200, blank=True)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    owner_told_at = models.DateTimeField(_("owner told"), null=True, blank=True)
    switched_off_at = models.DateTimeField(_("switched off"), null=True, blank=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [
            models.UniqueConstraint(fields=["user", "url"], name="one_webhook_a_user_and_url"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.url}"


class WebhookMessageQuerySet(models.QuerySet["WebhookMessage"]):
    """The questions that are asked about messages."""

    def due(self, now: datetime) -> Self:
        """Return messages whose time has come, and those whose process died."""
        return self.filter(due_at__lte=now, webhook__switched_off_at=None)


class WebhookMessage(models.Model):
    """A message to a webhook; the row is deleted when it was taken or is no longer wanted.

    Without an event it is the test that the owner asked for. A process that sends it claims it
    first: `claims` grows by one and `due_at` moves by WEBHOOK_CLAIM_TIMEOUT. The result puts
    `claims` back to 0. What a process that died may have sent is sent again, with the same
    `message_id`. `attempts` counts failures.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="messages")
    message_id = models.CharField(max_length=40, default=new_webhook_id, unique=True)
    event = models.ForeignKey(
        "games.Event",
        on_delete=models.CASCADE,
        related_name="webhook_messages",
        null=True,
        blank=True,
    )
    kind = models.CharField(_("kind"), max_length=20, choices=choices, blank=True)
    created_at = models.DateTimeField(_("made"))
    due_at = models.DateTimeField(_("due"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    claims = models.PositiveSmallIntegerField(_("claims"), default=0)

    objects = WebhookMessageQuerySet.as_manager()

    class Meta:
        verbose_name = _("message to a webhook")
        verbose_name_plural = _("messages to webhooks")
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "event"], name="one_message_an_event_and_webhook"
            ),
        ]
        indexes = [models.Index(fields=["due_at"], name="webhook_message_due")]

    def __str__(self) -> str:
        return f"{self.message_id} → {self.webhook_id}"
