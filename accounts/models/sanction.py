"""Sanctions: warnings, mutes, suspensions and bans."""

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User


class Sanction(models.Model):
    """A warning, or something a user may not do from `at` until `until` (null: for good).

    The user reads `reason`. It ends at `until`, or when a moderator lifts it.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        MUTE = "mute", _("may not write messages")
        SUSPENSION = "suspension", _("suspension")
        BAN = "ban", _("ban")

    KEEPS_OUT = (Kind.SUSPENSION, Kind.BAN)

    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="sanctions", verbose_name=_("person")
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    reason = models.TextField(_("reason"))
    by = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="+", verbose_name=_("moderator")
    )
    at = models.DateTimeField(_("since"))
    until = models.DateTimeField(_("until"), null=True, blank=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    seen_at = models.DateTimeField(_("seen by the person"), null=True, blank=True)

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "kind"],
                name="one_standing_sanction_a_kind",
                condition=Q(lifted_at__isnull=True) & ~Q(kind="warning"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"

    def is_in_force(self, now: datetime) -> bool:
        """Return whether it is in force: neither over nor lifted."""
        return self.lifted_at is None and (self.until is None or now < self.until)
