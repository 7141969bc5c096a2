"""When this service was down or closed for maintenance: no clock ran then."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

LONGEST_SILENCE = timedelta(seconds=90)
"""Two heartbeats of this service that are further apart have an outage between them."""

STALE_CHECK = timedelta(minutes=5)
"""After how long without being asked a check says nothing any more: it was switched off."""


class HeartbeatQuerySet(models.QuerySet["Heartbeat"]):
    """Heartbeats of the periodic tasks, the pages and the mail listener."""

    def failing(self, now: datetime) -> "HeartbeatQuerySet":
        """Keep what answered before, still is asked, and does not answer now.

        What never answered is taken for a wrong address: it holds nothing back.
        """
        asked = self.filter(asked_at__gt=now - STALE_CHECK)
        return asked.filter(has_answered=True, failing_since__isnull=False)


class Heartbeat(models.Model):
    """When the periodic tasks last ran, and when the pages and the mail listener last answered.

    There is one row for each. Pages and listener are asked at `address`, last at `asked_at`; they
    have not answered since `failing_since`. Until the first answer from an address, `at` is when it
    was first asked, and `has_answered` is False.
    """

    class Of(models.IntegerChoices):
        """The keys of the rows."""

        PERIODIC_TASKS = 1
        PAGES = 2
        MAIL_IN = 3

    at = models.DateTimeField(_("when"))
    address = models.CharField(_("address"), max_length=500, blank=True, default="", db_default="")
    has_answered = models.BooleanField(_("has answered"), default=True, db_default=True)
    asked_at = models.DateTimeField(_("last asked"), null=True, blank=True)
    failing_since = models.DateTimeField(_("no answer since"), null=True, blank=True)

    objects = HeartbeatQuerySet.as_manager()

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return f"{self.at}"

    def is_asked(self, now: datetime) -> bool:
        """Tell whether this is checked by asking, and still is."""
        return self.asked_at is not None and self.asked_at > now - STALE_CHECK


class Outage(models.Model):
    """A period in which no clock runs; `ended_at` is null while it is still going on.

    `counted_up_to` is the greatest game number whose deadline has been recomputed since it ended,
    null once that is done for all.
    """

    class Kind(models.TextChoices):
        GAP = "gap", _("this service was down")
        DECLARED = "declared", _("declared by an administrator")
        MAINTENANCE = "maintenance", _("maintenance")
        PAGES = "pages", _("the pages did not answer")
        MAIL_IN = "mail-in", _("mail could not come in")

    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    began_at = models.DateTimeField(_("began"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    noted_at = models.DateTimeField(_("noted"))
    note = models.CharField(_("note"), max_length=200, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    counted_up_to = models.PositiveBigIntegerField(
        _("games counted anew"), null=True, blank=True, default=0
    )

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering = ["-began_at"]
        constraints = [
            models.CheckConstraint(
                name="outage_ends_after_it_began",
                condition=Q(ended_at__isnull=True) | Q(ended_at__gt=F("began_at")),
            ),
            models.UniqueConstraint(
                fields=["kind"], name="one_outage_at_a_time", condition=Q(ended_at__isnull=True)
            ),
        ]
        indexes = [
            models.Index(fields=["ended_at"], name="outage_ended"),
            models.Index(fields=["-began_at", "-id"], name="outage_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.began_at} – {self.ended_at or ''}"

    @classmethod
    def current_maintenance(cls) -> "Outage | None":
        """Return the maintenance that is going on, if the site is closed."""
        return Outage.objects.filter(kind=cls.Kind.MAINTENANCE, ended_at=None).first()
