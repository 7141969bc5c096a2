"""How long programs have thought for a person on a day."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ThinkingTime(models.Model):
    """The CPU seconds that programs and the teacher have used on a day (UTC) for a person."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="thinking_times"
    )
    day = models.DateField(_("day"))
    seconds = models.FloatField(_("seconds"), default=0.0)

    class Meta:
        verbose_name = _("thinking time of programs")
        verbose_name_plural = _("thinking times of programs")
        constraints = [
            models.UniqueConstraint(fields=["user", "day"], name="one_thinking_time_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.user}"
