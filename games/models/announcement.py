"""Announcements of administrators."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


class Announcement(models.Model):
    """A sentence or two in each language, shown on every page from `from_at` until `until`."""

    english = models.CharField(_("in English"), max_length=400)
    french = models.CharField(_("in French"), max_length=400)
    from_at = models.DateTimeField(_("from"))
    until = models.DateTimeField(_("until"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("who")
    )

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["-from_at"]
        constraints = [
            models.CheckConstraint(
                name="announcement_ends_after_it_began", condition=Q(until__gt=F("from_at"))
            ),
        ]
        indexes = [models.Index(fields=["-until", "-id"], name="announcement_newest")]

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The announcement in the active language."""
        return self.french if (get_language() or "").startswith("fr") else self.english
