"""Players undo their newest turn for a while, and offer to take turns back later."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0023_fill_ended_seats"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="before_turn",
            field=models.JSONField(
                blank=True, null=True, verbose_name="clock before the newest turn"
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="undo_by",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="who can undo it",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="undo_until",
            field=models.DateTimeField(
                blank=True, null=True, verbose_name="newest turn can be undone until"
            ),
        ),
        migrations.AlterField(
            model_name="event",
            name="kind",
            field=models.CharField(
                choices=[
                    ("opened", "table opened"),
                    ("challenged", "player challenged"),
                    ("invited", "address invited"),
                    ("joined", "seat taken"),
                    ("left", "seat left"),
                    ("declined", "invitation declined"),
                    ("closed", "table closed"),
                    ("started", "game begun"),
                    ("turn-played", "turn played"),
                    ("turn-undone", "turn undone"),
                    ("taken-back", "turns taken back"),
                    ("reminder-due", "time runs low"),
                    ("offer-made", "offer made"),
                    ("offer-declined", "offer declined"),
                    ("offer-withdrawn", "offer withdrawn"),
                    ("offer-accepted", "offer accepted"),
                    ("time-granted", "more time given"),
                    ("clock-stopped", "clock stopped"),
                    ("clock-started", "clock resumes"),
                    ("vacation-begun", "vacation begun instead of a time-out"),
                    ("seat-sought", "looking for a substitute"),
                    ("seat-taken-over", "seat taken over"),
                    ("departed", "player left the game"),
                    ("ended", "game over"),
                    ("message-said", "message written"),
                    ("moderated", "a moderator acted"),
                ],
                max_length=20,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="offer",
            name="details",
            field=models.JSONField(
                blank=True,
                db_default=models.Value({}, models.JSONField()),
                default=dict,
                help_text="A pause's days, a pace's times, or a takeback's turn.",
                verbose_name="details",
            ),
        ),
        migrations.AlterField(
            model_name="offer",
            name="kind",
            field=models.CharField(
                choices=[
                    ("agreed-end", "to end the game by agreement"),
                    ("pause", "to stop the clock for a while"),
                    ("pace", "to play at another pace"),
                    ("takeback", "to take turns back"),
                ],
                max_length=20,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="turn",
            name="via",
            field=models.CharField(
                choices=[
                    ("web", "on the web"),
                    ("mail", "by mail"),
                    ("api", "by the API"),
                    ("plan", "as planned"),
                    ("program", "by a bot"),
                    ("left", "by leaving the game"),
                    ("takeback", "taken back"),
                ],
                max_length=10,
                verbose_name="how",
            ),
        ),
    ]
