"""Everything that happened at games, newest first."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from games.admin.looking import FirstThousand, OnlyToLookAt, number_in, people_called
from games.models import Event


@admin.register(Event)
class EventAdmin(OnlyToLookAt, admin.ModelAdmin):
    """What happened, newest first."""

    list_display = ["at", "kind", "game", "actor", "turn_number", "noticed_at"]
    list_filter = ["kind", ("noticed_at", admin.EmptyFieldListFilter)]
    list_select_related = ["game", "actor"]
    list_per_page = 50
    paginator = FirstThousand
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    search_fields = ["game", "actor"]  # shows the field; `get_search_results` does it
    sortable_by = ()
    ordering = ["-pk"]
    fields = ["game", "kind", "at", "actor", "turn_number", "invitation", "details", "noticed_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Return the events with what they name."""
        named = ("game", "actor", "invitation__game", "invitation__user")
        return super().get_queryset(request).select_related(*named)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find events by the number of their game, or by the beginning of who did it."""
        if not search_term.strip():
            return queryset, False
        number = number_in(search_term)
        if number is not None:
            return queryset.filter(game_id=number), False
        return queryset.filter(actor__in=people_called(search_term)), False
