"""What a user chose about their mail and their calendar."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from notifications.kinds.registry import choices

DAILY = 24
"""`digest_every` of a digest that comes once a day, at an hour of its reader's clock."""


class Cadence(models.TextChoices):
    """When mail of a kind is sent."""

    AT_ONCE = "at-once", _("at once")
    LATER = "later", _("later, unless I have seen it here")
    DIGEST = "digest", _("in the digest")
    OFF = "off", _("never")


class MailPreference(models.Model):
    """When one user wants mail of one kind; without a row it is sent at once."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_preferences"
    )
    kind = models.CharField(_("kind"), max_length=20, choices=choices)
    cadence = models.CharField(_("when"), max_length=10, choices=Cadence, default=Cadence.AT_ONCE)

    class Meta:
        verbose_name = _("mail preference")
        verbose_name_plural = _("mail preferences")
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="one_preference_a_kind"),
        ]
        indexes = [
            # What the list in the admin is filtered by, newest first.
            models.Index(fields=["kind", "-id"], name="preference_by_kind"),
            models.Index(fields=["cadence", "-id"], name="preference_by_cadence"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind} {self.cadence}"


class DigestSchedule(models.Model):
    """When a user's digest comes, and how long "later" is. Without a row there is no digest.

    `digest_every` counts hours between two digests; DAILY means once a day at `digest_hour` in
    the user's time zone, however long that day is. `digest_due_at` is when the next one is written.
    """

    LATER_HOURS, DIGEST_HOUR = 8, 8

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="digest_schedule"
    )
    later_hours = models.PositiveSmallIntegerField(_("hours of “later”"), default=LATER_HOURS)
    digest_every = models.PositiveSmallIntegerField(
        _("hours between digests"), null=True, blank=True
    )
    digest_hour = models.PositiveSmallIntegerField(_("hour of the digest"), default=DIGEST_HOUR)
    digest_due_at = models.DateTimeField(_("next digest"), null=True, blank=True)

    class Meta:
        db_table = "notifications_mailplan"
        verbose_name = _("digest schedule")
        verbose_name_plural = _("digest schedules")
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


class PuzzleSubscription(models.Model):
    """A user gets the puzzle of the day by mail.

    The next letter is written at `due_at`, which is the hour of the user's digest on their clock.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_subscription"
    )
    due_at = models.DateTimeField(_("next letter"), db_index=True)
    newest_day = models.DateField(_("day of the newest puzzle sent"), null=True, blank=True)

    class Meta:
        verbose_name = _("subscription to puzzles")
        verbose_name_plural = _("subscriptions to puzzles")

    def __str__(self) -> str:
        return f"{self.user}"


class CalendarFeed(models.Model):
    """One user's secret calendar address.

    `nonce` is the random half of its key; the other half is computed from it with SECRET_KEY, so
    that reading the database opens nobody's calendar.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_feed"
    )
    nonce = models.CharField(_("first half of the key"), max_length=32, unique=True)
    made_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("calendar address")
        verbose_name_plural = _("calendar addresses")

    def __str__(self) -> str:
        return f"{self.user}"
