"""Tells whoever reported something what became of it."""

import logging
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import translation

from games.models import Report
from games.services.batches import drop_broken_connection
from notifications.kinds.account.kind import KIND
from notifications.services.account import write_account_notice
from notifications.services.emails.names import plain
from notifications.services.readers import gets_mail, verified_address

log = logging.getLogger(__name__)

BATCH = 200
"""How many reports one call takes up."""


def tell_reporters(*, now: datetime) -> int:
    """Write the mails about reports that were closed; return how many reports this call took up.

    Safe in any number of processes: each report is taken by a compare-and-set. One whose mail
    cannot be written is logged and left for the next call; it does not hold up the others.
    """
    closed = Report.objects.filter(closed_at__isnull=False, told_at=None).order_by("closed_at")
    return sum(_take(pk, now) for pk in list(closed.values_list("pk", flat=True)[:BATCH]))


def _take(report_id: int, now: datetime) -> bool:
    try:
        return _tell(report_id, now)
    except Exception:
        log.exception("nobody could be told what became of report %s", report_id)
        drop_broken_connection()
        return False


@transaction.atomic
def _tell(report_id: int, now: datetime) -> bool:
    if not Report.objects.filter(pk=report_id, told_at=None).update(told_at=now):
        return False
    named = ("reporter", "person", "game", "message")
    report = Report.objects.select_related(*named).get(pk=report_id)
    reader = report.reporter
    if gets_mail(reader):
        write_account_notice(
            template_prefix=KIND.template("report"),
            address=verified_address(reader),
            reader=reader,
            language=reader.language,
            context=_facts(report),
            group=None,  # bounded by REPORTS_A_DAY
            now=now,
        )
    return True


def _facts(report: Report) -> dict[str, object]:
    with translation.override(report.reporter.language):
        game = translation.gettext(report.game.rules.name) if report.game else ""
    return {
        "reader": plain(report.reporter),
        "upheld": report.state == Report.State.UPHELD,
        "of_message": report.message is not None,
        "person": plain(report.person or ""),
        "game": game,
        "number": report.game_id,
        "answer": report.answer,
        "url": settings.SITE_URL + reverse("your_conduct"),
    }
