"""Everything that happened at games, newest first."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.server_time import server_now
from games.admin.addresses import HidesAddresses
from games.admin.base import ReadOnlyAdmin, short
from games.admin.reasons import person_of
from games.models import Event
from games.services.moderation.reading import log_read


class TellersFilter(admin.EmptyFieldListFilter):
    """Whether those concerned have been told."""

    def choices(self, changelist: Any) -> Any:
        """Say what empty means here."""
        words = [None, _("not noticed yet"), _("noticed")]
        for choice, said in zip(super().choices(changelist), words, strict=True):
            yield choice | {"display": said or choice["display"]}


@admin.register(Event)
class EventAdmin(HidesAddresses, ReadOnlyAdmin):
    """What happened, newest first."""

    list_display = ["moment", "kind", "game", "actor", "turn_number", "noticed"]
    list_filter = ["kind", ("noticed_at", TellersFilter)]
    list_select_related = ["game", "actor"]
    search_fields = ["game", "actor"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or how a player’s name begins.")
    found_by_number, found_by_name = "game_id", "actor"
    fields = ["game", "kind", "at", "actor", "turn_number", "asked", "details", "noticed_at"]
    readonly_fields = ["asked"]
    may_hold_addresses = ("asked",)

    @admin.display(description=_("when"))
    def moment(self, event: Event) -> str:
        """Return when, in few letters."""
        return short(event.at)

    @admin.display(description=_("invitation"))
    def asked(self, event: Event) -> str:
        """Return who was asked to the table, by name or by address."""
        if event.invitation is None:
            return ""
        return str(event.invitation.user or event.invitation.email)

    @admin.display(description=_("noticed"))
    def noticed(self, event: Event) -> str:
        """Return when those concerned were told."""
        return short(event.noticed_at)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show an event; its details tell the turn, so that a private game's are logged as read."""
        event = self.get_object(request, object_id)
        if event is not None and self.has_view_permission(request, event):
            log_read(event.game, by=person_of(request), page=request.path, now=server_now())
        return super().change_view(request, object_id, form_url, extra_context)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Return the events with what they name."""
        named = ("game", "actor", "invitation__game", "invitation__user")
        return super().get_queryset(request).select_related(*named)
