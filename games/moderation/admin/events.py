"""Events of games, newest first."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from games.models import Event
from games.moderation.admin.base import ModerationAdmin
from games.moderation.admin.large_tables import short_moment


class NoticedFilter(admin.EmptyFieldListFilter):
    """Whether notices were written about the event."""

    def choices(self, changelist: Any) -> Any:
        words = [None, _("not noticed yet"), _("noticed")]
        for choice, said in zip(super().choices(changelist), words, strict=True):
            yield choice | {"display": said or choice["display"]}


@admin.register(Event)
class EventAdmin(ModerationAdmin):
    list_display = ["moment", "kind", "game", "actor", "turn_number", "noticed"]
    list_filter = ["kind", ("noticed_at", NoticedFilter)]
    list_select_related = ["game", "actor"]
    search_fields = ["game", "actor"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or the beginning of a player’s name.")
    number_field = "game_id"
    user_field = "actor"
    fields = ["game", "kind", "at", "actor", "turn_number", "invited", "details", "noticed_at"]
    readonly_fields = ["invited"]
    address_fields = ("invited",)

    @admin.display(description=_("when"))
    def moment(self, event: Event) -> str:
        return short_moment(event.at)

    @admin.display(description=_("invitation"))
    def invited(self, event: Event) -> str:
        """Return the name or address of the invited person."""
        if event.invitation is None:
            return ""
        return str(event.invitation.user or event.invitation.email)

    @admin.display(description=_("noticed"))
    def noticed(self, event: Event) -> str:
        return short_moment(event.noticed_at)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show an event. Its details tell the turn, so a private game's are logged as read."""
        event = self.get_object(request, object_id)
        if event is not None and self.has_view_permission(request, event):
            self.log_private_read(request, event)
        return super().change_view(request, object_id, form_url, extra_context)

    def game_of(self, subject: Event) -> Any:
        return subject.game

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        named = ("game", "actor", "invitation__game", "invitation__user")
        return super().get_queryset(request).select_related(*named)
