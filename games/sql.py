"""Times and lengths of time in statements that are written in SQL.

A few statements of every turn and every page are: the ORM takes ten times as long to build them as
the database to answer.
"""

from datetime import UTC, datetime, timedelta

from django.db import connection
from django.utils.dateparse import parse_datetime


def time_to_sql(moment: datetime) -> str | datetime:
    """Return what stands for a time among the parameters of a statement."""
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
