"""Something a player says to the others at a game."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import Game

LONGEST_MESSAGE = 2000
"""Characters."""


class Message(models.Model):
    """Plain text of a player's to everybody at the game, as it was said after so many turns.

    `hidden_at` is set once a moderator has hidden it; nobody reads it then. At one game a larger
    key was always said later: messages are written with the game's row locked.
    """

    class Via(models.TextChoices):
        """How it came in."""

        WEB = "web", _("on the web")
        MAIL = "mail", _("by mail")

    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="messages", verbose_name=_("game")
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
