"""What statements that are written in SQL have in common: columns, locks, times.

A few statements of every turn and every page are: the ORM takes ten times as long to build them as
the database to answer.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Model
from django.db.models.expressions import Col
from django.db.models.sql import Query
from django.utils.dateparse import parse_datetime


@cache
def columns_of(model: type[Model]) -> str:
    """Return the columns of a model for a SELECT, each with its table.

    Never `*`: PostgreSQL refuses a prepared statement whose columns have become more since, as
    those of the old processes do while a new version is installed.
    """
    table = model._meta.db_table
    return ", ".join(f"{table}.{field.column}" for field in model._meta.concrete_fields)


def select_joined(
    statement: str, values: Mapping[str, Any], *models: type[Model]
) -> Iterator[tuple[Any, ...]]:
    """Yield an instance of each model for each row of a statement that selects their columns.

    The columns are `columns_of` each model, in this order. None stands for a row that an outer join
    did not find.
    """
    columns = _typed_columns(models)
    compiler = Query(models[0]).get_compiler(connection=connection)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found = [list(row) for row in cursor.fetchall()]
    converters = compiler.get_converters(columns)
    for row in compiler.apply_converters(found, converters) if converters else found:
        rest = iter(row)
        instances = []
        for model in models:
            names = [field.attname for field in model._meta.concrete_fields]
            own = [next(rest) for _ in names]
            is_found = own[names.index(model._meta.pk.attname)] is not None
            instances.append(model.from_db(connection.alias, names, own) if is_found else None)
        yield tuple(instances)


@cache
def _typed_columns(models: tuple[type[Model], ...]) -> list[Col]:
    """Return the columns of models with their fields, which convert what the database gives."""
    return [
        field.get_col(model._meta.db_table)
        for model in models
        for field in model._meta.concrete_fields
    ]


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
