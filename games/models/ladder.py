"""Ladders with their places, challenges and games."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.paths import page_path
from games.clock.time_control import per_turn
from games.competition.ladders import MOVE_TIME
from games.models.club import Club
from games.models.terms import Terms
from games.rules.registry import english_name


class Ladder(models.Model):
    """The ladder of a game, made when the first player joins. Its row is the lock of its places.

    That of a club is for its members alone. Without a club it is the site's.
    """

    rules_slug = models.CharField(_("game"), max_length=40)
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="ladders", null=True, blank=True
    )
    made_at = models.DateTimeField(_("made"))

    size: int  # only ladders that `games.queries.ladders` has read know these
    own: int | None

    class Meta:
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["rules_slug"], name="one_ladder_a_game", condition=Q(club__isnull=True)
            ),
            models.UniqueConstraint(
                fields=["club", "rules_slug"],
                name="one_ladder_a_game_and_club",
                condition=Q(club__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        if self.club is None:
            return self.name
        names = {"game": self.name, "club": self.club}
        return gettext("%(game)s in the club %(club)s") % names

    def get_absolute_url(self) -> str:
        """Return the address of the ladder's page."""
        if self.club is None:
            return page_path("ladder", self.rules_slug)
        return page_path("club_ladder", self.club.slug, self.rules_slug)

    @property
    def name(self) -> str:
        """The name of its game in the active language."""
        return gettext(english_name(self.rules_slug))

    @property
    def terms(self) -> Terms:
        """What its games agree about time: rated, with vacations and days off."""
        return Terms(per_turn(MOVE_TIME), is_rated=True)


class LadderPlace(models.Model):
    """A player of a ladder. The places of those who are on it are exactly 1 to their number.

    Who has left has no place; `left_place` is where they come back from. `idle_from` is since when
    the time counts after which they sink next (`sinks_at`, unless they are away), and `sunk` how
    often they have sunk since they last played. `has_declined` means that their free decline is
    used: it comes back with the next challenge that they accept.
    """

    class Left(models.TextChoices):
        """Why somebody left a ladder."""

        ASKED = "asked", _("left the ladder")
        IDLE = "idle", _("has not played for long")
        ABSENT = "absent", _("cannot play any more")
        REMOVED = "removed", _("removed by a moderator")

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="places")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ladder_places"
    )
    place = models.IntegerField(_("place"), null=True, blank=True)
    joined_at = models.DateTimeField(_("joined"))
    idle_from = models.DateTimeField(_("idle since"))
    sinks_at = models.DateTimeField(_("sinks"))
    sunk = models.PositiveSmallIntegerField(_("times sunk"), default=0)
    has_declined = models.BooleanField(_("free decline used"), default=False)
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    left_place = models.PositiveIntegerField(_("place before"), null=True, blank=True)
    left_because = models.CharField(_("why"), max_length=10, choices=Left, blank=True, default="")
    removed_because = models.CharField(_("reason"), max_length=500, blank=True, default="")
    told_left_at = models.DateTimeField(_("told of it"), null=True, blank=True)

    class Meta:
        verbose_name = _("place on a ladder")
        verbose_name_plural = _("places on ladders")
        ordering = ["ladder", "place"]
        constraints = [
            models.UniqueConstraint(fields=["ladder", "user"], name="one_place_a_player"),
            models.UniqueConstraint(fields=["ladder", "place"], name="one_player_a_place"),
            models.CheckConstraint(
                name="who_left_a_ladder_has_no_place",
                condition=Q(place__isnull=True, left_at__isnull=False)
                | Q(place__isnull=False, left_at__isnull=True),
            ),
        ]
        indexes = [
            models.Index(fields=["sinks_at"], name="place_sinks", condition=Q(place__isnull=False)),
            models.Index(
                fields=["id"],
                name="place_left_untold",
                condition=Q(left_because__gt="asked", told_left_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id}: {self.user_id}"

    @property
    def rank(self) -> int:
        """The place of a player who is on the ladder."""
        assert self.place is not None  # noqa: S101  (who has left is not asked)
        return self.place


class LadderChallenge(models.Model):
    """A challenge for the place of a player, and its game once it is accepted.

    `due_at` is until when it can be answered; it moves while the challenged is away. `has_moved`
    means that the challenger took the place because of it. `told` is the newest state of which the
    letters are written.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waits for an answer")
        PLAYING = "playing", _("is being played")
        OVER = "over", _("is over")

    class Outcome(models.TextChoices):
        """How a challenge ended."""

        WON = "won", _("the challenger won")
        DRAWN = "drawn", _("drawn")
        LOST = "lost", _("the challenger lost")
        VOID = "void", _("the game ended without a result")
        SPARED = "spared", _("declined, which was free")
        DECLINED = "declined", _("declined")
        UNANSWERED = "unanswered", _("not answered")
        WITHDRAWN = "withdrawn", _("withdrawn")
        LEFT = "left", _("a player left the ladder")

    BY_GAME = (Outcome.WON, Outcome.DRAWN, Outcome.LOST, Outcome.VOID)
    """The outcomes that are those of the game."""

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="challenges")
    challenger = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ladder_challenges_made"
    )
    challenged = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="ladder_challenges_received",
    )
    made_at = models.DateTimeField(_("made"))
    due_at = models.DateTimeField(_("to be answered until"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome, blank=True, default="")
    game = models.OneToOneField(
        "games.Game",
        on_delete=models.PROTECT,
        related_name="ladder_challenge",
        null=True,
        blank=True,
    )
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    ended_at = models.DateTimeField(_("over since"), null=True, blank=True)
    has_moved = models.BooleanField(_("the challenger took the place"), default=False)
    told = models.CharField(_("told"), max_length=10, choices=State, blank=True, default="")

    class Meta:
        verbose_name = _("ladder challenge")
        verbose_name_plural = _("ladder challenges")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="nobody_challenges_themselves", condition=~Q(challenger=F("challenged"))
            ),
            models.UniqueConstraint(
                fields=["ladder", "challenger", "challenged"],
                name="one_waiting_challenge_a_pair",
                condition=Q(state="waiting"),
            ),
            models.CheckConstraint(
                name="challenge_that_is_over_has_an_outcome",
                condition=Q(state="over", ended_at__isnull=False, outcome__gt="")
                | (~Q(state="over") & Q(ended_at__isnull=True, outcome="")),
            ),
        ]
        indexes = [
            models.Index(
                fields=["ladder", "state"], name="challenge_goes_on", condition=~Q(state="over")
            ),
            models.Index(fields=["due_at"], name="challenge_due", condition=Q(state="waiting")),
            models.Index(fields=["id"], name="challenge_untold", condition=~Q(told=F("state"))),
            models.Index(fields=["ladder", "-ended_at"], name="challenges_over"),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id}: {self.challenger_id} – {self.challenged_id}"

    def get_absolute_url(self) -> str:
        """Return the address of its game, else of the ladder."""
        return self.game.get_absolute_url() if self.game else self.ladder.get_absolute_url()

    @classmethod
    def reopen(cls, game_id: int) -> None:
        """Let the challenge of a game that runs again, if it has one, go on until its next end.

        Who has taken a place keeps it until then.
        """
        by_game = cls.objects.filter(game=game_id, state="over", outcome__in=cls.BY_GAME)
        by_game.update(state="playing", outcome="", ended_at=None)
