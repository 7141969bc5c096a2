"""Matches of two clubs, with the players who want to play, and a game on each board."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.paths import page_path
from games.clock.clock import MOST_STRETCH
from games.clock.spans import NOTHING
from games.clock.time_control import PaceKind, TimeControl
from games.competition.calendar import last_possible_day
from games.models.club import Club
from games.models.terms import Terms
from games.rules.base import AnyRules
from games.rules.registry import english_name, rules_for

DAY = timedelta(days=1)


class ClubMatch(models.Model):
    """A match: `home` challenges `away`; it is played if `away` accepts before `starts_at`.

    One that is over without having started was not played, because of `not_played_because`.
    """

    class NotPlayed(models.TextChoices):
        """Why a match was not played."""

        WITHDRAWN = "withdrawn", pgettext_lazy("match", "withdrawn")
        DECLINED = "declined", pgettext_lazy("match", "declined")
        UNANSWERED = "unanswered", pgettext_lazy("match", "not answered")
        TOO_FEW = "too-few", pgettext_lazy("match", "too few players")
        CLOSED = "closed", pgettext_lazy("match", "a club was closed")

    home = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="matches_at_home")
    away = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="matches_away")
    rules_slug = models.CharField(_("game"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    pace = models.CharField(_("pace"), max_length=10, default=PaceKind.TURN)
    allowance = models.DurationField(_("time for, or after, each turn"), default=NOTHING)
    bank = models.DurationField(_("time at the start"), default=NOTHING)
    cap = models.DurationField(_("most time"), default=NOTHING)
    allows_vacations = models.BooleanField(_("vacations count"), default=True)
    allows_days_off = models.BooleanField(_("days off count"), default=True)
    most_boards = models.PositiveSmallIntegerField(_("most boards"))
    game_days = models.PositiveSmallIntegerField(_("days of a game at most"))
    challenged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="club_challenges"
    )
    challenged_at = models.DateTimeField(_("challenged"))
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    starts_at = models.DateTimeField(_("starts"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    final_at = models.DateTimeField(_("last possible day"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    not_played_because = models.CharField(
        _("not played because"), max_length=12, choices=NotPlayed, blank=True, default=""
    )

    class Meta:
        verbose_name = _("match of two clubs")
        verbose_name_plural = _("matches of clubs")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="club_match_is_possible",
                condition=Q(most_boards__range=(2, 10), game_days__range=(1, 120))
                & ~Q(home=F("away")),
            ),
        ]
        indexes = [
            models.Index(
                fields=["starts_at"],
                name="club_match_to_start",
                condition=Q(started_at__isnull=True, ended_at__isnull=True),
            ),
            models.Index(
                fields=["id"],
                name="club_match_running",
                condition=Q(started_at__isnull=False, ended_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.home} – {self.away}"

    def get_absolute_url(self) -> str:
        """Return the address of the match's page."""
        return page_path("club_match", self.pk)

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
    def last_day(self) -> datetime:
        """When all is over at the latest: its days, or earlier where the clocks say so."""
        start = self.started_at or self.starts_at
        stretch = MOST_STRETCH if self.allows_days_off else 1
        counted = None if self.allows_vacations else stretch
        return last_possible_day(start, start + self.game_days * DAY, self.terms.pace, counted)


class MatchPlayer(models.Model):
    """Somebody who wants to play for a club in a match, or plays in it."""

    match = models.ForeignKey(ClubMatch, on_delete=models.CASCADE, related_name="players")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="club_match_entries"
    )
    wanted_at = models.DateTimeField(_("wanted to play"))

    class Meta:
        verbose_name = _("player of a match of clubs")
        verbose_name_plural = _("players of matches of clubs")
        ordering = ["wanted_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="one_match_player_a_user"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.user_id}"


class ClubMatchGame(models.Model):
    """A board of a match: `first` has the first turn.

    `game` is null until it has begun. An annulled one counts for nobody.
    """

    match = models.ForeignKey(ClubMatch, on_delete=models.CASCADE, related_name="boards")
    board = models.PositiveSmallIntegerField(_("board"))
    first = models.OneToOneField(
        MatchPlayer, on_delete=models.CASCADE, related_name="board_as_first"
    )
    second = models.OneToOneField(
        MatchPlayer, on_delete=models.CASCADE, related_name="board_as_second"
    )
    game = models.OneToOneField(
        "games.Game",
        on_delete=models.PROTECT,
        related_name="club_match_game",
        null=True,
        blank=True,
    )
    annulled_at = models.DateTimeField(_("annulled"), null=True, blank=True)

    class Meta:
        verbose_name = _("game of a match of clubs")
        verbose_name_plural = _("games of matches of clubs")
        ordering = ["match", "board"]
        constraints = [
            models.UniqueConstraint(fields=["match", "board"], name="one_game_a_match_board"),
            models.CheckConstraint(name="nobody_meets_themselves", condition=~Q(first=F("second"))),
        ]
        indexes = [
            models.Index(
                fields=["id"],
                name="club_game_to_begin",
                condition=Q(game__isnull=True, annulled_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.board}"
