"""When this service was down or closed for maintenance: no clock ran then."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Heartbeat(models.Model):
    """One row: when the periodic tasks last ran."""

    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return f"{self.at}"


class Outage(models.Model):
    """A period in which no clock runs; `ended_at` is null while it is still going on.

    `counted_up_to` is the greatest game number whose deadline has been recomputed since it ended,
    null once that is done for all.
    """

    class Kind(models.TextChoices):
        GAP = "gap", _("this service was down")
        DECLARED = "declared", _("declared by an administrator")
        MAINTENANCE = "maintenance", _("maintenance")

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
