"""What a teacher, which is a program, says of turns, and how far it has come in a game."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Judged(models.Model):
    """How far a teacher has come in a game: the turns judged, when it goes on, and who asked."""

    is_lesson = models.BooleanField(
        _("lesson"),
        default=False,
        db_default=False,
        help_text=_("Against programs alone: each turn is judged while the game is played."),
    )
    judged_turns = models.PositiveIntegerField(_("turns judged"), default=0, db_default=0)
    judge_due_at = models.DateTimeField(_("turns are judged at"), null=True, blank=True)
    judge_asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,  # nobody asks for the games of a person by it
        verbose_name=_("who asked the teacher"),
    )

    class Meta:
        abstract = True


class Judgement(models.Model):
    """What the turn of one entry did to the result, seen by its player.

    The columns are those of `games.rules.programs.TurnOpinion`; `before` is the position in which
    the turn was played. Who may read it is in `games.queries.lessons`.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="judgements")
    number = models.PositiveIntegerField(_("number"))
    kept = models.BooleanField(_("kept the result"))
    best = models.TextField(_("best turn"))
    holding = models.PositiveIntegerField(_("turns that held"), null=True)
    choices = models.PositiveIntegerField(_("legal turns"), null=True)
    is_exact = models.BooleanField(_("known for certain"))
    value_before = models.FloatField(_("value before"))
    value_after = models.FloatField(_("value after"))
    distance_before = models.PositiveIntegerField(_("turns until the end, before"), null=True)
    distance_after = models.PositiveIntegerField(_("turns until the end, after"), null=True)
    depth = models.PositiveIntegerField(_("actions looked ahead"), null=True)

    class Meta:
        verbose_name = _("judgement")
        verbose_name_plural = _("judgements")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_judgement_a_turn"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}: {self.number}"
