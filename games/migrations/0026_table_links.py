"""Links with which anybody may sit down at a table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0025_planned_turns"),
    ]

    operations = [
        migrations.CreateModel(
            name="TableLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=32, verbose_name="key")),
                ("created_at", models.DateTimeField(verbose_name="made")),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="link",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
            ],
            options={
                "verbose_name": "link to a table",
                "verbose_name_plural": "links to tables",
            },
        ),
    ]
