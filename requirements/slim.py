"""Removes from a .venv what Pli never reads: other languages, formats of pictures, and tests.

`make` runs it with the Python of the .venv after it has installed packages there. It more than
halves the folder. Nothing else looks at these files: pages are in English and French alone, Pillow,
which does without a part that is missing, reads and writes nothing but PNG, the API has a page of
our own, and pip is not used again until the requirements change.
"""

import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

KEPT = ("en", "fr")
"""The languages of the site (settings.LANGUAGES)."""

PARTS = ("avif", "webp", "imagingft", "imagingcms")
"""Parts of Pillow for other formats, for fonts and for the colours of devices."""

LIBRARIES = ("avif", "webp", "sharpyuv", "freetype", "harfbuzz", "png16", "brotli", "lcms2")
"""What only these parts load."""

FOLDERS = ("*/**/tests", "ninja/static", "pip/**/__pycache__")
"""Tests of packages, pages that show an API, and pip as Python has just compiled it."""


def unread(packages: Path) -> Iterator[Path]:
    """Yield the files and folders that are not needed."""
    for folder in packages.glob("**/locale/*/LC_MESSAGES"):
        if not is_kept(folder.parent.name):
            yield folder
        else:
            yield from folder.glob("*.po")  # the .mo beside it is what is read
    for file in (packages / "babel" / "locale-data").glob("*.dat"):
        if not is_kept(file.stem):
            yield file
    for part in PARTS:
        yield from (packages / "PIL").glob(f"_{part}.*.so")
    for library in LIBRARIES:
        yield from (packages / "pillow.libs").glob(f"lib{library}*")
    for pattern in FOLDERS:
        yield from packages.glob(pattern)


def is_kept(language: str) -> bool:
    """Return whether a language, such as fr, fr_CA or en-gb, is one of the site's."""
    return language.replace("-", "_").partition("_")[0] in (*KEPT, "root")


def main() -> None:
    """Remove it from the environment of this Python."""
    if sys.prefix == sys.base_prefix:
        sys.exit("This Python is not one of a .venv.")
    for path in list(unread(Path(sysconfig.get_path("purelib")))):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)  # it may have been in a folder that is gone


if __name__ == "__main__":
    main()
