"""Players plan turns for positions that have not come about yet."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0024_undo_and_takebacks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PlannedTurn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("begins_after", models.PositiveIntegerField(verbose_name="turns before the line")),
                ("line", models.JSONField(verbose_name="turns that must be played first")),
                ("notation", models.TextField(verbose_name="notation")),
                ("key", models.CharField(max_length=64, verbose_name="key of the position")),
                ("planned_at", models.DateTimeField(verbose_name="planned")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="planned_turns",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="planned_turns",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "planned turn",
                "verbose_name_plural": "planned turns",
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["game", "user", "key"], name="one_planned_turn_a_position"
                    )
                ],
            },
        ),
    ]
