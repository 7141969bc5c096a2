"""Bring stored addresses to their normal form (accounts.addresses), and say what was changed.

Where two addresses become one, the verified row that was in the normal form already keeps it, else
the oldest verified one. The others stay, but are not verified any more: their users can sign in by
user name. An address without a normal form is removed: no mail can have reached it.
"""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from accounts.migrations._normal_addresses import NOT_NORMAL, normal_or_none


def normalize(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    addresses = apps.get_model("account", "EmailAddress").objects
    for row in addresses.filter(email__regex=NOT_NORMAL).order_by("pk").select_related("user"):
        before, normal = row.email, normal_or_none(row.email)
        result = remove(row) if normal is None else rename(row, normal)
        print(f"  {row.user.username}: {before} {result}")  # noqa: T201
    users = apps.get_model("accounts", "User").objects
    for user in users.filter(email__regex=NOT_NORMAL).order_by("pk"):
        primary = addresses.filter(user=user, primary=True).first()
        user.email = normal_or_none(user.email) or (primary.email if primary else "")
        user.save(update_fields=["email"])


def remove(row: object) -> str:
    row.delete()
    others = type(row).objects.filter(user=row.user).order_by("-verified", "pk")
    if row.primary and (other := others.first()):
        make_primary(other)
    return "was removed: it has no normal form"


def rename(row: object, normal: str) -> str:
    rows = type(row).objects.filter(email=normal).exclude(pk=row.pk)
    if row.verified and rows.filter(verified=True).exclude(user=row.user).exists():
        row.verified = False
    same = rows.filter(user=row.user).first()
    if same is not None:
        row.delete()
        same.verified = same.verified or row.verified
        same.save(update_fields=["verified"])
        if row.primary:
            make_primary(same)
        return f"is {normal}, which was there already"
    was_verified = type(row).objects.get(pk=row.pk).verified
    row.email = normal
    row.save(update_fields=["email", "verified"])
    lost = was_verified and not row.verified
    return f"is {normal} now" + (", not verified: somebody else has verified it" if lost else "")


def make_primary(row: object) -> None:
    type(row).objects.filter(user=row.user, primary=True).update(primary=False)
    row.primary = True
    row.save(update_fields=["primary"])
    row.user.email = row.email
    row.user.save(update_fields=["email"])


class Migration(migrations.Migration):

    dependencies = [
        ("account", "0009_emailaddress_unique_primary_email"),
        ("accounts", "0007_security_events"),
    ]

    operations = [
        migrations.RunPython(normalize, migrations.RunPython.noop),
    ]
