"""What statements that are written in SQL have in common: columns, locks, times.

A few statements of every turn and every page are: the ORM takes ten times as long to build them as
the database to answer.
"""

from datetime import UTC, datetime, timedelta
from functools import cache

from django.db import connection
from django.db.models import Model
from django.utils.dateparse import parse_datetime


@cache
def columns_of(model: type[Model]) -> str:
    """Return the columns of a model for a SELECT, each with its table.

    Never `*`: PostgreSQL refuses a prepared statement whose columns have become more since, as
    those of the old processes do while a new version is installed.
    """
    table = model._meta.db_table
    return ", ".join(f"{table}.{field.column}" for field in model._meta.concrete_fields)


def row_lock(*, no_key: bool = False) -> str:
    """Return the end of a SELECT that locks the rows; SQLite locks the database by itself.

    With `no_key` rows that refer to them can still be written. Must be called in a transaction.
    """
    assert connection.in_atomic_block  # noqa: S101  (a lock ends with its transaction)
    has_locks = connection.features.has_select_for_update
    return connection.ops.for_update_sql(no_key=no_key) if has_locks else ""


def time_to_sql(moment: datetime) -> str | datetime:
    """Return a time as a parameter of a statement."""
    return connection.ops.adapt_datetimefield_value(moment) or moment


def time_from_sql(value: object) -> datetime | None:
    """Return the time that a row has; SQLite gives times in UTC, as texts or without a zone."""
    found = parse_datetime(value) if isinstance(value, str) else value
    assert found is None or isinstance(found, datetime)  # noqa: S101  (nothing else is stored)
    return found.replace(tzinfo=UTC) if found and found.tzinfo is None else found


def span_from_sql(value: object) -> timedelta:
    """Return the length of time that a row has; SQLite gives microseconds."""
    if isinstance(value, timedelta):
        return value
    assert isinstance(value, int)  # noqa: S101  (nothing else is stored)
    return timedelta(microseconds=value)
