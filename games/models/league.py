"""Leagues with their seasons, divisions, players and games."""

from datetime import UTC, datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.paths import page_path
from games.clock.clock import MOST_STRETCH
from games.clock.spans import NOTHING
from games.clock.time_control import PaceKind, TimeControl
from games.competition.calendar import last_possible_day
from games.models.table_entry import TEAM_SIZES, TableEntry
from games.models.terms import Terms
from games.rules.registry import english_name

DIVISIONS_ON_A_PAGE = 20
"""How many divisions a page of a season shows."""


class League(models.Model):
    """One league a game: what is played, at which pace, and how large its divisions are.

    `legs` is how many games each pair of a division plays; in two they change sides. Where
    `team_size` is two, it is teams of two people that stand in its tables.
    """

    rules_slug = models.CharField(_("game"), max_length=40, unique=True)
    options = models.JSONField(_("options"), default=dict, blank=True)
    pace = models.CharField(_("pace"), max_length=10, default=PaceKind.TURN)
    allowance = models.DurationField(_("time for, or after, each turn"), default=NOTHING)
    bank = models.DurationField(_("time at the start"), default=NOTHING)
    cap = models.DurationField(_("most time"), default=NOTHING)
    allows_vacations = models.BooleanField(_("vacations count"), default=True)
    allows_days_off = models.BooleanField(_("days off count"), default=True)
    months = models.PositiveSmallIntegerField(_("months of a season"), default=1)
    division_size = models.PositiveSmallIntegerField(_("most players of a division"), default=8)
    legs = models.PositiveSmallIntegerField(_("games of each pair"), default=1)
    team_size = models.PositiveSmallIntegerField(_("players of a team"), default=1, db_default=1)
    opened_at = models.DateTimeField(_("opened"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("league")
        verbose_name_plural = _("leagues")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="league_has_possible_terms",
                # Ranges: Django cannot read a table of SQLite whose checks have lists.
                condition=Q(months__range=(1, 2), division_size__range=(6, 8), legs__range=(1, 2)),
            ),
            models.CheckConstraint(
                name="league_has_possible_teams", condition=Q(team_size__range=TEAM_SIZES)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of the league's page."""
        return page_path("league", self.rules_slug)

    @property
    def name(self) -> str:
        """The name of its game in the active language."""
        return gettext(english_name(self.rules_slug))

    @property
    def terms(self) -> Terms:
        """What its games agree about time."""
        pace = TimeControl(PaceKind(self.pace), self.allowance, self.bank, self.cap)
        return Terms(pace, self.allows_vacations, self.allows_days_off)

    @property
    def has_teams(self) -> bool:
        """Whether teams of two play in it."""
        return self.team_size > 1

    @property
    def games_at_once(self) -> int:
        """How many games a player of a season has at once, at most."""
        return (self.division_size - 1) * self.legs


class Season(models.Model):
    """One season of a league: players join until `starts_at`, and no game runs after `final_at`.

    `started_at` is when its divisions were formed, null in one that was not played; it is over
    since `ended_at`. `told` is the newest letter about it that was written to its players.
    """

    class Told(models.TextChoices):
        """A letter to everybody who plays in a season."""

        START = "start", _("the season has begun")
        SOON = "soon", _("the final day is near")
        END = "end", _("the season is over")

    league = models.ForeignKey(League, on_delete=models.PROTECT, related_name="seasons")
    number = models.PositiveIntegerField(_("number"))
    starts_at = models.DateTimeField(_("starts"))
    final_at = models.DateTimeField(_("final day"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    told = models.CharField(_("told"), max_length=10, choices=Told, blank=True, default="")

    # Only seasons that `season_for` has found know these.
    lowest: int | None
    own_division: int | None

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["league", "number"]
        constraints = [
            models.UniqueConstraint(fields=["league", "number"], name="one_season_a_number"),
            models.CheckConstraint(
                name="season_ends_after_it_starts", condition=Q(final_at__gt=F("starts_at"))
            ),
        ]
        indexes = [
            models.Index(
                fields=["starts_at"],
                name="season_starts",
                condition=Q(started_at__isnull=True, ended_at__isnull=True),
            ),
            models.Index(
                fields=["final_at"], name="season_runs", condition=Q(ended_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league}, {self.name}"

    def get_absolute_url(self) -> str:
        """Return the address of the season's page."""
        return page_path("season", self.league.rules_slug, self.number)

    def url_of_division(self, number: int) -> str:
        """Return the address of a division on the page of the season that shows it."""
        page = (number - 1) // DIVISIONS_ON_A_PAGE + 1
        query = f"?page={page}" if page > 1 else ""
        return f"{self.get_absolute_url()}{query}#division-{number}"

    @property
    def name(self) -> str:
        """The month in which it starts, in the active language: "March 2026"."""
        return date_format(self.starts_at.astimezone(UTC), "YEAR_MONTH_FORMAT")

    @property
    def last_possible_day(self) -> datetime:
        """When all of its games are over at the latest."""
        league = self.league
        stretch = MOST_STRETCH if league.allows_days_off else 1
        return last_possible_day(
            self.starts_at,
            self.final_at,
            league.terms.pace,
            None if league.allows_vacations else stretch,
            seats=2 * league.team_size,
        )


class Division(models.Model):
    """Players of a season who all play each other; 1 is the highest."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions")
    number = models.PositiveIntegerField(_("number"))

    class Meta:
        verbose_name = _("division")
        verbose_name_plural = _("divisions")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="one_division_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.season}, {self.number}"


class SeasonEntry(TableEntry, models.Model):
    """A player of a season.

    `level` and `rank` are what they had earned before it (`games.competition.divisions.Place`),
    null for a newcomer. `order` is their number in the division since the season has started. Who
    left it did so at `left_at`, because of `left_because`.

    In a league of teams each of the two has an entry. The second one is `partner_of` the first,
    which stands in the tables for both: it has their `order` and their games. `untold` is what a
    player is still to be told about their team.
    """

    class State(models.TextChoices):
        PLAYS = "plays", _("plays")
        SKIPS = "skips", _("skips this season")
        DECLINED = "declined", _("does not play")
        WAITS = "waits", _("found no partner, and waits for the next season")

    class News(models.TextChoices):
        """What a player is told about their team."""

        TEAMED = "teamed", _("somebody has become their partner")
        ALONE = "alone", _("their partner has withdrawn")
        WAITS = "waits", _("there was no partner for them")

    class Left(models.TextChoices):
        """Why somebody left a season that had started."""

        ASKED = "asked", _("left the season")
        ABSENT = "absent", _("cannot play any more")
        REMOVED = "removed", _("removed by a moderator")

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="entries")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="league_entries"
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PLAYS)
    joined_at = models.DateTimeField(_("joined"))
    level = models.PositiveIntegerField(_("level"), null=True, blank=True)
    rank = models.PositiveIntegerField(_("rank"), null=True, blank=True)
    division = models.ForeignKey(
        Division, on_delete=models.CASCADE, related_name="entries", null=True, blank=True
    )
    order = models.PositiveSmallIntegerField(_("number in the division"), null=True, blank=True)
    partner_of = models.OneToOneField(
        "self",
        on_delete=models.CASCADE,
        related_name="partner",
        verbose_name=_("partner of"),
        null=True,
        blank=True,
    )
    untold = models.CharField(
        _("untold"), max_length=10, choices=News, blank=True, default="", db_default=""
    )
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    left_because = models.CharField(_("why"), max_length=10, choices=Left, blank=True, default="")
    removed_because = models.CharField(_("reason"), max_length=500, blank=True, default="")
    removal_told_at = models.DateTimeField(_("told of the removal"), null=True, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["division", "order"]
        indexes = [
            models.Index(
                fields=["id"],
                name="entry_removed_untold",
                condition=Q(left_because="removed", removal_told_at__isnull=True),
            ),
            models.Index(fields=["id"], name="entry_untold", condition=~Q(untold="")),
        ]
        constraints = [
            models.UniqueConstraint(fields=["season", "user"], name="one_entry_a_season"),
            models.UniqueConstraint(
                fields=["division", "order"],
                name="one_entry_an_order",
                condition=Q(division__isnull=False),
            ),
            models.CheckConstraint(
                name="entry_of_a_division_plays",
                condition=Q(division__isnull=True, order__isnull=True, left_at__isnull=True)
                | Q(division__isnull=False, state="plays", order__isnull=False, partner_of=None)
                | Q(division__isnull=False, state="plays", order=None, partner_of__isnull=False),
            ),
            models.CheckConstraint(
                name="nobody_is_their_own_partner", condition=~Q(partner_of=F("id"))
            ),
            models.CheckConstraint(
                name="who_has_a_partner_plays", condition=Q(partner_of=None) | Q(state="plays")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.user_id}"

    @property
    def members(self) -> list["SeasonEntry"]:
        """The entries of those who play for it: its own, and that of the second of a team."""
        second: SeasonEntry | None = getattr(self, "partner", None)
        return [self] if second is None else [self, second]

    @property
    def table_key(self) -> int:
        """The key of the entry that stands in the tables for this player."""
        return self.partner_of_id or self.pk

    @property
    def teammate(self) -> "SeasonEntry | None":
        """The entry of the other player of the team; None without one."""
        return self.partner_of if self.partner_of is not None else getattr(self, "partner", None)


class TeamInvitation(models.Model):
    """A player of a season asks another to play with them as a team.

    It can be answered until the season starts, and while neither of the two has a partner.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")

    entry = models.ForeignKey(SeasonEntry, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="team_invitations"
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    made_at = models.DateTimeField(_("made"))
    told_at = models.DateTimeField(_("told"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation to a team")
        verbose_name_plural = _("invitations to teams")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "user"], name="one_invitation_to_a_team"),
        ]
        indexes = [
            models.Index(
                fields=["id"],
                name="team_invitation_untold",
                condition=Q(told_at__isnull=True, state="open"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.user_id}"


class LeagueGame(models.Model):
    """A game of a division: `first` has the first turn. `game` is null until it has begun.

    An annulled one counts for nobody.
    """

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="games")
    first = models.ForeignKey(SeasonEntry, on_delete=models.CASCADE, related_name="games_as_first")
    second = models.ForeignKey(
        SeasonEntry, on_delete=models.CASCADE, related_name="games_as_second"
    )
    leg = models.PositiveSmallIntegerField(_("game of the pair"))
    game = models.OneToOneField(
        "games.Game", on_delete=models.PROTECT, related_name="league_game", null=True, blank=True
    )
    annulled_at = models.DateTimeField(_("annulled"), null=True, blank=True)

    class Meta:
        verbose_name = _("league game")
        verbose_name_plural = _("league games")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                Least("first", "second"),
                Greatest("first", "second"),
                "leg",
                name="one_game_a_pair_and_leg",
            ),
            models.CheckConstraint(name="nobody_plays_themselves", condition=~Q(first=F("second"))),
        ]
        indexes = [
            models.Index(
                fields=["id"],
                name="league_game_to_begin",
                condition=Q(game__isnull=True, annulled_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.division_id}: {self.first_id} – {self.second_id}"
