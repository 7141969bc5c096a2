"""What a kind of mail declares, and how to find a kind and compose its mail.

Each kind is a subclass of `MailKind` in `kinds/<kind>/kind.py`, whose one instance is `KIND` there.
Mails about an event at a game are subclasses of `GameMail` (`game_mail.py`).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from email.utils import format_datetime
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, TypedDict

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation

from accounts.models import User
from games.models import Event
from notifications.emails.base import (
    InlineImageEmail,
    layout_context,
    wrap_prose,
)
from notifications.emails.pictures import WIDTH
from notifications.emails.skeletons import letter_bodies, rendered_bodies
from notifications.kinds.registry import Kind
from notifications.models import Cadence, Notice, ReplyAddress, SkipReason
from notifications.services.addresses import verified_address
from notifications.services.replies import bounce_address, reply_address
from notifications.services.unsubscribe import unsubscribe_url

Purpose = ReplyAddress.Purpose
Context = dict[str, Any]


LETTER = "mails/letter"
"""The templates of letters about one game, without their suffixes."""


class Content(TypedDict, total=False):
    """What every notice may keep in `Notice.content` until it is sent.

    `token` is that of its reply address, `in_reply_to` the Message-ID of the mail that it answers.
    """

    token: str
    in_reply_to: str


class MailKind(ABC):
    """One kind of mail: its recipients, when it is not sent, what it says, what a reply does."""

    kind: ClassVar[Kind]

    # Who gets it -----------------------------------------------------------------------------

    events: ClassVar[frozenset[Event.Kind]] = frozenset()
    """The events of which it tells. Without any, a service writes its notices."""

    tells_to_move: ClassVar[bool] = False
    """It tells a player to move: if it cannot be delivered, the clock of the turn stops."""

    has_fixed_address: ClassVar[bool] = False
    """It goes to the address that its notice names, even after mail to that address bounced."""

    # When it is sent -------------------------------------------------------------------------

    can_be_switched_off: ClassVar[bool]
    """Its reader can unsubscribe from it."""

    cadences: ClassVar[tuple[Cadence, ...]] = tuple(Cadence)
    """What its readers can choose. Empty: the page of settings does not ask."""

    is_needed_to_play: ClassVar[bool] = False
    """Without it nobody could play by mail alone: “quiet” leaves it on."""

    can_wait: ClassVar[bool] = True
    """It is held for a moment, and while its reader looks at the game."""

    waits_for_turn: ClassVar[bool] = False
    """What the player to move causes waits longer, to be told in the mail about their turn."""

    is_caused_by_players: ClassVar[bool] = False
    """A player alone can cause it again and again: somebody gets few a day because of one other."""

    lead_rank: ClassVar[int | None] = None
    """Kinds with a rank are told in one mail; the lowest gives it its subject. None: alone."""

    can_be_sent_again: ClassVar[bool] = True
    """Its mail can be composed again after it failed: all that it says can be looked up."""

    is_pushed: ClassVar[bool] = False
    """What it tells also goes, as a push message, to the browsers in which its reader wants that.
    Only kinds about a game can."""

    # What a reply does -----------------------------------------------------------------------

    reply_purpose: ClassVar[Purpose]
    """What a reply to it is about."""

    is_automatic_reply: ClassVar[bool] = False
    """It answers a mail."""

    def recipients(self, event: Event) -> Iterable[User | str]:
        """Return the people an event is told to, or bare addresses of people without an account."""
        raise NotImplementedError(f"{self.kind} is written for no event")

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return why a notice is no longer worth sending; None if it is."""
        return None

    def reply_purpose_of(self, notice: Notice) -> Purpose:
        """Return what a reply to this notice's mail is about."""
        return self.reply_purpose

    def asks_for_answer(self, notice: Notice) -> bool:
        """Return whether its reader should accept or decline something."""
        return False

    def numbered_games(self, notice: Notice) -> Sequence[tuple[int, int, int]]:
        """Return what the numbers in its mail mean: number, key of the game, turns played."""
        numbered = notice.content.get("games", ())
        return [(number, game, turns) for number, game, turns in numbered]

    def paragraph(self, notice: Notice, *, now: datetime) -> str:
        """Return what another mail about the same game says of this notice; empty: nothing."""
        return ""

    @abstractmethod
    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        """Return the mail of a notice without its headers.

        `other_news` are paragraphs about other notices of the same game.
        """

    # Parts of every mail ---------------------------------------------------------------------

    def template(self, name: str) -> str:
        """Return the name of a template in the kind's folder."""
        return f"{self.kind.name.lower()}/templates/{name}"

    def can_reply(self, notice: Notice) -> bool:
        """Return whether a reply to this notice's mail would be read."""
        return self.reply_purpose_of(notice) != Purpose.NOTHING

    def address(self, notice: Notice) -> str:
        """Return the address that a notice goes to now; empty if there is none.

        That is the reader's current verified address. For people without an account, and for kinds
        with a fixed address, the notice names it.
        """
        if notice.user is None or self.has_fixed_address:
            return notice.address
        return verified_address(notice.user) if notice.user.is_active else ""

    def headers(self, notice: Notice, now: datetime) -> dict[str, str]:
        """Return the headers of a notice's mail; only Date differs between two attempts."""
        token, answered = notice.content.get("token"), notice.content.get("in_reply_to")
        is_reply = self.is_automatic_reply or bool(answered)
        headers = {
            "Message-ID": notice.message_id,
            "Date": format_datetime(now.astimezone(UTC)),
            "Auto-Submitted": "auto-replied" if is_reply else "auto-generated",
            "X-Auto-Response-Suppress": "OOF, AutoReply",  # Exchange needs that too
            "X-Pli-Kind": notice.kind,
            "From": settings.DEFAULT_FROM_EMAIL,
        }
        if token and self.can_reply(notice):
            headers["Reply-To"] = reply_address(token)
        # All mails about one game to one reader refer to a Message-ID that no mail has: that makes
        # them one thread, whichever arrives first.
        thread = f"<game.{notice.game_id}.{notice.user_id}@{settings.MAIL_DOMAIN}>"
        in_game = notice.game_id is not None and notice.user_id is not None
        references = [*([thread] if in_game else []), *([str(answered)] if answered else [])]
        if references:
            headers |= {"In-Reply-To": references[-1], "References": " ".join(references)}
        if notice.user is not None and self.can_be_switched_off:
            # One click in the mail program unsubscribes (RFC 8058).
            headers |= {
                "List-Id": f"<games.{settings.MAIL_DOMAIN}>",
                "List-Unsubscribe": f"<{self.stop_url(notice)}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            }
        return headers

    def stop_url(self, notice: Notice) -> str:
        """Return the link that switches such mail off for its reader; empty if none does."""
        if notice.user is None or not self.can_be_switched_off:
            return ""
        return unsubscribe_url(notice.user, notice.kind)

    def base_context(self, notice: Notice, now: datetime) -> Context:
        """Return what the layout of a mail needs."""
        stop = self.stop_url(notice)
        return {
            **layout_context(notice.language, now),
            "can_reply": "token" in notice.content and self.can_reply(notice),
            "picture_width": WIDTH,
            "unsubscribe_url": stop,
            "preferences_url": settings.SITE_URL + reverse("mail_preferences") if stop else "",
        }

    def build_email(self, notice: Notice, subject: str, text: str, html: str) -> InlineImageEmail:
        """Return the mail of a notice with both bodies.

        Django takes `from_email` for the envelope sender: bounces go there. The From header is set
        by `headers`.
        """
        token = notice.content.get("token")
        bounces_to = bounce_address(token) if token else settings.DEFAULT_FROM_EMAIL
        email = InlineImageEmail(subject, text, bounces_to, [self.address(notice)])
        email.attach_alternative(html, "text/html")
        return email

    def render_email(
        self,
        notice: Notice,
        template: str,
        context: Mapping[str, Any],
        pictures: Iterable[tuple[str, bytes]] = (),
    ) -> InlineImageEmail:
        """Return the mail that a template's text and HTML give, with its pictures.

        `template` is named without its suffix; `context` has the subject.
        """
        bodies = letter_bodies if template == LETTER else rendered_bodies
        text, html = bodies(template, context)
        text = text.strip("\n") + "\n"
        drawn = [context, *context.get("games", ())]
        boards = [line for item in drawn for line in item.get("board_text", "").split("\n")]
        text = wrap_prose(text, frozenset(boards))
        email = self.build_email(notice, str(context["subject"]), text, html)
        email.attach_pictures(pictures)
        return email


@cache
def kind_of(kind: str) -> MailKind:
    """Return the declaration of a kind, by its value. Raises ValueError for an unknown value."""
    folder = Kind(kind).name.lower()
    found: MailKind = import_module(f"notifications.kinds.{folder}.kind").KIND
    return found


def all_kinds() -> tuple[MailKind, ...]:
    """Return every kind, in the order of the registry."""
    return tuple(kind_of(kind) for kind in Kind)


@cache
def kind_for(event_kind: str) -> MailKind | None:
    """Return the kind of mail that tells of an event; None: no mail does."""
    return next((kind for kind in all_kinds() if event_kind in kind.events), None)


def compose(notice: Notice, others: Iterable[Notice] = (), *, now: datetime) -> InlineImageEmail:
    """Return the mail of a notice, ready to be sent; it also tells what `others` tell.

    They are of the same game and reader, and have their game, event and user loaded. It is written
    in the reader's language and time zone. Raises whatever is wrong with their game.
    """
    kind = kind_of(notice.kind)
    zone: tzinfo = notice.user.zone if notice.user else UTC
    with translation.override(notice.language), timezone.override(zone):
        email = kind.compose(notice, news_paragraphs(others, now=now), now=now)
    email.extra_headers = kind.headers(notice, now)
    return email


def news_paragraphs(notices: Iterable[Notice], *, now: datetime) -> list[str]:
    """Return the paragraphs by which another mail tells what these notices tell, each once."""
    paragraphs = [kind_of(notice.kind).paragraph(notice, now=now) for notice in notices]
    return list(dict.fromkeys(filter(None, paragraphs)))
