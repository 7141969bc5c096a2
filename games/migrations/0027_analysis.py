"""Players analyse positions of their games, and can share that after the end."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0026_table_links"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AnalysisNode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("turn", models.PositiveIntegerField(verbose_name="number")),
                (
                    "notation",
                    models.CharField(blank=True, max_length=1000, verbose_name="notation"),
                ),
                ("note", models.TextField(blank=True, max_length=2000, verbose_name="note")),
                ("created_at", models.DateTimeField(verbose_name="made")),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="analysis_nodes",
                        to="games.game",
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="children",
                        to="games.analysisnode",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="analysis_nodes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "analysed position",
                "verbose_name_plural": "analysed positions",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="SharedAnalysis",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("shared_at", models.DateTimeField(verbose_name="shared")),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared_analyses",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared_analyses",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "shared analysis",
                "verbose_name_plural": "shared analyses",
            },
        ),
        migrations.AddIndex(
            model_name="analysisnode",
            index=models.Index(fields=["game", "user"], name="analysis_of_a_game"),
        ),
        migrations.AddConstraint(
            model_name="analysisnode",
            constraint=models.UniqueConstraint(
                condition=models.Q(("parent__isnull", True)),
                fields=("game", "user", "turn"),
                name="one_analysis_root_a_turn",
            ),
        ),
        migrations.AddConstraint(
            model_name="analysisnode",
            constraint=models.UniqueConstraint(
                fields=("parent", "notation"), name="one_analysis_of_a_turn"
            ),
        ),
        migrations.AddConstraint(
            model_name="analysisnode",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("notation", ""), ("parent__isnull", True)),
                    models.Q(
                        ("parent__isnull", False), models.Q(("notation", ""), _negated=True)
                    ),
                    _connector="OR",
                ),
                name="analysis_root_has_no_notation",
            ),
        ),
        migrations.AddConstraint(
            model_name="sharedanalysis",
            constraint=models.UniqueConstraint(
                fields=("game", "user"), name="one_shared_analysis_a_user"
            ),
        ),
    ]
