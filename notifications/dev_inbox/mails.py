"""Read the mails of the development inbox."""

import base64
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser, BytesParser
from functools import cached_property
from pathlib import Path
from typing import cast

from django.conf import settings

NAME = r"[0-9]{20}-[0-9a-f]{8}"
SHOWN = 200
"""How many mails the list shows."""

LINK = re.compile(r"https?://[^\s<>\"']+")
CONTENT_ID = re.compile(r"(?<=[\"'(])cid:([^\"')]+)")


class NoSuchMail(Exception):
    """The inbox has no mail of this name."""


@dataclass(frozen=True)
class Mail:
    """A mail as it was sent. `source` is empty if only its headers were read."""

    name: str
    message: EmailMessage
    source: bytes = b""

    @property
    def kept_at(self) -> datetime:
        return datetime.fromtimestamp(int(self.name[:20]) / 1_000_000_000, UTC)

    @property
    def recipient(self) -> str:
        return str(self.message["To"] or "")

    @property
    def sender(self) -> str:
        return str(self.message["From"] or "")

    @property
    def reply_to(self) -> str:
        """The address that replies go to; empty if none are read."""
        return str(self.message["Reply-To"] or "")

    @property
    def subject(self) -> str:
        return str(self.message["Subject"] or "")

    @property
    def kind(self) -> str:
        """`Notice.kind`."""
        return str(self.message["X-Pli-Kind"] or "")

    @property
    def headers(self) -> list[tuple[str, str]]:
        return [(name, str(value)) for name, value in self.message.items()]

    @cached_property
    def text(self) -> str:
        return self._body("plain")

    @cached_property
    def links(self) -> list[str]:
        """Every URL in the text body and in List-Unsubscribe, once each."""
        found = [*LINK.findall(self.text), *LINK.findall(str(self.message["List-Unsubscribe"]))]
        return list(dict.fromkeys(link.rstrip(".,;)") for link in found))

    @cached_property
    def html(self) -> str:
        """The HTML body with its pictures as data: URLs; empty if there is none."""
        pictures = {}
        for part in self.message.walk():
            if part.get_content_type() == "image/png" and part["Content-ID"]:
                data = base64.b64encode(cast(bytes, part.get_payload(decode=True))).decode()
                pictures[str(part["Content-ID"]).strip("<> ")] = f"data:image/png;base64,{data}"
        return CONTENT_ID.sub(lambda cid: pictures.get(cid[1], ""), self._body("html"))

    def _body(self, subtype: str) -> str:
        for part in self.message.walk():
            if part.get_content_type() == f"text/{subtype}":
                return str(part.get_content())
        return ""


def newest(recipient: str = "") -> list[Mail]:
    """Return the newest mails, newest first, headers only; of one recipient if one is given."""
    found: list[Mail] = []
    for path in sorted(_folder().glob("*.eml"), reverse=True):
        with path.open("rb") as file:
            mail = Mail(path.stem, BytesHeaderParser(policy=policy.default).parse(file))
        if recipient.lower() in mail.recipient.lower():
            found.append(mail)
        if len(found) == SHOWN:
            break
    return found


def mail_named(name: str) -> Mail:
    """Return one mail, complete. Raises NoSuchMail."""
    path = _folder() / f"{name}.eml"
    if not re.fullmatch(NAME, name) or not path.is_file():
        raise NoSuchMail(name)
    source = path.read_bytes()
    parsed = BytesParser(policy=policy.default).parsebytes(source)
    return Mail(name, parsed, source)


def _folder() -> Path:
    return Path(settings.LETTERBOX_DIR or "")
