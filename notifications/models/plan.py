"""When a person's mails that need not come at once come."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

DAILY = 24
"""`digest_every` of a digest that comes once a day, at an hour of its reader's clock."""


class MailPlan(models.Model):
    """One person's hours: without a row there is no digest, and "later" is LATER_HOURS.

    `digest_every` counts hours between two digests; DAILY means once a day at `digest_hour` in
    the person's time zone, whatever the length of that day. `digest_due_at` is when the next one
    is written.
    """

    LATER_HOURS, DIGEST_HOUR = 8, 8

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_plan"
    )
    later_hours = models.PositiveSmallIntegerField(_("hours of “later”"), default=LATER_HOURS)
    digest_every = models.PositiveSmallIntegerField(
        _("hours between digests"), null=True, blank=True
    )
    digest_hour = models.PositiveSmallIntegerField(_("hour of the digest"), default=DIGEST_HOUR)
    digest_due_at = models.DateTimeField(_("next digest"), null=True, blank=True)

    class Meta:
        verbose_name = _("mail plan")
        verbose_name_plural = _("mail plans")
        constraints = [
            models.CheckConstraint(
                name="digest_is_due_if_there_is_one",
                condition=Q(digest_every__isnull=True, digest_due_at__isnull=True)
                | Q(digest_every__gt=0, digest_due_at__isnull=False),
            ),
            models.CheckConstraint(
                name="digest_at_an_hour_of_the_day", condition=Q(digest_hour__lt=24)
            ),
        ]
        indexes = [
            models.Index(
                fields=["digest_due_at"],
                name="digest_due",
                condition=Q(digest_due_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.digest_every or 0} h"
