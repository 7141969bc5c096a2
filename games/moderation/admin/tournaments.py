"""Tournaments with their players, rounds and games: read only."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.clock.durations import pace_in_words
from games.models import Entrant, Round, Tournament, TournamentGame
from games.moderation.admin.base import ModerationAdmin
from games.moderation.admin.games import Choices
from games.moderation.admin.large_tables import newest_of, parse_key, short_moment

MOST_CHOICES = 50
"""How many of the tournaments that are not over a filter offers: the newest."""

SEARCH_HELP = _("A tournament’s number, or the beginning of a player’s name.")

HIDDEN = ("seed", "key")
"""What nobody is shown: the seed decides lots that may not be drawn yet, the key opens a link."""


class NotOverFilter(admin.SimpleListFilter):
    """The tournaments that can be joined, or that are being played."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        return [("open", _("can be joined")), ("running", _("is being played"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if not self.value():
            return queryset
        return queryset.filter(ended_at=None, started_at__isnull=self.value() == "open")


class TournamentFilter(admin.SimpleListFilter):
    """What belongs to a tournament that is not over."""

    title = _("tournament")
    parameter_name = "tournament"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        newest = Tournament.objects.filter(ended_at=None).order_by("-pk")[:MOST_CHOICES]
        return [(str(one.pk), str(one)) for one in newest]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if not self.value():
            return queryset
        field = "round__tournament" if queryset.model is TournamentGame else "tournament"
        return queryset.filter(**{field: parse_key(self.value() or "")})


@admin.register(Tournament)
class TournamentAdmin(ModerationAdmin):
    list_display = ["opened", "name_shown", "game", "form", "time", "opened_by", "starts", "state"]
    list_display_links = ["opened", "name_shown"]
    list_filter = [NotOverFilter]
    prefetch_users = ["opened_by"]
    search_fields = ["number", "player"]  # shows the field; `get_search_results` does it
    search_help_text = SEARCH_HELP
    number_field = "pk"
    user_field = "opened_by"
    exclude = HIDDEN

    @admin.display(description=_("opened"))
    def opened(self, tournament: Tournament) -> str:
        return short_moment(tournament.opened_at)

    @admin.display(description=_("name"))
    def name_shown(self, tournament: Tournament) -> str:
        return str(tournament)

    @admin.display(description=_("game"))
    def game(self, tournament: Tournament) -> str:
        return tournament.game_name

    @admin.display(description=_("pace"))
    def time(self, tournament: Tournament) -> str:
        return pace_in_words(tournament.terms.pace)

    @admin.display(description=_("starts"))
    def starts(self, tournament: Tournament) -> str:
        return short_moment(tournament.started_at or tournament.starts_at)

    @admin.display(description=_("state"))
    def state(self, tournament: Tournament) -> str:
        if tournament.is_cancelled:
            return gettext("cancelled")
        if tournament.ended_at:
            return gettext("is over") if tournament.started_at else gettext("was not played")
        return gettext("is being played") if tournament.started_at else gettext("can be joined")


@admin.register(Entrant)
class EntrantAdmin(ModerationAdmin):
    list_display = ["joined", "user", "tournament", "number", "group", "left"]
    list_filter = [TournamentFilter]
    list_select_related = ["tournament"]
    prefetch_users = ["user"]
    search_fields = ["number", "user"]  # shows the field; `get_search_results` does it
    search_help_text = SEARCH_HELP
    number_field = "tournament_id"
    user_field = "user"

    @admin.display(description=_("joined"))
    def joined(self, entrant: Entrant) -> str:
        return short_moment(entrant.joined_at)

    @admin.display(description=_("left"))
    def left(self, entrant: Entrant) -> str:
        return entrant.get_left_because_display()


@admin.register(Round)
class RoundAdmin(ModerationAdmin):
    list_display = ["started", "tournament", "number", "is_knockout", "final", "ended"]
    list_filter = [TournamentFilter]
    list_select_related = ["tournament"]

    @admin.display(description=_("started"))
    def started(self, one: Round) -> str:
        return short_moment(one.started_at)

    @admin.display(description=_("last possible day"))
    def final(self, one: Round) -> str:
        return short_moment(one.final_at)

    @admin.display(description=_("ended"))
    def ended(self, one: Round) -> str:
        return short_moment(one.ended_at)


@admin.register(TournamentGame)
class TournamentGameAdmin(ModerationAdmin):
    list_display = ["number", "tournament", "round_number", "board", "one", "two", "annulled"]
    list_filter = [TournamentFilter]
    search_fields = ["game", "player"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or the beginning of a player’s name.")
    number_field = "game_id"
    user_field = "first__user"
    fields = ["number", "tournament", "round_number", "board", "leg", "one", "two", "annulled"]
    readonly_fields = ["number", "tournament", "round_number", "one", "two", "annulled"]

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        named = ("round__tournament", "first__user", "second__user")
        return super().get_queryset(request).select_related(*named)

    def about_users(self, queryset: QuerySet, users: list[int]) -> QuerySet:
        """Return the newest games in which any of these users plays on either side."""
        entrants = newest_of(Entrant, "user", users)
        sides = (newest_of(TournamentGame, side, entrants) for side in ("first", "second"))
        return queryset.filter(pk__in={key for keys in sides for key in keys})

    @admin.display(description=_("game"))
    def number(self, row: TournamentGame) -> str:
        if row.second_id is None:
            return pgettext("tournament", "free")
        return f"#{row.game_id}" if row.game_id is not None else gettext("not begun")

    @admin.display(description=_("tournament"))
    def tournament(self, row: TournamentGame) -> str:
        return str(row.round.tournament)

    @admin.display(description=pgettext_lazy("tournament", "round"))
    def round_number(self, row: TournamentGame) -> str:
        return str(row.round.number)

    @admin.display(description=_("first player"))
    def one(self, row: TournamentGame) -> str:
        return str(row.first.user)

    @admin.display(description=_("second player"))
    def two(self, row: TournamentGame) -> str:
        return str(row.second.user) if row.second is not None else ""

    @admin.display(description=_("annulled"))
    def annulled(self, row: TournamentGame) -> str:
        return short_moment(row.annulled_at)
