"""Players choose what their profile shows, and are found by the words of their names."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

AUDIENCES = [
    ("everybody", "everybody"),
    ("members", "players who are signed in"),
    ("nobody", "only me"),
]
INDEX = "CREATE INDEX search_words ON accounts_searchword (words{collation}, user_id)"


def put(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create the index in the order of the letters' numbers, which is SQLite's own."""
    on_postgresql = schema_editor.connection.vendor == "postgresql"
    schema_editor.execute(INDEX.format(collation=' COLLATE "C"' if on_postgresql else ""))


def take_away(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute("DROP INDEX search_words")


def audience(verbose_name: str, default: str) -> models.CharField:
    return models.CharField(
        choices=AUDIENCES,
        db_default=default,
        default=default,
        max_length=10,
        verbose_name=verbose_name,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_guests"),
    ]

    operations = [
        migrations.AddField("user", "results_shown_to", audience("my results", "everybody")),
        migrations.AddField("user", "times_shown_to", audience("how fast I answer", "members")),
        migrations.AddField("user", "games_shown_to", audience("the list of my games", "everybody")),
        migrations.AddField(
            "user",
            "is_findable",
            models.BooleanField(
                db_default=True, default=True, verbose_name="can be found by name"
            ),
        ),
        migrations.AddField(
            "user",
            "takes_strangers",
            models.BooleanField(
                db_default=True, default=True, verbose_name="can be challenged by strangers"
            ),
        ),
        migrations.CreateModel(
            name="SearchWord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("words", models.CharField(max_length=90, verbose_name="words")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="search_words",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "words of a name",
                "verbose_name_plural": "words of names",
            },
        ),
        migrations.RunPython(put, take_away),
    ]
