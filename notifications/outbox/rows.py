"""Write to rows of the outbox only while they are as they were read.

In SQL: every mail is claimed, begun and finished, and the ORM takes several times as long to build
such a statement as the database to answer it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from games.clock.clock import StopReason
from notifications.models import Notice

State = Notice.State

_FIELDS = {field.column: field for field in Notice._meta.concrete_fields}
_AS_READ = ("id", "state", "claimed_at", "due_at", "attempts")
_CLAIMED = ("id", "state", "claimed_at")
_IS_RUNNING = (
    " AND NOT EXISTS (SELECT 1 FROM games_game"
    " WHERE games_game.id = notifications_notice.game_id AND games_game.stopped_for = %s)"
)


def claim_rows(notices: Sequence[Notice], now: datetime) -> int:
    """Claim those of the notices that nobody has changed since they were read; return how many.

    Of two workers only one gets a notice: it is compared under its row's lock. Locked rows are not
    waited for.
    """
    conditions, values = zip(*(condition_of(notice, _AS_READ) for notice in notices), strict=True)
    features = connection.features
    lock = connection.ops.for_update_sql(skip_locked=True) if features.has_select_for_update else ""
    free = f"SELECT id FROM notifications_notice WHERE {' OR '.join(conditions)} {lock}"  # noqa: S608
    fields = {"state": State.CLAIMED.value, "claimed_at": now}
    return write_rows(fields, f"id IN ({free})", [one for each in values for one in each])


def write_if_ours(notice: Notice, fields: Mapping[str, Any], *, if_running: bool = False) -> bool:
    """Write to a notice if our claim of it still holds; return whether it did.

    With `if_running` the clock of its game must not be stopped because a mail did not arrive.
    """
    condition, values = condition_of(notice, _CLAIMED)
    if if_running:
        condition, values = condition + _IS_RUNNING, [*values, StopReason.UNDELIVERED.value]
    return write_rows(fields, condition, values) > 0


def condition_of(notice: Notice, columns: Sequence[str]) -> tuple[str, list[Any]]:
    """Return the condition that columns are as the notice has them, and its values."""
    tests: list[str] = []
    values: list[Any] = []
    for column in columns:
        value = getattr(notice, column)
        tests.append(f"{column} IS NULL" if value is None else f"{column} = %s")
        if value is not None:
            values.append(stored_value(column, value))
    return f"({' AND '.join(tests)})", values


def write_rows(fields: Mapping[str, Any], condition: str, values: Sequence[Any]) -> int:
    """Write to the rows that a condition names; return how many there are."""
    columns = ", ".join(f"{name} = %s" for name in fields)
    statement = f"UPDATE notifications_notice SET {columns} WHERE {condition}"  # noqa: S608
    written = [stored_value(name, value) for name, value in fields.items()]
    with connection.cursor() as cursor:
        cursor.execute(statement, [*written, *values])
        return cursor.rowcount


def stored_value(column: str, value: object) -> Any:
    """Return a value as the database takes it in a column."""
    return _FIELDS[column].get_db_prep_save(value, connection)
