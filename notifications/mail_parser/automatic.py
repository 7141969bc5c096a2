"""Which mails no person wrote: none of them is ever answered."""

import re
from collections.abc import Sequence

from notifications.mail_parser.addresses import parse_addresses
from notifications.mail_parser.commands import NotUnderstood, TurnCommand, parse_command
from notifications.mail_parser.mime import Part
from notifications.mail_parser.phrases import is_away_subject

AWAY = "out-of-office"
"""The subject says that the person is away; no header says so, and there is no command."""

_BULK = frozenset({"bulk", "list", "junk", "auto_reply", "auto-reply"})
_LIST_HEADERS = ("list-id", "list-post", "list-unsubscribe", "mailing-list", "x-mailing-list")
_AUTOREPLY_HEADERS = (
    "x-autoreply", "x-autoreply-from", "x-autorespond", "x-autoresponder", "x-mail-autoreply",
    "x-auto-response-suppress",
)  # fmt: skip
_MACHINES = re.compile(r"(mailer-daemon|postmaster|no-?reply|do-?not-?reply)(\+[^@]*)?@")


def automatic_reason(mail: Part, *, domain: str, envelope_from: str | None) -> str:
    """Return why no person can have written this, as a slug, or nothing: what its headers say.

    own, null-sender, auto-submitted, precedence, list, auto-reply, or machine. `domain` and
    `envelope_from` are as for `parse`.
    """
    # People whose addresses have our domain write Message-IDs of another form.
    own_id = rf"<notice\.[^@\s]+@{re.escape(domain)}>"
    if mail.get("x-pli-kind") or (
        domain and re.fullmatch(own_id, mail.get("message-id").strip(), re.IGNORECASE)
    ):
        return "own"
    if envelope_from is None:
        has_sender = mail.get("return-path").strip() != "<>"
    else:
        has_sender = envelope_from.strip() not in {"", "<>"}
    submitted = mail.get("auto-submitted").partition(";")[0].strip().lower()
    reasons = {
        "null-sender": not has_sender,
        "auto-submitted": submitted not in {"", "no"},
        "precedence": mail.get("precedence").strip().lower() in _BULK,
        "list": any(mail.get(name) for name in _LIST_HEADERS),
        "auto-reply": any(
            mail.get(name).strip().lower() not in {"", "no", "none", "false"}
            for name in _AUTOREPLY_HEADERS
        ),
        "machine": any(map(_MACHINES.match, parse_addresses(mail.get_all("from")))),
    }
    if reason := next((reason for reason, is_true in reasons.items() if is_true), ""):
        return reason
    is_report = mail.type in {"multipart/report", "message/delivery-status"}
    return "auto-submitted" if is_report else ""


def is_away_reply(subject: str, lines: Sequence[str]) -> bool:
    """Tell whether a mail that no header marks was nevertheless written by an autoresponder.

    Its subject says so, and its first line is neither a command nor a possible turn (one whose
    first word has a digit): people who leave tomorrow say so in the subject too, above their turn.
    """
    if not is_away_subject(subject):
        return False
    command, _ = parse_command(lines)
    if isinstance(command, TurnCommand):
        return not any(c.isdigit() for c in command.text.partition(" ")[0])
    return isinstance(command, NotUnderstood)
