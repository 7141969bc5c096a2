"""Let the database itself refuse to change or delete what the moderators' log says."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

PUT = {
    "postgresql": [
        """CREATE FUNCTION games_act_stands() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN RAISE EXCEPTION 'the log of moderation is append-only'; END $$""",
        """CREATE TRIGGER games_act_stands BEFORE UPDATE OR DELETE ON games_act
           FOR EACH ROW EXECUTE FUNCTION games_act_stands()""",
    ],
    "sqlite": [
        """CREATE TRIGGER games_act_stands BEFORE UPDATE ON games_act
           BEGIN SELECT RAISE(ABORT, 'the log of moderation is append-only'); END""",
    ],
}
TAKE_AWAY = {
    "postgresql": [
        "DROP TRIGGER games_act_stands ON games_act",
        "DROP FUNCTION games_act_stands()",
    ],
    "sqlite": ["DROP TRIGGER games_act_stands"],
}


def put(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in PUT.get(schema_editor.connection.vendor, []):
        schema_editor.execute(statement)


def take_away(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in TAKE_AWAY.get(schema_editor.connection.vendor, []):
        schema_editor.execute(statement)


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0004_mail_and_moderation"),
    ]

    operations = [
        migrations.RunPython(put, take_away),
    ]
