"""A mail as it goes over the wire, without a tree of parts where its form is the usual one.

Python's email package searches every line of a mail several times to write it, which takes longer
than all the rest of sending it. Most of our mails have a text, its HTML and perhaps pictures: they
are put together here, to the same bytes but for the boundaries, which are random.
"""

from collections.abc import Iterable, Sequence
from email.mime.base import MIMEBase
from email.policy import compat32
from secrets import token_hex

from django.conf import settings
from django.core.mail.message import forbid_multi_line_headers

from notifications.emails.base import LONGEST_LINE, InlineImageEmail

LONGEST_BODY_LINE = 998
"""Bytes of a line: RFC 5322, 2.1.1. Longer ones are encoded."""

_POLICY = compat32.clone(max_line_length=LONGEST_LINE, linesep="\r\n")
_END = "\r\n"


def wire_bytes(email: InlineImageEmail) -> bytes:
    """Return a mail as it goes over the wire, its lines ended by CR and LF."""
    pictures = [part for part in email.attachments if isinstance(part, MIMEBase)]
    bodies = [("plain", str(email.body))]
    bodies += [(kind.removeprefix("text/"), str(text)) for text, kind in email.alternatives]
    is_usual = (
        [kind for kind, _ in bodies] == ["plain", "html"]
        and len(pictures) == len(email.attachments)
        and all("Content-ID" in part for part in pictures)
        and not any((email.cc, email.reply_to, email.encoding))
        and all(fits(text) for _, text in bodies)
    )
    if not is_usual:
        written: bytes = email.message().as_bytes(linesep=_END)
        return written
    boundary = new_boundary()
    kind = f'multipart/alternative; boundary="{boundary}"'
    content = multipart(boundary, [text_part(kind, text) for kind, text in bodies])
    if pictures:
        outer = new_boundary()
        body = f"Content-Type: {kind}{_END}MIME-Version: 1.0{_END}{_END}{content}"
        kind = f'multipart/related; type="multipart/alternative"; boundary="{outer}"'
        content = multipart(outer, [body, *map(picture_part, pictures)])
    form = [("Content-Type", kind), ("MIME-Version", "1.0")]
    head = [*(reversed(form) if pictures else form), *headers(email)]  # as the package has them
    return f"{written_headers(head)}{_END}{content}".encode()


def fits(text: str) -> bool:
    """Tell whether a body can be sent as it is."""
    try:
        lines = text.encode().splitlines()
    except UnicodeEncodeError:
        return False
    return max(map(len, lines), default=0) <= LONGEST_BODY_LINE


def new_boundary() -> str:
    """Return a boundary that no part has in it: 128 random bits."""
    return f"==============={token_hex(16)}=="


def multipart(boundary: str, parts: Iterable[str]) -> str:
    """Return the content of a part that has parts."""
    opened = f"--{boundary}{_END}"
    return opened + f"{_END}{opened}".join(parts) + f"{_END}--{boundary}--{_END}"


def text_part(kind: str, text: str) -> str:
    """Return a part with a text."""
    head = (
        f'Content-Type: text/{kind}; charset="utf-8"{_END}MIME-Version: 1.0{_END}'
        f"Content-Transfer-Encoding: {'7bit' if text.isascii() else '8bit'}{_END}{_END}"
    )
    return head + with_line_ends(text)


def picture_part(part: MIMEBase) -> str:
    """Return a part with a picture, whose content is encoded already."""
    return f"{written_headers(part.items())}{_END}{with_line_ends(str(part.get_payload()))}"


def headers(email: InlineImageEmail) -> Sequence[tuple[str, str]]:
    """Return the headers that Django writes, in its order."""
    own = email.extra_headers
    encoding = settings.DEFAULT_CHARSET
    first = {
        "Subject": email.subject,
        "From": own.get("From", email.from_email),
        "To": own.get("To") or ", ".join(email.to),
        "Reply-To": own.get("Reply-To", ""),
    }
    found = {name: value for name, value in first.items() if value or name == "Subject"} | own
    return [forbid_multi_line_headers(name, value, encoding) for name, value in found.items()]


def written_headers(found: Iterable[tuple[str, str]]) -> str:
    """Return headers as lines; they are folded only where they are longer than LONGEST_LINE."""
    return "".join(
        f"{name}: {value}{_END}"
        if value.isascii() and "\n" not in value and len(name) + len(value) + 2 <= LONGEST_LINE
        else _POLICY.fold(name, value)
        for name, value in found
    )


def with_line_ends(text: str) -> str:
    """Return a text with each of its lines ended by CR and LF."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\n", _END)
