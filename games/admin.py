"""Games and what happened at them, for moderators: to look at, never to change."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import queries
from games.models import Event, Game, Invitation, Offer, Seat, Turn
from games.render.svg import board_svg
from games.rules.registry import UnknownGame, all_rules
from games.services.record import faults_of


class OnlyToLookAt:
    """Rows that only the services write."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody adds one by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody changes one by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody deletes one by hand."""
        return False


class PartOfAGame(OnlyToLookAt, admin.TabularInline):
    """A list on a game's page."""

    extra = 0
    loads: tuple[str, ...] = ("game",)
    """What a row reads from other tables."""

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return the rows with what they read from other tables, in one query."""
        return super().get_queryset(request).select_related(*self.loads).order_by("pk")


class SeatsOfAGame(PartOfAGame):
    """Who sits where, with the result."""

    model = Seat
    fields = ["number", "user", "place", "points"]
    loads = ("game", "user")


class TurnsOfAGame(PartOfAGame):
    """The record, with its hashes."""

    model = Turn
    fields = ["number", "seat", "player", "notation", "played_at", "via", "mark"]
    readonly_fields = ["mark"]
    loads = ("game", "player")

    @admin.display(description=_("hash"))
    def mark(self, turn: Turn) -> str:
        """Return enough of the hash to know it by."""
        return f"{turn.hash[:12]}…"


class OffersOfAGame(PartOfAGame):
    """What was offered, and what became of it."""

    model = Offer
    fields = ["kind", "seat", "state", "turn_number", "made_at", "closed_at"]
    loads = ("game", "seat__user")


class InvitationsOfAGame(PartOfAGame):
    """Who was asked."""

    model = Invitation
    fk_name = "game"
    fields = ["by", "user", "email", "seat_number", "state", "created_at", "answered_at"]
    loads = ("game", "by", "user")


class EventsOfAGame(PartOfAGame):
    """What happened, first things first."""

    model = Event
    fields = ["kind", "at", "actor", "turn_number", "details", "noticed_at"]
    loads = ("game", "actor")


class RulesFilter(admin.SimpleListFilter):
    """One game's name instead of its slug."""

    title = _("game")
    parameter_name = "rules_slug"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        """Return the games of this house."""
        return [(rules.slug, gettext(rules.name)) for rules in all_rules()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the games that were chosen."""
        return queryset.filter(rules_slug=self.value()) if self.value() else queryset


@admin.register(Game)
class GameAdmin(OnlyToLookAt, admin.ModelAdmin):
    """Every game, its board drawn, its record checked."""

    list_display = ["id", "name", "status", "players", "turn_number", "deadline", "is_public"]
    list_display_links = ["id", "name"]
    list_filter = ["status", RulesFilter, "is_public"]
    search_fields = ["=id", "seats__user__username", "seats__user__display_name"]
    ordering = ["-pk"]
    list_per_page = 50
    inlines = [SeatsOfAGame, TurnsOfAGame, OffersOfAGame, InvitationsOfAGame, EventsOfAGame]
    fields = [
        "drawing",
        "name",
        "options",
        "status",
        "ending",
        "is_public",
        "maker",
        "maker_seat",
        "rematch_of",
        "allowance",
        "created_at",
        "expires_at",
        "started_at",
        "ended_at",
        "turn_number",
        "seat_to_move",
        "turn_began_at",
        "deadline",
        "reminder_at",
        "program_due_at",
        "record",
        "position",
        "head_hash",
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Return the games with their people."""
        games = super().get_queryset(request)
        return games.select_related("maker", "rematch_of").prefetch_related("seats__user")

    @admin.display(description=_("game"), ordering="rules_slug")
    def name(self, game: Game) -> str:
        """Return the game's name in the active language."""
        try:
            return gettext(game.rules.name)
        except UnknownGame:
            return game.rules_slug

    @admin.display(description=_("players"))
    def players(self, game: Game) -> str:
        """Return everybody at the table, in the order of the seats."""
        return ", ".join(str(seat.user or "—") for seat in game.seats.all())

    @admin.display(description=_("board"))
    def drawing(self, game: Game) -> SafeString | str:
        """Return the newest position, drawn in colours of its own: no stylesheet is needed."""
        try:
            board = game.rules.board(queries.position_at(game), None, ())
        except Exception:
            return "—"
        # The renderer escapes all that it writes.
        return SafeString(
            board_svg(
                board, title=self.name(game), description="", theme="print", translate=gettext
            )
        )

    @admin.display(description=_("record"))
    def record(self, game: Game) -> str:
        """Return what is wrong with the record, or that it verifies."""
        try:
            faults = [fault.what for fault in faults_of(game)]
        except UnknownGame:
            faults = [gettext("This house does not know that game.")]
        return "; ".join(faults) or gettext("verified")


@admin.register(Event)
class EventAdmin(OnlyToLookAt, admin.ModelAdmin):
    """What happened, newest first."""

    list_display = ["at", "kind", "game", "actor", "turn_number", "noticed_at"]
    list_filter = ["kind", ("noticed_at", admin.EmptyFieldListFilter), "at"]
    search_fields = ["=game__id", "actor__username", "actor__display_name"]
    list_select_related = ["game", "actor"]
    ordering = ["-pk"]
    fields = ["game", "kind", "at", "actor", "turn_number", "invitation", "details", "noticed_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Return the events with what they name."""
        named = ("game", "actor", "invitation__game", "invitation__user")
        return super().get_queryset(request).select_related(*named)
