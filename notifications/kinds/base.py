"""What a kind of mail declares.

Each kind is a subclass of `MailKind` in `kinds/<kind>/kind.py`, whose one instance is `KIND` there.
Mails about an event at a game are subclasses of `GameMail` (`game_mail.py`).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, TypedDict

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.models import User
from games.models import Event
from notifications.kinds.registry import Kind
from notifications.models import Cadence, Notice, ReplyAddress, SkipReason
from notifications.services.emails.base import InlineImageEmail, attach_pictures
from notifications.services.emails.css import inline_css
from notifications.services.emails.headers import headers_of
from notifications.services.emails.layout import layout_context
from notifications.services.emails.pictures import WIDTH
from notifications.services.readers import verified_address
from notifications.services.replies import bounce_address
from notifications.services.unsubscribe import unsubscribe_url

Purpose = ReplyAddress.Purpose
Context = dict[str, Any]


class Content(TypedDict, total=False):
    """What every notice may keep in its `content` until it is sent.

    `token` is that of its reply address, `in_reply_to` the Message-ID of the mail it answers.
    """

    token: str
    in_reply_to: str


class MailKind(ABC):
    """One kind of mail: who gets it, when it is not sent, what it says, what a reply does."""

    kind: ClassVar[Kind]

    # Who gets it -----------------------------------------------------------------------------

    events: ClassVar[frozenset[Event.Kind]] = frozenset()
    """The events of which it tells. Without any, a service writes its notices."""

    tells_to_move: ClassVar[bool] = False
    """It tells a player to move: where it reaches nobody, the clock of the turn stops."""

    has_fixed_address: ClassVar[bool] = False
    """It goes to the address that its notice names, even after mail to that address came back."""

    # When it is sent -------------------------------------------------------------------------

    can_be_switched_off: ClassVar[bool]
    """Its reader can unsubscribe from it."""

    cadences: ClassVar[tuple[Cadence, ...]] = tuple(Cadence)
    """When its readers can want it. Empty: the page of settings does not ask."""

    is_needed_to_play: ClassVar[bool] = False
    """Without it nobody could play by mail alone: “quiet” leaves it on."""

    can_wait: ClassVar[bool] = True
    """It is held for a moment, and while its reader looks at the game."""

    waits_for_turn: ClassVar[bool] = False
    """What the player to move causes waits longer, to be told in the mail about their turn."""

    lead_rank: ClassVar[int | None] = None
    """Kinds with a rank are told in one mail; the lowest gives it its subject. None: alone."""

    can_be_sent_again: ClassVar[bool] = True
    """Its mail can be written anew after it failed: all that it says can be looked up."""

    # What a reply does -----------------------------------------------------------------------

    reply_purpose: ClassVar[Purpose]
    """What a reply to it is about."""

    is_automatic_reply: ClassVar[bool] = False
    """It answers a mail."""

    @property
    def can_lead(self) -> bool:
        """Whether its mail can also tell what other notices of the game tell."""
        return self.lead_rank is not None

    def recipients(self, event: Event) -> Iterable[User | str]:
        """Return the people an event is told to, or bare addresses of people without an account."""
        raise NotImplementedError(f"{self.kind} is written for no event")

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return why a notice is not worth sending any more; None if it is."""
        return None

    def reply_purpose_of(self, notice: Notice) -> Purpose:
        """Return what a reply to this notice's mail is about."""
        return self.reply_purpose

    def asks_for_answer(self, notice: Notice) -> bool:
        """Tell whether what a notice tells of is to be accepted or declined."""
        return False

    def told_turns(self, notice: Notice) -> Sequence[tuple[int, int]]:
        """Return game and number of the turns that a notice itself names."""
        return ()

    def paragraph(self, notice: Notice, *, now: datetime) -> str:
        """Return what another mail about the same game says of this notice; empty: nothing."""
        return ""

    @abstractmethod
    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        """Return the mail of a notice, with these paragraphs of others, but for its headers."""

    # What subclasses compose with --------------------------------------------------------------

    def template(self, name: str) -> str:
        """Return the name of a template in the kind's folder."""
        return f"{self.kind.name.lower()}/templates/{name}"

    def can_reply(self, notice: Notice) -> bool:
        """Tell whether a reply to this notice's mail would be read."""
        return self.reply_purpose_of(notice) != Purpose.NOTHING

    def address(self, notice: Notice) -> str:
        """Return where a notice goes now; empty when it can go nowhere.

        That is the reader's verified address of the moment. People without an account, and kinds
        with a fixed address, have it in the notice.
        """
        if notice.user is None or self.has_fixed_address:
            return notice.address
        return verified_address(notice.user) if notice.user.is_active else ""

    def headers(self, notice: Notice, now: datetime) -> dict[str, str]:
        """Return the headers of a notice's mail; only Date differs between two tries."""
        answers = self.is_automatic_reply or bool(notice.content.get("in_reply_to"))
        return headers_of(
            notice,
            now,
            is_automatic_reply=answers,
            can_reply=self.can_reply(notice),
            can_be_switched_off=self.can_be_switched_off,
        )

    def base_context(self, notice: Notice, now: datetime) -> Context:
        """Return what the layout of a mail needs."""
        stop = ""
        if notice.user is not None and self.can_be_switched_off:
            stop = unsubscribe_url(notice.user, notice.kind)
        return {
            **layout_context(notice.language, now),
            "can_reply": "token" in notice.content and self.can_reply(notice),
            "picture_width": WIDTH,
            "unsubscribe_url": stop,
            "preferences_url": settings.SITE_URL + reverse("mail_preferences") if stop else "",
        }

    def letter(self, notice: Notice, subject: str, text: str, html: str) -> InlineImageEmail:
        """Return the mail of a notice with both bodies.

        Where it comes back to when it cannot be delivered is called from_email here; the From
        header is set by itself.
        """
        token = notice.content.get("token")
        returns_to = bounce_address(token) if token else settings.DEFAULT_FROM_EMAIL
        letter = InlineImageEmail(subject, text, returns_to, [self.address(notice)])
        letter.attach_alternative(html, "text/html")
        return letter

    def rendered(
        self,
        notice: Notice,
        template: str,
        context: Mapping[str, Any],
        pictures: Iterable[tuple[str, bytes]] = (),
    ) -> InlineImageEmail:
        """Return the mail that a template's text and HTML give, with its pictures.

        `template` is named without its suffix; `context` has the subject.
        """
        text = render_to_string(f"{template}.txt", context).strip("\n") + "\n"
        html = inline_css(render_to_string(f"{template}.html", context))
        letter = self.letter(notice, str(context["subject"]), text, html)
        attach_pictures(letter, pictures)
        return letter
