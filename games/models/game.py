"""A game, from the open table to the result."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.rules.base import AnyRules
from games.rules.registry import rules_for


class Game(models.Model):
    """One game: its options and its turns are the truth.

    `position` and `previous_position` (before the newest turn) are caches of them.

    A game is an open table first (`OPEN`); it begins when every seat is taken (`ACTIVE`), and is
    over as `FINISHED` (with a result), `ABORTED` (begun, without one) or `CLOSED` (never begun).
    """

    class Status(models.TextChoices):
        """Where a game is in its life."""

        OPEN = "open", _("waiting for players")
        ACTIVE = "active", _("being played")
        FINISHED = "finished", _("finished")
        ABORTED = "aborted", _("aborted")
        CLOSED = "closed", _("never begun")

    class Ending(models.TextChoices):
        """Why a game is over, when the rules did not end it (their reasons are slugs too)."""

        AGREED = "agreed", _("by agreement")
        RESIGNED = "resigned", _("by resignation")
        TIMEOUT = "timeout", _("on time")
        ABORTED = "aborted", _("aborted by a player")
        NEVER_BEGUN = "never-begun", _("the first turn was never played")
        WITHDRAWN = "withdrawn", _("the table was withdrawn")
        DECLINED = "declined", _("the invitation was declined")
        EXPIRED = "expired", _("nobody answered")

    rules_slug = models.CharField(_("game"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    ending = models.CharField(_("ending"), max_length=40, blank=True)
    is_public = models.BooleanField(_("public"), default=True)

    maker = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="tables_made",
        verbose_name=_("maker"),
    )
    maker_seat = models.PositiveSmallIntegerField(
        _("the maker's seat"),
        null=True,
        blank=True,
        help_text=_("Empty: chance decides who sits where."),
    )
    rematch_of = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="rematches"
    )

    allowance = models.DurationField(_("time for a turn"))
    created_at = models.DateTimeField(_("made"))
    expires_at = models.DateTimeField(_("table closes"), null=True, blank=True)
    started_at = models.DateTimeField(_("begun"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    turn_number = models.PositiveIntegerField(_("turns played"), default=0)
    seat_to_move = models.PositiveSmallIntegerField(_("seat to move"), null=True, blank=True)
    turn_began_at = models.DateTimeField(_("turn began"), null=True, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    reminder_at = models.DateTimeField(_("reminder"), null=True, blank=True)
    program_due_at = models.DateTimeField(_("a program moves"), null=True, blank=True)

    position = models.TextField(_("position"), blank=True)
    previous_position = models.TextField(_("position before the newest turn"), blank=True)
    head_hash = models.CharField(_("hash of the record"), max_length=64, blank=True)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = [
            models.CheckConstraint(
                name="active_game_has_deadline_and_mover",
                condition=~Q(status="active")
                | Q(deadline__isnull=False, seat_to_move__isnull=False, started_at__isnull=False),
            ),
            models.CheckConstraint(
                name="clock_runs_in_active_games_only",
                condition=Q(status="active")
                | Q(
                    deadline__isnull=True,
                    reminder_at__isnull=True,
                    program_due_at__isnull=True,
                    seat_to_move__isnull=True,
                ),
            ),
            models.CheckConstraint(
                name="open_table_expires",
                condition=Q(status="open", expires_at__isnull=False)
                | (~Q(status="open") & Q(expires_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="game_is_over_for_a_reason",
                condition=Q(status__in=["open", "active"], ending="", ended_at__isnull=True)
                | (
                    Q(status__in=["finished", "aborted", "closed"], ended_at__isnull=False)
                    & ~Q(ending="")
                ),
            ),
            models.UniqueConstraint(
                fields=["rematch_of"], name="one_rematch_a_game", condition=~Q(status="closed")
            ),
        ]
        indexes = [
            models.Index(fields=["deadline"], name="game_due", condition=Q(deadline__isnull=False)),
            models.Index(
                fields=["reminder_at"],
                name="game_reminder_due",
                condition=Q(reminder_at__isnull=False),
            ),
            models.Index(
                fields=["program_due_at"],
                name="game_program_due",
                condition=Q(program_due_at__isnull=False),
            ),
            models.Index(fields=["expires_at"], name="table_expires", condition=Q(status="open")),
            models.Index(
                fields=["-created_at"],
                name="lobby",
                condition=Q(status="open", is_public=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rules_slug} #{self.pk}"

    def get_absolute_url(self) -> str:
        """Return the address of the game's page."""
        return reverse("game", args=[self.pk])

    @property
    def rules(self) -> AnyRules:
        """The rules this game is played by."""
        return rules_for(self.rules_slug)

    @property
    def rematch(self) -> "Game | None":
        """The rematch that stands or is played; one that nobody came to does not count."""
        return self.rematches.exclude(status=self.Status.CLOSED).first()

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen at this game."""
        return self.status not in (self.Status.OPEN, self.Status.ACTIVE)
