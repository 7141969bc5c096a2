"""The form of every mail: its MIME parts, its pictures, its styles."""

from collections.abc import Collection, Iterable
from datetime import datetime
from email.mime.base import MIMEBase
from email.mime.image import MIMEImage
from functools import cache
from textwrap import wrap
from typing import Any

from css_inline import CSSInliner
from django.conf import settings
from django.core.mail import EmailMultiAlternatives

WRAPPED_AT = 72
"""Characters after which a line of prose in the text part is broken."""

LONGEST_LINE = 990
"""Characters of a header line: RFC 5322 allows 998."""


class InlineImageEmail(EmailMultiAlternatives):
    """A mail whose HTML shows pictures of its own: multipart/related around both bodies.

    Other attachments lie beside that. `newest_messages` has, by the game's key, the key of the
    newest message that the mail brings.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.newest_messages: dict[int, int] = {}

    def message(self, **options: Any) -> Any:
        """Return the mail; long links in headers are not folded: some programs do not rejoin them.

        Takes and returns what Django's method does.
        """
        message = super().message(**options)
        message.policy = message.policy.clone(max_line_length=LONGEST_LINE)
        return message

    def attach_pictures(self, pictures: Iterable[tuple[str, bytes]]) -> None:
        """Add pictures (Content-ID, PNG) that the HTML refers to."""
        for name, picture in pictures:
            image = MIMEImage(picture, "png")
            image["Content-ID"] = f"<{name}>"
            image["Content-Disposition"] = f'inline; filename="{name.partition("@")[0]}.png"'
            self.attach(image)

    def _create_attachments(self, msg: Any) -> Any:  # overrides Django's
        everything = self.attachments
        pictures = [
            part for part in everything if isinstance(part, MIMEBase) and "Content-ID" in part
        ]
        others = [part for part in everything if part not in pictures]
        for subtype, parts in (("related", pictures), ("mixed", others)):
            self.mixed_subtype, self.attachments = subtype, parts
            body = msg.get_content_type()
            msg = super()._create_attachments(msg)  # type: ignore[misc]
            if parts and subtype == "related":
                msg.set_param("type", body)  # RFC 2387 asks for it
        self.attachments = everything
        return msg


@cache
def css_inliner() -> CSSInliner:
    """Return the inliner. It loads nothing.

    @media rules for the dark scheme cannot become style attributes: they stay in <head>.
    """
    return CSSInliner(keep_at_rules=True, keep_style_tags=False, load_remote_stylesheets=False)


def inline_css(html: str) -> str:
    """Return the page with its styles as attributes: many mail programs ignore <style>."""
    return css_inliner().inline(html)


def layout_context(language: str, now: datetime) -> dict[str, object]:
    """Return what the layout of any mail needs."""
    return {
        "site_name": settings.SITE_NAME,
        "site_url": settings.SITE_URL,
        "language": language,
        "now": now,
    }


def wrap_prose(text: str, kept: Collection[str] = ()) -> str:
    """Return a text with its long lines broken at WRAPPED_AT, but for `kept` lines and addresses.

    A board is drawn in lines that must stay whole, and a broken address cannot be followed.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        if len(line) <= WRAPPED_AT or line in kept or "://" in line:
            lines.append(line)
        else:
            lines += wrap(line, WRAPPED_AT, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def split_paragraphs(text: str) -> list[str]:
    """Return the parts of a text between empty lines, each line stripped."""
    lines = "\n".join(line.strip() for line in text.splitlines())
    return [part.strip("\n") for part in lines.split("\n\n") if part.strip("\n")]
