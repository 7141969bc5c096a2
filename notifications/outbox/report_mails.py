"""Tell players what became of their reports."""

import logging
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import translation

from games.models import Report
from games.services.batches import drop_broken_connection
from notifications.emails.formatting import plain
from notifications.kinds.account.kind import KIND
from notifications.services.account import write_account_notice
from notifications.services.addresses import gets_mail, verified_address

log = logging.getLogger(__name__)

BATCH = 200
"""How many reports one call takes up."""


def tell_reporters(*, now: datetime) -> int:
    """Write the mails about reports that were closed; return how many reports this call took up.

    Safe in any number of processes. A report whose mail cannot be written is logged and left for
    the next call; it does not delay the others.
    """
    closed = Report.objects.filter(closed_at__isnull=False, told_at=None).order_by("closed_at")
    done = 0
    for pk in list(closed.values_list("pk", flat=True)[:BATCH]):
        try:
            done += write_report_mail(pk, now)
        except Exception:
            log.exception("the mail about report %s could not be written", pk)
            drop_broken_connection()
    return done


@transaction.atomic
def write_report_mail(report_id: int, now: datetime) -> bool:
    """Tell a report's reporter, if they get mail; return False if another process has done it."""
    # A compare-and-set: only one process takes the report.
    if not Report.objects.filter(pk=report_id, told_at=None).update(told_at=now):
        return False
    related = ("reporter", "person", "game", "message")
    report = Report.objects.select_related(*related).get(pk=report_id)
    reader = report.reporter
    if not gets_mail(reader):
        return True
    with translation.override(reader.language):
        game = translation.gettext(report.game.rules.name) if report.game else ""
    write_account_notice(
        template_prefix=KIND.template("report"),
        address=verified_address(reader),
        reader=reader,
        language=reader.language,
        context={
            "reader": plain(reader),
            "upheld": report.state == Report.State.UPHELD,
            "of_message": report.message is not None,
            "person": plain(report.person or ""),
            "game": game,
            "number": report.game_id,
            "answer": report.answer,
            "url": settings.SITE_URL + reverse("your_conduct"),
        },
        group=None,  # limited by REPORTS_A_DAY
        now=now,
    )
    return True
