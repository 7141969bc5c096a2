"""Incoming mail, from its receipt to what became of it."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

CLAIM_TIMEOUT = timedelta(minutes=10)
"""After this long, the processor that claimed a mail counts as dead."""


class IncomingMailQuerySet(models.QuerySet["IncomingMail"]):
    """The questions that are asked about mail that came in."""

    def due(self, now: datetime) -> Self:
        """Return waiting mails, without those that are to be tried again later."""
        to_try = Q(due_at=None) | Q(due_at__lte=now)
        return self.filter(to_try, state=IncomingMail.State.WAITING)

    def abandoned(self, now: datetime) -> Self:
        """Return mails whose processor died after it had claimed them."""
        return self.filter(state=IncomingMail.State.CLAIMED, claimed_at__lte=now - CLAIM_TIMEOUT)

    def unprocessed(self) -> Self:
        """Return mails that wait or are being processed."""
        return self.filter(state__in=UNPROCESSED)

    def processed(self) -> Self:
        """Return mails that were executed, ignored or put aside."""
        return self.exclude(state__in=UNPROCESSED)

    def with_text(self) -> Self:
        """Return mails whose text was not deleted, so that they can be processed again."""
        return self.exclude(raw=b"")

    def parked(self) -> Self:
        """Return parked mails that can still be processed again."""
        return self.filter(state=IncomingMail.State.PARKED).with_text()

    def held_since(self, since: datetime) -> Self:
        """Return mails that were held after an instant."""
        return self.filter(state=IncomingMail.State.HELD, processed_at__gt=since)


class IncomingMail(models.Model):
    """One mail to a reply address or a return address.

    `raw` is the mail as it came, with the token of its address redacted; it is emptied after a
    while. A turn in it counts from `received_at`. `digest` is the SHA-256 (hex) of what the sender
    wrote, without what servers added on the way. `result` is a slug of what became of it, `error`
    what went wrong, for administrators. After an error of our own a mail waits until `due_at`;
    `failing_since` is when the first such error was. Times are UTC.
    """

    class Door(models.TextChoices):
        """The way a mail came in."""

        SMTP = "smtp", _("our listener")
        PIPE = "pipe", _("the pipe")
        WEBHOOK = "webhook", _("the provider's webhook")
        IMAP = "imap", _("the IMAP folder")

    class Box(models.TextChoices):
        """Which address of a notice it came to."""

        REPLY = "reply", _("reply address")
        BOUNCE = "bounce", _("return address")

    class State(models.TextChoices):
        """How far the processing of a mail has come."""

        WAITING = "waiting", _("waiting")
        CLAIMED = "claimed", _("being read")
        DONE = "done", _("done")
        PARKED = "parked", _("parked: internal error")
        HELD = "held", _("held: not known to be from the player")
        IGNORED = "ignored", _("ignored")

    raw = models.BinaryField(_("mail"), blank=True)
    door = models.CharField(_("received by"), max_length=10, choices=Door)
    box = models.CharField(_("came to"), max_length=10, choices=Box, default=Box.REPLY)
    envelope_from = models.CharField(_("envelope sender"), max_length=320, blank=True)
    token_hash = models.CharField(_("hash of the token"), max_length=64)
    reply = models.ForeignKey(
        "notifications.ReplyAddress",
        on_delete=models.SET_NULL,
        related_name="mails",
        null=True,
        blank=True,
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        related_name="incoming_mails",
        null=True,
        blank=True,
        verbose_name=_("person"),
        db_index=False,  # `incoming_by_person` is one
    )
    sender = models.CharField(_("from"), max_length=320, blank=True)
    message_id = models.CharField(_("Message-ID"), max_length=320, blank=True)
    digest = models.CharField(_("SHA-256"), max_length=64)

    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    received_at = models.DateTimeField(_("received"))
    claimed_at = models.DateTimeField(_("claimed"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    due_at = models.DateTimeField(_("due"), null=True, blank=True)
    failing_since = models.DateTimeField(_("internal error since"), null=True, blank=True)
    processed_at = models.DateTimeField(_("processed"), null=True, blank=True)
    result = models.CharField(_("result"), max_length=40, blank=True)
    error = models.TextField(_("error"), blank=True)

    objects = IncomingMailQuerySet.as_manager()

    class Meta:
        verbose_name = _("incoming mail")
        verbose_name_plural = _("incoming mails")
        constraints = [
            models.UniqueConstraint(
                fields=["token_hash", "message_id"],
                name="one_mail_a_message_id",
                condition=~Q(message_id=""),
            ),
            models.UniqueConstraint(fields=["token_hash", "digest"], name="one_mail_a_digest"),
        ]
        indexes = [
            models.Index(
                fields=["received_at"], name="incoming_waiting", condition=Q(state="waiting")
            ),
            models.Index(
                fields=["claimed_at"], name="incoming_claimed", condition=Q(state="claimed")
            ),
            models.Index(fields=["token_hash", "received_at"], name="incoming_of_a_token"),
            models.Index(fields=["processed_at"], name="incoming_processed"),
            # What the list in the admin is filtered by, newest first.
            models.Index(fields=["state", "-id"], name="incoming_by_state"),
            models.Index(fields=["sender"], name="incoming_by_sender"),
            models.Index(fields=["user", "-id"], name="incoming_by_person"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} {self.state}"


UNPROCESSED = (IncomingMail.State.WAITING, IncomingMail.State.CLAIMED)
