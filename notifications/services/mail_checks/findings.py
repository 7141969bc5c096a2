"""What a check finds."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad it is: WARN is for what may be meant, or could not be asked."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Finding:
    """What a check has found, in a sentence; `mend` is what to do about it."""

    level: Level
    sentence: str
    mend: str = ""


def ok(sentence: str) -> Finding:
    """Return that all is well."""
    return Finding(Level.OK, sentence)


def warn(sentence: str, mend: str = "") -> Finding:
    """Return what should be looked at."""
    return Finding(Level.WARN, sentence, mend)


def fail(sentence: str, mend: str) -> Finding:
    """Return what keeps mail from going or coming."""
    return Finding(Level.FAIL, sentence, mend)
