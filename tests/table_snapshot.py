"""The tables as the migrations leave them, for tests that commit.

Django would empty every table and then let each app make again what it had put there. That takes
ten times as long as to copy it back.
"""

from contextlib import contextmanager

from django.db import connection, transaction

KEPT = "kept_"
"""How the names of the copies begin."""


def keep():
    """Copy what there is now; later `restore` brings it back."""
    with transaction.atomic(), connection.cursor() as cursor:
        names = _names(cursor)
        for name in names:
            if name.startswith(KEPT):
                cursor.execute(f'DROP TABLE "{name}"')
        for name in _filled(cursor, _changing(names)):
            cursor.execute(f'CREATE TABLE "{KEPT}{name}" AS SELECT * FROM "{name}"')  # noqa: S608


def restore():
    """Let every table hold what it held when `keep` was called."""
    with triggers_off(), connection.cursor() as cursor:
        names = _names(cursor)
        for name in _filled(cursor, _changing(names)):
            cursor.execute(f'DELETE FROM "{name}"')  # noqa: S608
        for name in names:
            if name.startswith(KEPT):
                table = name.removeprefix(KEPT)
                cursor.execute(f'INSERT INTO "{table}" SELECT * FROM "{name}"')  # noqa: S608


@contextmanager
def triggers_off():
    """Let nothing refuse a change meanwhile, as somebody can arrange who owns the database.

    Neither the log nor the records, which are append-only, nor (on PostgreSQL) foreign keys.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
            yield
            cursor.execute("SET LOCAL session_replication_role = origin")
        else:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f'DROP TRIGGER "{name}"')
            yield
            for _, sql in triggers:
                cursor.execute(sql)


def _names(cursor):
    return connection.introspection.table_names(cursor)


def _changing(names):
    return [name for name in names if name != "django_migrations" and not name.startswith(KEPT)]


def _filled(cursor, names):
    """Return which tables hold anything."""
    asked = (f"SELECT '{one}' WHERE EXISTS (SELECT 1 FROM \"{one}\")" for one in names)  # noqa: S608
    cursor.execute(" UNION ALL ".join(asked))
    return [name for (name,) in cursor.fetchall()]
