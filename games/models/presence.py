"""Who has a game before their eyes."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class GamePresence(models.Model):
    """When a player last had a game's page open: what they see there need not be mailed now."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="presences")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="presences"
    )
    seen_at = models.DateTimeField(_("seen"))

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="one_presence_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.user}"
