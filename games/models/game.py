"""A game, from the open table to the result."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.paths import page_path
from games import wakeups
from games.clock.clock import Clock, StopReason
from games.clock.spans import NOTHING
from games.clock.time_control import PaceKind, TimeControl
from games.clock.weekly_schedule import WeeklySchedule
from games.models.ending import ON_TIME
from games.models.event import Event
from games.models.invitation import Invitation
from games.models.judgement import Judged
from games.models.rating import RATED_GAMES, Rated
from games.models.seat import Seat
from games.models.terms import Terms
from games.models.undo import UNDO_COLUMNS, Undoable
from games.rules.base import AnyRules
from games.rules.registry import english_name, rules_for

CLOCK_COLUMNS = (
    "seat_to_move",
    "turn_began_at",
    "time_left",
    "weekly_schedule",
    "clock_started_at",
    "clock_protected_at",
    "deadline",
    "deadline_set_at",
    "reminder_at",
    "reminded",
    "snoozed_until",
    "stop_reason",
    "stopped_at",
    "stopped_until",
    "wait_remaining",
    "stopped_before_hold",
    "bot_due_at",
    *UNDO_COLUMNS,
)
"""What is saved when a game's clock changes: what `Game.clock` reads, and when a bot is to move."""

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models.user import User


class GameQuerySet(models.QuerySet["Game"]):
    """Games and open tables."""

    def running(self) -> "GameQuerySet":
        """Keep the games that are being played."""
        return self.filter(status=Game.Status.ACTIVE)

    def open(self) -> "GameQuerySet":
        """Keep the tables that wait for players."""
        return self.filter(status=Game.Status.OPEN)

    def awaiting(self, user_id: int) -> "GameQuerySet":
        """Keep the running games in which it is a user's turn, on their own or a partner's seat."""
        plays = Q(seats__played_by_partner=user_id) | Q(
            seats__played_by_partner=None, seats__left_at=None, seats__user=user_id
        )
        return self.running().filter(plays, seats__number=F("seat_to_move"))

    def held_since(self, moment: datetime) -> "GameQuerySet":
        """Keep the games that a moderator paused then or earlier, and that are paused still."""
        return self.filter(stop_reason=StopReason.MODERATOR, stopped_at__lte=moment)

    def visible_to(self, viewer: "User | AnonymousUser") -> "GameQuerySet":
        """Keep the games that a user may see as a player: public ones, theirs, and invitations.

        Staff powers do not count here.
        """
        if not viewer.is_authenticated:
            return self.filter(is_public=True)
        invited = Invitation.objects.open_to(viewer).values("game")
        played = viewer.seats.values("game")
        return self.filter(Q(is_public=True) | Q(pk__in=played) | Q(pk__in=invited))

    def with_players(self) -> "GameQuerySet":
        """Load the creator and the players of all seats with the games, for `all_seats`."""
        seats = Seat.objects.select_related("user", "played_by_partner")
        return self.select_related("creator").prefetch_related(
            models.Prefetch("seats", seats, to_attr="loaded_seats")
        )


class Game(Undoable, Judged, Rated):
    """One game: its options and its turns are the truth.

    `position` and `previous_position` (before the newest turn) are caches of them. Of a running
    game, `clock` is the clock of the turn; CLOCK_COLUMNS are where it is stored.

    A game is an open table first (`OPEN`); it begins when every seat is taken (`ACTIVE`), and is
    over as `FINISHED` (with a result), `ABORTED` (begun, without one) or `CLOSED` (never begun).
    """

    class Status(models.TextChoices):
        OPEN = "open", _("waiting for players")
        ACTIVE = "active", _("being played")
        FINISHED = "finished", _("finished")
        ABORTED = "aborted", _("aborted")
        CLOSED = "closed", _("never begun")

    class OnTimeout(models.TextChoices):
        """What happens to a seat that runs out of time; with two seats it always loses."""

        WITHDRAW = "withdraw", _("it leaves the game, and the others play on")
        SUBSTITUTE = "substitute", _("somebody else may take it over")
        PROGRAM = "program", _("a program takes it over")
        PARTNER = "partner", _("its partner plays for it too")

    rules_slug = models.CharField(_("game"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    ending = models.CharField(_("ending"), max_length=40, blank=True)
    is_public = models.BooleanField(_("public"), default=True)

    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="tables_made",
        verbose_name=_("created by"),
        db_column="maker_id",
    )
    creator_seat = models.PositiveSmallIntegerField(
        _("the creator's seat"),
        null=True,
        blank=True,
        help_text=_("Empty: seats are assigned at random."),
        db_column="maker_seat",
    )
    rematch_of = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="rematches"
    )

    pace = models.CharField(
        _("pace"),
        max_length=10,
        choices=[
            (PaceKind.TURN, _("time for each turn")),
            (PaceKind.FISCHER, _("a bank of time that grows with each turn")),
            (PaceKind.TOTAL, _("one time for the whole game")),
        ],
        default=PaceKind.TURN,
        db_default=PaceKind.TURN,
    )
    allowance = models.DurationField(_("time for, or after, each turn"))
    bank = models.DurationField(_("time at the start"), default=NOTHING, db_default=NOTHING)
    cap = models.DurationField(_("most time"), default=NOTHING, db_default=NOTHING)
    allows_vacations = models.BooleanField(_("vacations count"), default=True, db_default=True)
    allows_days_off = models.BooleanField(_("days off count"), default=True, db_default=True)
    on_timeout = models.CharField(
        _("when time runs out"),
        max_length=10,
        choices=OnTimeout,
        default=OnTimeout.WITHDRAW,
        db_default=OnTimeout.WITHDRAW,
    )
    substitute_level = models.PositiveSmallIntegerField(
        _("level of a program that takes a seat over"), null=True, blank=True
    )
    created_at = models.DateTimeField(_("made"))
    expires_at = models.DateTimeField(_("table closes"), null=True, blank=True)
    started_at = models.DateTimeField(_("begun"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    turn_number = models.PositiveIntegerField(_("turns played"), default=0)
    seat_to_move = models.PositiveSmallIntegerField(_("seat to move"), null=True, blank=True)
    turn_began_at = models.DateTimeField(_("turn began"), null=True, blank=True)
    clock_started_at = models.DateTimeField(
        _("time counted since"), null=True, blank=True, db_column="clock_since"
    )
    clock_protected_at = models.DateTimeField(
        _("started by somebody else than the player"), null=True, blank=True
    )
    time_left = models.DurationField(_("time left then"), null=True, blank=True)
    weekly_schedule = models.JSONField(
        _("days off of the player to move"),
        db_column="rhythm",
        default=dict,
        blank=True,
        db_default=models.Value({}, models.JSONField()),
    )
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    stop_reason = models.CharField(
        _("reason why the clock is stopped"),
        db_column="stopped_for",
        max_length=12,
        choices=StopReason,
        blank=True,
        default="",
        db_default="",
    )
    stopped_at = models.DateTimeField(_("clock stopped since"), null=True, blank=True)
    stopped_until = models.DateTimeField(_("clock stopped until"), null=True, blank=True)
    wait_remaining = models.DurationField(
        _("time left to wait"), null=True, blank=True, db_column="wait_left"
    )
    stopped_before_hold = models.CharField(
        _("earlier reason why the clock was stopped"),
        db_column="held_for",
        max_length=12,
        choices=StopReason,
        blank=True,
        default="",
        db_default="",
    )
    deadline_set_at = models.DateTimeField(_("deadline last changed"), null=True, blank=True)
    reminder_at = models.DateTimeField(_("reminder"), null=True, blank=True)
    snoozed_until = models.DateTimeField(_("reminded again at"), null=True, blank=True)
    reminded = models.DurationField(_("last reminder sent with time left"), null=True, blank=True)
    bot_due_at = models.DateTimeField(
        _("the bot moves at"), null=True, blank=True, db_column="program_due_at"
    )

    conversation_closed_at = models.DateTimeField(_("conversation closed"), null=True, blank=True)

    position = models.TextField(_("position"), blank=True)
    previous_position = models.TextField(_("position before the newest turn"), blank=True)
    head_hash = models.CharField(_("hash of the record"), max_length=64, blank=True)

    loaded_seats: list[Seat]  # only where `with_players` or `load_seats` has read them
    # Only games that `game_for` has found know these.
    awaiting_count: int
    has_messages: bool
    has_offers: bool
    has_plans: bool
    has_shared_analyses: bool
    has_silenced: bool
    has_special_events: bool
    may_visit: bool
    seen_at: datetime | None

    turned_by = 0
    """By how many quarters of a circle the reader has turned the board."""

    objects = GameQuerySet.as_manager()

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        permissions = [("moderate", _("Can moderate games"))]
        constraints = [
            models.CheckConstraint(
                name="active_game_has_mover_and_time",
                condition=~Q(status="active")
                | Q(seat_to_move__isnull=False, started_at__isnull=False, time_left__isnull=False),
            ),
            models.CheckConstraint(
                name="active_game_has_deadline_or_reason",
                condition=~Q(status="active")
                | Q(deadline__isnull=False, clock_started_at__isnull=False, stop_reason="")
                | Q(
                    ~Q(stop_reason=""),
                    deadline__isnull=True,
                    reminder_at__isnull=True,
                    clock_started_at__isnull=True,
                    stopped_at__isnull=False,
                ),
            ),
            models.CheckConstraint(
                name="stop_has_an_end",
                condition=Q(stop_reason__in=["", "moderator"])
                | Q(stopped_until__isnull=False, wait_remaining__isnull=False),
            ),
            models.CheckConstraint(
                name="what_was_held_stood",
                condition=Q(stopped_before_hold="")
                | Q(stop_reason="moderator", wait_remaining__isnull=False),
            ),
            models.CheckConstraint(
                name="clock_is_of_active_games_only",
                condition=Q(status="active")
                | Q(
                    deadline__isnull=True,
                    reminder_at__isnull=True,
                    bot_due_at__isnull=True,
                    seat_to_move__isnull=True,
                    stop_reason="",
                    stopped_until__isnull=True,
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
                fields=["stopped_until"],
                name="game_stop_ends",
                condition=Q(stopped_until__isnull=False),
            ),
            models.Index(
                fields=["bot_due_at"],
                name="game_program_due",
                condition=Q(bot_due_at__isnull=False),
            ),
            models.Index(
                fields=["judge_due_at"],
                name="game_judge_due",
                condition=Q(judge_due_at__isnull=False),
            ),
            models.Index(fields=["expires_at"], name="table_expires", condition=Q(status="open")),
            models.Index(
                fields=["-created_at"],
                name="lobby",
                condition=Q(status="open", is_public=True),
            ),
            models.Index(
                fields=["ended_at"], name="game_lost_on_time", condition=Q(ending="timeout")
            ),
            models.Index(
                fields=["ended_at"], name="game_ended_on_time", condition=Q(ending__in=ON_TIME)
            ),
            RATED_GAMES,
            # What the moderators' lists are filtered by, newest first.
            models.Index(fields=["status", "-id"], name="game_by_status"),
            models.Index(fields=["rules_slug", "-id"], name="game_by_rules"),
            models.Index(fields=["is_public", "-id"], name="game_by_openness"),
            models.Index(
                fields=["stop_reason", "-id"], name="game_stands", condition=~Q(stop_reason="")
            ),
            models.Index(fields=["-id"], name="game_stands_at_all", condition=~Q(stop_reason="")),
            models.Index(
                fields=["stopped_at"],
                name="game_stands_since",
                condition=Q(stopped_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} #{self.pk}"

    def get_absolute_url(self) -> str:
        """Return the URL of the game's page."""
        return page_path("game", self.pk)

    @property
    def name(self) -> str:
        """The game's name in the active language; its slug if no installed rules app has it."""
        return name_of_game(self.rules_slug)

    @property
    def all_seats(self) -> list[Seat]:
        """The seats in their order; costs no query where they were loaded with the game."""
        loaded: list[Seat] | None = self.__dict__.get("loaded_seats")
        return list(self.seats.all()) if loaded is None else loaded

    @property
    def has_loaded_seats(self) -> bool:
        """Whether `all_seats` costs no query."""
        return "loaded_seats" in self.__dict__

    @property
    def rules(self) -> AnyRules:
        """The rules this game is played by."""
        return rules_for(self.rules_slug)

    @property
    def time_control(self) -> TimeControl:
        """How much time the players have."""
        return TimeControl(PaceKind(self.pace), self.allowance, self.bank, self.cap)

    @property
    def terms(self) -> Terms:
        """What was agreed about time and ratings."""
        ends = self.on_timeout, self.substitute_level, self.is_rated
        return Terms(self.time_control, self.allows_vacations, self.allows_days_off, *ends)

    @property
    def clock(self) -> Clock:
        """The clock of the current turn. Raises ValueError if the game is not running."""
        if self.seat_to_move is None or self.time_left is None:
            raise ValueError(f"game {self.pk} is not running")
        return Clock(
            seat_to_move=self.seat_to_move,
            turn_began_at=self.turn_began_at,
            time_left=self.time_left,
            weekly_schedule=WeeklySchedule.from_data(self.weekly_schedule),
            started_at=self.clock_started_at,
            protected_at=self.clock_protected_at,
            deadline=self.deadline,
            deadline_set_at=self.deadline_set_at,
            reminder_at=self.reminder_at,
            reminded=self.reminded,
            snoozed_until=self.snoozed_until,
            stop_reason=self.stop_reason,
            stopped_at=self.stopped_at,
            stopped_until=self.stopped_until,
            wait_remaining=self.wait_remaining,
            stopped_before_hold=self.stopped_before_hold,
        )

    def set_clock(self, clock: Clock) -> None:
        """Write a clock into the columns that CLOCK_COLUMNS names; they are not saved yet.

        The newest turn can then no longer be undone: its player's clock is not what it was.
        """
        self.clear_undo()
        self.seat_to_move = clock.seat_to_move
        self.turn_began_at = clock.turn_began_at
        self.time_left = clock.time_left
        self.weekly_schedule = clock.weekly_schedule.as_data()
        self.clock_started_at = clock.started_at
        self.clock_protected_at = clock.protected_at
        self.deadline = clock.deadline
        self.deadline_set_at = clock.deadline_set_at
        self.reminder_at = clock.reminder_at
        self.reminded = clock.reminded
        self.snoozed_until = clock.snoozed_until
        self.stop_reason = clock.stop_reason
        self.stopped_at = clock.stopped_at
        self.stopped_until = clock.stopped_until
        self.wait_remaining = clock.wait_remaining
        self.stopped_before_hold = clock.stopped_before_hold

    def clear_clock(self) -> None:
        """Remove the clock of a game that is over, without saving.

        What its deadline was computed from remains, for an outage that is declared afterwards.
        """
        self.seat_to_move = self.deadline = self.reminder_at = self.bot_due_at = None
        self.stopped_at = self.stopped_until = self.wait_remaining = None
        self.stop_reason = self.stopped_before_hold = ""
        self.clear_undo()

    def record_event(
        self,
        kind: Event.Kind,
        *,
        now: datetime,
        actor: "User | None" = None,
        invitation: Invitation | None = None,
        details: dict[str, object] | None = None,
    ) -> Event:
        """Write an event, in the transaction that makes it happen; wake who writes its notices."""
        event = Event.objects.create(
            game=self,
            kind=kind,
            at=now,
            actor=actor,
            turn_number=self.turn_number,
            invitation=invitation,
            details=details or {},
        )
        wakeups.notify_workers("events")
        return event

    @property
    def rematch(self) -> "Game | None":
        """The rematch, unless it was closed because nobody joined."""
        return self.rematches.exclude(status=self.Status.CLOSED).first()

    @property
    def is_substitute_sought(self) -> bool:
        """Whether the game looks for a substitute, or will when a moderator resumes it."""
        return StopReason.SUBSTITUTE in (self.stop_reason, self.stopped_before_hold)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended or will never begin."""
        return self.status not in (self.Status.OPEN, self.Status.ACTIVE)


def name_of_game(slug: str) -> str:
    """Return a game's name in the active language; its slug if no installed rules app has it."""
    return gettext(english_name(slug))
