"""Wishes for opponents, ratings, and the players and games of leagues: read only.

A moderator can remove a player from a season and annul one of its games, with a reason.
"""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.server_time import server_now
from games.clock.durations import pace_in_words
from games.models import LeagueGame, Rating, Season, SeasonEntry, Wish
from games.moderation.admin.actions import ObjectAction, calls
from games.moderation.admin.base import ModerationAdmin, user_of
from games.moderation.admin.games import Choices, RulesFilter
from games.moderation.admin.large_tables import newest_of, parse_key, short_moment
from games.moderation.competition import annul_game, remove_from_season
from games.moderation.permissions import is_moderator
from games.queries.fair_play import LOOKED_AT, LOOKED_BACK, fair_play_hints
from games.queries.ratings import kind_words, rated_level_words, rating_words
from games.rules.registry import english_name


class OpenWishesFilter(RulesFilter):
    """The wishes for one game that nobody has withdrawn."""

    title = _("not withdrawn, for")
    parameter_name = "open"

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return super().queryset(
            request, queryset.filter(withdrawn_at=None) if self.value() else queryset
        )


class RunningSeasonFilter(admin.SimpleListFilter):
    """The entries or games of a season that is being played: there is at most one of a league."""

    title = _("season")
    parameter_name = "season"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        running = Season.objects.filter(started_at__isnull=False, ended_at=None)
        return [(str(one.pk), str(one)) for one in running.select_related("league")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if not self.value():
            return queryset
        field = "season" if queryset.model is SeasonEntry else "division__season"
        return queryset.filter(**{field: parse_key(self.value() or "")})


@admin.register(Wish)
class WishAdmin(ModerationAdmin):
    list_display = ["made", "user", "game", "time", "ratings", "at_once", "state"]
    list_filter = [OpenWishesFilter]
    prefetch_users = ["user"]
    search_fields = ["user"]  # shows the field; `get_search_results` does it
    search_help_text = _("The beginning of a player’s name.")
    user_field = "user"

    @admin.display(description=_("made"))
    def made(self, wish: Wish) -> str:
        return short_moment(wish.made_at)

    @admin.display(description=_("game"))
    def game(self, wish: Wish) -> str:
        return wish.name

    @admin.display(description=_("pace"))
    def time(self, wish: Wish) -> str:
        return pace_in_words(wish.time_control)

    @admin.display(description=_("ratings"))
    def ratings(self, wish: Wish) -> str:
        """Return the ratings that an opponent may have."""
        if wish.lowest is None and wish.highest is None:
            return ""
        return f"{wish.lowest or 0} – {wish.highest or ''}"

    @admin.display(description=_("state"))
    def state(self, wish: Wish) -> str:
        if wish.withdrawn_at is not None:
            return gettext("withdrawn")
        if wish.rests_since is not None:
            return gettext("rests")
        return gettext("waits") if wish.waits_since is not None else ""


@admin.register(Rating)
class RatingAdmin(ModerationAdmin):
    change_list_template = "admin/games/rating/change_list.html"
    list_display = ["player", "game", "kind", "level_words", "strength", "games", "changed"]
    list_filter = [RulesFilter]
    prefetch_users = ["player"]
    search_fields = ["player"]  # shows the field; `get_search_results` does it
    search_help_text = _("The beginning of a player’s name.")
    user_field = "player"

    @admin.display(description=_("game"))
    def game(self, rating: Rating) -> str:
        return gettext(english_name(rating.rules_slug))

    @admin.display(description=_("kind of table"))
    def kind(self, rating: Rating) -> str:
        return kind_words(rating.table_kind)

    @admin.display(description=_("level of the program"))
    def level_words(self, rating: Rating) -> str:
        return rated_level_words(rating)

    @admin.display(description=_("rating"))
    def strength(self, rating: Rating) -> str:
        return rating_words(rating)

    @admin.display(description=_("last game"))
    def changed(self, rating: Rating) -> str:
        return short_moment(rating.changed_at)

    def get_urls(self) -> list[Any]:
        hints = self.admin_site.admin_view(self.hints_view)
        return [path("hints/", hints, name="games_rating_hints"), *super().get_urls()]

    def hints_view(self, request: HttpRequest) -> HttpResponse:
        """Show what may not be fair. This page alone does, and only to moderators."""
        viewer = user_of(request)
        if request.method not in ("GET", "HEAD") or not is_moderator(viewer):
            raise PermissionDenied
        context = {
            "opts": self.opts,
            "title": gettext("Hints about fair play"),
            "hints": fair_play_hints(viewer, now=server_now()),
            "days": LOOKED_BACK.days,
            "most": LOOKED_AT,
        }
        site = self.admin_site.each_context(request)
        return TemplateResponse(request, "admin/games/rating/hints.html", site | context)


def _plays(entry: SeasonEntry, viewer: User) -> bool:
    return entry.division_id is not None and entry.left_at is None


@admin.register(SeasonEntry)
class SeasonEntryAdmin(ModerationAdmin):
    list_display = ["joined", "user", "partner_name", "season", "division_number", "state", "left"]
    list_filter = [RunningSeasonFilter]
    list_select_related = ["season__league", "division", "partner_of__user", "partner__user"]
    prefetch_users = ["user"]
    search_fields = ["user"]  # shows the field; `get_search_results` does it
    search_help_text = _("The beginning of a player’s name.")
    user_field = "user"
    change_form_template = "admin/games/message/change_form.html"
    object_actions = [
        ObjectAction(
            "remove",
            _("Remove from the season"),
            _("The running games of the season are resigned. The player is told the reason."),
            _("The player is removed from the season."),
            calls("entry_id", remove_from_season),
            is_available=_plays,
            is_destructive=True,
        )
    ]

    def get_subject(self, key: str) -> SeasonEntry | None:
        found = SeasonEntry.objects.select_related("user", "season__league", "division")
        return found.filter(pk=parse_key(key)).first()

    @admin.display(description=_("joined"))
    def joined(self, entry: SeasonEntry) -> str:
        return short_moment(entry.joined_at)

    @admin.display(description=_("division"))
    def division_number(self, entry: SeasonEntry) -> str:
        return str(entry.division.number) if entry.division is not None else ""

    @admin.display(description=_("partner"))
    def partner_name(self, entry: SeasonEntry) -> str:
        return str(entry.teammate.user) if entry.teammate is not None else ""

    @admin.display(description=_("left"))
    def left(self, entry: SeasonEntry) -> str:
        return entry.get_left_because_display()


def _counts(row: LeagueGame, viewer: User) -> bool:
    return row.game_id is not None and row.annulled_at is None


@admin.register(LeagueGame)
class LeagueGameAdmin(ModerationAdmin):
    list_display = ["number", "season", "one", "two", "annulled"]
    list_filter = [RunningSeasonFilter]
    search_fields = ["game", "player"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or the beginning of a player’s name.")
    number_field = "game_id"
    user_field = "first__user"
    fields = ["number", "season", "one", "two", "leg", "annulled"]
    readonly_fields = ["number", "season", "one", "two", "annulled"]
    change_form_template = "admin/games/message/change_form.html"
    object_actions = [
        ObjectAction(
            "annul",
            _("Annul the game"),
            _("It counts for nobody. If it still runs, it ends without a result."),
            _("The game is annulled."),
            lambda row, **arguments: annul_game(game_id=row.game_id, **arguments),
            is_available=_counts,
            is_destructive=True,
        )
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        people = ("first__user", "first__partner__user", "second__user", "second__partner__user")
        return super().get_queryset(request).select_related("division__season__league", *people)

    def about_users(self, queryset: QuerySet, users: list[int]) -> QuerySet:
        """Return the newest games in which any of these users plays on either side."""
        # As `SeasonEntry.table_key`: one entry of a team stands in the tables.
        entries = newest_of(SeasonEntry, "user", users, Coalesce("partner_of", "pk"))
        sides = (newest_of(LeagueGame, side, entries) for side in ("first", "second"))
        return queryset.filter(pk__in={key for keys in sides for key in keys})

    def get_subject(self, key: str) -> LeagueGame | None:
        found = LeagueGame.objects.select_related("division__season__league")
        return found.filter(pk=parse_key(key)).first()

    @admin.display(description=_("game"))
    def number(self, row: LeagueGame) -> str:
        return f"#{row.game_id}" if row.game_id is not None else gettext("not begun")

    @admin.display(description=_("season"))
    def season(self, row: LeagueGame) -> str:
        return str(row.division)

    @admin.display(description=_("first player"))
    def one(self, row: LeagueGame) -> str:
        return row.first.name

    @admin.display(description=_("second player"))
    def two(self, row: LeagueGame) -> str:
        return row.second.name

    @admin.display(description=_("annulled"))
    def annulled(self, row: LeagueGame) -> str:
        return short_moment(row.annulled_at)
