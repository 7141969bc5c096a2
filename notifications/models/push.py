"""Browsers that get push messages, and the messages that are still to be sent to them."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from notifications.kinds.registry import choices

PUSH_CLAIM_TIMEOUT = timedelta(minutes=2)
"""After this long without a result the process that was sending a push counts as dead."""

LONGEST_ENDPOINT = 1000
"""Characters of a push service's address; those in use have 150 to 500."""


class PushSubscription(models.Model):
    """A browser that a signed-in user wants push messages in (RFC 8030), until its session ends.

    `endpoint` is the secret address to which its messages are sent. `p256dh` and `auth` are the
    browser's keys as base64url, with which they are encrypted (RFC 8291). `failures` counts the
    messages that were given up since the last that was taken.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="push_subscriptions",
        verbose_name=_("person"),
    )
    session = models.ForeignKey(
        "usersessions.UserSession", on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(_("address"), max_length=LONGEST_ENDPOINT, unique=True)
    p256dh = models.CharField(_("public key"), max_length=100)
    auth = models.CharField(_("shared secret"), max_length=40)
    label = models.CharField(_("browser"), max_length=80)
    created_at = models.DateTimeField(_("made"))
    last_success_at = models.DateTimeField(_("last message taken"), null=True, blank=True)
    failures = models.PositiveSmallIntegerField(_("failures"), default=0)

    class Meta:
        verbose_name = _("browser with notifications")
        verbose_name_plural = _("browsers with notifications")

    def __str__(self) -> str:
        return f"{self.user}: {self.label}"


class PushQuerySet(models.QuerySet["Push"]):
    """The questions that are asked about push messages."""

    def due(self, now: datetime) -> Self:
        """Return messages whose time has come, and those whose process died."""
        return self.filter(due_at__lte=now)


class Push(models.Model):
    """A push message to one browser; the row is deleted when it was sent or is no longer wanted.

    Without an event it is the test that its user asked for. A process that sends it claims it
    first: `claims` grows by one and `due_at` moves by PUSH_CLAIM_TIMEOUT. The result puts `claims`
    back to 0, so `claims` is 1 only if a process died. `attempts` counts failures.
    """

    subscription = models.ForeignKey(
        PushSubscription, on_delete=models.CASCADE, related_name="pushes"
    )
    event = models.ForeignKey(
        "games.Event", on_delete=models.CASCADE, related_name="pushes", null=True, blank=True
    )
    kind = models.CharField(_("kind"), max_length=20, choices=choices, blank=True)
    created_at = models.DateTimeField(_("made"))
    due_at = models.DateTimeField(_("due"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    claims = models.PositiveSmallIntegerField(_("claims"), default=0)

    objects = PushQuerySet.as_manager()

    class Meta:
        verbose_name = _("push message")
        verbose_name_plural = _("push messages")
        constraints = [
            models.UniqueConstraint(
                fields=["subscription", "event"], name="one_push_an_event_and_browser"
            ),
        ]
        indexes = [models.Index(fields=["due_at"], name="push_due")]

    def __str__(self) -> str:
        return f"{self.kind or 'test'} → {self.subscription_id}"
