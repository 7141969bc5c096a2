"""Messages of players: a moderator can hide them with a reason, and show them again."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Game, Message
from games.moderation import reports
from games.moderation.admin.actions import ObjectAction
from games.moderation.admin.base import ModerationAdmin
from games.moderation.admin.large_tables import parse_key, short_moment
from games.moderation.permissions import plays_in


def message_actions(message_of: Callable[[Any], Message | None]) -> list[ObjectAction]:
    """Return the actions on a message, for pages of objects in which `message_of` finds it."""

    def can_be(hidden: bool) -> Callable[[Any, User], bool]:
        def is_available(subject: Any, viewer: User) -> bool:
            message = message_of(subject)
            if message is None or (message.hidden_at is None) != hidden:
                return False
            return not plays_in(message.game, viewer)

        return is_available

    def calls(service: Callable[..., object]) -> Callable[..., object]:
        return lambda subject, **arguments: service(
            message_id=getattr(message_of(subject), "pk", 0), **arguments
        )

    return [
        ObjectAction(
            "hide-message",
            _("Hide the message"),
            _("Nobody can read it any more, on the page or in a mail."),
            _("The message is hidden."),
            calls(reports.hide_message),
            is_available=can_be(hidden=True),
        ),
        ObjectAction(
            "show-message",
            _("Show the message again"),
            _("Everybody can read it again."),
            _("The message can be read again."),
            calls(reports.show_message),
            is_available=can_be(hidden=False),
        ),
    ]


class HiddenFilter(admin.SimpleListFilter):
    title = _("hidden")
    parameter_name = "hidden"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return [("no", _("no")), ("yes", _("yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(hidden_at__isnull=self.value() == "no")


@admin.register(Message)
class MessageAdmin(ModerationAdmin):
    object_actions = message_actions(lambda message: message)
    change_form_template = "admin/games/message/change_form.html"
    list_display = ["said", "game", "author", "words", "hidden"]
    list_filter = [HiddenFilter]
    search_fields = ["game", "author"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or the beginning of a player’s name.")
    number_field = "game_id"
    user_field = "author"
    list_select_related = ["game", "author"]

    @admin.display(description=_("said"))
    def said(self, message: Message) -> str:
        return short_moment(message.said_at)

    @admin.display(description=_("text"))
    def words(self, message: Message) -> str:
        """Return the text; of a private game it is on the message's own page, which is logged."""
        if message.game.is_public:
            return message.text
        return gettext("(at a private game: open it to read)")

    @admin.display(description=_("hidden"))
    def hidden(self, message: Message) -> str:
        return short_moment(message.hidden_at)

    def game_of(self, subject: Message) -> Game:
        return subject.game

    def get_subject(self, key: str) -> Message | None:
        found = Message.objects.select_related("author", "game")
        return found.filter(pk=parse_key(key)).first()
