"""Who may read what Pli writes: its own user, and nobody else."""

import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

from django.conf import settings

OTHERS = stat.S_IRWXG | stat.S_IRWXO

FOLDERS = ("static", "pictures", "letterbox")
FILES = ("beat*", "pli.sqlite3*")
"""What Pli writes to PLI_VAR. Other files there are somebody else's, and left alone."""


def make_private() -> None:
    """Make PLI_VAR if it is missing, and take all rights of others from it and what Pli wrote.

    Raises PermissionError if something there belongs to another user.
    """
    folder = Path(settings.VAR_DIR)
    folder.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
    for path in _written_by_pli(folder):
        with suppress(FileNotFoundError):  # a worker has removed it meanwhile
            mode = path.lstat().st_mode
            if mode & OTHERS and not stat.S_ISLNK(mode):
                path.chmod(stat.S_IMODE(mode) & ~OTHERS)


def _written_by_pli(folder: Path) -> Iterator[Path]:
    yield folder
    for name in FOLDERS:
        yield from (path for path in (folder / name, *(folder / name).rglob("*")) if path.exists())
    yield from chain.from_iterable(folder.glob(pattern) for pattern in FILES)
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        file = Path(str(database["NAME"]))
        yield from file.parent.glob(f"{file.name}*")
