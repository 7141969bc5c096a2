"""Bring the addresses that were invited to their normal form (accounts.addresses)."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone

from accounts.migrations._normal_addresses import NOT_NORMAL, normal_or_none


def normalize(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let the later of two open invitations to one address at a game lapse."""
    invitations = apps.get_model("games", "Invitation").objects
    for invitation in invitations.filter(email__regex=NOT_NORMAL).order_by("pk"):
        normal = normal_or_none(invitation.email)
        if normal is None:
            continue  # nobody can answer from there
        same = invitations.filter(game=invitation.game_id, email=normal, state="open")
        if invitation.state == "open" and same.exists():
            invitation.state, invitation.answered_at = "lapsed", timezone.now()
        invitation.email = normal
        invitation.save(update_fields=["email", "state", "answered_at"])


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0008_log_and_records_refuse_deletion"),
    ]

    operations = [
        migrations.RunPython(normalize, migrations.RunPython.noop),
    ]
