"""Having exports made, and reading what is in them."""

import io
import json
from zipfile import ZipFile

from notifications.exports.making import make_exports
from notifications.exports.requests import ask_for_export, file_of
from notifications.models import DataExport


def exported(user, *, now):
    """Ask for an export, let it be made, and return its files by their names."""
    export = ask_for_export(user=user, now=now)
    assert make_exports(now=now) == 1
    return files_of(DataExport.objects.get(pk=export.pk))


def files_of(export):
    return files_in(b"".join(file_of(export)))


def files_in(content):
    """Return the files of an archive by their names; JSON is read."""
    archive = ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    texts = {name: archive.read(name).decode() for name in archive.namelist()}
    return {n: json.loads(text) if n.endswith(".json") else text for n, text in texts.items()}
