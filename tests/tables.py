"""The tables as the migrations leave them, for tests that commit.

Django would empty every table and then let each app make again what it had put there. That takes
ten times as long as to copy it back.
"""

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
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Neither foreign keys nor the log, which refuses to forget anything, are asked.
            cursor.execute("SET LOCAL session_replication_role = replica")
        names = _names(cursor)
        for name in _filled(cursor, _changing(names)):
            cursor.execute(f'DELETE FROM "{name}"')  # noqa: S608
        for name in names:
            if name.startswith(KEPT):
                table = name.removeprefix(KEPT)
                cursor.execute(f'INSERT INTO "{table}" SELECT * FROM "{name}"')  # noqa: S608


def _names(cursor):
    return connection.introspection.table_names(cursor)


def _changing(names):
    return [name for name in names if name != "django_migrations" and not name.startswith(KEPT)]


def _filled(cursor, names):
    """Return which tables hold anything."""
    asked = (f"SELECT '{one}' WHERE EXISTS (SELECT 1 FROM \"{one}\")" for one in names)  # noqa: S608
    cursor.execute(" UNION ALL ".join(asked))
    return [name for (name,) in cursor.fetchall()]
