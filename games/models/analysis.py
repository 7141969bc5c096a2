"""What players analyse privately: positions of a game and variations from them, with notes."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LONGEST_NOTE = 2000
LONGEST_NOTATION = 1000
"""Characters."""

MOST_POSITIONS = 500
"""How many positions a user keeps of one game."""


class AnalysisNode(models.Model):
    """A position of a user's analysis of a game.

    A root (`parent` is null, `notation` empty) is the game's own position after entry `turn` of its
    record, 0 being the start. Any other node is the position after the turn `notation` was played
    at its parent; it has the `turn` of its root.
    """

    game = models.ForeignKey(
        "games.Game", on_delete=models.CASCADE, related_name="analysis_nodes", db_index=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="analysis_nodes"
    )
    turn = models.PositiveIntegerField(_("number"))
    parent = models.ForeignKey(
        "self",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="children",
        db_index=False,
    )
    notation = models.CharField(_("notation"), max_length=LONGEST_NOTATION, blank=True)
    note = models.TextField(_("note"), max_length=LONGEST_NOTE, blank=True)
    created_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = _("analysed position")
        verbose_name_plural = _("analysed positions")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "user", "turn"],
                name="one_analysis_root_a_turn",
                condition=Q(parent__isnull=True),
            ),
            models.UniqueConstraint(fields=["parent", "notation"], name="one_analysis_of_a_turn"),
            models.CheckConstraint(
                name="analysis_root_has_no_notation",
                condition=Q(parent__isnull=True, notation="")
                | (Q(parent__isnull=False) & ~Q(notation="")),
            ),
        ]
        indexes = [models.Index(fields=["game", "user"], name="analysis_of_a_game")]

    def __str__(self) -> str:
        return f"#{self.pk}"


class SharedAnalysis(models.Model):
    """`user` shares their analysis of `game`, which is over, with all who may see the game."""

    game = models.ForeignKey(
        "games.Game", on_delete=models.CASCADE, related_name="shared_analyses", db_index=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="shared_analyses"
    )
    shared_at = models.DateTimeField(_("shared"))

    class Meta:
        verbose_name = _("shared analysis")
        verbose_name_plural = _("shared analyses")
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="one_shared_analysis_a_user"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"
