"""Makes the exports that users asked for, in the background, and deletes them in time.

An export is claimed before it is made. Every part is written only while the claim holds, and
renews it. What fails is left claimed, like what was killed: after ABANDONED_AFTER it is made anew,
from the beginning, and given up after MOST_ATTEMPTS.

The parts are rows, not files on the disk: the machine that answers a download need not be the one
that made the file.
"""

import logging
import traceback
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from accounts.models import User
from accounts.server_time import server_now
from games.services.batches import drop_broken_connection
from notifications.emails.formatting import plain
from notifications.exports.account_data import add_account
from notifications.exports.archive import Archive
from notifications.exports.game_data import add_games
from notifications.kinds.account.kind import KIND
from notifications.models import DataExport, DataExportPart
from notifications.services.account import write_account_notice
from notifications.services.addresses import gets_mail, verified_address

log = logging.getLogger(__name__)

MOST_ATTEMPTS = 3

LONGEST_ERROR = 8000

State = DataExport.State


class ClaimLost(Exception):
    """Another process makes the export now, or it was deleted with its user."""


def make_exports(*, now: datetime) -> int:
    """Make the export that has waited longest; return how many were made or given up.

    One only, as other tasks wait for this one. Safe in any number of processes.
    """
    for pk in list(DataExport.objects.to_make(now).order_by("pk").values_list("pk", flat=True)):
        export = claim_export(pk, now)
        if export is not None:
            return int(make_claimed(export))
    return 0


def delete_expired_exports(*, now: datetime) -> int:
    """Delete exports whose time is over, with their files; return how many."""
    expired = DataExport.objects.filter(expires_at__lte=now)
    DataExportPart.objects.filter(export__in=expired).delete()
    return expired.delete()[0]


@transaction.atomic
def claim_export(pk: int, now: datetime) -> DataExport | None:
    """Claim an export by compare-and-set, without parts; None if another process has it."""
    free = DataExport.objects.to_make(now).filter(pk=pk)
    if not free.update(state=State.MAKING, claimed_at=now, attempts=F("attempts") + 1):
        return None
    DataExportPart.objects.filter(export=pk).delete()
    return DataExport.objects.select_related("user").get(pk=pk)


def make_claimed(export: DataExport) -> bool:
    """Make a claimed export; return whether it is made or given up."""
    claimed = DataExport.objects.filter(pk=export.pk, state=State.MAKING, attempts=export.attempts)
    if export.attempts > MOST_ATTEMPTS:
        expires_at = server_now() + settings.DATA_EXPORTS_KEPT
        return bool(claimed.update(state=State.FAILED, expires_at=expires_at))
    number = 0

    @transaction.atomic
    def save(content: bytes) -> None:
        nonlocal number
        if not claimed.update(claimed_at=server_now()):
            raise ClaimLost
        DataExportPart.objects.create(export=export, number=number, content=content)
        number += 1

    try:
        archive = Archive(save, now=server_now())
        fill_archive(archive, export.user)
        size = archive.close()
        with transaction.atomic():
            made_at = server_now()
            expires_at = made_at + settings.DATA_EXPORTS_KEPT
            is_made = claimed.update(
                state=State.READY, made_at=made_at, expires_at=expires_at, size=size, error=""
            )
            if not is_made:
                raise ClaimLost
            tell_of_export(export.user, expires_at, made_at)
    except ClaimLost:
        log.warning("export %s is made by another process, or deleted", export.pk)
        return False
    except Exception:
        log.exception("export %s could not be made", export.pk)
        error = traceback.format_exc()[-LONGEST_ERROR:]
        drop_broken_connection()
        claimed.update(error=error)
        return False
    return True


def fill_archive(archive: Archive, user: User) -> None:
    """Add all files of a user's export, in their language."""
    with translation.override(user.language), timezone.override(user.zone):
        about = {
            "user": user,
            "now": server_now(),
            "site": settings.SITE_NAME,
            "url": settings.SITE_URL,
        }
        readme = render_to_string("notifications/export_readme.txt", about).strip() + "\n"
        archive.add_text("README.txt", [readme])
        add_account(archive, user)
        add_games(archive, user)


def tell_of_export(user: User, expires_at: datetime, now: datetime) -> None:
    """Write the mail that says that the file is ready, if the user gets mail."""
    if not gets_mail(user):
        return
    write_account_notice(
        template_prefix=KIND.template("export"),
        address=verified_address(user),
        reader=user,
        language=user.language,
        context={
            "reader": plain(user),
            "expires_at": expires_at,
            "url": settings.SITE_URL + reverse("your_data"),
        },
        group=None,  # limited by EXPORTS_A_DAY
        now=now,
    )
