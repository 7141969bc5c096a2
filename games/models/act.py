"""The moderators' log."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Act(models.Model):
    """Something a moderator or host did, and why: written once, never changed, never deleted.

    `number` counts from 1 without gaps; `hash` is the SHA-256 (hex) of
    `games.services.log.act_hash`, which builds on the hash before it. The database itself refuses
    to change or delete a row (migrations 0005 and 0008).
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
        related_name="acts",
        verbose_name=_("game"),
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="acts",
        verbose_name=_("person"),
    )
    details = models.JSONField(_("details"), default=dict, blank=True)
    hash = models.CharField(_("hash"), max_length=64)

    class Meta:
        verbose_name = _("act of moderation")
        verbose_name_plural = _("acts of moderation")
        ordering = ["-number"]
        indexes = [models.Index(fields=["by", "-id"], name="act_by")]

    def __str__(self) -> str:
        return f"#{self.number}"
