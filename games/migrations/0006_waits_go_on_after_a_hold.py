"""Keep how long a clock that stands waits yet, and what it stood for when a moderator stopped it."""

from datetime import timedelta

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F
from django.apps.registry import Apps

BEGIN_ANEW = ["take-back", "substitute", "withdraw"]


def keep_what_is_waited_for(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    games = apps.get_model("games", "Game").objects
    games.filter(stopped_until__isnull=False).update(
        wait_left=F("stopped_until") - F("stopped_at")
    )
    events = apps.get_model("games", "Event").objects
    for game in games.filter(stopped_for="moderator").iterator():
        acts = events.filter(
            game=game, kind="moderated", details__what__in=["pause", *BEGIN_ANEW]
        )
        newest = acts.order_by("-pk").first()
        if newest is not None and newest.details["what"] == "pause" and newest.details["was"]:
            game.held_for = newest.details["was"]
            game.wait_left = timedelta(seconds=newest.details["rest"])
            game.save(update_fields=["held_for", "wait_left"])


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0005_log_is_append_only"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="game",
            name="stop_has_an_end",
        ),
        migrations.AddField(
            model_name="game",
            name="held_for",
            field=models.CharField(
                blank=True,
                choices=[
                    ("paused", "the players agreed on a pause"),
                    ("undelivered", "the player to move could not be reached"),
                    ("substitute", "a seat waits for somebody to take it over"),
                    ("moderator", "a moderator stopped it"),
                ],
                db_default="",
                default="",
                max_length=12,
                verbose_name="clock stood already because",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="wait_left",
            field=models.DurationField(blank=True, null=True, verbose_name="time left to wait"),
        ),
        migrations.RunPython(keep_what_is_waited_for, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                name="stop_has_an_end",
                condition=models.Q(stopped_for__in=["", "moderator"])
                | models.Q(stopped_until__isnull=False, wait_left__isnull=False),
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                name="what_was_held_stood",
                condition=models.Q(held_for="")
                | models.Q(stopped_for="moderator", wait_left__isnull=False),
            ),
        ),
    ]
