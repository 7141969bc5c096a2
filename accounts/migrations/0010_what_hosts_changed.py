"""Let the page of what was changed in an account be found quickly."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# The table is Django's: our models cannot declare indexes of it.
PUT = "CREATE INDEX admin_log_of_row ON django_admin_log (object_id, content_type_id)"
TAKE_AWAY = "DROP INDEX admin_log_of_row"


def put(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute(PUT)


def take_away(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute(TAKE_AWAY)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0009_moderators_filter_people'),
        ('admin', '0003_logentry_add_action_flag_choices'),
    ]

    operations = [
        migrations.RunPython(put, take_away),
    ]
