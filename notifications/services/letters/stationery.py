"""What every letter is written on: the mail with its pictures, its envelope and its foot."""

from collections.abc import Iterable
from datetime import datetime
from email.mime.base import MIMEBase
from email.mime.image import MIMEImage
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse

from notifications.models import Notice
from notifications.services.letters.layout import furniture
from notifications.services.letters.pictures import WIDTH
from notifications.services.outbox.readers import address_of
from notifications.services.preferences import can_stop, unsubscribe_url
from notifications.services.replies import bounce_address, can_reply

LONGEST_LINE = 990
"""Characters of a header's line: RFC 5322 allows 998."""


class Letter(EmailMultiAlternatives):
    """A mail whose pictures belong to its HTML: multipart/related around both bodies.

    What is attached for the reader to keep lies beside that. `told` is the newest message of
    each game (by their keys) that the letter brings.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.told: dict[int, int] = {}

    def message(self, **how: Any) -> Any:
        """Return the mail with its long links unfolded: not every mail program joins them again."""
        message = super().message(**how)
        message.policy = message.policy.clone(max_line_length=LONGEST_LINE)
        return message

    def _create_attachments(self, msg: Any) -> Any:
        everything = self.attachments
        pictures = [part for part in everything if _is_picture(part)]
        others = [part for part in everything if not _is_picture(part)]
        for subtype, parts in (("related", pictures), ("mixed", others)):
            self.mixed_subtype, self.attachments = subtype, parts
            body = msg.get_content_type()
            msg = super()._create_attachments(msg)  # type: ignore[misc]
            if parts and subtype == "related":
                msg.set_param("type", body)  # RFC 2387 asks for it
        self.attachments = everything
        return msg


def _is_picture(part: object) -> bool:
    return isinstance(part, MIMEBase) and "Content-ID" in part


def addressed(notice: Notice, subject: str, text: str) -> Letter:
    """Return the letter of a notice with its text alone.

    What is called from_email is the envelope's sender here; the From header is set by itself.
    """
    return Letter(subject, text, _returns_to(notice), [address_of(notice)])


def _returns_to(notice: Notice) -> str:
    """Return where the mail comes back to when it cannot be delivered."""
    token = notice.content.get("token")
    return bounce_address(token) if token else settings.DEFAULT_FROM_EMAIL


def furniture_of(notice: Notice, now: datetime) -> dict[str, object]:
    """Return what the layout of every letter about games needs."""
    stop = ""
    if notice.user is not None and can_stop(notice):
        stop = unsubscribe_url(notice.user, notice.kind)
    return {
        **furniture(notice.language, now),
        "can_reply": "token" in notice.content and can_reply(notice),
        "picture_width": WIDTH,
        "unsubscribe_url": stop,
        "preferences_url": settings.SITE_URL + reverse("mail_preferences") if stop else "",
    }


def attach_pictures(letter: Letter, pictures: Iterable[tuple[str, bytes]]) -> None:
    """Put pictures (Content-ID, PNG) into the letter for its HTML to name."""
    for name, picture in pictures:
        image = MIMEImage(picture, "png")
        image["Content-ID"] = f"<{name}>"
        image["Content-Disposition"] = f'inline; filename="{name.partition("@")[0]}.png"'
        letter.attach(image)
