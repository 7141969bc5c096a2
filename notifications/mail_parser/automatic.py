"""Which mails no person wrote: none of them is ever answered."""

import re
from collections.abc import Sequence

from notifications.mail_parser.addresses import addresses
from notifications.mail_parser.commands import orders
from notifications.mail_parser.mime import Part
from notifications.mail_parser.orders import NotUnderstood, TurnCommand
from notifications.mail_parser.phrases import is_away_phrase

AWAY = "out-of-office"
"""Of a mail whose subject says so, while no header and none of its first words say otherwise."""

_BULK = frozenset({"bulk", "list", "junk", "auto_reply", "auto-reply"})
_LISTS = ("list-id", "list-post", "list-unsubscribe", "mailing-list", "x-mailing-list")
_MARKS = (
    "x-autoreply", "x-autoreply-from", "x-autorespond", "x-autoresponder", "x-mail-autoreply",
    "x-auto-response-suppress",
)  # fmt: skip
_MACHINES = re.compile(r"(mailer-daemon|postmaster|no-?reply|do-?not-?reply)(\+[^@]*)?@")


def why_automatic(mail: Part, *, own_ids: re.Pattern[str] | None, envelope_from: str | None) -> str:
    """Return why no person can have written this, as a slug, or nothing: what its headers say.

    own, null-sender, auto-submitted, precedence, list, auto-reply, or machine.
    """
    if mail.get("x-pli-kind") or (own_ids and own_ids.fullmatch(mail.get("message-id").strip())):
        return "own"
    if _has_no_sender(mail, envelope_from):
        return "null-sender"
    return _by_headers(mail) or _by_kind(mail)


def is_away_reply(subject: str, lines: Sequence[str]) -> bool:
    """Tell whether a mail that no header marks is yet an autoresponder's.

    Its subject says so, and its first words are nothing that anybody could order: people who leave
    tomorrow say so in the subject too, above their turn.
    """
    return is_away_phrase(subject) and not _seems_ordered(lines)


def _seems_ordered(lines: Sequence[str]) -> bool:
    """Tell whether there is a command, or what could be a turn: its first word has a digit."""
    order, _ = orders(lines)
    if isinstance(order, TurnCommand):
        return any(c.isdigit() for c in order.text.partition(" ")[0])
    return not isinstance(order, NotUnderstood)


def _has_no_sender(mail: Part, envelope_from: str | None) -> bool:
    if envelope_from is not None:
        return envelope_from.strip() in {"", "<>"}
    return mail.get("return-path").strip() == "<>"


def _by_headers(mail: Part) -> str:
    submitted = mail.get("auto-submitted").partition(";")[0].strip().lower()
    if submitted not in {"", "no"}:
        return "auto-submitted"
    if mail.get("precedence").strip().lower() in _BULK:
        return "precedence"
    if any(mail.get(name) for name in _LISTS):
        return "list"
    return "auto-reply" if any(_is_marked(mail, name) for name in _MARKS) else ""


def _is_marked(mail: Part, name: str) -> bool:
    return mail.get(name).strip().lower() not in {"", "no", "none", "false"}


def _by_kind(mail: Part) -> str:
    if any(_MACHINES.match(address) for address in addresses(mail.get_all("from"))):
        return "machine"
    if mail.type in {"multipart/report", "message/delivery-status"}:
        return "auto-submitted"
    return ""
