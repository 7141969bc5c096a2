"""Heartbeats also record when the pages and the mail listener last answered."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0019_plain_labels"),
    ]

    operations = [
        migrations.AddField(
            model_name="heartbeat",
            name="address",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=500,
                verbose_name="address",
            ),
        ),
        migrations.AddField(
            model_name="heartbeat",
            name="asked_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="last asked"),
        ),
        migrations.AddField(
            model_name="heartbeat",
            name="failing_since",
            field=models.DateTimeField(blank=True, null=True, verbose_name="no answer since"),
        ),
        migrations.AddField(
            model_name="heartbeat",
            name="has_answered",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="has answered"
            ),
        ),
        migrations.AlterField(
            model_name="outage",
            name="kind",
            field=models.CharField(
                choices=[
                    ("gap", "this service was down"),
                    ("declared", "declared by an administrator"),
                    ("maintenance", "maintenance"),
                    ("pages", "the pages did not answer"),
                    ("mail-in", "mail could not come in"),
                ],
                max_length=12,
                verbose_name="kind",
            ),
        ),
    ]
