"""Plans as people write them: “if 74 then 43, if 52 then 61”.

The turns of several opponents are separated by semicolons: “if 74; 52 then 43”. French has “si” and
“alors”. Used by pages and mails alike.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from games import planning_errors

_KEYWORDS = re.compile(r"\b(if|si|then|alors)\b", re.IGNORECASE)
_IF = ("if", "si")
_LIST_MARK = re.compile(r"\W*(?:\d+[.):]\s*)?")
_BESIDE_A_TURN = " \t.,;:!"


class PlanStep(NamedTuple):
    """One turn of a plan; `is_answer`: its player plans it, for what comes before it."""

    text: str
    is_answer: bool


def parse_plan(text: str) -> list[PlanStep]:
    """Return the turns of a plan in their order: those of “if”, and those of “then”.

    Raises PlanUnreadable. Whether they are turns at all is for the rules to say.
    """
    before, *parts = _KEYWORDS.split(text)
    words = [part.lower() for part in parts[::2]]
    expected = ["if", "then"] * (len(words) // 2)
    said = ["if" if word in _IF else "then" for word in words]
    if not _LIST_MARK.fullmatch(before) or not said or said != expected:
        raise planning_errors.PlanUnreadable
    steps = [
        PlanStep(turn.strip(_BESIDE_A_TURN), is_answer)
        for word, turns in zip(said, parts[1::2], strict=True)
        for is_answer in [word == "then"]
        for turn in ([turns] if is_answer else turns.split(";"))
    ]
    if not all(step.text for step in steps):
        raise planning_errors.PlanUnreadable
    return steps


def format_plan(condition: Sequence[str], answer: str) -> str:
    """Return one step of a plan in the active language: “if 74; 52 then 43”."""
    return _("if %(condition)s then %(answer)s") % {
        "condition": "; ".join(condition),
        "answer": answer,
    }
