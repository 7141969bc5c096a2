"""Names of the clock's fields, in the state only: the columns, constraints and indexes stay."""

from django.db import migrations, models
from django.db.models import Q

REASONS = [
    ("paused", "the players agreed on a pause"),
    ("undelivered", "the player to move could not be reached"),
    ("substitute", "a seat waits for somebody to take it over"),
    ("moderator", "a moderator stopped it"),
]


def reason(label, db_column):
    return models.CharField(
        label, db_column=db_column, max_length=12, choices=REASONS, blank=True, default="", db_default=""
    )


FIELDS = {
    ("clock_since", "clock_started_at"): models.DateTimeField(
        "time counted since", null=True, blank=True, db_column="clock_since"
    ),
    ("rhythm", "weekly_schedule"): models.JSONField(
        "days off of the player to move",
        db_column="rhythm",
        default=dict,
        blank=True,
        db_default=models.Value({}, models.JSONField()),
    ),
    ("stopped_for", "stop_reason"): reason("reason why the clock is stopped", "stopped_for"),
    ("wait_left", "wait_remaining"): models.DurationField(
        "time left to wait", null=True, blank=True, db_column="wait_left"
    ),
    ("held_for", "stopped_before_hold"): reason(
        "earlier reason why the clock was stopped", "held_for"
    ),
}

CONSTRAINTS = [
    models.CheckConstraint(
        name="active_game_has_deadline_or_reason",
        condition=~Q(status="active")
        | Q(deadline__isnull=False, clock_started_at__isnull=False, stop_reason="")
        | Q(
            ~Q(stop_reason=""),
            deadline__isnull=True,
            reminder_at__isnull=True,
            clock_started_at__isnull=True,
            stopped_at__isnull=False,
        ),
    ),
    models.CheckConstraint(
        name="stop_has_an_end",
        condition=Q(stop_reason__in=["", "moderator"])
        | Q(stopped_until__isnull=False, wait_remaining__isnull=False),
    ),
    models.CheckConstraint(
        name="what_was_held_stood",
        condition=Q(stopped_before_hold="")
        | Q(stop_reason="moderator", wait_remaining__isnull=False),
    ),
    models.CheckConstraint(
        name="clock_is_of_active_games_only",
        condition=Q(status="active")
        | Q(
            deadline__isnull=True,
            reminder_at__isnull=True,
            program_due_at__isnull=True,
            seat_to_move__isnull=True,
            stop_reason="",
            stopped_until__isnull=True,
        ),
    ),
]

INDEXES = [
    models.Index(fields=["stop_reason", "-id"], name="game_stands", condition=~Q(stop_reason="")),
    models.Index(fields=["-id"], name="game_stands_at_all", condition=~Q(stop_reason="")),
]


class Migration(migrations.Migration):

    dependencies = [("games", "0010_plain_labels")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                *(migrations.RemoveConstraint("game", one.name) for one in CONSTRAINTS),
                *(migrations.RemoveIndex("game", one.name) for one in INDEXES),
                *(
                    operation
                    for (old, new), field in FIELDS.items()
                    for operation in (
                        migrations.RenameField("game", old, new),
                        migrations.AlterField("game", new, field),
                    )
                ),
                *(migrations.AddIndex("game", one) for one in INDEXES),
                *(migrations.AddConstraint("game", one) for one in CONSTRAINTS),
            ],
        ),
    ]
