"""Let the database refuse to delete what the moderators' log says, and to change a game's record.

A migration that makes SQLite rebuild one of the two tables must put its triggers there again:
tests/games/moderation/test_log.py and tests/games/test_record.py find them missing.
"""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

PUT = {
    "postgresql": [
        """CREATE TRIGGER games_act_is_never_emptied BEFORE TRUNCATE ON games_act
           FOR EACH STATEMENT EXECUTE FUNCTION games_act_stands()""",
        """CREATE FUNCTION games_turn_stands() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN RAISE EXCEPTION 'the record of a game is append-only'; END $$""",
        """CREATE TRIGGER games_turn_stands BEFORE UPDATE OR DELETE ON games_turn
           FOR EACH ROW EXECUTE FUNCTION games_turn_stands()""",
        """CREATE TRIGGER games_turn_is_never_emptied BEFORE TRUNCATE ON games_turn
           FOR EACH STATEMENT EXECUTE FUNCTION games_turn_stands()""",
    ],
    "sqlite": [
        """CREATE TRIGGER games_act_stays BEFORE DELETE ON games_act
           BEGIN SELECT RAISE(ABORT, 'the log of moderation is append-only'); END""",
        """CREATE TRIGGER games_turn_stands BEFORE UPDATE ON games_turn
           BEGIN SELECT RAISE(ABORT, 'the record of a game is append-only'); END""",
        """CREATE TRIGGER games_turn_stays BEFORE DELETE ON games_turn
           BEGIN SELECT RAISE(ABORT, 'the record of a game is append-only'); END""",
    ],
}
TAKE_AWAY = {
    "postgresql": [
        "DROP TRIGGER games_act_is_never_emptied ON games_act",
        "DROP TRIGGER games_turn_stands ON games_turn",
        "DROP TRIGGER games_turn_is_never_emptied ON games_turn",
        "DROP FUNCTION games_turn_stands()",
    ],
    "sqlite": [
        "DROP TRIGGER games_act_stays",
        "DROP TRIGGER games_turn_stands",
        "DROP TRIGGER games_turn_stays",
    ],
}


def put(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in PUT.get(schema_editor.connection.vendor, []):
        schema_editor.execute(statement)


def take_away(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in TAKE_AWAY.get(schema_editor.connection.vendor, []):
        schema_editor.execute(statement)


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0007_find_invitations_by_address"),
    ]

    operations = [
        migrations.RunPython(put, take_away),
    ]
