"""Let people be found by how their names begin, whatever the case of the user name."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

PUT = """CREATE INDEX user_by_lower_username ON accounts_user (LOWER(username) text_pattern_ops)"""
TAKE_AWAY = "DROP INDEX user_by_lower_username"


def put(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(PUT)


def take_away(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(TAKE_AWAY)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_vacations_keep_their_calendar'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='user',
            index=models.Index(fields=['display_name'], name='user_by_display_name', opclasses=['varchar_pattern_ops']),
        ),
        migrations.RunPython(put, take_away),
    ]
