"""What is known about e-mail addresses, with or without an account."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class AddressStateQuerySet(models.QuerySet["AddressState"]):
    """The questions that are asked about addresses."""

    def suspended(self) -> Self:
        """Return addresses that no notice goes to."""
        return self.filter(suspended_at__isnull=False)


class AddressState(models.Model):
    """An address from which mail bounced, or which wants less of it.

    While `suspended_at` is set, no notice goes there; `refuses_invitations`: no invitation.

    `address` is in its normal form. `is_complaint`: its reader marked our mail as spam.
    `diagnostic` is what its mail server said.
    """

    address = models.EmailField(_("address"), unique=True)
    suspended_at = models.DateTimeField(_("suspended"), null=True, blank=True)
    is_complaint = models.BooleanField(_("marked as spam"), default=False, db_default=False)
    refuses_invitations = models.BooleanField(
        _("takes no invitations"), default=False, db_default=False
    )
    diagnostic = models.TextField(_("what the mail server said"), blank=True)
    notice = models.ForeignKey(
        "notifications.Notice", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    resumed_at = models.DateTimeField(_("tried again"), null=True, blank=True)

    objects = AddressStateQuerySet.as_manager()

    class Meta:
        verbose_name = _("bounced address")
        verbose_name_plural = _("bounced addresses")
        indexes = [
            models.Index(
                fields=["-id"], name="address_suspended", condition=Q(suspended_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}: {'suspended' if self.suspended_at else 'in use'}"


class ErrorReply(models.Model):
    """An address that is no player's was told a reason on a day: once a day is enough."""

    address = models.EmailField(_("address"))
    reason = models.CharField(_("reason"), max_length=40)
    answered_on = models.DateField(_("day"))

    class Meta:
        db_table = "notifications_erroranswer"
        verbose_name = _("error reply")
        verbose_name_plural = _("error replies")
        constraints = [
            models.UniqueConstraint(
                fields=["address", "reason", "answered_on"], name="one_error_answer_a_day"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}: {self.reason}"


class AccountMailCount(models.Model):
    """The account mails to an address within the last day, for rate limits.

    `address` is in its normal form. `written_at` holds their times, oldest first, in seconds since
    1970; `last_written_at` is the newest of them.
    """

    class Group(models.TextChoices):
        """Account mails that are counted together."""

        REQUESTED = "requested", _("asked for")
        NOTIFICATION = "notification", _("changes of the account")

    address = models.EmailField(_("address"))
    group = models.CharField(_("group"), max_length=12, choices=Group)
    written_at = models.JSONField(_("times"), default=list)
    last_written_at = models.DateTimeField(_("last written"), db_index=True)

    class Meta:
        verbose_name = _("account mail count")
        verbose_name_plural = _("account mail counts")
        constraints = [
            models.UniqueConstraint(
                fields=["address", "group"], name="one_account_mail_count_a_group"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}: {len(self.written_at)}"
