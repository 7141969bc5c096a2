"""How often players won, drew and lost: counts that each end of a game changes.

A game counts if it is finished and no bot plays in it. `games.services.result_counts` writes these
rows; `manage.py results` compares them with the games.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class ResultCounts(models.Model):
    """Counts of games: drawn if all places are the same, else won by everybody on the first."""

    played = models.PositiveIntegerField(_("played"), default=0)
    won = models.PositiveIntegerField(_("won"), default=0)
    drawn = models.PositiveIntegerField(_("drawn"), default=0)

    class Meta:
        abstract = True

    @property
    def lost(self) -> int:
        """The games that were neither won nor drawn."""
        return self.played - self.won - self.drawn


class KindResults(ResultCounts):
    """A player's results in one kind of game.

    `out_of_time` is in how many of these games the player ran out of time.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="kind_results",
        db_index=False,
        verbose_name=_("player"),
    )
    rules_slug = models.CharField(_("game"), max_length=40)
    out_of_time = models.PositiveIntegerField(_("lost on time"), default=0)

    class Meta:
        verbose_name = _("results in a game")
        verbose_name_plural = _("results by game")
        constraints = [
            models.UniqueConstraint(fields=["player", "rules_slug"], name="one_row_a_kind"),
            models.CheckConstraint(
                name="kind_counts_add_up",
                condition=Q(played__gte=F("won") + F("drawn"), out_of_time__lte=F("played")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.rules_slug}"

    @property
    def in_time(self) -> int:
        """The games in which the player did not run out of time."""
        return self.played - self.out_of_time


class OpponentResults(ResultCounts):
    """A player's results against one opponent, in games of two."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="opponent_results",
        db_index=False,
        verbose_name=_("player"),
    )
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name=_("opponent"),
    )

    class Meta:
        verbose_name = _("results against an opponent")
        verbose_name_plural = _("results by opponent")
        constraints = [
            models.UniqueConstraint(fields=["player", "opponent"], name="one_row_an_opponent"),
            models.CheckConstraint(
                name="opponent_counts_add_up", condition=Q(played__gte=F("won") + F("drawn"))
            ),
        ]
        indexes = [
            models.Index(fields=["player", "-played", "opponent"], name="opponents_by_games"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} – {self.opponent_id}"
