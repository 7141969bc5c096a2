"""Reads the mails that the letterbox holds."""

import base64
import re
from collections.abc import Iterator
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

_LINK = re.compile(r"https?://[^\s<>\"']+")
_CID = re.compile(r"(?<=[\"'(])cid:([^\"')]+)")
_NANO = 1_000_000_000


class NoSuchMail(Exception):
    """The letterbox holds no mail of this name."""


@dataclass(frozen=True)
class Mail:
    """A mail as it was sent."""

    name: str
    message: EmailMessage
    source: bytes = b""

    @property
    def kept_at(self) -> datetime:
        """When the mail was sent."""
        return datetime.fromtimestamp(int(self.name[:20]) / _NANO, UTC)

    @property
    def recipient(self) -> str:
        """The address it went to."""
        return str(self.message["To"] or "")

    @property
    def sender(self) -> str:
        """Whom it is from."""
        return str(self.message["From"] or "")

    @property
    def reply_to(self) -> str:
        """The address that answers go to; empty where none is read."""
        return str(self.message["Reply-To"] or "")

    @property
    def subject(self) -> str:
        """What it is about."""
        return str(self.message["Subject"] or "")

    @property
    def kind(self) -> str:
        """Which kind of notice it is (Notice.kind)."""
        return str(self.message["X-Pli-Kind"] or "")

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Every header of the whole mail, decoded."""
        return [(name, str(value)) for name, value in self.message.items()]

    @cached_property
    def text(self) -> str:
        """The text body."""
        return self._body("plain")

    @cached_property
    def links(self) -> list[str]:
        """Every address in the text body, and those of the headers, once each."""
        found = [*_LINK.findall(self.text), *_LINK.findall(str(self.message["List-Unsubscribe"]))]
        return list(dict.fromkeys(link.rstrip(".,;)") for link in found))

    @cached_property
    def html(self) -> str:
        """The HTML body with its pictures put in; empty if there is none."""
        pictures = dict(self._pictures())
        return _CID.sub(lambda cid: pictures.get(cid[1], ""), self._body("html"))

    def _body(self, subtype: str) -> str:
        for part in self.message.walk():
            if part.get_content_type() == f"text/{subtype}":
                return str(part.get_content())
        return ""

    def _pictures(self) -> Iterator[tuple[str, str]]:
        """Yield each picture's Content-ID with its data: address."""
        for part in self.message.walk():
            if part.get_content_type() == "image/png" and part["Content-ID"]:
                data = base64.b64encode(cast(bytes, part.get_payload(decode=True))).decode()
                yield str(part["Content-ID"]).strip("<> "), f"data:image/png;base64,{data}"


def newest(recipient: str = "") -> list[Mail]:
    """Return the newest mails, newest first, headers only; only a recipient's if one is given."""
    found: list[Mail] = []
    for path in sorted(_folder().glob("*.eml"), reverse=True):
        mail = Mail(path.stem, _head(path))
        if recipient.lower() in mail.recipient.lower():
            found.append(mail)
        if len(found) == SHOWN:
            break
    return found


def mail_named(name: str) -> Mail:
    """Return one mail, whole. Raises NoSuchMail."""
    path = _folder() / f"{name}.eml"
    if not re.fullmatch(NAME, name) or not path.is_file():
        raise NoSuchMail(name)
    source = path.read_bytes()
    parsed = BytesParser(policy=policy.default).parsebytes(source)
    return Mail(name, parsed, source)


def _head(path: Path) -> EmailMessage:
    with path.open("rb") as file:
        return BytesHeaderParser(policy=policy.default).parse(file)


def _folder() -> Path:
    return Path(settings.LETTERBOX_DIR or "")
