"""Searches the whole database, and the files that Pli writes, for what somebody left there."""

import json
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection


def found_in(needles):
    """Return where each of these texts is found, in upper or lower case: table.column, or a file.

    Bytes are read as text, sessions are decoded; a text is found as JSON escapes it, too.
    """
    spelled = {needle: {needle.lower(), json.dumps(needle)[1:-1].lower()} for needle in needles}
    places = {needle: set() for needle in needles}
    for place, text in [*_database(), *_files()]:
        for needle, ways in spelled.items():
            if any(way in text for way in ways):
                places[needle].add(place)
    return places


def _database():
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for name, value in zip(names, row, strict=True):
                    yield f"{table}.{name}", _text(value)
    for session in Session.objects.all():
        yield "django_session, decoded", json.dumps(session.get_decoded(), default=str).lower()


def _files():
    for path in Path(settings.VAR_DIR).rglob("*"):
        if path.is_file() and not path.name.startswith("test.sqlite3"):
            yield str(path), f"{path} {path.read_bytes().decode('utf-8', 'replace')}".lower()


def _text(value):
    if isinstance(value, (bytes, memoryview)):
        return bytes(value).decode("utf-8", "replace").lower()
    if isinstance(value, (dict, list)):
        return json.dumps(value).lower()
    return str(value).lower()
