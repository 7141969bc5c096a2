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
from notifications.services.mail_checks.base import CheckContext, Finding, Severity
from notifications.services.mail_checks.dns_lookups import DnsResolver
from notifications.services.mail_checks.run import run_checks

NAME, WIDTH = 15, 78
"""Columns of a check's name, and of a line."""

MARKS = {Severity.OK: "ok  ", Severity.WARN: "warn", Severity.FAIL: "FAIL"}


class Command(BaseCommand):
    help = "Check mail out, mail in and the DNS records; the exit status is 1 if anything fails."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", default="", help="send the sample mail there, for an answer")
        parser.add_argument(
            "--timeout", type=int, default=60, help="seconds to wait for the sample mail"
        )
        parser.add_argument("--dkim-selector", default="", help="name of the key (s=)")
        parser.add_argument("--ip", type=parse_ip, default="", help="address that mail leaves from")
        parser.add_argument("--pipe", action="store_true", help="mail comes in by receive_mail")
        parser.add_argument(
            "--language",
            choices=[code for code, _name in settings.LANGUAGES],
            default=terminal_language(),
        )

    def handle(self, *args: Any, language: str, timeout: int, **options: Any) -> None:
        context = CheckContext(
            dns=DnsResolver.of_this_machine(),
            now=server_now(),
            to=options["to"],
            timeout=timedelta(seconds=timeout),
            ip=options["ip"],
            dkim_selector=options["dkim_selector"],
            has_pipe=options["pipe"],
        )
        fails = 0
        with translation.override(language):
            site = f"{settings.SITE_NAME} ({settings.SITE_URL})"
            self.write_line(_("Mail of %(site)s") % {"site": site})
            for name, finding in run_checks(context):
                self.write_finding(name, finding)
                fails += finding.severity == Severity.FAIL
            self.write_line("")
            verdict = ngettext("%(count)s check fails.", "%(count)s checks fail.", fails)
            self.write_line(verdict % {"count": fails} if fails else _("No check fails."))
        if fails:
            sys.exit(1)

    def write_finding(self, name: str, finding: Finding) -> None:
        head = f"{MARKS[finding.severity]}  {name:<{NAME}}  "
        margin = " " * len(head)
        styles = {Severity.WARN: self.style.WARNING, Severity.FAIL: self.style.ERROR}
        style = styles.get(finding.severity, str)
        for number, line in enumerate(wrap_line(finding.sentence, WIDTH - len(head))):
            self.write_line((style(head) if number == 0 else margin) + line)
        for number, line in enumerate(wrap_line(finding.advice, WIDTH - len(head) - 2)):
            self.write_line(margin + ("→ " if number == 0 else "  ") + line)

    def write_line(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()  # checks wait: each line is shown at once


def wrap_line(text: str, width: int) -> list[str]:
    """Return a text in lines; names such as DKIM-Signature, and records, are to be copied."""
    return wrap(text, width, break_on_hyphens=False, break_long_words=False)


def terminal_language() -> str:
    """Return the language of the terminal, English if there is no translation for it."""
    asked = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    code = asked.partition("_")[0].partition(".")[0].lower()
    return code if code in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def parse_ip(text: str) -> str:
    """Return an IP address in its normal form. Raises ArgumentTypeError."""
    try:
        return str(ip_address(text)) if text else ""
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
