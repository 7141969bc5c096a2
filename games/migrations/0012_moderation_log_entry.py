"""Call the model of the moderation log ModerationLogEntry. Nothing changes in the database.

The previous release uses the same table. Groups hold the permission to read the log as a row with
the code `view_act`: the model keeps that code, so that they keep it, whichever release asks.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0011_clock_names"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Act", "ModerationLogEntry"),
                migrations.AlterModelTable("ModerationLogEntry", "games_act"),
                migrations.AlterModelOptions(
                    "ModerationLogEntry",
                    options={
                        "ordering": ["-number"],
                        "verbose_name": "act of moderation",
                        "verbose_name_plural": "acts of moderation",
                        "default_permissions": (),
                        "permissions": [("view_act", "Can view act of moderation")],
                    },
                ),
                migrations.AlterField(
                    "ModerationLogEntry",
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="log_entries",
                        to="games.game",
                        verbose_name="game",
                    ),
                ),
                migrations.AlterField(
                    "ModerationLogEntry",
                    "person",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="log_entries",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
        ),
    ]
