"""A ZIP file that is written from its beginning to its end, as it is made.

Nothing is held but the part that is being filled, and zipfile's list of the files in it: about
a kilobyte each.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import IO, Any, TypeVar, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet

PART_SIZE = 256 * 1024
"""Bytes of each part but the last."""

CHUNK = 50
"""How many rows are read at once."""

M = TypeVar("M", bound=Model)


def in_chunks(rows: QuerySet[M, Any], size: int = CHUNK) -> Iterator[M]:
    """Yield rows in the order of their keys, reading `size` of them at once."""
    last = 0
    while chunk := list(rows.filter(pk__gt=last).order_by("pk")[:size]):
        yield from chunk
        last = chunk[-1].pk


class PartBuffer:
    """What ZipFile takes for a file: passes on what is written to it, in parts of PART_SIZE."""

    def __init__(self, save: Callable[[bytes], None]) -> None:
        self._save, self._waiting = save, bytearray()
        self.size = 0

    def write(self, content: bytes) -> int:
        """Take bytes; each full part is saved."""
        self._waiting += content
        self.size += len(content)
        while len(self._waiting) >= PART_SIZE:
            self._save(bytes(self._waiting[:PART_SIZE]))
            del self._waiting[:PART_SIZE]
        return len(content)

    def flush(self) -> None:
        """Do nothing: ZipFile flushes after each file."""

    def save_rest(self) -> None:
        """Save the last part."""
        if self._waiting:
            self._save(bytes(self._waiting))
            self._waiting.clear()


class Archive:
    """A ZIP file whose bytes go to `save`, in parts. Its files have the time `now`."""

    def __init__(self, save: Callable[[bytes], None], *, now: datetime) -> None:
        self._buffer = PartBuffer(save)
        self._zip = ZipFile(cast(IO[bytes], self._buffer), "w", ZIP_DEFLATED)
        self._time = now.timetuple()[:6]

    def add_text(self, name: str, pieces: Iterable[str]) -> None:
        """Add a file that consists of these pieces."""
        info = ZipInfo(name, self._time)
        info.compress_type = ZIP_DEFLATED
        info.external_attr = 0o600 << 16
        with self._zip.open(info, "w") as file:
            for piece in pieces:
                file.write(piece.encode())

    def add_data(self, name: str, data: object) -> None:
        """Add a JSON file."""
        self.add_text(name, [_json(data), "\n"])

    def add_list(self, name: str, items: Iterable[object]) -> None:
        """Add a JSON file with a list whose items are written one by one."""
        self.add_text(name, _list_pieces(items))

    def close(self) -> int:
        """Write the end of the file; return the size of all, in bytes."""
        self._zip.close()
        self._buffer.save_rest()
        return self._buffer.size


def _list_pieces(items: Iterable[object]) -> Iterator[str]:
    yield "["
    for number, item in enumerate(items):
        yield ",\n" if number else "\n"
        yield _json(item)
    yield "\n]\n"


def _json(data: object) -> str:
    return json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
