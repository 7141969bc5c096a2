"""Reporting a message, a player or a game to the moderators."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Message, Report
from games.models.report import WAITING
from games.plain_text import tidy
from games.queries.conversations import said_at
from games.queries.seats import game_for
from games.services.suspensions import lock_acting_user

LONGEST = 2000
"""Characters."""

_DAY = timedelta(days=1)


def report_message(
    *, message_id: int, reporter: User, reason: str, text: str, now: datetime
) -> Report:
    """Report a message that the reporter may read.

    Raises NoSuchMessage, OwnConduct, GuestsDoNotTalk, BadReport, ReportedAlready, TooManyReports.
    """
    message = readable(message_id, reporter)
    if message.author_id == reporter.pk:
        raise errors.OwnConduct
    about = {"message": message, "game": message.game, "person": message.author}
    return _report(Report(**about), reporter, reason, text, now)


def report_person(*, person: User, reporter: User, reason: str, text: str, now: datetime) -> Report:
    """Report a player. Raises OwnConduct, and as `_report` does."""
    if person.pk == reporter.pk:
        raise errors.OwnConduct
    return _report(Report(person=person), reporter, reason, text, now)


def report_game(*, game_id: int, reporter: User, reason: str, text: str, now: datetime) -> Report:
    """Report a game that the reporter may see.

    Raises NoSuchGame, GuestsDoNotTalk, BadReport, ReportedAlready, TooManyReports.
    """
    game = game_for(game_id, reporter)
    return _report(Report(game=game), reporter, reason, text, now)


def readable(message_id: int, reader: User) -> Message:
    """Return a message that `reader` sees on its game's page. Raises NoSuchMessage."""
    try:
        game_id = Message.objects.values_list("game", flat=True).get(pk=message_id)
        game = game_for(game_id, reader)
        message = said_at(game, reader).get(pk=message_id, hidden_at=None)
    except (Message.DoesNotExist, errors.NoSuchGame):
        raise errors.NoSuchMessage from None
    message.game = game  # with its people
    return message


@transaction.atomic
def _report(report: Report, reporter: User, reason: str, text: str, now: datetime) -> Report:
    """Save a report. The reporter's row is locked, so that each counts.

    Raises GuestsDoNotTalk, BadReport, ReportedAlready, TooManyReports.
    """
    if reporter.is_guest:
        raise errors.GuestsDoNotTalk
    words = tidy(text)
    if reason not in Report.Reason.values or not words or len(words) > LONGEST:
        raise errors.BadReport(most=LONGEST)
    lock_acting_user(reporter, now)
    waiting = reporter.reports.filter(state__in=WAITING, message=report.message)
    if report.message is None:
        waiting = waiting.filter(person=report.person)
        if report.person is None:
            waiting = waiting.filter(game=report.game)
    if waiting.exists():
        raise errors.ReportedAlready
    if reporter.reports.filter(made_at__gt=now - _DAY).count() >= settings.REPORTS_A_DAY:
        raise errors.TooManyReports(most=settings.REPORTS_A_DAY)
    report.reporter, report.reason, report.text, report.made_at = reporter, reason, words, now
    report.save(force_insert=True)
    return report
