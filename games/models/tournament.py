"""Tournaments with their players, rounds and games."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.paths import page_path
from games.clock.clock import MOST_STRETCH
from games.clock.spans import NOTHING
from games.clock.time_control import PaceKind, TimeControl
from games.competition.calendar import last_possible_day
from games.competition.knockout import knockout_rounds
from games.competition.pairings import commitment
from games.competition.swiss import most_rounds
from games.models.table_entry import TableEntry
from games.models.terms import Terms
from games.rules.base import AnyRules
from games.rules.registry import english_name, rules_for

DAY = timedelta(days=1)
GO_ON = 2
"""How many players of a group play the knock-out."""


class Tournament(models.Model):
    """What is played, by whom and how; players join until it starts.

    It starts at `starts_at`, or with `starts_when_full` as soon as it has `most_players`, and is
    not played if that is not so at `starts_at`. A game lasts `game_days` at most. `key` is that of
    the link without which nobody can see or join it, empty: it is open to all. `seed` decides every
    lot; its SHA-256 is shown from the beginning, the seed itself once the tournament has started.
    One that is over without having started was not played: it is cancelled, or had too few players.
    A moderator cancels one `cancelled_because` of something, also after its start.
    """

    class Form(models.TextChoices):
        ROUND_ROBIN = "round-robin", _("everybody against everybody")
        SWISS = "swiss", _("Swiss system")
        KNOCKOUT = "knockout", _("knock-out")
        GROUPS = "groups", _("groups, then knock-out")

    name = models.CharField(_("name"), max_length=60, blank=True, default="")
    form = models.CharField(_("form"), max_length=12, choices=Form)
    rules_slug = models.CharField(_("game"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    pace = models.CharField(_("pace"), max_length=10, default=PaceKind.TURN)
    allowance = models.DurationField(_("time for, or after, each turn"), default=NOTHING)
    bank = models.DurationField(_("time at the start"), default=NOTHING)
    cap = models.DurationField(_("most time"), default=NOTHING)
    allows_vacations = models.BooleanField(_("vacations count"), default=True)
    allows_days_off = models.BooleanField(_("days off count"), default=True)
    game_days = models.PositiveSmallIntegerField(_("days of a game at most"))
    most_players = models.PositiveSmallIntegerField(_("most players"))
    legs = models.PositiveSmallIntegerField(_("games of each pair"), default=1)
    best_of = models.PositiveSmallIntegerField(_("best of"), default=1)
    swiss_rounds = models.PositiveSmallIntegerField(_("rounds"), default=5)
    group_size = models.PositiveSmallIntegerField(_("players of a group"), default=4)
    has_third_place = models.BooleanField(
        _("match for the third place"), default=False, db_default=False
    )
    least_rating = models.PositiveSmallIntegerField(_("rating from"), null=True, blank=True)
    most_rating = models.PositiveSmallIntegerField(_("rating up to"), null=True, blank=True)
    key = models.CharField(_("key of the link"), max_length=40, blank=True, default="")
    seed = models.CharField(_("seed"), max_length=64)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="opened_tournaments"
    )
    opened_at = models.DateTimeField(_("opened"))
    starts_at = models.DateTimeField(_("starts"))
    starts_when_full = models.BooleanField(_("starts when it is full"), default=False)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    is_cancelled = models.BooleanField(_("cancelled"), default=False)
    cancelled_because = models.CharField(
        _("reason"), max_length=500, blank=True, default="", db_default=""
    )
    end_told_at = models.DateTimeField(_("told of the end"), null=True, blank=True)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="tournament_is_possible",
                condition=Q(
                    most_players__range=(3, 64),
                    game_days__range=(1, 120),
                    legs__range=(1, 2),
                    best_of__range=(1, 5),
                    swiss_rounds__range=(2, 9),
                    group_size__range=(3, 6),
                ),
            ),
        ]
        indexes = [
            models.Index(
                fields=["id"], name="tournament_not_over", condition=Q(ended_at__isnull=True)
            ),
            models.Index(
                fields=["-ended_at"],
                name="tournaments_over",
                condition=Q(ended_at__isnull=False),
            ),
            models.Index(
                fields=["ended_at"],
                name="tournament_end_untold",
                condition=Q(ended_at__isnull=False, end_told_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        number = {"game": self.game_name, "number": self.pk}
        return self.name or gettext("%(game)s, tournament %(number)s") % number

    def get_absolute_url(self) -> str:
        """Return the address of the tournament's page."""
        return page_path("tournament", self.pk)

    @property
    def game_name(self) -> str:
        """The name of its game in the active language."""
        return gettext(english_name(self.rules_slug))

    @property
    def rules(self) -> AnyRules:
        """The rules of its game."""
        return rules_for(self.rules_slug)

    @property
    def terms(self) -> Terms:
        """What its games agree about time."""
        pace = TimeControl(PaceKind(self.pace), self.allowance, self.bank, self.cap)
        return Terms(pace, self.allows_vacations, self.allows_days_off)

    @property
    def seed_hash(self) -> str:
        """What is shown of the seed before the start."""
        return commitment(self.seed)

    @property
    def game_time(self) -> timedelta:
        """How long one game lasts at most: its days, or less where the clocks say so."""
        start = self.starts_at
        stretch = MOST_STRETCH if self.allows_days_off else 1
        counted = None if self.allows_vacations else stretch
        final = start + self.game_days * DAY
        return last_possible_day(start, final, self.terms.pace, counted) - start

    def round_times(self, players: int) -> list[timedelta]:
        """Return how long each round lasts at most with so many players."""
        match = self.game_time * self.best_of
        if self.form == self.Form.SWISS:
            return [self.game_time] * min(self.swiss_rounds, most_rounds(players))
        if self.form == self.Form.KNOCKOUT:
            return [match] * knockout_rounds(players)
        if self.form == self.Form.GROUPS:
            on = GO_ON * -(-players // self.group_size)
            return [self.game_time] + [match] * knockout_rounds(on)
        return [self.game_time]

    @property
    def last_possible_day(self) -> datetime:
        """When all is over at the latest: before the start, with as many players as can join."""
        if self.started_at:
            return self.last_day_of(self.entrants.exclude(number=None).count())
        return self.last_day_of(self.most_players)

    def last_day_of(self, players: int) -> datetime:
        """Return when all is over at the latest with so many players."""
        return (self.started_at or self.starts_at) + sum(self.round_times(players), NOTHING)

    @property
    def shown_last_day(self) -> datetime:
        """The last possible day of one that `tournament_list` read."""
        return self.last_day_of(self.drawn if self.started_at else self.most_players)  # type: ignore[attr-defined]

    @property
    def games_at_once(self) -> int:
        """How many games a player has at once, at most."""
        most = {self.Form.ROUND_ROBIN: self.most_players, self.Form.GROUPS: self.group_size}
        return (most[self.Form(self.form)] - 1) * self.legs if self.form in most else 1


class Entrant(TableEntry, models.Model):
    """A player of a tournament. `number` is their place in the order drawn at the start.

    `joined_as` counts the players in the order of joining, and is what their lot is drawn for. Who
    left did so at `left_at`, because of `left_because`.
    """

    class Left(models.TextChoices):
        """Why somebody left a tournament."""

        ASKED = "asked", pgettext_lazy("tournament", "left")
        ABSENT = "absent", _("did not play")
        REMOVED = "removed", _("removed")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tournament_entries"
    )
    joined_at = models.DateTimeField(_("joined"))
    joined_as = models.PositiveSmallIntegerField(_("joined as number"))
    number = models.PositiveSmallIntegerField(_("number"), null=True, blank=True)
    group = models.PositiveSmallIntegerField(_("group"), null=True, blank=True)
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    left_because = models.CharField(_("why"), max_length=10, choices=Left, blank=True, default="")
    removed_because = models.CharField(_("reason"), max_length=500, blank=True, default="")
    removal_told_at = models.DateTimeField(_("told of the removal"), null=True, blank=True)

    class Meta:
        verbose_name = _("player of a tournament")
        verbose_name_plural = _("players of tournaments")
        ordering = ["number", "joined_as"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="one_entrant_a_user"),
            models.UniqueConstraint(fields=["tournament", "joined_as"], name="one_entrant_a_lot"),
            models.UniqueConstraint(
                fields=["tournament", "number"],
                name="one_entrant_a_number",
                condition=Q(number__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                fields=["id"],
                name="entrant_removed_untold",
                condition=Q(left_because="removed", removal_told_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.user_id}"


class Round(models.Model):
    """A round: its games are over by `final_at`. `is_knockout`: who loses a match is out."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    is_knockout = models.BooleanField(_("knock-out"))
    started_at = models.DateTimeField(_("started"))
    final_at = models.DateTimeField(_("last possible day"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    told_at = models.DateTimeField(_("told of the start"), null=True, blank=True)

    class Meta:
        verbose_name = pgettext_lazy("tournament", "round")
        verbose_name_plural = pgettext_lazy("tournament", "rounds")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_round_a_number"),
        ]
        indexes = [
            models.Index(fields=["id"], name="round_untold", condition=Q(told_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}, {self.number}"


class TournamentGame(models.Model):
    """A game of a round: `first` has the first turn; without `second` they are free.

    `board` numbers the pairs of a round, `leg` the games of a pair. `game` is null until it has
    begun, and over at `final_at`. The losers of the semi-finals play one `for_third_place`, in the
    round of the final. An annulled one counts for nobody.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="games")
    board = models.PositiveSmallIntegerField(_("board"))
    leg = models.PositiveSmallIntegerField(_("game of the pair"), default=1)
    first = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="games_as_first")
    second = models.ForeignKey(
        Entrant, on_delete=models.CASCADE, related_name="games_as_second", null=True, blank=True
    )
    game = models.OneToOneField(
        "games.Game",
        on_delete=models.PROTECT,
        related_name="tournament_game",
        null=True,
        blank=True,
    )
    for_third_place = models.BooleanField(_("for the third place"), default=False, db_default=False)
    final_at = models.DateTimeField(_("last possible day"), null=True, blank=True)
    annulled_at = models.DateTimeField(_("annulled"), null=True, blank=True)

    class Meta:
        verbose_name = _("tournament game")
        verbose_name_plural = _("tournament games")
        ordering = ["round", "board", "leg"]
        constraints = [
            models.UniqueConstraint(fields=["round", "board", "leg"], name="one_game_a_board"),
            models.UniqueConstraint(
                F("round"),
                Least("first", "second"),
                Greatest("first", "second"),
                F("leg"),
                name="one_game_a_pair_and_round",
            ),
            models.CheckConstraint(
                name="nobody_plays_against_themselves", condition=~Q(first=F("second"))
            ),
        ]
        indexes = [
            models.Index(
                fields=["id"],
                name="tournament_game_to_begin",
                condition=Q(game__isnull=True, annulled_at__isnull=True, second__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round_id}: {self.first_id} – {self.second_id}"
