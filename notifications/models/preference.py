"""When a person wants mail of a kind."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from notifications.kinds.registry import choices


class Cadence(models.TextChoices):
    """When mail of a kind goes out."""

    AT_ONCE = "at-once", _("at once")
    LATER = "later", _("later, unless I have seen it here")
    DIGEST = "digest", _("in the digest")
    OFF = "off", _("never")


class MailPreference(models.Model):
    """When one person wants mail of one kind; without a row it goes out at once."""

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
