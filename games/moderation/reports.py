"""What moderators do with reports and messages: assign, resolve, hide."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Event, Message, ModerationLogEntry, Report
from games.models.report import WAITING
from games.moderation import log
from games.moderation.action_names import MessageAction, ReportAction
from games.moderation.permissions import (
    check_has_no_part_in,
    check_is_moderator,
    has_part_in,
    is_moderator,
    plays_in,
)
from games.services.conduct import messages
from games.services.locking import locked_game

State = Report.State


@transaction.atomic
def assign(*, report_id: int, by: User, now: datetime) -> Report:
    """Assign a report to the moderator, if it is nobody's.

    Raises MayNotModerate, NoSuchReport, OwnReport, ReportClosed, InOtherHands, NothingToChange.
    """
    report = _lock_waiting(report_id, by)
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
    """Assign a report to another moderator, or to oneself instead of another.

    `seen` is the key of the assignee that the moderator saw (0: nobody; None: not checked).
    Raises as `assign`, and NoReason, NotAModerator; OwnReport also if `to` has a conflict of
    interest.
    """
    report = _lock_waiting(report_id, by)
    if not why.strip():
        raise errors.NoReason
    if not is_moderator(to):
        raise errors.NotAModerator(name=to)
    _check_no_conflict(report, to)
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
    """Close a report with an answer, which is mailed to the reporter.

    Raises as `assign` (but not NothingToChange), and NoAnswer.
    """
    report = _lock_waiting(report_id, by)
    _check_is_nobody_elses(report, by)
    if not answer.strip():
        raise errors.NoAnswer
    report.state = State.UPHELD if upheld else State.DISMISSED
    report.assignee, report.answer, report.closed_at = by, answer.strip(), now
    report.save(update_fields=["state", "assignee", "answer", "closed_at"])
    _log(ReportAction.UPHOLD if upheld else ReportAction.DISMISS, report, by, answer, now)
    return report


def has_conflict_of_interest(report: Report, user: User) -> bool:
    """Return whether the report is by the user, about them, or about a game that they play."""
    if user.pk in (report.reporter_id, report.person_id):
        return True
    return report.game is not None and plays_in(report.game, user)


def _lock_waiting(report_id: int, by: User) -> Report:
    """Return a report that is not closed, with its row locked. Raises as `assign`."""
    check_is_moderator(by)
    reports = Report.objects.select_for_update(no_key=True, of=("self",))
    report = reports.select_related("assignee", "game").filter(pk=report_id).first()
    if report is None:
        raise errors.NoSuchReport
    _check_no_conflict(report, by)
    if report.state not in WAITING:
        raise errors.ReportClosed(name=report.assignee)
    return report


def _check_no_conflict(report: Report, user: User) -> None:
    if has_conflict_of_interest(report, user) or (report.game and has_part_in(report.game, user)):
        raise errors.OwnReport


def _check_is_nobody_elses(report: Report, by: User) -> None:
    if report.assignee_id not in (None, by.pk):
        raise errors.InOtherHands(name=report.assignee)


def _log(
    action: ReportAction, report: Report, by: User, why: str, now: datetime, **details: object
) -> ModerationLogEntry:
    return log.write_entry(
        by=by,
        what=action.value,
        why=str(why),
        now=now,
        game=report.game,
        person=report.person,
        details={"report": report.pk, **details},
    )


# Messages ----------------------------------------------------------------------------------------


def hide_message(*, message_id: int, by: User, why: str, now: datetime) -> Message:
    """Hide a message from everybody.

    Raises MayNotModerate, NoReason, NoSuchMessage, OwnGame, NothingToChange.
    """
    return _set_hidden(True, message_id, by, why, now)


def show_message(*, message_id: int, by: User, why: str, now: datetime) -> Message:
    """Show a hidden message again. Raises as `hide_message`."""
    return _set_hidden(False, message_id, by, why, now)


@transaction.atomic
def _set_hidden(hide: bool, message_id: int, by: User, why: str, now: datetime) -> Message:
    check_is_moderator(by)
    if not why.strip():
        raise errors.NoReason
    game_id = Message.objects.filter(pk=message_id).values_list("game", flat=True).first()
    if game_id is None:
        raise errors.NoSuchMessage
    game = locked_game(game_id)
    check_has_no_part_in(game, by)
    message = game.messages.select_related("author").get(pk=message_id)
    if not (messages.hide(message, now=now) if hide else messages.show_again(message)):
        raise errors.NothingToChange
    action = (MessageAction.HIDE if hide else MessageAction.SHOW).value
    details: dict[str, object] = {"message": message_id}
    entry = log.write_entry(
        by=by, what=action, why=why, now=now, game=game, person=message.author, details=details
    )
    told = {"what": action, "why": entry.why, "act": entry.number} | details
    game.record_event(Event.Kind.MODERATED, now=now, actor=by, details=told)
    message.refresh_from_db(fields=["hidden_at"])
    return message
