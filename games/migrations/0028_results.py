"""Counts of players' results, by kind of game and by opponent."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

COUNTS = [
    ("played", models.PositiveIntegerField(default=0, verbose_name="played")),
    ("won", models.PositiveIntegerField(default=0, verbose_name="won")),
    ("drawn", models.PositiveIntegerField(default=0, verbose_name="drawn")),
]


def key() -> tuple[str, models.Field]:
    return (
        "id",
        models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
    )


def person(verbose_name: str, related_name: str, *, db_index: bool) -> models.ForeignKey:
    return models.ForeignKey(
        db_index=db_index,
        on_delete=django.db.models.deletion.CASCADE,
        related_name=related_name,
        to=settings.AUTH_USER_MODEL,
        verbose_name=verbose_name,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0027_analysis"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="KindResults",
            fields=[
                key(),
                *COUNTS,
                ("rules_slug", models.CharField(max_length=40, verbose_name="game")),
                ("out_of_time", models.PositiveIntegerField(default=0, verbose_name="lost on time")),
                ("player", person("player", "kind_results", db_index=False)),
            ],
            options={
                "verbose_name": "results in a game",
                "verbose_name_plural": "results by game",
                "constraints": [
                    models.UniqueConstraint(fields=("player", "rules_slug"), name="one_row_a_kind"),
                    models.CheckConstraint(
                        condition=Q(played__gte=F("won") + F("drawn"), out_of_time__lte=F("played")),
                        name="kind_counts_add_up",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="OpponentResults",
            fields=[
                key(),
                *COUNTS,
                ("opponent", person("opponent", "+", db_index=True)),
                ("player", person("player", "opponent_results", db_index=False)),
            ],
            options={
                "verbose_name": "results against an opponent",
                "verbose_name_plural": "results by opponent",
                "indexes": [
                    models.Index(
                        fields=["player", "-played", "opponent"], name="opponents_by_games"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "opponent"), name="one_row_an_opponent"
                    ),
                    models.CheckConstraint(
                        condition=Q(played__gte=F("won") + F("drawn")),
                        name="opponent_counts_add_up",
                    ),
                ],
            },
        ),
    ]
