"""What statements that are written in SQL have in common: columns, locks, times.

A few statements of every turn and every page are: the ORM takes ten times as long to build them as
the database to answer.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model
from django.db.models.sql import Query
from django.utils.dateparse import parse_datetime

M = TypeVar("M", bound=Model)


@cache
def columns_of(model: type[Model]) -> str:
    """Return the columns of a model for a SELECT, each with its table.

    Never `*`: PostgreSQL refuses a prepared statement whose columns have become more since, as
    those of the old processes do while a new version is installed.
    """
    table = model._meta.db_table
    return ", ".join(f"{table}.{field.column}" for field in model._meta.concrete_fields)


def select_rows(
    model: type[M],
    statement: str,
    values: Sequence[Any] | Mapping[str, Any],
    facts: Iterable[str] = (),
) -> list[M]:
    """Return the instances that a statement selects, whose first columns are `columns_of(model)`.

    `facts` names the further columns: they become attributes, as the database gives them.
    `Manager.raw` does the same, and takes twice as long to find out which column is which.
    """
    found = []
    for (instance,), further in _read(statement, values, (model,)):
        instance.__dict__.update(zip(facts, further, strict=True))
        found.append(instance)
    return found


def select_joined(
    statement: str, values: Sequence[Any] | Mapping[str, Any], *models: type[Model]
) -> list[list[Any]]:
    """Return an instance of each model for each row of a statement that selects their columns.

    The columns are `columns_of` each model, in this order. None stands for a row that an outer join
    did not find.
    """
    return [instances for instances, _further in _read(statement, values, models)]


def _read(
    statement: str, values: Sequence[Any] | Mapping[str, Any], models: tuple[type[Model], ...]
) -> list[tuple[list[Any], list[Any]]]:
    """Return the instances and the further values of each row."""
    kinds = [(model, [one.attname for one in model._meta.concrete_fields]) for model in models]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found = [list(row) for row in cursor.fetchall()]
    converters = _converters(models, connection.vendor)
    compiler = Query(models[0]).get_compiler(connection=connection)
    rows = []
    for row in compiler.apply_converters(found, converters) if converters else found:
        instances, at = [], 0
        for model, fields in kinds:
            own = row[at : at + len(fields)]
            at += len(fields)
            is_found = own[fields.index(model._meta.pk.attname)] is not None
            instances.append(model.from_db(connection.alias, fields, own) if is_found else None)
        rows.append((instances, row[at:]))
    return rows


@cache
def _converters(models: tuple[type[Model], ...], vendor: str) -> dict[int, Any]:
    """Return what converts the columns of models from what the `vendor`'s database gives."""
    columns = [
        field.get_col(model._meta.db_table)
        for model in models
        for field in model._meta.concrete_fields
    ]
    compiler = Query(models[0]).get_compiler(connection=connection)
    converters: dict[int, Any] = compiler.get_converters(columns)
    return converters


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
