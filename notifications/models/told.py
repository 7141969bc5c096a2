"""Which messages a mail has brought to whom."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Game


class MessagesTold(models.Model):
    """The newest message at a game that a mail has told its reader: the next one goes on there.

    `newest` is the message's key; larger ones were said later.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="messages_told"
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="messages_told")
    newest = models.PositiveBigIntegerField(_("newest message"))

    class Meta:
        verbose_name = _("messages told")
        verbose_name_plural = _("messages told")
        constraints = [
            models.UniqueConstraint(fields=["user", "game"], name="one_newest_message_a_reader"),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.game}: {self.newest}"
