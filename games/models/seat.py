"""A player's place at a game."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.clock.spans import NOTHING
from games.models.game import Game


class Seat(models.Model):
    """A place, numbered from 0 in the order of play; nobody sits there while `user` is empty.

    Until the game begins the numbers only count the seats: chance may still exchange them.
    `left_at` is when the player left a game that the others play on; `stand_in` is the partner who
    plays for the seat since. `time_left` is what the seat has for its next turn, or had at the
    beginning of this one.
    `place` and `points` are the result, empty before the end and in games without one.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField(_("number"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="seats",
        null=True,
        blank=True,
        verbose_name=_("player"),
    )
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    points = models.IntegerField(_("points"), null=True, blank=True)

    time_left = models.DurationField(_("time"), default=NOTHING, db_default=NOTHING)
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    left_because = models.CharField(
        _("why"), max_length=20, choices=Game.Ending, blank=True, default=""
    )

    stand_in = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="seats_stood_in_for",
        null=True,
        blank=True,
        verbose_name=_("played by the partner"),
    )

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_seat_a_number"),
            models.UniqueConstraint(
                fields=["game", "user"], name="one_seat_a_player", condition=Q(user__isnull=False)
            ),
        ]
        indexes = [
            models.Index(fields=["user", "-game"], name="seat_by_player"),
            models.Index(
                fields=["left_at"], name="seat_out_of_time", condition=Q(left_because="timeout")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.user or '—'}"

    @property
    def player(self) -> User | None:
        """Whoever plays the seat now."""
        return self.stand_in or self.user
