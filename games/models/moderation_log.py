"""The moderation log."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ModerationLogEntry(models.Model):
    """An entry of the log: what a moderator did, and why. It is never changed or deleted.

    `number` counts from 1 without gaps. `hash` is a SHA-256 (hex) that builds on the hash of the
    entry before (`games.moderation.log.entry_hash`). The database refuses to change or delete a
    row (migrations 0005 and 0008), with one exception (0030): `why` and `details` lose what they
    say of a user whose account is deleted, once, and `words_deleted_at` says so.
    """

    number = models.PositiveBigIntegerField(_("number"), unique=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("who")
    )
    at = models.DateTimeField(_("when"))
    what = models.CharField(_("what"), max_length=40)
    why = models.TextField(_("why"))
    game = models.ForeignKey(
        "games.Game",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="log_entries",
        verbose_name=_("game"),
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="log_entries",
        verbose_name=_("person"),
    )
    details = models.JSONField(_("details"), default=dict, blank=True)
    hash = models.CharField(_("hash"), max_length=64)
    words_deleted_at = models.DateTimeField(
        _("words deleted"), null=True, blank=True, editable=False
    )

    class Meta:
        # The names from when the model was called Act. Groups hold the permission by its code.
        db_table = "games_act"
        default_permissions = ()
        permissions = [("view_act", "Can view moderation log entry")]
        verbose_name = _("moderation log entry")
        verbose_name_plural = _("moderation log")
        ordering = ["-number"]
        indexes = [models.Index(fields=["by", "-id"], name="act_by")]

    def __str__(self) -> str:
        return f"#{self.number}"
