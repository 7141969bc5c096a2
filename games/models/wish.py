"""Standing wishes for opponents, and the games that began because of them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.clock.spans import NOTHING
from games.clock.time_control import PaceKind, TimeControl
from games.rules.base import AnyRules
from games.rules.registry import english_name, rules_for

MOST_AT_ONCE = 10
"""How many games a wish may have running at once, at most."""


class Wish(models.Model):
    """A player's wish for opponents in a game at a pace, until it is withdrawn.

    `lowest` and `highest` are the ratings that an opponent may have; null: any. `at_once` is how
    many games the wish may have running. `waits_since` is since when it waits for an opponent: null
    while it has enough games, or while its player cannot be paired (on vacation, suspended). It
    rests since `rests_since`, when its player let a game of it run out of time; a change ends that.
    """

    class Via(models.TextChoices):
        WEB = "web", _("on the web")
        MAIL = "mail", _("by mail")
        API = "api", _("by the API")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="wishes",
        verbose_name=_("player"),
    )
    rules_slug = models.CharField(_("game"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    pace = models.CharField(_("pace"), max_length=10, default=PaceKind.TURN)
    allowance = models.DurationField(_("time for, or after, each turn"), default=NOTHING)
    bank = models.DurationField(_("time at the start"), default=NOTHING)
    cap = models.DurationField(_("most time"), default=NOTHING)
    lowest = models.PositiveSmallIntegerField(_("lowest rating"), null=True, blank=True)
    highest = models.PositiveSmallIntegerField(_("highest rating"), null=True, blank=True)
    at_once = models.PositiveSmallIntegerField(_("games at once"), default=1)
    via = models.CharField(_("how"), max_length=10, choices=Via)
    made_at = models.DateTimeField(_("made"))
    changed_at = models.DateTimeField(_("changed"))
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    waits_since = models.DateTimeField(_("waits since"), null=True, blank=True)
    rests_since = models.DateTimeField(_("rests since"), null=True, blank=True)

    begun: int  # only wishes that `games.queries.wishes.open_wishes` has read know these
    running: int

    class Meta:
        verbose_name = _("wish for opponents")
        verbose_name_plural = _("wishes for opponents")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "rules_slug", "pace", "allowance", "bank", "cap"],
                name="one_open_wish_a_game_and_pace",
                condition=Q(withdrawn_at__isnull=True),
            ),
            models.CheckConstraint(
                name="wish_has_possible_numbers",
                condition=Q(at_once__range=(1, MOST_AT_ONCE))
                & (Q(lowest__isnull=True) | Q(highest__isnull=True) | Q(lowest__lte=F("highest"))),
            ),
            models.CheckConstraint(
                name="only_active_wishes_wait",
                condition=Q(waits_since__isnull=True)
                | Q(withdrawn_at__isnull=True, rests_since__isnull=True),
            ),
        ]
        indexes = [
            models.Index(
                fields=["rules_slug", "id"],
                name="open_wishes",
                condition=Q(withdrawn_at__isnull=True),
            ),
            models.Index(
                fields=["rules_slug", "pace", "allowance", "bank", "cap"],
                name="waiting_wishes_of_a_kind",
                condition=Q(waits_since__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} #{self.pk}"

    @property
    def name(self) -> str:
        """The name of its game in the active language."""
        return gettext(english_name(self.rules_slug))

    @property
    def rules(self) -> AnyRules:
        """The rules of its game."""
        return rules_for(self.rules_slug)

    @property
    def time_control(self) -> TimeControl:
        """How much time the players have."""
        return TimeControl(PaceKind(self.pace), self.allowance, self.bank, self.cap)


class WishGame(models.Model):
    """A game that began because of a wish: each of its two players has such a row.

    `waited` is how long the wish had waited for it; `rules_slug` and the pace are the wish's.
    """

    wish = models.ForeignKey(Wish, on_delete=models.CASCADE, related_name="games")
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="wish_games")
    rules_slug = models.CharField(_("game"), max_length=40)
    pace = models.CharField(_("pace"), max_length=10)
    allowance = models.DurationField(_("time for, or after, each turn"))
    bank = models.DurationField(_("time at the start"))
    cap = models.DurationField(_("most time"))
    began_at = models.DateTimeField(_("begun"))
    waited = models.DurationField(_("waited"))

    class Meta:
        verbose_name = _("game of a wish")
        verbose_name_plural = _("games of wishes")
        constraints = [
            models.UniqueConstraint(fields=["wish", "game"], name="one_row_a_wish_and_game"),
        ]
        indexes = [
            models.Index(
                fields=["rules_slug", "pace", "allowance", "bank", "cap", "-id"],
                name="waits_of_a_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.wish_id}: #{self.game_id}"
