"""The entries of a game's record."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Turn(models.Model):
    """One entry of the record: a turn, a withdrawal, or a takeback.

    Never changed, never deleted: the database refuses both (migration 0008). The `seat` of a
    takeback is the seat to move after it; its `player` is who took back: the player who undid their
    turn, the player whose offer was accepted, or a moderator.

    `number` counts from 1; `hash` is the SHA-256 (hex) of `games.services.record.turn_hash`.
    """

    class Via(models.TextChoices):
        WEB = "web", _("on the web")
        MAIL = "mail", _("by mail")
        API = "api", _("by the API")
        PLAN = "plan", _("as planned")
        BOT = "program", _("by a bot")
        LEFT = "left", _("by leaving the game")
        TAKEBACK = "takeback", _("taken back")
        COPIED = "copied", _("as in another game")

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField(_("number"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="turns",
        verbose_name=_("player"),
    )
    notation = models.TextField(_("notation"))
    played_at = models.DateTimeField(_("played"))
    via = models.CharField(_("how"), max_length=10, choices=Via)
    hash = models.CharField(_("hash"), max_length=64)

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_turn_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.notation}"
