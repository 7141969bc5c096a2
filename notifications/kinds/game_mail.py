"""Mails about an event at a game: the board, the clock, one button."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db.models import prefetch_related_objects
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Game, Invitation
from games.record_text import record_name, record_text
from games.services.invitations import link_token
from notifications.kinds.base import Context, MailKind, Purpose
from notifications.kinds.reply_help import turn_help
from notifications.models import Notice
from notifications.services.emails.base import InlineImageEmail
from notifications.services.emails.date_formats import format_moment
from notifications.services.emails.facts import game_facts
from notifications.services.emails.layout import paragraphs
from notifications.services.emails.names import plain
from notifications.services.emails.pictures import picture_of

PICTURE_ID = "board@pli"


class GameMail(MailKind):
    """A mail about an event at a game.

    Its folder has two templates: `subject.txt`, and `body.txt` with the headline and, each after an
    empty line, the paragraphs. They get the game (`game_facts`), `actor`, `event` (its kind),
    what `context` adds, and `beside` where they are part of another mail.
    """

    reply_purpose: ClassVar[Purpose] = Purpose.GAME

    is_in_every_mail: ClassVar[bool] = False
    """Every mail about a game says it anyway: another mail needs no paragraph for it."""

    def context(self, notice: Notice) -> Context:
        """Return what the templates may say beyond the game, in the active language and zone."""
        return {}

    def button(self, context: Mapping[str, Any]) -> tuple[str, str]:
        """Return label and address of the mail's one button."""
        label = _("Play your turn") if context["my_turn"] else _("Look at the game")
        return label, context["url"]

    def reply_help(self, context: Mapping[str, Any], game: Game) -> str:
        """Return what a reply may say, in the active language; empty: nothing is said of it."""
        return turn_help(context, game)

    def game_context(self, notice: Notice, now: datetime) -> Context:
        """Return what the templates may say, in the active language and zone."""
        game, event = notice.game, notice.event
        assert game is not None and event is not None  # noqa: S101, PT018  (made for an event)
        prefetch_related_objects([game], "seats__user")
        actor = plain(event.actor) if event.actor else ""
        about_event = {"actor": actor, "event": str(event.kind)}
        return game_facts(game, notice.user, now) | about_event | self.context(notice)

    def paragraph(self, notice: Notice, *, now: datetime) -> str:
        """Return headline and paragraphs in one."""
        if self.is_in_every_mail:
            return ""
        headline, *said = self._body({**self.game_context(notice, now), "beside": True})
        return " ".join([f"{headline}.", *said])

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        """Return the mail; the record of a game that is over is attached for the reader to keep."""
        assert notice.game is not None  # noqa: S101  (made for an event)
        context = {**self.base_context(notice, now), **self.game_context(notice, now)}
        picture = picture_of(context["board"]) if context["board"] else None
        context["picture"] = PICTURE_ID if picture else ""
        headline, *said = self._body(context)
        button, button_url = self.button(context)
        context |= {
            "subject": plain(render_to_string(self.template("subject.txt"), context)),
            "headline": headline,
            "paragraphs": [*said, *other_news],
            "button": button,
            "button_url": button_url,
            "reply_help": self.reply_help(context, notice.game) if context["can_reply"] else "",
        }
        pictures = [(PICTURE_ID, picture)] if picture else []
        letter = self.rendered(notice, "mails/letter", context, pictures)
        if context.get("entries"):
            kept = record_text(notice.game, context["entries"], url=context["url"])
            letter.attach(record_name(notice.game), kept, "text/plain")
        if context["newest_message"]:
            letter.told = {notice.game.pk: context["newest_message"]}
        return letter

    def _body(self, context: Mapping[str, Any]) -> list[str]:
        """Return the headline and the paragraphs."""
        return paragraphs(render_to_string(self.template("body.txt"), context))


def invitation_context(notice: Notice) -> Context:
    """Return who invites, until when, and the link to answer."""
    invitation: Invitation | None = notice.event.invitation if notice.event else None
    if invitation is None:
        return {}
    expires = notice.game.expires_at if notice.game else None
    path = reverse("invitation", args=[link_token(invitation)])
    return {
        "inviter": plain(invitation.by),
        "invitation_url": settings.SITE_URL + path,
        "until": format_moment(expires) if expires else "",
    }
