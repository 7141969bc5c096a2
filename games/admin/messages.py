"""What players say, for moderators: to hide with a reason, never to change."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.admin.asking import Ask, AskForm, AsksFirst
from games.admin.looking import FirstThousand, OnlyToLookAt, number_in, people_called
from games.models import Message
from games.services.moderation import sayings


def _hide(message: Message, **how: Any) -> object:
    return sayings.hide(message_id=message.pk, **how)


def _show(message: Message, **how: Any) -> object:
    return sayings.show(message_id=message.pk, **how)


def _is_shown(message: Message, viewer: User) -> bool:
    return message.hidden_at is None


def _is_hidden(message: Message, viewer: User) -> bool:
    return message.hidden_at is not None


@admin.register(Message)
class MessageAdmin(AsksFirst, OnlyToLookAt, admin.ModelAdmin):
    """What players say; a moderator can hide it, and show it again."""

    asks = [
        Ask(
            "hide-message",
            _("Hide the message"),
            _("Nobody reads it any more, on the page or in a mail."),
            _("The message is hidden."),
            _hide,
            AskForm,
            _is_shown,
        ),
        Ask(
            "show-message",
            _("Show the message again"),
            _("Everybody reads it again."),
            _("The message can be read again."),
            _show,
            AskForm,
            _is_hidden,
        ),
    ]
    change_form_template = "admin/games/message/change_form.html"
    list_display = ["said_at", "game", "author", "text", "hidden_at"]
    list_filter = [("hidden_at", admin.EmptyFieldListFilter)]
    search_fields = ["game", "author"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or how a player’s name begins.")
    sortable_by = ()
    list_select_related = ["game", "author"]
    list_per_page = 50
    paginator = FirstThousand
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    ordering = ["-pk"]
    actions = None

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find messages by the number of their game, or by the beginning of who said them."""
        if not search_term.strip():
            return queryset, False
        number = number_in(search_term)
        if number is not None:
            return queryset.filter(game_id=number), False
        return queryset.filter(author__in=people_called(search_term)), False

    def subject(self, key: str) -> Message | None:
        """Return a message with its author."""
        if not (key.isascii() and key.isdigit() and len(key) < 19):  # noqa: PLR2004
            return None
        return Message.objects.select_related("author", "game").filter(pk=int(key)).first()

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a message, with what can be done about it."""
        message, viewer = self.subject(object_id), request.user
        assert isinstance(viewer, User)  # noqa: S101  (admin_view lets nobody else in)
        offered = self.offered_to(viewer, message) if message is not None else []
        return super().change_view(request, object_id, form_url, {"offered": offered})
