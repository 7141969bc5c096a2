"""`manage.py maildoctor`: what keeps mail from going out or coming in."""

import os
import sys
from argparse import ArgumentTypeError
from datetime import timedelta
from ipaddress import ip_address
from textwrap import wrap
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.server_time import server_now
from notifications.services.mail_checks import CheckContext, DnsResolver, Finding, Level, run_checks

NAME, WIDTH = 15, 78
"""Columns of a check's name, and of a line."""

MARKS = {Level.OK: "ok  ", Level.WARN: "warn", Level.FAIL: "FAIL"}


class Command(BaseCommand):
    help = "Check mail out, mail in and the DNS records; the exit status is 1 if anything fails."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", default="", help="send the trial mail there, for an answer")
        parser.add_argument(
            "--timeout", type=int, default=60, help="seconds to wait for the trial mail"
        )
        parser.add_argument("--dkim-selector", default="", help="name of the key (s=)")
        parser.add_argument("--ip", type=_ip, default="", help="address that mail leaves from")
        parser.add_argument("--pipe", action="store_true", help="mail comes in by receive_mail")
        parser.add_argument(
            "--language",
            choices=[code for code, _name in settings.LANGUAGES],
            default=terminal_language(),
        )

    def handle(self, *args: Any, language: str, timeout: int, **options: Any) -> None:
        case = CheckContext(
            zone=DnsResolver.of_this_machine(),
            now=server_now(),
            to=options["to"],
            patience=timedelta(seconds=timeout),
            ip=options["ip"],
            dkim_selector=options["dkim_selector"],
            has_pipe=options["pipe"],
        )
        with translation.override(language):
            fails = self._report(case)
        if fails:
            sys.exit(1)

    def _report(self, case: CheckContext) -> int:
        """Write down what is found, as it is found; return how much fails."""
        self._say(_("Mail of %(site)s") % {"site": f"{settings.SITE_NAME} ({settings.SITE_URL})"})
        fails = 0
        for name, finding in run_checks(case):
            self._tell(name, finding)
            fails += finding.level == Level.FAIL
        self._say("")
        verdict = ngettext("%(count)s check fails.", "%(count)s checks fail.", fails)
        self._say(verdict % {"count": fails} if fails else _("Nothing fails."))
        return fails

    def _tell(self, name: str, finding: Finding) -> None:
        head = f"{MARKS[finding.level]}  {name:<{NAME}}  "
        margin = " " * len(head)
        style = {Level.WARN: self.style.WARNING, Level.FAIL: self.style.ERROR}.get(
            finding.level, str
        )
        for number, line in enumerate(_lines(finding.sentence, WIDTH - len(head))):
            self._say((style(head) if number == 0 else margin) + line)
        for number, line in enumerate(_lines(finding.mend, WIDTH - len(head) - 2)):
            self._say(margin + ("→ " if number == 0 else "  ") + line)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _lines(text: str, width: int) -> list[str]:
    """Return a text in lines; names such as DKIM-Signature, and records, are to be copied."""
    return wrap(text, width, break_on_hyphens=False, break_long_words=False)


def terminal_language() -> str:
    """Return the language of the terminal, English if we have no words in it."""
    asked = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    code = asked.partition("_")[0].partition(".")[0].lower()
    return code if code in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def _ip(text: str) -> str:
    try:
        return str(ip_address(text)) if text else ""
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
