"""Fetches mail from an IMAP folder, for hosts whose mail is kept elsewhere."""

import imaplib
import logging
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.db import InterfaceError, OperationalError
from imap_tools import AND, BaseMailBox, MailBox, MailBoxUnencrypted, MailMessageFlags
from imap_tools.errors import ImapToolsError

from notifications.models import IncomingMail
from notifications.services.incoming import receiving
from notifications.services.incoming.raw_headers import recipients_of

log = logging.getLogger(__name__)

MOST = 50
"""Mails fetched in one call."""

POLL_LASTS = 60.0
"""Seconds after which a call fetches no more: what is left is fetched by the next."""

PATIENCE = 20.0
"""Seconds to wait for the server."""

_PORTS = {"imaps": 993, "imap": 143}
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


@dataclass(frozen=True)
class Folder:
    """Where mail is fetched from: imaps://user:password@host[:port]/folder."""

    scheme: str
    host: str
    port: int
    user: str
    password: str = field(repr=False)
    name: str = "INBOX"


def folder(url: str) -> Folder:
    """Read the address of a folder. Raises ValueError."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or not parts.username:
        raise ValueError("IMAP_URL must be imaps://user:password@host[:port]/folder")
    return Folder(
        parts.scheme,
        parts.hostname,
        parts.port or _PORTS[parts.scheme],
        unquote(parts.username),
        unquote(parts.password or ""),
        unquote(parts.path.strip("/")) or "INBOX",
    )


def poll(*, now: datetime) -> int:
    """Keep the unread mails of settings.IMAP_URL; return how many were kept or known.

    A mail is marked as read only once it is committed, or when it is none of ours; one that we
    cannot keep stays unread and does not hold up the next. A server that does not answer is logged
    and asked again at the next call.
    """
    if not settings.IMAP_URL:
        return 0
    try:
        with _opened(folder(settings.IMAP_URL)) as mailbox:
            return sum(_take(mailbox, uid, now) for uid in _in_time(_unread(mailbox)))
    except (OSError, ImapToolsError, imaplib.IMAP4.error) as error:
        log.warning("the IMAP folder cannot be read: %s", error)
        return 0


def _opened(where: Folder) -> BaseMailBox:
    kind = MailBox if where.scheme == "imaps" else MailBoxUnencrypted
    box = kind(where.host, where.port, timeout=PATIENCE)
    return box.login(where.user, where.password, where.name)


def _unread(mailbox: BaseMailBox) -> Iterable[str]:
    return mailbox.uids(AND(seen=False))[:MOST]


def _in_time(uids: Iterable[str]) -> Iterable[str]:
    until = time.monotonic() + POLL_LASTS
    return takewhile(lambda _: time.monotonic() < until, uids)


def _take(mailbox: BaseMailBox, uid: str, now: datetime) -> bool:
    """Keep one mail, then mark it as read; tell whether it was for us."""
    try:
        raw = _fetched(mailbox, uid)
        known = filter(receiving.is_known_recipient, recipients_of(raw))
        receiving.receive(
            raw,
            recipient=next(known, ""),
            envelope_from="",
            door=IncomingMail.Door.IMAP,
            now=now,
        )
    except receiving.TooMany:
        return False
    except receiving.NotTaken as error:
        log.warning("mail %s of the IMAP folder is not for us: %s", uid, type(error).__name__)
        mailbox.flag(uid, MailMessageFlags.SEEN, value=True)
        return False
    except (OperationalError, InterfaceError, OSError, ImapToolsError, imaplib.IMAP4.error):
        raise
    except Exception:
        log.exception("mail %s of the IMAP folder could not be kept", uid)
        return False
    mailbox.flag(uid, MailMessageFlags.SEEN, value=True)
    return True


def _fetched(mailbox: BaseMailBox, uid: str) -> bytes:
    """Return a mail's bytes without marking it as read. Raises TooLarge before it is fetched."""
    _, sizes = mailbox.client.uid("fetch", uid, "(RFC822.SIZE)")
    if any(int(size) > receiving.MAX_SIZE for part in sizes for size in _SIZE.findall(part or b"")):
        raise receiving.MailTooLarge
    _, parts = mailbox.client.uid("fetch", uid, "(BODY.PEEK[])")
    return next((part[1] for part in parts if isinstance(part, tuple)), b"")
