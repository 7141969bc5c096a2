"""A mail whose pictures belong to its HTML."""

from collections.abc import Iterable
from email.mime.base import MIMEBase
from email.mime.image import MIMEImage
from typing import Any

from django.core.mail import EmailMultiAlternatives

LONGEST_LINE = 990
"""Characters of a header's line: RFC 5322 allows 998."""


class InlineImageEmail(EmailMultiAlternatives):
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


def attach_pictures(letter: InlineImageEmail, pictures: Iterable[tuple[str, bytes]]) -> None:
    """Put pictures (Content-ID, PNG) into the letter for its HTML to name."""
    for name, picture in pictures:
        image = MIMEImage(picture, "png")
        image["Content-ID"] = f"<{name}>"
        image["Content-Disposition"] = f'inline; filename="{name.partition("@")[0]}.png"'
        letter.attach(image)
