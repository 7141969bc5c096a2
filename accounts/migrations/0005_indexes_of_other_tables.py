"""Let people be found by the beginning of a name or an address, by place, and with their history.

Models cannot declare these: most tables are Django's or allauth's.
"""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

EVERYWHERE = [
    "CREATE INDEX usersession_by_ip ON usersessions_usersession (ip)",
    "CREATE INDEX admin_log_of_row ON django_admin_log (object_id, content_type_id)",
]
BY_BEGINNING = [
    "CREATE INDEX user_by_lower_username ON accounts_user (LOWER(username) text_pattern_ops)",
    "CREATE INDEX address_by_mailbox ON account_emailaddress "
    "((REPLACE(LOWER(email), '.', '')) text_pattern_ops)",
]
"""Only PostgreSQL looks up beginnings in such an index."""


def wanted(schema_editor: BaseDatabaseSchemaEditor) -> list[str]:
    on_postgresql = schema_editor.connection.vendor == "postgresql"
    return [*EVERYWHERE, *BY_BEGINNING] if on_postgresql else EVERYWHERE


def put(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for index in wanted(schema_editor):
        schema_editor.execute(index)


def take_away(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for index in wanted(schema_editor):
        schema_editor.execute(f"DROP INDEX {index.split()[2]}")


class Migration(migrations.Migration):

    dependencies = [
        ('admin', '0003_logentry_add_action_flag_choices'),
        ('account', '0009_emailaddress_unique_primary_email'),
        ('usersessions', '0001_initial'),
        ('accounts', '0004_fair_time_and_moderation'),
    ]

    operations = [
        migrations.RunPython(put, take_away),
    ]
