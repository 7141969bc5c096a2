"""Everything that happened at games, newest first."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.looking import OnlyToLookAt, short
from games.models import Event


class TellersFilter(admin.EmptyFieldListFilter):
    """Whether those concerned have been told."""

    def choices(self, changelist: Any) -> Any:
        """Say what empty means here."""
        words = [None, _("not noticed yet"), _("noticed")]
        for choice, said in zip(super().choices(changelist), words, strict=True):
            yield choice | {"display": said or choice["display"]}


@admin.register(Event)
class EventAdmin(OnlyToLookAt):
    """What happened, newest first."""

    list_display = ["moment", "kind", "game", "actor", "turn_number", "noticed"]
    list_filter = ["kind", ("noticed_at", TellersFilter)]
    list_select_related = ["game", "actor"]
    search_fields = ["game", "actor"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or how a player’s name begins.")
    found_by_number, found_by_name = "game_id", "actor"
    fields = ["game", "kind", "at", "actor", "turn_number", "invitation", "details", "noticed_at"]

    @admin.display(description=_("when"))
    def moment(self, event: Event) -> str:
        """Return when, in few letters."""
        return short(event.at)

    @admin.display(description=_("noticed"))
    def noticed(self, event: Event) -> str:
        """Return when those concerned were told."""
        return short(event.noticed_at)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Return the events with what they name."""
        named = ("game", "actor", "invitation__game", "invitation__user")
        return super().get_queryset(request).select_related(*named)
