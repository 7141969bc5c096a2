"""Seats and invitations of programs have a level, and programs have a budget of thinking time."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def give_levels(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let programs that play, or are invited, go on at the lowest level."""
    seats = apps.get_model("games", "Seat").objects
    seats.filter(user__is_bot=True, game__status__in=["open", "active"]).update(level=1)
    invitations = apps.get_model("games", "Invitation").objects
    invitations.filter(user__is_bot=True, state="open").update(level=1)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0030_words_of_deleted_accounts"),
        ("accounts", "0022_mail_appearance"),
    ]

    operations = [
        migrations.AddField(
            "seat",
            "level",
            models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="level of the program"
            ),
        ),
        migrations.AddField(
            "invitation",
            "level",
            models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="level of the program"
            ),
        ),
        migrations.CreateModel(
            name="ThinkingTime",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField(verbose_name="day")),
                ("seconds", models.FloatField(default=0.0, verbose_name="seconds")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="thinking_times",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "thinking time of programs",
                "verbose_name_plural": "thinking times of programs",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "day"), name="one_thinking_time_a_day"
                    )
                ],
            },
        ),
        migrations.RunPython(give_levels, migrations.RunPython.noop),
    ]
