"""Bring the addresses that mail went to and came from to their normal form (accounts.addresses)."""

from django.apps.registry import Apps
from django.db import IntegrityError, migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from accounts.migrations._normal_addresses import NOT_NORMAL, normal_or_none


def normalize(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for name in ("AddressState", "ErrorAnswer", "Notice", "ReplyAddress"):
        rows = apps.get_model("notifications", name).objects
        for row in rows.filter(address__regex=NOT_NORMAL).order_by("pk"):
            rename(row, normal_or_none(row.address))
    mails = apps.get_model("notifications", "IncomingMail").objects
    for pk, sender in mails.filter(sender__regex=NOT_NORMAL).values_list("pk", "sender"):
        senders = (normal_or_none(one) or one for one in sender.split(", "))
        mails.filter(pk=pk).update(sender=", ".join(senders)[:320])


def rename(row: object, normal: str | None) -> None:
    """Give a row its normal address; where there is such a row already, that one stays."""
    if normal is None:
        return  # nothing can be sent there, or come from there
    row.address = normal
    try:
        with transaction.atomic():
            row.save(update_fields=["address"])
    except IntegrityError:
        row.delete()


class Migration(migrations.Migration):

    dependencies = [
        ("notifications", "0005_held_mail"),
    ]

    operations = [
        migrations.RunPython(normalize, migrations.RunPython.noop),
    ]
