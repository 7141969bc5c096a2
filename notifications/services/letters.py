"""Writes the mail of a notice, in its reader's language and time zone."""

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from email.mime.image import MIMEImage
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from notifications.models import Kind, Notice
from notifications.services.buttons import button_of
from notifications.services.facts import facts_of
from notifications.services.headers import headers_of
from notifications.services.layout import furniture, paragraphs
from notifications.services.names import plain
from notifications.services.paper import inked
from notifications.services.pictures import WIDTH, picture_of
from notifications.services.preferences import can_stop, unsubscribe_url
from notifications.services.readers import address_of

PICTURE_ID = "board@pli"

LONGEST_LINE = 990
"""Characters of a header's line: RFC 5322 allows 998."""


class Letter(EmailMultiAlternatives):
    """A mail whose picture belongs to its HTML: multipart/related around both bodies."""

    mixed_subtype = "related"

    def message(self, **how: Any) -> Any:
        """Return the mail with its long links unfolded: not every mail program joins them again."""
        message = super().message(**how)
        message.policy = message.policy.clone(max_line_length=LONGEST_LINE)
        return message


class Forgotten(Exception):
    """What an account mail said is not kept once it was sent or given up."""


def compose(notice: Notice, *, now: datetime) -> Letter:
    """Return the mail of a notice, ready to be sent.

    `notice` has its game, event and person loaded. Raises whatever is wrong with its game.
    """
    zone: tzinfo = notice.user.zone if notice.user else UTC
    with translation.override(notice.language), timezone.override(zone):
        letter = _account(notice) if notice.kind == Kind.ACCOUNT else _about_game(notice, now)
    letter.extra_headers = headers_of(notice, now)
    return letter


def _account(notice: Notice) -> Letter:
    if not notice.content:
        raise Forgotten("the text of an account mail is kept only until it is sent")
    letter = _addressed(notice, notice.content["subject"], notice.content["text"])
    letter.attach_alternative(notice.content["html"], "text/html")
    return letter


def _about_game(notice: Notice, now: datetime) -> Letter:
    context = {**facts_of(notice, now=now), **_furniture(notice, now)}
    picture = picture_of(context["board"]) if context["board"] else None
    context["picture"] = PICTURE_ID if picture else ""
    context |= _words(notice.kind, context)
    text = render_to_string("mails/letter.txt", context).strip("\n") + "\n"
    letter = _addressed(notice, context["subject"], text)
    letter.attach_alternative(inked(render_to_string("mails/letter.html", context)), "text/html")
    if picture:
        letter.attach(_inline(picture))
    return letter


def _words(kind: str, context: Mapping[str, object]) -> dict[str, object]:
    """Return what is said in both bodies: the first paragraph of a kind's body is its headline."""
    subject = render_to_string(f"mails/{kind}/subject.txt", context)
    headline, *said = paragraphs(render_to_string(f"mails/{kind}/body.txt", context))
    button, url = button_of(kind, context)
    return {
        "subject": plain(subject),
        "headline": headline,
        "paragraphs": said,
        "button": button,
        "button_url": url,
    }


def _furniture(notice: Notice, now: datetime) -> dict[str, object]:
    """Return what every letter's layout needs."""
    stop = ""
    if notice.user is not None and can_stop(notice):
        stop = unsubscribe_url(notice.user, notice.kind)
    return {
        **furniture(notice.language, now),
        "picture_width": WIDTH,
        "unsubscribe_url": stop,
        "preferences_url": settings.SITE_URL + reverse("mail_preferences") if stop else "",
    }


def _addressed(notice: Notice, subject: str, text: str) -> Letter:
    return Letter(subject, text, settings.DEFAULT_FROM_EMAIL, [address_of(notice)])


def _inline(picture: bytes) -> MIMEImage:
    image = MIMEImage(picture, "png")
    image["Content-ID"] = f"<{PICTURE_ID}>"
    image["Content-Disposition"] = 'inline; filename="board.png"'
    return image
