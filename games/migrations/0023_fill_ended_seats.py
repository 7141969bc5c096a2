"""Write when games ended into their seats, some thousand games at a time.

Not in one transaction: on a big database other writers wait for no more than one batch. A migration
that was interrupted can be run again.
"""

from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Max, OuterRef, Q, Subquery

BATCH = 5000
"""How many numbers of games are gone through at once."""


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Copy `ended_at` of games that were begun and are over."""
    games, seats = apps.get_model("games", "Game").objects, apps.get_model("games", "Seat").objects
    ended_at = Subquery(games.filter(pk=OuterRef("game")).values("ended_at"))
    last = games.aggregate(last=Max("pk"))["last"] or 0
    for first in range(0, last + 1, BATCH):
        over = games.filter(
            pk__gte=first, pk__lt=first + BATCH, status__in=["finished", "aborted"]
        )
        seats.filter(game__in=over, ended_at=None).update(ended_at=ended_at)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0022_snoozes_and_ended_seats"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
        # Only now: an index of all seats would have to be written anew.
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                fields=["user"],
                name="seat_of_other_game",
                condition=Q(ended_at__isnull=True),
            ),
        ),
    ]
