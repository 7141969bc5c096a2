"""Copies of the whole database that do not depend on its kind: backup, restore, move.

A backup is a gzip file of JSON lines. The first line says which migrations its tables have. Then
each table has one line with its name and columns and one line a row, and the last line repeats
how many rows each table has: a file that was cut off has no last line.

Values are written with `Field.value_to_string` and read with `Field.to_python`, which keep
microseconds, so that the hashes of records still match. Sessions are left out: everybody signs in
again, and a stolen backup signs nobody in. So are the exports of users' data: they are copies.
"""

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.management.color import no_style
from django.db import connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

from accounts.models import User
from games.models import Game, Heartbeat

FORMAT = 1
"""Raised when a change makes older files unreadable."""

BATCH = 1000
"""Rows that are inserted by one statement, and the rows held in memory."""

HEARTBEAT_TIMEOUT = timedelta(minutes=2)
"""Longer than this without a heartbeat means that nothing is running: three come each minute."""

LEFT_OUT = frozenset(
    {
        *("sessions.Session", "usersessions.UserSession"),
        # Copies of what is in the backup anyway, deleted after some days.
        *("notifications.DataExport", "notifications.DataExportPart"),
    }
)

Line = dict[str, Any] | list[Any]


class BackupError(Exception):
    """Why a backup cannot be made or used. Nothing has been changed."""

    sentence: ClassVar[str]

    def __init__(self, **values: object) -> None:
        super().__init__(self.sentence % values)


class DamagedBackup(BackupError):
    """The file is no backup, or only a part of one."""

    sentence = "%(path)s is not a whole backup: %(reason)s."


class OtherMigrations(BackupError):
    """The tables of the backup and of this version have different columns."""

    sentence = (
        "The backup was made by another version of Pli. Install that version, restore there, then "
        "upgrade. Only in the backup: %(only_backup)s. Only here: %(only_here)s."
    )


class DatabaseInUse(BackupError):
    """There are people or games in the database that would be replaced."""

    sentence = (
        "The database already has %(people)s people and %(games)s games. Restore into an empty one."
    )


class FileExists(BackupError):
    """A backup never overwrites a file."""

    sentence = "%(path)s exists already. Choose another name."


class StillRunning(BackupError):
    """The database that is to be moved is still in use."""

    sentence = (
        "Pli is still running: its last heartbeat was %(seconds)s s ago. Stop it, wait two minutes "
        "and try again."
    )


def write_backup(path: Path, *, database: str = "default", now: datetime) -> Counter[str]:
    """Write the database to a new file and return the number of rows of each table.

    The rows are those of one instant, while the service goes on writing. The file appears under
    its name only when it is complete, readable by its owner only. Raises FileExists.
    """
    if path.exists():
        raise FileExists(path=path)
    unfinished = path.with_name(f"{path.name}.unfinished")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    line: Line = {}
    try:
        with os.fdopen(descriptor, "wb") as raw:
            with gzip.open(raw, "wt", encoding="utf-8", newline="\n") as file:
                for line in read_database(database, now=now):
                    file.write(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n")
            raw.flush()
            os.fsync(raw.fileno())
        unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return Counter(line["rows"])  # type: ignore[call-overload]  # the last line


def restore_backup(path: Path, *, database: str = "default") -> Counter[str]:
    """Fill an empty, migrated database from a file; return the number of rows of each table.

    Raises DamagedBackup, OtherMigrations, DatabaseInUse.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return write_database(map(json.loads, file), database=database)
    except (OSError, EOFError, ValueError) as error:
        raise DamagedBackup(path=path, reason=error) from error


def read_database(database: str, *, now: datetime) -> Iterator[Line]:
    """Yield the lines of a backup, all from one snapshot of the database."""
    with _snapshot(connections[database]):
        yield {
            "format": FORMAT,
            "made_at": now.astimezone(UTC).isoformat(),
            "migrations": _applied_migrations(database),
        }
        rows: Counter[str] = Counter()
        for model in _backed_up_models():
            fields = _stored_fields(model)
            yield {"table": model._meta.label, "fields": [field.attname for field in fields]}
            objects = model._base_manager.using(database).order_by("pk")
            for instance in objects.iterator(chunk_size=BATCH):
                rows[model._meta.label] += 1
                yield [_to_json(field, instance) for field in fields]
        yield {"rows": dict(rows)}


def _to_json(field: models.Field, instance: models.Model) -> object:
    """Return a field's value as backups keep it; `Field.to_python` reads it."""
    value = field.value_from_object(instance)
    if value is None or isinstance(value, bool | int | float):
        return value
    return field.value_to_string(instance)


def copy_database(source: str, target: str, *, now: datetime) -> Counter[str]:
    """Copy one database into another, empty and migrated one, whatever their kinds.

    Turns that are played meanwhile stay behind: nothing may be running. Raises StillRunning,
    OtherMigrations, DatabaseInUse.
    """
    beat = (
        Heartbeat.objects.using(source)
        .filter(pk=Heartbeat.Of.PERIODIC_TASKS)
        .values_list("at", flat=True)
        .first()
    )
    if beat is not None and now - beat < HEARTBEAT_TIMEOUT:
        raise StillRunning(seconds=round((now - beat).total_seconds()))
    return write_database(read_database(source, now=now), database=target)


def write_database(lines: Iterator[Line], *, database: str) -> Counter[str]:
    """Insert the lines of a backup into an empty, migrated database, in one transaction.

    Returns the number of rows of each table. What the migrations themselves have inserted, such as
    permissions and the practice partners, is replaced. Raises OtherMigrations, DatabaseInUse and,
    for lines that do not fit together, ValueError.
    """
    head = next(lines, None)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise ValueError("it does not begin as one")
    ours, theirs = set(_applied_migrations(database)), set(head["migrations"])
    if ours != theirs:
        raise OtherMigrations(
            only_backup=", ".join(sorted(theirs - ours)) or "none",
            only_here=", ".join(sorted(ours - theirs)) or "none",
        )
    connection = connections[database]
    with transaction.atomic(using=database):
        people = User.objects.using(database).filter(is_bot=False).count()
        games = Game.objects.using(database).count()
        if people or games:
            raise DatabaseInUse(people=people, games=games)
        # Constraints are deferred to the end of the transaction: the order does not matter.
        for model in _backed_up_models():
            model._base_manager.using(database).all()._raw_delete(database)
        rows, expected = _insert_tables(lines, database)
        if expected is None:
            raise ValueError("its end is missing")
        if rows != expected:
            raise ValueError("its rows are not as many as it says")
        # New rows continue after the highest keys that were inserted.
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), _backed_up_models()):
                cursor.execute(statement)
        connection.check_constraints()
    ContentType.objects.clear_cache()  # the keys of content types are those of the backup now
    return rows


@contextmanager
def _snapshot(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Read everything as it is at one instant, without keeping others from writing.

    `transaction.atomic` would take SQLite's write lock (transaction_mode is IMMEDIATE), and on
    PostgreSQL each statement would see a newer state.
    """
    begin = "BEGIN"
    if connection.vendor == "postgresql":
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    with connection.cursor() as cursor:
        cursor.execute(begin)
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _backed_up_models() -> list[type[models.Model]]:
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and model._meta.label not in LEFT_OUT
    ]


def _stored_fields(model: type[models.Model]) -> list[models.Field]:
    return [field for field in model._meta.concrete_fields if not field.generated]


def _applied_migrations(database: str) -> list[str]:
    applied = MigrationRecorder(connections[database]).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def _insert_tables(
    lines: Iterable[Line], database: str
) -> tuple[Counter[str], Counter[str] | None]:
    """Insert every table; return the rows inserted, and those that the last line names, if any."""
    inserted: Counter[str] = Counter()
    model: type[models.Model] = User
    fields: list[models.Field] = []
    batch: list[list[Any]] = []

    def insert_batch() -> None:
        if batch:
            _insert_rows(model, fields, batch, database)
            inserted[model._meta.label] += len(batch)
            batch.clear()

    for line in lines:
        if isinstance(line, list):
            batch.append(line)
            if len(batch) == BATCH:
                insert_batch()
            continue
        insert_batch()
        if "rows" in line:
            return inserted, Counter(line["rows"])
        model = apps.get_model(line["table"])
        stored = {field.attname: field for field in _stored_fields(model)}
        fields = [stored[name] for name in line["fields"]]
    return inserted, None


def _insert_rows(
    model: type[models.Model],
    fields: list[models.Field],
    rows: list[list[Any]],
    database: str,
) -> None:
    """Insert rows as they are: no signals, no defaults, no `auto_now`."""
    connection = connections[database]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    values = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({values})"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.executemany(
            statement,
            [
                [
                    field.get_db_prep_save(field.to_python(value), connection)
                    for field, value in zip(fields, row, strict=True)
                ]
                for row in rows
            ],
        )
