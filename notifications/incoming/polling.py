"""Fetches mail from an IMAP folder, for sites whose mail is kept elsewhere."""

import imaplib
import logging
import re
import time
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.db import InterfaceError, OperationalError
from imap_tools import AND, BaseMailBox, MailBox, MailBoxUnencrypted, MailMessageFlags
from imap_tools.errors import ImapToolsError

from notifications.incoming import receiving
from notifications.models import IncomingMail

log = logging.getLogger(__name__)

MOST = 50
"""Mails fetched in one call."""

MAX_DURATION = 60.0
"""Seconds after which a call fetches no more: the next call fetches the rest."""

TIMEOUT = 20.0
"""Seconds to wait for the server."""

_PORTS = {"imaps": 993, "imap": 143}
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


@dataclass(frozen=True)
class ImapFolder:
    """Where mail is fetched from: imaps://user:password@host[:port]/folder."""

    scheme: str
    host: str
    port: int
    user: str
    password: str = field(repr=False)
    name: str = "INBOX"


def parse_folder(url: str) -> ImapFolder:
    """Return the folder with this address. Raises ValueError."""
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or not parts.username:
        raise ValueError("IMAP_URL must be imaps://user:password@host[:port]/folder")
    return ImapFolder(
        parts.scheme,
        parts.hostname,
        parts.port or _PORTS[parts.scheme],
        unquote(parts.username),
        unquote(parts.password or ""),
        unquote(parts.path.strip("/")) or "INBOX",
    )


def poll(*, now: datetime) -> int:
    """Keep the unread mails of settings.IMAP_URL; return how many were kept or known.

    A mail is marked as read only once it is committed, or if it is not for us; one that cannot be
    kept stays unread and does not delay the next. A server that does not answer is logged and asked
    again at the next call.
    """
    if not settings.IMAP_URL:
        return 0
    folder = parse_folder(settings.IMAP_URL)
    kind = MailBox if folder.scheme == "imaps" else MailBoxUnencrypted
    kept = 0
    try:
        box = kind(folder.host, folder.port, timeout=TIMEOUT)
        with box.login(folder.user, folder.password, folder.name) as mailbox:
            unread = mailbox.uids(AND(seen=False))[:MOST]
            until = time.monotonic() + MAX_DURATION
            for uid in unread:
                if time.monotonic() >= until:
                    break
                kept += fetch(mailbox, uid, now)
    except (OSError, ImapToolsError, imaplib.IMAP4.error) as error:
        log.warning("the IMAP folder cannot be read: %s", error)
        return 0
    return kept


def fetch(mailbox: BaseMailBox, uid: str, now: datetime) -> bool:
    """Keep one mail, then mark it as read; return whether it was for us."""
    try:
        _, sizes = mailbox.client.uid("fetch", uid, "(RFC822.SIZE)")
        found = (int(size) for part in sizes for size in _SIZE.findall(part or b""))
        if any(size > receiving.MAX_SIZE for size in found):
            raise receiving.MailTooLarge
        _, parts = mailbox.client.uid("fetch", uid, "(BODY.PEEK[])")  # does not mark it as read
        raw = next((part[1] for part in parts if isinstance(part, tuple)), b"")
        receiving.receive(
            raw,
            recipient=receiving.first_known_recipient(receiving.recipients_of(raw)),
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
