"""`manage.py security_log`: print sign-ins, failed attempts and changes to accounts."""

import csv
import json
from argparse import ArgumentTypeError
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from accounts.models import SecurityEvent
from accounts.security_log import find_user

COLUMNS = ("at", "user", "kind", "times", "ip", "user_agent", "details")
BATCH = 2000


def parse_time(text: str) -> datetime:
    """Return the instant that a date or a date and time means, in UTC where no zone is given."""
    try:
        found = parse_datetime(text)
        if found is None and (day := parse_date(text)):
            found = datetime(day.year, day.month, day.day)
    except ValueError:
        found = None
    if found is None:
        raise ArgumentTypeError(f"“{text}” is no date such as 2026-01-31 or 2026-01-31T18:00")
    return found if timezone.is_aware(found) else timezone.make_aware(found)


class Command(BaseCommand):
    help = "Print the security log: sign-ins, failed attempts and changes to accounts."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--since", type=parse_time, help="only events since this date or time")
        parser.add_argument("--user", default="", help="only events of this user name")
        parser.add_argument("--format", choices=["csv", "json"], default="csv")

    def handle(
        self, *args: Any, since: datetime | None, user: str, format: str, **options: Any
    ) -> None:
        events = SecurityEvent.objects.select_related("user").order_by("at", "pk")
        if since:
            events = events.filter(at__gte=since)
        if user:
            found = find_user({"username": user})
            if found is None:
                raise CommandError(f"There is no user “{user}”.")
            events = events.filter(user=found)
        rows = (
            {
                "at": event.at.isoformat(),
                "user": event.user.username if event.user else None,
                "kind": event.kind,
                "times": event.times,
                "ip": event.ip,
                "user_agent": event.user_agent,
                "details": event.details,
            }
            for event in events.iterator(BATCH)
        )
        if format == "csv":
            table = csv.writer(self.stdout)
            table.writerow(COLUMNS)
            for row in rows:
                details = json.dumps(row["details"], ensure_ascii=False)
                table.writerow(_csv_cell(value) for value in (row | {"details": details}).values())
        else:
            self.stdout.write("[", ending="")
            for number, row in enumerate(rows):
                line = json.dumps(row, ensure_ascii=False)
                self.stdout.write(f"{',' if number else ''}\n{line}", ending="")
            self.stdout.write("\n]")


def _csv_cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula (OWASP, CSV Injection)."""
    is_formula = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{value}" if is_formula else value
