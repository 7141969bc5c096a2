"""The grammar of commands that start games: `tables`, `join 12` and their like.

A line that only begins with such a word is talk, unless what follows has the form of an argument:
“join us on Friday” is no command, “join 12 now” is one in a wrong form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TablesCommand:
    """Send the list of open tables."""


@dataclass(frozen=True, slots=True)
class JoinCommand:
    """Sit down at the open table with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class Misformed:
    """A command in a wrong form; `reason` is that of `NotUnderstood`."""

    reason: str


_TABLES = re.compile(r"(?:list )?(?:open )?tables|tables (?:ouvertes|libres)|liste des tables")
_TABLE = r"(?: (?:the )?table| la table)?"
_JOIN = re.compile(rf"(?:join|rejoindre)(?P<rest>{_TABLE}(?: *(?:#|n°|\d).*)?)")
_NUMBER = re.compile(rf"{_TABLE} *(?:#|n°)? ?(\d{{1,9}})")


def read_starting(plain: str) -> TablesCommand | JoinCommand | Misformed | None:
    """Return the command on a folded line without end punctuation; None if it is talk."""
    if _TABLES.fullmatch(plain):
        return TablesCommand()
    if join := _JOIN.fullmatch(plain):
        number = _NUMBER.fullmatch(join["rest"])
        return JoinCommand(int(number[1])) if number else Misformed("join")
    return None
