"""Give the games that run already the time that they had: so much for each turn."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, OuterRef, Subquery


def count_from_the_turns_beginning(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    games = apps.get_model("games", "Game").objects
    running = games.filter(status="active")
    running.update(clock_since=F("turn_began_at"), time_left=F("allowance"))
    allowance = games.filter(pk=OuterRef("game")).values("allowance")
    seats = apps.get_model("games", "Seat").objects.filter(game__status="active")
    seats.update(time_left=Subquery(allowance))


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0002_fair_time"),
    ]

    operations = [
        migrations.RunPython(count_from_the_turns_beginning, migrations.RunPython.noop),
    ]
