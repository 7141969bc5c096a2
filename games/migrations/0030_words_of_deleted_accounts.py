"""Let an entry of the moderators' log lose its words, once, when an account is deleted."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SAME = ("id", "number", "by_id", "at", "what", "game_id", "person_id", "hash")
"""The columns that stay as they are."""

FUNCTION = """CREATE OR REPLACE FUNCTION games_act_stands() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    {exception}
    RAISE EXCEPTION 'the log of moderation is append-only';
  END $$"""
EXCEPTION = f"""
    IF TG_OP = 'UPDATE' THEN
      IF OLD.words_deleted_at IS NULL AND NEW.words_deleted_at IS NOT NULL
        AND ({", ".join(f"OLD.{name}" for name in SAME)})
          IS NOT DISTINCT FROM ({", ".join(f"NEW.{name}" for name in SAME)})
      THEN
        RETURN NEW;
      END IF;
    END IF;"""
TRIGGER = """CREATE TRIGGER games_act_stands BEFORE UPDATE ON games_act {unless}
  BEGIN SELECT RAISE(ABORT, 'the log of moderation is append-only'); END"""
UNLESS = f"""
  WHEN NOT (OLD.words_deleted_at IS NULL AND NEW.words_deleted_at IS NOT NULL
    AND {" AND ".join(f"OLD.{name} IS NEW.{name}" for name in SAME)})"""


def allow(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let words be deleted, and nothing else be changed."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(FUNCTION.format(exception=EXCEPTION))
    else:
        schema_editor.execute("DROP TRIGGER games_act_stands")
        schema_editor.execute(TRIGGER.format(unless=UNLESS))


def forbid(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let nothing be changed."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(FUNCTION.format(exception=""))
    else:
        schema_editor.execute("DROP TRIGGER games_act_stands")
        schema_editor.execute(TRIGGER.format(unless=""))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0029_fill_results"),
    ]

    operations = [
        migrations.AddField(
            model_name="moderationlogentry",
            name="words_deleted_at",
            field=models.DateTimeField(
                blank=True, editable=False, null=True, verbose_name="words deleted"
            ),
        ),
        migrations.RunPython(allow, forbid),
    ]
