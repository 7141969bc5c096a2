"""The grammar of commands with an argument: a game's number, a player's name, a setting's value.

A line is a command only if its argument has the form of one: “game 12” is, “game over” is talk.
Arguments keep their capitals and accents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class GameCommand:
    """Send the board of the game with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class RecordCommand:
    """Send the record of the game with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class ProfileCommand:
    """Send what others see of a player."""

    name: str


@dataclass(frozen=True, slots=True)
class BlockCommand:
    """Block a player, or end the block."""

    name: str
    ends: bool = False


@dataclass(frozen=True, slots=True)
class MuteCommand:
    """Hide a player's messages in the game of the letter, or show them again.

    Without a name the only opponent is meant.
    """

    name: str
    ends: bool = False


@dataclass(frozen=True, slots=True)
class ReportCommand:
    """Report what happened in the game of the letter to the moderators."""

    text: str


@dataclass(frozen=True, slots=True)
class NoteCommand:
    """Keep a private note at the position of the letter."""

    text: str


@dataclass(frozen=True, slots=True)
class PauseCommand:
    """Offer a pause of so many days; 0: none were named."""

    days: int


Setting: TypeAlias = Literal[
    "language", "zone", "name", "digest", "puzzle", "pictures", "confirmations"
]


@dataclass(frozen=True, slots=True)
class SettingCommand:
    """Change one setting; an empty value asks what can be chosen."""

    setting: Setting
    value: str


ArgumentCommand: TypeAlias = (
    GameCommand
    | RecordCommand
    | ProfileCommand
    | BlockCommand
    | MuteCommand
    | ReportCommand
    | NoteCommand
    | PauseCommand
    | SettingCommand
)

LONGEST = 2200
"""Characters of a line: a report or a note may be long."""

_GAME = r" ?(?:#|n°|no\.?)? ?(\d{1,9})"
_PERSON = r"@?([\w.+-]{1,150})"

_WHOLE_LINES: Sequence[tuple[str, Callable[[str], ArgumentCommand]]] = (
    (r"(?:report|signaler) ?:? (\S.*)", ReportCommand),
    # “Note that I am away” is talk.
    (r"(?:note|noter)(?: ?: ?| (?!(?:that|how|the|que|qu['’]\S+)\b))(\S.*)", NoteCommand),
)
"""Commands whose argument is text, as it was written."""

_FORMS: Sequence[tuple[str, Callable[[str], ArgumentCommand]]] = (
    (rf"(?:show )?(?:game|partie){_GAME}", lambda number: GameCommand(int(number))),
    (
        r"(?:record|history|feuille|historique)(?: of| de(?: la)?)?(?: game| partie)?" + _GAME,
        lambda number: RecordCommand(int(number)),
    ),
    (
        r"(?:offer (?:a )?)?pause(?: of| de)?(?: (\d{1,4})(?: ?(?:d|days?|j|jours?))?)?",
        lambda days: PauseCommand(int(days or 0)),
    ),
    (rf"(?:profile|profil)(?: of| de)? {_PERSON}", ProfileCommand),
    (rf"(?:block|bloquer) {_PERSON}", BlockCommand),
    (rf"(?:unblock|d[ée]bloquer) {_PERSON}", lambda name: BlockCommand(name, ends=True)),
    (rf"(?:mute|sourdine)(?: {_PERSON})?", MuteCommand),
    (
        rf"(?:unmute|fin de (?:la )?sourdine)(?: {_PERSON})?",
        lambda name: MuteCommand(name, ends=True),
    ),
    (r"(?:language|langue)(?: ?:? ?(\S+))?", lambda value: SettingCommand("language", value)),
    (
        r"(?:(?:time ?)?zone|fuseau(?: horaire)?)(?: ?:? ?(\w+(?:[/ +-]\w+)*))?",
        lambda value: SettingCommand("zone", value),
    ),
    (r"(?:name|nom)(?: ?:? ?(\S+(?: \S+){0,2}))?", lambda value: SettingCommand("name", value)),
    (
        r"(?:digest|r[ée]capitulatif)(?: ?:? ?(.{1,20}))?",
        lambda value: SettingCommand("digest", value),
    ),
    (
        r"(?:puzzles?|probl[èe]mes?)(?: of the day| du jour)?"
        r"(?: ?:? ?(on|off|yes|no|oui|non|sans))?",
        lambda value: SettingCommand("puzzle", value or "on"),
    ),
    (
        r"(?:no|without|sans|pas d['’]) ?(?:pictures|images)",
        lambda _: SettingCommand("pictures", "off"),
    ),
    (r"(?:pictures|images)(?: ?:? ?(\S+))?", lambda value: SettingCommand("pictures", value)),
    (
        r"confirmations?(?: ?:? ?(\S+))?",
        lambda value: SettingCommand("confirmations", value),
    ),
)
"""Short commands. A question mark behind one makes it talk."""


def read_argument_command(text: str) -> ArgumentCommand | None:
    """Return the command on a line; None if it is none of these."""
    if len(text) > LONGEST:
        return None
    whole = " ".join(text.split())
    bare = whole.rstrip(" .!…;,:*_`'\"«»“”„‘’")
    for line, forms in ((whole, _WHOLE_LINES), (bare, _FORMS)):
        for form, make in forms:
            if found := re.fullmatch(form, line, re.IGNORECASE):
                return make((found.groups() or ("",))[0] or "")
    return None
