"""The puzzle of each day, and what people answered."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.rules.base import AnyRules
from games.rules.entries import replay
from games.rules.registry import rules_for


class Puzzle(models.Model):
    """A position in which a single turn keeps the result. It never changes.

    `games.rules.puzzles` makes it; turns are in canonical notation, separated by spaces. One from
    a finished game keeps no link to it.
    """

    day = models.DateField(_("day"), unique=True)
    rules_slug = models.CharField(_("game"), max_length=40)
    moves = models.TextField(_("turns up to the position"))
    solution = models.TextField(_("best play, its first turn being the answer"))
    is_win = models.BooleanField(_("the turn keeps a win"))
    is_played = models.BooleanField(
        _("from a game that was played here"), default=False, db_default=False
    )
    choices = models.PositiveIntegerField(_("legal turns"))

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        ordering = ["-day"]

    def __str__(self) -> str:
        return f"{self.day}: {self.rules_slug}"

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return reverse("puzzle", args=[self.day.isoformat()])

    @property
    def rules(self) -> AnyRules:
        """The rules of its game."""
        return rules_for(self.rules_slug)

    @cached_property
    def position(self) -> Any:
        """The position in which a turn is looked for."""
        return replay(self.rules, {}, self.moves.split())

    @property
    def answer(self) -> str:
        """The only turn that keeps the result."""
        return self.solution.split()[0]

    @property
    def own_turns(self) -> int:
        """In how many turns of the side to move best play wins."""
        return (len(self.solution.split()) + 1) // 2


class PuzzleAttempt(models.Model):
    """A user's first answer to a puzzle. Only its user sees it."""

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="attempts")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_attempts"
    )
    notation = models.TextField(_("first answer"), blank=True)
    """Empty: the user asked for the solution instead."""
    is_right = models.BooleanField(_("right"))
    answered_at = models.DateTimeField(_("answered"))
    closed_at = models.DateTimeField(_("solved, or solution asked for"), null=True)

    class Meta:
        verbose_name = _("attempt at a puzzle")
        verbose_name_plural = _("attempts at puzzles")
        constraints = [
            models.UniqueConstraint(fields=["user", "puzzle"], name="one_attempt_a_puzzle"),
        ]

    def __str__(self) -> str:
        return f"{self.puzzle_id}: {self.notation}"
