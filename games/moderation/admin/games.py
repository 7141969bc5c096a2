"""Games: the list with its filters, and the page of one game."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.server_time import server_now
from games.clock.clock import StopReason
from games.models import Game, Report
from games.models.report import WAITING
from games.moderation.admin.base import ModerationAdmin, sees_addresses, user_of
from games.moderation.admin.game_actions import ANNUL, GAME_ACTIONS
from games.moderation.admin.game_page import game_page_context, load_game
from games.moderation.admin.large_tables import game_numbers_of, parse_key, short_moment
from games.moderation.permissions import plays_in
from games.moderation.staff_stats import DAY, LONG
from games.rules.registry import all_rules

Choices = list[tuple[str, Any]]

# Filters: each has an index (see `Game.Meta`) ----------------------------------------------------


class RulesFilter(admin.SimpleListFilter):
    title = _("game")
    parameter_name = "rules_slug"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        return [(rules.slug, gettext(rules.name)) for rules in all_rules()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return queryset.filter(rules_slug=self.value()) if self.value() else queryset


class StalledFilter(admin.SimpleListFilter):
    """Games that do not go on, though they should."""

    title = _("stalled")
    parameter_name = "stalled"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        return [
            ("late", _("deadline passed a day ago")),
            ("stands", _("clock stopped for two weeks")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        now: Any = server_now()
        limits: dict[str, dict[str, Any]] = {
            "late": {"deadline__lt": now - DAY},
            "stands": {"stopped_at__lt": now - LONG},
        }
        return queryset.filter(**limits.get(self.value() or "", {}))


class StoppedFilter(admin.SimpleListFilter):
    """Games whose clock is stopped, and why."""

    title = _("clock stopped")
    parameter_name = "frozen"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        return [("any", _("for any reason")), *StopReason.choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() == "any":
            return queryset.exclude(stop_reason="")
        return queryset.filter(stop_reason=self.value()) if self.value() else queryset


class ReportedFilter(admin.SimpleListFilter):
    """Games with a report that is not closed."""

    title = _("reported")
    parameter_name = "reported"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        return [("yes", _("with an open report"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() != "yes":
            return queryset
        reports = Report.objects.filter(state__in=WAITING, game__isnull=False)
        return queryset.filter(pk__in=reports.values("game"))


@admin.register(Game)
class GameAdmin(ModerationAdmin):
    list_display = ["id", "played", "status", "players", "turn_number", "clock", "open"]
    list_display_links = ["id", "played"]
    list_filter = ["status", RulesFilter, StalledFilter, ReportedFilter, StoppedFilter, "is_public"]
    search_fields = ["number", "player"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or the beginning of a player’s name.")
    number_field = "pk"
    user_field = "seats__user"
    object_actions = (*GAME_ACTIONS, ANNUL)
    page_template = "admin/games/game/page.html"

    # The list ------------------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return super().get_queryset(request).prefetch_related("seats__user")

    def about_users(self, queryset: QuerySet, users: list[int]) -> QuerySet:
        return queryset.filter(pk__in=game_numbers_of(users))

    @admin.display(description=_("game"))
    def played(self, game: Game) -> str:
        return game.name

    @admin.display(description=_("players"))
    def players(self, game: Game) -> str:
        return ", ".join(str(seat.user or "—") for seat in game.seats.all())

    @admin.display(description=_("clock"))
    def clock(self, game: Game) -> str:
        """Return the deadline, or why the clock is stopped."""
        if game.deadline is None:
            return game.get_stop_reason_display() if game.stop_reason else ""
        return short_moment(game.deadline)

    @admin.display(description=_("public"), boolean=True)
    def open(self, game: Game) -> bool:
        return game.is_public

    # The page ------------------------------------------------------------------------------------

    def get_subject(self, key: str) -> Game | None:
        return load_game(parse_key(key))

    def game_of(self, subject: Game) -> Game:
        return subject

    def newest_entry(self, subject: Any) -> int:
        return subject.newest_entry  # `load_game` has set it

    def available_actions(self, viewer: User, subject: Game) -> list[dict[str, Any]]:
        """Return the actions that are possible now: none on a game of one's own."""
        return [] if _has_part_in(subject, viewer) else super().available_actions(viewer, subject)

    def page_context(self, request: HttpRequest, subject: Game) -> dict[str, Any]:
        """Return the game at the turn that the address asks for."""
        # Who made a report is not shown to the players, even if they are moderators.
        own = _has_part_in(subject, user_of(request))
        shown = game_page_context(
            subject,
            turn=request.GET.get("turn", ""),
            before=request.GET.get("before", ""),
            shows_addresses=sees_addresses(request),
            shows_reports=not own,
            now=server_now(),
        )
        return shown | {"own": own}


def _has_part_in(game: Game, viewer: User) -> bool:
    """Return whether the viewer plays there, or did: `load_game` has loaded all turns."""
    return plays_in(game, viewer) or any(turn.player_id == viewer.pk for turn in game.turns.all())
