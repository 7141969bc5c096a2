"""The list of games, the page of one, and what a moderator does there."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.server_time import server_now
from games.admin import timeline_sources  # noqa: F401  (what the timeline shows)
from games.admin.addresses import sees_addresses
from games.admin.base import ReadOnlyAdmin, games_with, key_in, short
from games.admin.filters import FrozenFilter, ReportedFilter, RulesFilter, StalledFilter
from games.admin.game_acts import ASKS
from games.admin.game_page import game_at, game_page_context
from games.admin.object_actions import ObjectActionsMixin
from games.admin.reasons import person_of
from games.admin.timeline import without
from games.models import Game
from games.services.moderation.permissions import plays_in


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin, ObjectActionsMixin):
    """Every game: lists that stay quick, a page with everything, acts with a reason."""

    list_display = ["id", "played", "status", "players", "turn_number", "clock", "open"]
    list_display_links = ["id", "played"]
    list_filter = ["status", RulesFilter, StalledFilter, ReportedFilter, FrozenFilter, "is_public"]
    search_fields = ["number", "player"]  # shows the field; `get_search_results` does it
    search_help_text = gettext_lazy("A game’s number, or how a player’s name begins.")
    found_by_number, found_by_name = "pk", "seats__user"
    asks = ASKS
    page_template = "admin/games/game/page.html"

    # The list ------------------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Return the games with their people."""
        return super().get_queryset(request).prefetch_related("seats__user")

    def of_people(self, queryset: QuerySet, people: list[int]) -> QuerySet:
        """Keep the newest thousand games of these people."""
        return queryset.filter(pk__in=games_with(people))

    @admin.display(description=gettext_lazy("game"))
    def played(self, game: Game) -> str:
        """Return what is played."""
        return game.name

    @admin.display(description=gettext_lazy("players"))
    def players(self, game: Game) -> str:
        """Return everybody at the table, in the order of the seats."""
        return ", ".join(str(seat.user or "—") for seat in game.seats.all())

    @admin.display(description=gettext_lazy("clock"))
    def clock(self, game: Game) -> str:
        """Return until when the turn lasts, or why the clock stands."""
        if game.deadline is None:
            return game.get_stop_reason_display() if game.stop_reason else ""
        return short(game.deadline)

    @admin.display(description=gettext_lazy("public"), boolean=True)
    def open(self, game: Game) -> bool:
        """Tell whether everybody may look at it."""
        return game.is_public

    # The page ------------------------------------------------------------------------------------

    def subject(self, key: str) -> Game | None:
        """Return a game with its people and turns."""
        return game_at(key_in(key))

    def game_of(self, subject: Game) -> Game:
        """Return the game itself."""
        return subject

    def newest_act(self, subject: Any) -> int:
        """Return what `game_at` has put there."""
        return subject.newest_act

    def offered_to(self, viewer: User, subject: Game) -> list[dict[str, Any]]:
        """Return what is possible now; nothing at a game of one's own."""
        return [] if _has_part_in(subject, viewer) else super().offered_to(viewer, subject)

    def shown(self, request: HttpRequest, subject: Game) -> dict[str, Any]:
        """Return the game as it stands, or stood after the turn that was asked for."""
        turn, before = request.GET.get("turn", ""), request.GET.get("before", "")
        shown = game_page_context(
            subject,
            turn=turn,
            before=before,
            shows_addresses=sees_addresses(request),
            now=server_now(),
        )
        viewer = person_of(request)
        own = _has_part_in(subject, viewer)
        if own:  # who reports them is for the others to know
            shown["page"] = without(shown["page"], "report")
        return shown | {"own": own}


def _has_part_in(game: Game, viewer: User) -> bool:
    """Tell whether somebody plays there, or did: `game_at` has loaded all turns."""
    return plays_in(game, viewer) or any(turn.player_id == viewer.pk for turn in game.turns.all())
