"""What players say, for moderators: to hide with a reason, never to change."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.admin.base import ReadOnlyAdmin, key_in, short
from games.admin.object_actions import ObjectAction, ObjectActionsMixin
from games.models import Game, Message
from games.services.moderation import message_moderation
from games.services.moderation.permissions import plays_in

MessageOf = Callable[[Any], Message | None]


def asks_about(message_of: MessageOf) -> list[ObjectAction]:
    """Return the acts on a message, for the page of whatever `message_of` finds it by."""

    def judges(subject: Any, viewer: User, *, hidden: bool) -> bool:
        message = message_of(subject)
        if message is None or (message.hidden_at is not None) != hidden:
            return False
        return not plays_in(message.game, viewer)

    def to(service: Callable[..., object]) -> Callable[..., object]:
        return lambda subject, **how: service(
            message_id=getattr(message_of(subject), "pk", 0), **how
        )

    return [
        ObjectAction(
            "hide-message",
            _("Hide the message"),
            _("Nobody reads it any more, on the page or in a mail."),
            _("The message is hidden."),
            to(message_moderation.hide_message),
            offered=lambda subject, viewer: judges(subject, viewer, hidden=False),
        ),
        ObjectAction(
            "show-message",
            _("Show the message again"),
            _("Everybody reads it again."),
            _("The message can be read again."),
            to(message_moderation.show_message),
            offered=lambda subject, viewer: judges(subject, viewer, hidden=True),
        ),
    ]


class HiddenFilter(admin.SimpleListFilter):
    """Whether a moderator has hidden a message."""

    title = _("hidden")
    parameter_name = "hidden"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        """Return the two choices."""
        return [("no", _("no")), ("yes", _("yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the messages that were chosen."""
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(hidden_at__isnull=self.value() == "no")


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin, ObjectActionsMixin):
    """What players say; a moderator can hide it, and show it again."""

    asks = asks_about(lambda message: message)
    change_form_template = "admin/games/message/change_form.html"
    list_display = ["said", "game", "author", "words", "hidden"]
    list_filter = [HiddenFilter]
    search_fields = ["game", "author"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or how a player’s name begins.")
    found_by_number, found_by_name = "game_id", "author"
    list_select_related = ["game", "author"]

    @admin.display(description=_("said"))
    def said(self, message: Message) -> str:
        """Return when, in few letters."""
        return short(message.said_at)

    @admin.display(description=_("text"))
    def words(self, message: Message) -> str:
        """Return the text; of a private game it is on the message's own page, which is logged."""
        if message.game.is_public:
            return message.text
        return gettext("(at a private game: open it to read)")

    @admin.display(description=_("hidden"))
    def hidden(self, message: Message) -> str:
        """Return since when nobody reads it."""
        return short(message.hidden_at)

    def game_of(self, subject: Message) -> Game:
        """Return the game at which it was said."""
        return subject.game

    def subject(self, key: str) -> Message | None:
        """Return a message with its author."""
        messages = Message.objects.select_related("author", "game")
        return messages.filter(pk=key_in(key)).first()
