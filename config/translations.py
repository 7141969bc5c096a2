"""Sentences and their translations: gettext files, without gettext's programs.

Python files and templates are read for what they mark; JavaScript marks nothing, its words come
from the page.
"""

import io
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

FOLDERS = ("accounts", "config", "games", "notifications", "templates")
TEMPLATE_SUFFIXES = {".html", ".txt", ".svg"}

_ONE = (1,)
_PLURAL = (1, 2)
_CONTEXT = ((1, "c"), 2)
_CONTEXT_PLURAL = ((1, "c"), 2, 3)
KEYWORDS = {
    **dict.fromkeys(("_", "N_", "gettext", "gettext_lazy", "gettext_noop"), _ONE),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), _PLURAL),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), _CONTEXT),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), _CONTEXT_PLURAL),
}
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|(?<!%)%[sd]")
_DATES = re.compile(rb'^"(?:POT-Creation-Date|PO-Revision-Date|Generated-By)[^\n]*\n', re.MULTILINE)


def source_files(root: Path, folders: Sequence[str] = FOLDERS) -> Iterator[Path]:
    """Return the files that may mark sentences, in a fixed order."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            is_template = path.suffix in TEMPLATE_SUFFIXES and "templates" in path.parts
            if is_template or (path.suffix == ".py" and "migrations" not in path.parts):
                yield path


def marked_in(path: Path) -> Iterator[tuple[int, str | tuple[str, ...], str | None]]:
    """Return line, sentence (or singular and plural) and context of all that a file marks."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        # What templatize leaves of a template has no indentation that Python understands.
        text = "\n".join(line.lstrip() for line in templatize(text, str(path)).splitlines())
    for line, message, _, context in extract("python", io.BytesIO(text.encode()), KEYWORDS):
        yield line, message, context


def collect(root: Path, folders: Sequence[str] = FOLDERS) -> Catalog:
    """Return every sentence that is marked in these folders under `root`, untranslated."""
    catalog = Catalog()
    for path in source_files(root, folders):
        for line, message, context in marked_in(path):
            place = (path.relative_to(root).as_posix(), line)
            catalog.add(message, locations=[place], context=context)
    return catalog


def missing_in(known: Catalog, template: Catalog) -> Catalog:
    """Return the sentences of `template` for which `known` has no translation."""
    catalog = Catalog()
    for message in _sentences(template):
        if _problem(message, known):
            catalog.add(message.id, locations=message.locations, context=message.context)
    return catalog


def mixed_forms(root: Path) -> Iterator[str]:
    """Return the sentences that are marked in more than one form, a line each.

    A translation has one entry for a sentence. Where it has a plural, gettext() answers in English
    before Python 3.11.5 (https://github.com/python/cpython/issues/62519).
    """
    forms: dict[tuple[str, str | None], dict[str | tuple[str, ...], list[str]]] = {}
    for path in source_files(root):
        for line, message, context in marked_in(path):
            singular = message if isinstance(message, str) else message[0]
            places = forms.setdefault((singular, context), {}).setdefault(message, [])
            places.append(f"{path.relative_to(root).as_posix()}:{line}")
    for (singular, _), found in forms.items():
        if len(found) > 1:
            how = "with and without a plural" if singular in found else "with different plurals"
            places = sorted(place for each in found.values() for place in each)
            yield f"marked {how}: {singular!r} ({', '.join(places)})"


def read_catalog(po: Path, language: str) -> Catalog:
    """Return a translation, empty when the file does not exist yet."""
    if not po.exists():
        return Catalog(locale=language)
    with po.open("rb") as file:
        return read_po(file, locale=language)


def merge(template: Catalog, known: Catalog, project: str = "Pli") -> Catalog:
    """Return the sentences of `template` with what `known` says of them, and nothing else."""
    catalog = Catalog(
        locale=known.locale,
        project=project,
        copyright_holder=f"The {project} authors",
        header_comment=f"# {project} in another language.",
        fuzzy=False,
    )
    for message in _sentences(template):
        old = known.get(message.id, message.context)
        catalog.add(
            message.id,
            old.string if old is not None and _fits(old, message) else None,
            locations=message.locations,
            flags=message.flags | (old.flags & {"fuzzy"} if old is not None else set()),
            context=message.context,
        )
    return catalog


def _fits(old: Message, new: Message) -> bool:
    return bool(old.pluralizable) == bool(new.pluralizable)


def _sentences(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def write_catalog(po: Path, catalog: Catalog) -> None:
    """Write a translation so that the same sentences give the same file, whatever the day."""
    file = io.BytesIO()
    write_po(
        file, catalog, width=100, sort_by_file=True, include_lineno=False, ignore_obsolete=True
    )
    po.parent.mkdir(parents=True, exist_ok=True)
    po.write_bytes(_DATES.sub(b"", file.getvalue()))


def compile_mo(po: Path, language: str) -> Path:
    """Write the compiled file beside the readable one, whole or not at all; return its path."""
    mo = po.with_suffix(".mo")
    unfinished = po.with_suffix(f".{os.getpid()}.mo")
    with unfinished.open("wb") as file:
        write_mo(file, read_catalog(po, language))
    unfinished.chmod(0o644)  # whoever installs Pli need not be the user that it runs as
    return unfinished.replace(mo)


def problems(template: Catalog, translation: Catalog) -> Iterator[str]:
    """Return what is wrong with a translation, a line each."""
    for message in _sentences(template):
        wrong = _problem(message, translation)
        if wrong:
            places = ", ".join(sorted({place for place, _ in message.locations}))
            yield f"{wrong}: {_english(message)!r} ({places})"
    for message in _sentences(translation):
        if template.get(message.id, message.context) is None:
            yield f"no longer used: {_english(message)!r}"


def _english(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _problem(message: Message, translation: Catalog) -> str | None:
    ours = translation.get(message.id, message.context)
    if ours is None or not _fits(ours, message):
        return "unknown to the translation"
    strings = _texts(ours.string)
    if len(strings) < (translation.num_plurals if message.pluralizable else 1) or not all(strings):
        return "not translated"
    if ours.fuzzy:
        return "fuzzy"
    # A singular may leave out the number: "one game".
    expected = _placeholders(_texts(message.id)[-1])
    loose = any(_placeholders(text) - expected for text in strings)
    return "other placeholders" if loose or _placeholders(strings[-1]) != expected else None


def _texts(string: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [string or ""] if string is None or isinstance(string, str) else list(string)


def _placeholders(text: str) -> set[str]:
    return set(_PLACEHOLDER.findall(text))
