"""Turns can be snoozed, and a player's finished games are found by index."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0021_site_pages"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="ended_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="game ended"),
        ),
        migrations.AddField(
            model_name="seat",
            name="snoozed_until",
            field=models.DateTimeField(blank=True, null=True, verbose_name="turn snoozed until"),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                fields=["user", "-ended_at", "-game"],
                name="seat_of_ended_game",
                condition=Q(ended_at__isnull=False),
            ),
        ),
    ]
