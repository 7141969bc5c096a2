"""Files with everything that is kept about a user, made when they ask for one."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

UNFINISHED = ["waiting", "making"]
"""The states of exports that are still to be made."""

ABANDONED_AFTER = timedelta(minutes=5)
"""After this long without a new part, the process that makes an export counts as dead."""


class DataExportQuerySet(models.QuerySet["DataExport"]):
    """The questions that are asked about exports."""

    def unfinished(self) -> Self:
        """Return exports that wait or are being made."""
        return self.filter(state__in=UNFINISHED)

    def to_make(self, now: datetime) -> Self:
        """Return exports that wait, and those whose process failed or died."""
        abandoned = Q(state="making", claimed_at__lte=now - ABANDONED_AFTER)
        return self.filter(Q(state="waiting") | abandoned)


class DataExport(models.Model):
    """A ZIP file with a user's data, in parts, from when they asked for it until it is deleted.

    `claimed_at` is when a process last wrote a part; `attempts` counts the processes that began.
    `size` is in bytes. `error` is the last error of our own, for administrators. The row is deleted
    at `expires_at`, with its parts; those of a replaced export are deleted at once.
    """

    class State(models.TextChoices):
        """How far an export has come."""

        WAITING = "waiting", _("waiting")
        MAKING = "making", _("being made")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")
        REPLACED = "replaced", _("replaced by a newer one")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="data_exports",
        verbose_name=_("person"),
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    asked_at = models.DateTimeField(_("asked for"))
    claimed_at = models.DateTimeField(_("claimed"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    made_at = models.DateTimeField(_("made"), null=True, blank=True)
    expires_at = models.DateTimeField(_("deleted at"), null=True, blank=True)
    size = models.PositiveBigIntegerField(_("bytes"), default=0)
    error = models.TextField(_("error"), blank=True)

    objects = DataExportQuerySet.as_manager()

    class Meta:
        verbose_name = _("data export")
        verbose_name_plural = _("data exports")
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                name="one_unfinished_export_a_person",
                condition=Q(state__in=UNFINISHED),
            ),
        ]
        indexes = [
            models.Index(
                fields=["id"], name="data_export_unfinished", condition=Q(state__in=UNFINISHED)
            ),
            models.Index(fields=["expires_at"], name="data_export_expires"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} {self.state}"


class DataExportPart(models.Model):
    """A part of an export's file. The parts in the order of their numbers, from 0, are the file."""

    export = models.ForeignKey(DataExport, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField(_("number"))
    content = models.BinaryField(_("content"))

    class Meta:
        verbose_name = _("part of a data export")
        verbose_name_plural = _("parts of data exports")
        constraints = [
            models.UniqueConstraint(fields=["export", "number"], name="one_part_a_number"),
        ]

    def __str__(self) -> str:
        return f"#{self.export_id}: {self.number}"
