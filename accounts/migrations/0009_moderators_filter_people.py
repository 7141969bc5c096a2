"""Let moderators filter people quickly, and look for accounts that may be one person's."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# The tables are allauth's: our models cannot declare indexes of theirs.
BY_PLACE = "CREATE INDEX usersession_by_ip ON usersessions_usersession (ip)"
BY_MAILBOX = (
    "CREATE INDEX address_by_mailbox ON account_emailaddress "
    "((REPLACE(LOWER(email), '.', '')) text_pattern_ops)"
)
NAMES = {BY_PLACE: "usersession_by_ip", BY_MAILBOX: "address_by_mailbox"}


def wanted(schema_editor: BaseDatabaseSchemaEditor) -> list[str]:
    """Only PostgreSQL looks up beginnings in such an index."""
    on_postgresql = schema_editor.connection.vendor == "postgresql"
    return [BY_PLACE, BY_MAILBOX] if on_postgresql else [BY_PLACE]


def put(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for index in wanted(schema_editor):
        schema_editor.execute(index)


def take_away(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for index in wanted(schema_editor):
        schema_editor.execute(f"DROP INDEX {NAMES[index]}")


class Migration(migrations.Migration):

    dependencies = [
        ('account', '0009_emailaddress_unique_primary_email'),
        ('usersessions', '0001_initial'),
        ('accounts', '0008_sanctions_come_to'),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.RunPython(put, take_away),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('barred_until__isnull', False)), fields=['-id'], name='user_barred'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('muted_until__isnull', False)), fields=['-id'], name='user_muted'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('is_warned', True)), fields=['-id'], name='user_warned'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('is_staff', True)), fields=['-id'], name='user_staff'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('is_program', True)), fields=['-id'], name='user_program'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('is_active', False)), fields=['-id'], name='user_closed'),
        ),
    ]
