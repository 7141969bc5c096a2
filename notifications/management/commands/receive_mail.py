"""`manage.py receive_mail < mail`: mail in, from a mail server that starts a program for it."""

import sys
from os import EX_DATAERR, EX_NOUSER, EX_OK, EX_TEMPFAIL
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.server_time import server_now
from notifications.incoming import receiving
from notifications.models import IncomingMail


class Command(BaseCommand):
    help = "Keep the mail on standard input; the exit status is one of sysexits.h."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", default="", help="recipient; else from the mail's headers")
        parser.add_argument("--from", default="", dest="sender", help="sender of the envelope")

    def handle(self, *args: Any, to: str, sender: str, **options: Any) -> None:
        raw = sys.stdin.buffer.read(receiving.MAX_SIZE + 1)
        candidates = [to] if to else receiving.recipients_of(raw)
        status, said = EX_OK, ""
        try:
            receiving.receive(
                raw,
                recipient=receiving.first_known_recipient(candidates),
                envelope_from=sender,
                door=IncomingMail.Door.PIPE,
                now=server_now(),
            )
        except receiving.UnknownRecipient:
            status, said = EX_NOUSER, "No such address here."
        except receiving.MailTooLarge:
            status, said = EX_DATAERR, f"More than {receiving.MAX_SIZE} bytes."
        except receiving.TooMany:
            status, said = EX_TEMPFAIL, "Too many mails to this address, come again later."
        except Exception as error:  # whatever it is: the mail server keeps the mail and comes again
            status, said = EX_TEMPFAIL, f"{type(error).__name__}: the mail cannot be kept now."
        if said:
            self.stderr.write(said)
        sys.exit(status)
