"""The conversation of a game's players."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

LONGEST_MESSAGE = 2000
"""Characters."""


class Message(models.Model):
    """A player's plain text to everybody at the game, after `turn_number` turns.

    Nobody sees a message that a moderator has hidden (`hidden_at`). In one game a larger key is
    always a later message, because the game's row is locked when one is written.
    """

    class Via(models.TextChoices):
        WEB = "web", _("on the web")
        MAIL = "mail", _("by mail")

    game = models.ForeignKey(
        "games.Game", on_delete=models.CASCADE, related_name="messages", verbose_name=_("game")
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="messages",
        verbose_name=_("author"),
        db_index=False,  # `message_by_author` is one
    )
    text = models.TextField(_("text"), max_length=LONGEST_MESSAGE)
    said_at = models.DateTimeField(_("said"))
    turn_number = models.PositiveIntegerField(_("turns played"))
    via = models.CharField(_("how"), max_length=10, choices=Via)
    hidden_at = models.DateTimeField(_("hidden"), null=True, blank=True)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["author", "said_at"], name="message_by_author"),
            # What the moderators' list is filtered and searched by, newest first.
            models.Index(fields=["author", "-id"], name="message_of_author"),
            models.Index(
                fields=["-id"], name="message_hidden", condition=models.Q(hidden_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.author}"
