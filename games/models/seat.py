"""A player's place at a game, and what concerns it."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User
from games.clock.spans import NOTHING
from games.models.ending import ON_TIME, Ending


class SeatQuerySet(models.QuerySet["Seat"]):
    """Seats of one or many games."""

    def still_playing(self) -> "SeatQuerySet":
        """Leave out the seats whose player has left the game."""
        return self.filter(left_at=None)


class Seat(models.Model):
    """A place, numbered from 0 in the order of play; `user` is null while it is free.

    Until the game begins the numbers only count the seats: they may still be drawn by lot.
    `left_at` is when the player left a game that the others continue; `played_by_partner` is the
    partner who plays for the seat since then. `time_left` is what the seat has for its next turn,
    or had at the beginning of the current one. `level` is that of a program, null for a person and
    for programs from before there were levels. `undelivered` is how long its clock was stopped, in
    all of the game, because no mail reached its player.
    `place` and `points` are the result, null before the end and in games without one. `ended_at`
    is that of the game: with it here, a player's newest finished games are found by index.
    `snoozed_until` is until when the player does not want to be led to the game while it is the
    seat's turn; it is ignored once little time is left (`games.clock.snoozes`).
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField(_("number"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="seats",
        null=True,
        blank=True,
        verbose_name=_("player"),
    )
    level = models.PositiveSmallIntegerField(_("level of the program"), null=True, blank=True)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    points = models.IntegerField(_("points"), null=True, blank=True)
    ended_at = models.DateTimeField(_("game ended"), null=True, blank=True)
    snoozed_until = models.DateTimeField(_("turn snoozed until"), null=True, blank=True)

    time_left = models.DurationField(_("time"), default=NOTHING, db_default=NOTHING)
    undelivered = models.DurationField(
        _("time for which the clock was stopped because no mail arrived"),
        default=NOTHING,
        db_default=NOTHING,
    )
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    left_because = models.CharField(_("why"), max_length=20, choices=Ending, blank=True, default="")

    played_by_partner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="partner_seats",
        null=True,
        blank=True,
        verbose_name=_("played by the partner"),
        db_column="stand_in_id",
    )

    # Only seats that `games.services.locking.load_seats` has read have these.
    has_offer: bool
    has_plans: bool
    newest_played_at: datetime | None

    objects = SeatQuerySet.as_manager()

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
                fields=["user", "-ended_at", "-game"],
                name="seat_of_ended_game",
                condition=Q(ended_at__isnull=False),
            ),
            models.Index(
                fields=["user"], name="seat_of_other_game", condition=Q(ended_at__isnull=True)
            ),
            models.Index(
                fields=["left_at"], name="seat_out_of_time", condition=Q(left_because="timeout")
            ),
            models.Index(
                fields=["left_at"], name="seat_left_on_time", condition=Q(left_because__in=ON_TIME)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.user or '—'}"

    @property
    def player(self) -> User | None:
        """The user who plays the seat now: its own player, or the partner after they left."""
        return self.played_by_partner or self.user


def awaiting_count(user: str) -> str:
    """Return SQL for how many running games wait for a user, whose key `user` is in SQL.

    Those of their own seats, and those of seats that they play for a partner; a snoozed turn does
    not count. The statement has the parameters `now` and `in_a_day`. Seats of games that are over
    are left out by index.
    """
    return f"""
(SELECT COUNT(*) FROM games_seat AS own
 WHERE own.user_id = {user} AND own.stand_in_id IS NULL AND own.left_at IS NULL
   AND own.ended_at IS NULL AND {_is_awaited("own")})
+ (SELECT COUNT(*) FROM games_seat AS other
 WHERE other.stand_in_id = {user} AND {_is_awaited("other")})"""  # noqa: S608


def _is_awaited(seat: str) -> str:
    """Return the condition that it is a seat's turn, not snoozed, as `active_snooze` has it.

    Each game is read by its key: for a join PostgreSQL reads all games where they are few.
    """
    return f"""(
     SELECT waits.seat_to_move = {seat}.number AND (
       {seat}.snoozed_until IS NULL OR {seat}.snoozed_until <= %(now)s
       OR waits.deadline < %(in_a_day)s
     )
     FROM games_game AS waits WHERE waits.id = {seat}.game_id AND waits.status = 'active'
   )"""  # noqa: S608


class Substitution(models.Model):
    """A substitute took over the seat of a player who ran out of time.

    Each turn stays its player's; the result is that of the player at the end.
    """

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="substitutions")
    former = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="seats_lost",
        verbose_name=_("former player"),
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="seats_taken_over",
        verbose_name=_("player since"),
    )
    at = models.DateTimeField(_("when"))

    class Meta:
        db_table = "games_takeover"
        verbose_name = _("seat taken over")
        verbose_name_plural = _("seats taken over")

    def __str__(self) -> str:
        return f"{self.seat_id}: {self.former} → {self.by}"


class GamePresence(models.Model):
    """When a player last had a game's page open in a visible tab.

    What they saw there need not be mailed at once.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="presences")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="presences"
    )
    seen_at = models.DateTimeField(_("seen"))

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="one_presence_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.user}"
