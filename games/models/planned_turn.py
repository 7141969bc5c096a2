"""A turn that a player has planned for a position that has not come about yet."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class PlannedTurn(models.Model):
    """What a player answers, at once and by itself, if a game reaches one position.

    The position is the one after the turns of `line`, which follow the first `begins_after` entries
    that count (`rules.entries.effective_entries`). `key` is the SHA-256 (hex) of all turns up to it
    (`games.services.planned_turns.position_key`). Only its player may see it.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="planned_turns")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="planned_turns",
        verbose_name=_("player"),
    )
    begins_after = models.PositiveIntegerField(_("turns before the line"))
    line = models.JSONField(_("turns that must be played first"))
    notation = models.TextField(_("notation"))
    key = models.CharField(_("key of the position"), max_length=64)
    planned_at = models.DateTimeField(_("planned"))

    class Meta:
        verbose_name = _("planned turn")
        verbose_name_plural = _("planned turns")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "user", "key"], name="one_planned_turn_a_position"
            ),
        ]

    def __str__(self) -> str:
        return f"{'; '.join(self.line)}: {self.notation}"
