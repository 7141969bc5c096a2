"""Who played a seat before somebody took it over."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.seat import Seat


class Takeover(models.Model):
    """A seat that went from a player who ran out of time to somebody who came for it.

    The turns stay those of whoever played them; the result is that of who sits there at the end.
    """

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="takeovers")
    former = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="seats_lost",
        verbose_name=_("former player"),
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="seats_taken_over",
        verbose_name=_("player since"),
    )
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("seat taken over")
        verbose_name_plural = _("seats taken over")

    def __str__(self) -> str:
        return f"{self.seat_id}: {self.former} → {self.by}"
