"""The list of games, the page of one, and what a moderator does there."""

from typing import Any, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.admin import sources  # noqa: F401  (what the timeline shows)
from games.admin.actions import ACTION, Action
from games.admin.filters import FrozenFilter, ReportedFilter, RulesFilter, StalledFilter
from games.admin.forms import ReasonForm
from games.admin.looking import FirstThousand, OnlyToLookAt, games_of, number_in, people_called
from games.admin.page import game_at, name_of, page_context
from games.models import Game
from games.services.errors import Refusal
from games.services.moderation.deeds import newest_act
from games.services.moderation.rights import moderates


@admin.register(Game)
class GameAdmin(OnlyToLookAt, admin.ModelAdmin):
    """Every game: lists that stay quick, a page with everything, acts with a reason."""

    list_display = ["id", "name", "status", "players", "turn_number", "clock", "open"]
    list_display_links = ["id", "name"]
    list_filter = ["status", RulesFilter, StalledFilter, ReportedFilter, FrozenFilter, "is_public"]
    search_fields = ["number", "player"]  # shows the field; `get_search_results` does it
    search_help_text = gettext_lazy("A game’s number, or how a player’s name begins.")
    sortable_by = ()
    ordering = ["-pk"]
    list_per_page = 50
    paginator = FirstThousand
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    actions = None

    # The list ------------------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Return the games with their people."""
        return super().get_queryset(request).prefetch_related("seats__user")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find a game by its number, or the newest thousand of whoever's name begins so."""
        if not search_term.strip():
            return queryset, False
        number = number_in(search_term)
        if number is not None:
            return queryset.filter(pk=number), False
        return queryset.filter(pk__in=games_of(people_called(search_term))), False

    @admin.display(description=gettext_lazy("game"))
    def name(self, game: Game) -> str:
        """Return the game's name in the active language."""
        return name_of(game)

    @admin.display(description=gettext_lazy("players"))
    def players(self, game: Game) -> str:
        """Return everybody at the table, in the order of the seats."""
        return ", ".join(str(seat.user or "—") for seat in game.seats.all())

    @admin.display(description=gettext_lazy("clock"))
    def clock(self, game: Game) -> str:
        """Return until when the turn lasts, or why the clock stands."""
        if game.deadline is None:
            return game.get_stopped_for_display() if game.stopped_for else ""
        return date_format(timezone.localtime(game.deadline), "SHORT_DATETIME_FORMAT")

    @admin.display(description=gettext_lazy("public"), boolean=True)
    def open(self, game: Game) -> bool:
        """Tell whether everybody may look at it."""
        return game.is_public

    # The page ------------------------------------------------------------------------------------

    def get_urls(self) -> list[Any]:
        """Add the address of each act."""
        act = self.admin_site.admin_view(self.act)
        where = path("<int:pk>/do/<slug:slug>/", act, name="games_game_do")
        return [where, *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a game; there is nothing to send here."""
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        game = self._game(request, object_id)
        if game is None:
            return self._get_obj_does_not_exist_redirect(  # type: ignore[attr-defined]
                request, self.opts, object_id
            )
        shown = page_context(
            game,
            cast(User, request.user),  # signed in, or we are not here
            turn=request.GET.get("turn", ""),
            before=request.GET.get("before", ""),
            now=timezone.now(),
        )
        return self._page(request, "admin/games/game/page.html", shown)

    def _game(self, request: HttpRequest, key: str) -> Game | None:
        """Return a game for whoever may look at it. Raises PermissionDenied."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return game_at(key)

    def _page(self, request: HttpRequest, template: str, shown: dict[str, Any]) -> TemplateResponse:
        title = f"{name_of(shown['game'])} #{shown['game'].pk}"
        frame = self.admin_site.each_context(request) | {"opts": self.opts, "title": title}
        return TemplateResponse(request, template, frame | shown)

    # Acts ----------------------------------------------------------------------------------------

    def act(self, request: HttpRequest, pk: int, slug: str) -> HttpResponse:
        """Ask whether an act is meant, then do it. Nothing is done before that is answered."""
        game, action = self._game(request, str(pk)), ACTION.get(slug)
        if game is None or action is None:
            raise Http404
        if not moderates(cast(User, request.user)):
            raise PermissionDenied
        form = action.form(game, request.POST if request.method == "POST" else None)
        if not form.is_bound:
            newest = newest_act(game)
            form.initial["seen"] = newest.number if newest else 0
        if form.is_valid() and "confirmed" in request.POST:
            return self._do(request, game, action, form)
        asked = {"game": game, "action": action, "form": form}
        asked["chosen"] = list(form.chosen()) if form.is_bound and form.is_valid() else None
        return self._page(request, "admin/games/game/act.html", asked)

    def _do(
        self, request: HttpRequest, game: Game, action: Action, form: ReasonForm
    ) -> HttpResponse:
        """Do it, or say why not; either way the page of the game shows how it stands now."""
        try:
            result = action.do(
                game_id=game.pk,
                by=request.user,
                why=form.cleaned_data["why"],
                now=timezone.now(),
                seen=form.cleaned_data["seen"],
                **form.choices(),
            )
        except Refusal as refusal:
            said = _("Nothing was done: %(why)s") % {"why": refusal.sentence}
            self.message_user(request, said, messages.ERROR)
        else:
            words, good = action.words_of(result)
            self.message_user(request, words, messages.SUCCESS if good else messages.WARNING)
        return redirect(reverse("admin:games_game_change", args=[game.pk]))
