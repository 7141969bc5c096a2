"""Asking for an export, and reading it."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from accounts.users import lock_user
from games import wakeups
from notifications import errors
from notifications.exports.archive import PART_SIZE
from notifications.models import DataExport, DataExportPart

EXPORTS_A_DAY = 3
"""How many exports a user can ask for within 24 hours."""


@transaction.atomic
def ask_for_export(*, user: User, now: datetime) -> DataExport:
    """Have a file with a user's data made; the file that there was is deleted.

    Raises ExportUnderWay, TooManyExports.
    """
    lock_user(user.pk)
    exports = DataExport.objects.filter(user=user)
    if exports.unfinished().exists():
        raise errors.ExportUnderWay
    if exports.filter(asked_at__gt=now - timedelta(days=1)).count() >= EXPORTS_A_DAY:
        raise errors.TooManyExports(most=EXPORTS_A_DAY)
    DataExportPart.objects.filter(export__user=user).delete()
    exports.filter(state=DataExport.State.READY).update(state=DataExport.State.REPLACED)
    export = DataExport.objects.create(user=user, asked_at=now)
    wakeups.notify_workers("exports")
    return export


def newest_export(user: User, *, now: datetime) -> DataExport | None:
    """Return the user's newest export; None if there is none or it is to be deleted."""
    export = DataExport.objects.filter(user=user).order_by("-pk").first()
    if export is None or (export.expires_at is not None and export.expires_at <= now):
        return None
    return export


def file_of(export: DataExport) -> Iterator[bytes]:
    """Yield the file of a ready export, part by part. Raises NoExport if it is deleted now."""
    sent = 0
    while sent < export.size:
        number = sent // PART_SIZE
        content = export.parts.filter(number=number).values_list("content", flat=True).first()
        if content is None:
            raise errors.NoExport
        yield bytes(content)
        sent += len(content)
