"""The secret address of a person's calendar."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class CalendarFeed(models.Model):
    """One person's calendar address that works.

    `nonce` is the random half of its key; the other half is computed from it with this house's
    secret, so that reading the database opens nobody's calendar.
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
