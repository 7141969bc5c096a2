"""Games and seats that were lost on time are found by when, for an outage declared afterwards."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

ON_TIME = ("timeout", "never-begun", "unreachable")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0017_fair_delivery"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                fields=["ended_at"],
                name="game_ended_on_time",
                condition=Q(ending__in=ON_TIME),
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                fields=["left_at"],
                name="seat_left_on_time",
                condition=Q(left_because__in=ON_TIME),
            ),
        ),
    ]
