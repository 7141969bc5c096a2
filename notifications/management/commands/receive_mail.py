"""`manage.py receive_mail < mail`: mail in, from a mail server that starts a program for it."""

import sys
from os import EX_DATAERR, EX_NOUSER, EX_OK, EX_TEMPFAIL
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.server_time import server_now
from notifications.models import IncomingMail
from notifications.services.incoming import receiving
from notifications.services.incoming.raw_headers import recipients_of


class Command(BaseCommand):
    help = "Keep the mail on standard input; the exit status is one of sysexits.h."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", default="", help="recipient; else the mail's headers are asked")
        parser.add_argument("--from", default="", dest="sender", help="sender of the envelope")

    def handle(self, *args: Any, to: str, sender: str, **options: Any) -> None:
        raw = sys.stdin.buffer.read(receiving.MAX_SIZE + 1)
        status, words = _take(raw, [to] if to else recipients_of(raw), sender)
        if words:
            self.stderr.write(words)
        sys.exit(status)


def _take(raw: bytes, candidates: list[str], sender: str) -> tuple[int, str]:
    try:
        known = filter(receiving.is_known_recipient, candidates)
        receiving.receive(
            raw,
            recipient=next(known, ""),
            envelope_from=sender,
            door=IncomingMail.Door.PIPE,
            now=server_now(),
        )
    except receiving.UnknownRecipient:
        return EX_NOUSER, "No such address here."
    except receiving.MailTooLarge:
        return EX_DATAERR, f"More than {receiving.MAX_SIZE} bytes."
    except receiving.TooMany:
        return EX_TEMPFAIL, "Too many mails to this address, come again later."
    except Exception as error:  # whatever it is: the mail server keeps the mail and comes again
        return EX_TEMPFAIL, f"{type(error).__name__}: the mail cannot be kept now."
    return EX_OK, ""
