"""What moderators do with reports: take them, hand them over, close them with an answer."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Act, Report
from games.models.report import WAITING
from games.services import log
from games.services.moderation.action_names import ReportAction
from games.services.moderation.permissions import (
    check_is_moderator,
    has_part_in,
    is_moderator,
    plays_in,
)

State = Report.State


@transaction.atomic
def assign(*, report_id: int, by: User, now: datetime) -> Report:
    """Take a report that nobody has in hand.

    Raises MayNotModerate, NoSuchReport, OwnReport, ReportClosed, InOtherHands, NothingToChange.
    """
    report = _in_hand(report_id, by)
    _check_is_nobody_elses(report, by)
    if report.assignee_id == by.pk:
        raise errors.NothingToChange
    report.state, report.assignee = State.TAKEN, by
    report.save(update_fields=["state", "assignee"])
    _log(ReportAction.TAKE, report, by, report.get_reason_display(), now)
    return report


@transaction.atomic
def reassign(
    *, report_id: int, by: User, to: User, why: str, now: datetime, seen: int | None = None
) -> Report:
    """Give a report to another moderator, or take it from one.

    `seen` is the key of whose hands the moderator saw it in (0: nobody's; None: whoever's).
    Raises as `assign`, and NoReason, NotAModerator; OwnReport also when `to` is concerned.
    """
    report = _in_hand(report_id, by)
    if not why.strip():
        raise errors.NoReason
    if not is_moderator(to):
        raise errors.NotAModerator(name=to)
    _check_is_not_concerned(report, to)
    if report.assignee_id == to.pk:
        raise errors.NothingToChange
    if seen is not None and (report.assignee_id or 0) != seen:
        raise errors.InOtherHands(name=report.assignee)
    report.state, report.assignee = State.TAKEN, to
    report.save(update_fields=["state", "assignee"])
    _log(ReportAction.HAND_OVER, report, by, why, now, to=to.pk)
    return report


@transaction.atomic
def resolve(*, report_id: int, by: User, upheld: bool, answer: str, now: datetime) -> Report:
    """Close a report with an answer, of which the reporter is told.

    Raises as `assign` (but not NothingToChange), and NoAnswer.
    """
    report = _in_hand(report_id, by)
    _check_is_nobody_elses(report, by)
    if not answer.strip():
        raise errors.NoAnswer
    report.state = State.UPHELD if upheld else State.DISMISSED
    report.assignee, report.answer, report.closed_at = by, answer.strip(), now
    report.save(update_fields=["state", "assignee", "answer", "closed_at"])
    _log(ReportAction.UPHOLD if upheld else ReportAction.DISMISS, report, by, answer, now)
    return report


def has_conflict_of_interest(report: Report, user: User) -> bool:
    """Tell whether a report is somebody's own, or about them or a game of theirs."""
    if user.pk in (report.reporter_id, report.person_id):
        return True
    return report.game is not None and plays_in(report.game, user)


def _in_hand(report_id: int, by: User) -> Report:
    """Return a report that waits, locked. Raises as `assign`."""
    check_is_moderator(by)
    reports = Report.objects.select_for_update(no_key=True, of=("self",))
    report = reports.select_related("assignee", "game").filter(pk=report_id).first()
    if report is None:
        raise errors.NoSuchReport
    _check_is_not_concerned(report, by)
    if report.state not in WAITING:
        raise errors.ReportClosed(name=report.assignee)
    return report


def _check_is_not_concerned(report: Report, user: User) -> None:
    if has_conflict_of_interest(report, user) or (report.game and has_part_in(report.game, user)):
        raise errors.OwnReport


def _check_is_nobody_elses(report: Report, by: User) -> None:
    if report.assignee_id not in (None, by.pk):
        raise errors.InOtherHands(name=report.assignee)


def _log(
    what: ReportAction, report: Report, by: User, why: str, now: datetime, **more: object
) -> Act:
    return log.write_entry(
        by=by,
        what=what.value,
        why=str(why),
        now=now,
        game=report.game,
        person=report.person,
        details={"report": report.pk, **more},
    )
