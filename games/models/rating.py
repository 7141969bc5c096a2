"""How strong players are: ratings, what each game changed, and what is still to be computed.

Only `games.services.ratings` writes these rows, from the finished games alone: all of them can be
deleted and made again, to the last digit.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.rules.base import AnyRules, Options

PROVISIONAL_ABOVE = 200
"""A rating whose range is wider than ± this many points is provisional."""

RANGE = 2
"""A range is so many standard deviations on each side: 19 times of 20 the strength is in it."""


class Rated(models.Model):
    """The column of a game that says whether its result changes ratings."""

    is_rated = models.BooleanField(_("rated"), default=False, db_default=False)

    class Meta:
        abstract = True


RATED_GAMES = models.Index(
    fields=["rules_slug", "ended_at", "id"],
    name="rated_game",
    condition=Q(is_rated=True, status="finished"),
)
"""The rated games of a kind in the order in which they are rated."""


def table_kind_of(rules: AnyRules, options: Options) -> str:
    """Return the kind of table: "2" to "9" players, or "4t": so many players in teams."""
    sides = rules.sides(options)
    return f"{len(sides)}t" if len(set(sides)) < len(sides) else str(len(sides))


class Strength(models.Model):
    """A strength: `mu` on the scale of ratings, and `sigma`, how uncertain it is."""

    rules_slug = models.CharField(_("game"), max_length=40)
    table_kind = models.CharField(_("kind of table"), max_length=8)
    level = models.PositiveSmallIntegerField(_("level of the program"), default=0)
    mu = models.FloatField(_("rating"))
    sigma = models.FloatField(_("uncertainty"))
    games = models.PositiveIntegerField(_("rated games"))

    class Meta:
        abstract = True

    @property
    def number(self) -> int:
        """The rating as it is shown."""
        return round(self.mu)

    @property
    def range(self) -> int:
        """How far the strength may lie from the number, 19 times of 20."""
        return round(RANGE * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Whether the range is still too wide to compare players by the number."""
        return RANGE * self.sigma > PROVISIONAL_ABOVE


class Rating(Strength):
    """The newest rating of a player in a kind of game and table; of a program, at a level.

    Deleted accounts have none.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="ratings",
        db_index=False,
        verbose_name=_("player"),
    )
    of_program = models.BooleanField(_("of a program"))
    changed_at = models.DateTimeField(_("last game"))

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint(
                fields=["player", "rules_slug", "table_kind", "level"], name="one_rating"
            ),
        ]
        indexes = [
            models.Index(
                fields=["rules_slug", "table_kind", "of_program", "-mu", "-id"],
                name="rating_list",
                condition=Q(sigma__lte=PROVISIONAL_ABOVE / RANGE),
            ),
            models.Index(fields=["rules_slug", "id"], name="ratings_of_a_game"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.rules_slug} {self.number} ± {self.range}"


class RatingChange(Strength):
    """What a game made of a player's rating: from `mu_before` and `sigma_before` to the new ones.

    `games` counts this game. `ended_at` is the game's: changes follow each other in the order of
    (ended_at, game). `people` is the same for games of the same people. `weight` is how much of the
    change counts, from 0 to 1.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="rating_changes")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="rating_changes",
        db_index=False,
        verbose_name=_("player"),
    )
    ended_at = models.DateTimeField(_("game ended"))
    mu_before = models.FloatField(_("rating before"))
    sigma_before = models.FloatField(_("uncertainty before"))
    people = models.CharField(_("who played"), max_length=64)
    weight = models.FloatField(_("weight"))

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        constraints = [
            models.UniqueConstraint(fields=["game", "player"], name="one_change_a_player"),
            models.CheckConstraint(
                name="weight_is_a_share", condition=Q(weight__gte=0, weight__lte=1)
            ),
        ]
        indexes = [
            models.Index(
                F("player"),
                F("rules_slug"),
                F("table_kind"),
                F("level"),
                F("ended_at").desc(),
                F("game").desc(),
                name="changes_of_a_rating",
            ),
            models.Index(fields=["people", "ended_at"], name="games_of_the_same"),
        ]

    def __str__(self) -> str:
        return f"#{self.game_id}: {self.player_id} {self.number_before} → {self.number}"

    @property
    def number_before(self) -> int:
        """The rating before the game, as it is shown."""
        return round(self.mu_before)

    @property
    def gained(self) -> int:
        """The difference of the two numbers."""
        return self.number - self.number_before

    @property
    def gain(self) -> str:
        """The difference with its sign."""
        return f"{self.gained:+}".replace("-", "−")


class RatingMark(models.Model):
    """A rated game that has just ended, or whose end was just removed: `ended_at` was its end.

    Ratings are computed again from there on. Rows are only inserted and deleted, so that games that
    end at once never wait for each other.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="rating_marks")
    rules_slug = models.CharField(_("game"), max_length=40)
    ended_at = models.DateTimeField(_("game ended"))

    class Meta:
        verbose_name = _("game to be rated")
        verbose_name_plural = _("games to be rated")
        indexes = [models.Index(fields=["rules_slug"], name="marks_of_a_game")]

    def __str__(self) -> str:
        return f"#{self.game_id}"


class RatingProgress(models.Model):
    """Which game of a kind is rated next: the first one from (`next_at`, `next_game`) on.

    None: all are rated. Whoever rates games of a kind locks its row.
    """

    rules_slug = models.CharField(_("game"), max_length=40, unique=True)
    next_at = models.DateTimeField(_("goes on from"), null=True, blank=True)
    next_game = models.PositiveBigIntegerField(_("from game"), null=True, blank=True)

    class Meta:
        verbose_name = _("progress of ratings")
        verbose_name_plural = _("progress of ratings")
        constraints = [
            models.CheckConstraint(
                name="next_game_has_a_time",
                condition=Q(next_at=None, next_game=None)
                | Q(next_at__isnull=False, next_game__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.rules_slug
