"""The grammar of what people answer: turns, commands in English and French, and messages.

Case, accents, typographic dashes and spaces, and punctuation behind a command do not matter. Any
other text is taken for a turn: only the rules know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum
from itertools import islice
from typing import TypeAlias

from notifications.mail_parser.argument_commands import (
    ArgumentCommand,
    NoteCommand,
    ReportCommand,
    read_argument_command,
)
from notifications.mail_parser.lines import plain_spaces
from notifications.mail_parser.phrases import fold
from notifications.mail_parser.signatures import without_signature
from notifications.mail_parser.starting import Misformed, StartingCommand, read_starting
from notifications.mail_parser.turn_words import is_doubtful, is_greeting
from notifications.mail_parser.vacations import VacationCommand, parse_vacation

MOST_NUMBERED = 100
"""Numbered lines, and conditional turns, that are read in one answer."""

_LONGEST_COMMAND = 80
_LONGEST_CONDITION = 2000

_DASHES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
)
_AROUND = " \t*_`'\"«»“”„‘’"
_BEHIND = " .!?…;,:"


class Command(Enum):
    """A command that is a word alone."""

    RESIGN = "resign the game"
    WIN = "end the wait for an opponent whom no mail reaches, and win"
    ABORT = "end a game without a result: before the first turns, or after such a wait"
    OFFER_END = "offer to end the game by agreement"
    ACCEPT = "accept the offer, or the invitation"
    DECLINE = "decline the offer, or the invitation"
    BOARD = "send the current board"
    HISTORY = "send all turns so far"
    CLOCK = "send what the deadline consists of"
    RULES = "send the rules of the game"
    REMATCH = "play again, with the same people and options"
    QUIET = "send only the mail that is needed to play"
    LOUD = "send all mail again"
    PLANS = "send what I have planned in this game"
    DROP_PLANS = "drop all that I have planned in this game"
    LEGAL = "send the turns that are legal"
    UNDO = "undo my newest turn, which nobody knows of yet"
    TAKEBACK = "offer to take back my newest turn"
    WITHDRAW = "withdraw my offer"
    MORE_TIME = "give the opponent to move more time"
    RESUME = "end the pause"
    NOTES = "send my private notes of this game"
    GAMES = "send the list of my games"
    SETTINGS = "send my settings, and how to change them"
    END_VACATION = "end my vacation now"
    HELP = "send the list of commands"
    YES = "do what the mail that is answered asked about"
    NO = "do not do it"


@dataclass(frozen=True, slots=True)
class TurnCommand:
    """Play this; only the rules can tell whether it is a turn."""

    text: str


@dataclass(frozen=True, slots=True)
class DoubtfulTurn:
    """A turn with words that may change it: it is asked back with the board as it would be.

    `line` is the whole line, or the lines that contradict each other.
    """

    text: str
    line: str


@dataclass(frozen=True, slots=True)
class LaterCommand:
    """Remind me again after this time, at least a minute and at most 9999 days."""

    delay: timedelta


@dataclass(frozen=True, slots=True)
class SayCommand:
    """Send this message to the opponents; never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Condition:
    """Play something if the opponent plays something; `games.plan_text` reads the text."""

    text: str


MailCommand: TypeAlias = (
    Command
    | TurnCommand
    | DoubtfulTurn
    | LaterCommand
    | VacationCommand
    | SayCommand
    | Condition
    | StartingCommand
    | ArgumentCommand
)


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """Text that is no command.

    `reason` is empty, later, vacation, say, stop, bare, parts, number, join or new.
    """

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class NumberedCommand:
    """One command of an answer to a digest: for the game with this number there.

    A turn's text is all that followed the number, so it may contain a message behind the turn,
    which only the rules can tell from it; `message` has the unnumbered lines right below. Those
    of a SayCommand are part of its text.
    """

    number: int
    command: MailCommand | NotUnderstood
    message: str


_WORDS: Mapping[MailCommand, str] = {
    Command.RESIGN: "resign|i resign|abandonner|abandonne|abandon|j'abandonne",
    Command.WIN: "win|gagner",
    Command.ABORT: "abort|annuler",
    Command.OFFER_END: "offer|offer end|offer the end|offer a draw|offer draw|draw|offre|"
    "proposition|proposer|propose|proposer la fin|proposer nulle|"
    "proposer la nulle|nulle|je propose nulle",
    Command.ACCEPT: "accept|i accept|accepted|accepter|accepte|j'accepte",
    Command.DECLINE: "decline|i decline|declined|refuse|refuser|je refuse|decliner|decline l'offre",
    Command.BOARD: "board|the board|show|show board|show me the board|send me the board|"
    "plateau|grille|damier|position",
    Command.HISTORY: "history|historique|moves|turns|coups|record",
    Command.CLOCK: "clock|time|time left|how much time do i have|deadline|temps restant|"
    "pendule|horloge|temps|echeance",
    Command.RULES: "rules|regles|regle|regles du jeu|la regle du jeu",
    Command.REMATCH: "rematch|revanche|la revanche|play again|rejouer",
    Command.QUIET: "quiet|silence|silencieux|muet",
    Command.LOUD: "loud|bruit|bruyant|sonore",
    Command.PLANS: "plans|plan|my plans|conditions|mes plans",
    Command.DROP_PLANS: "drop plans|drop plan|drop my plans|drop all plans|cancel plans|no plans|"
    "abandonner les plans|annuler les plans|supprimer les plans|oublier les plans",
    Command.LEGAL: "legal|legal moves|legal turns|possible moves|possible turns|coups possibles|"
    "coups legaux|legaux",
    Command.UNDO: "undo|undo turn|undo my turn|undo move|undo my move|annuler le coup|"
    "annuler mon coup|defaire",
    Command.TAKEBACK: "takeback|take back|offer takeback|offer a takeback|reprendre|"
    "reprendre le coup|reprendre mon coup|reprise",
    Command.WITHDRAW: "withdraw|withdraw offer|withdraw my offer|retirer|retirer l'offre|"
    "retirer mon offre|retirer la proposition|retirer ma proposition",
    Command.MORE_TIME: "more time|give time|give more time|plus de temps|donner du temps",
    Command.RESUME: "resume|end pause|end the pause|reprendre la partie|fin de la pause|fin pause",
    Command.NOTES: "notes|my notes|mes notes",
    Command.GAMES: "games|my games|list games|parties|mes parties|liste des parties",
    Command.SETTINGS: "settings|my settings|preferences|reglages|mes reglages|parametres",
    Command.END_VACATION: "vacation end|end vacation|end my vacation|vacation over|vacances fin|"
    "fin des vacances|fin de vacances|fin de mes vacances|vacances finies",
    Command.HELP: "help|help me|aide|aidez-moi|a l'aide|commands|commandes",
    Command.YES: "yes|oui|confirm|i confirm|confirmed|je confirme|confirme",
    Command.NO: "no|non",
}
_COMMANDS: Mapping[str, MailCommand] = {
    text: command for command, texts in _WORDS.items() for text in texts.split("|")
}

_POLITE = frozenset({Command.ACCEPT, Command.DECLINE, Command.REMATCH})
"""Commands that people often follow with words in the same line."""
_READS = frozenset({
    Command.BOARD, Command.HISTORY, Command.CLOCK, Command.RULES, Command.PLANS, Command.HELP,
    Command.LEGAL, Command.NOTES, Command.GAMES, Command.SETTINGS,
})  # fmt: skip
"""Commands that change nothing: only they may end in a question mark."""
_FINAL = frozenset({Command.RESIGN, Command.WIN, Command.ABORT, Command.ACCEPT})
"""Commands that count only as they are, without a word of courtesy."""
_COURTESY = re.compile(
    r"(?:please|pls|svp|stp)[ ,]+(?=\S)| +(?:please|pls|plz|svp|stp|s'il (?:te|vous) pla[iî]t|"
    r"thanks|thank you|merci)\W*$",
    re.IGNORECASE,
)
_ENDS_GAME = re.compile(
    r"(?:(?:i )?resign|abort|(?:j')?abandonner?|j'abandon|abandon|annuler|win|gagner)\b"
)
"""How a line begins that may end a game; it does so only if the word stands alone."""
_END_OF_CLAUSE = re.compile(r"\s*[,;.!]+\s+(?=\S)|\s+-+\s+(?=\S)")

_STOP = frozenset({
    "stop", "unsubscribe", "stop mail", "stop mails", "stop emails", "remove me", "desinscription",
    "desabonnement", "me desabonner", "se desabonner", "desabonner", "me desinscrire",
})  # fmt: skip
"""People write this to get no more mail, or no more games: it is ambiguous."""

_LATER = re.compile(r"(?:later|snooze|plus tard)\b(.*)")
_DELAY = re.compile(
    r"\s*:?\s*(?:in |dans )?(\d{1,4})\s*(?:"
    r"(?P<minutes>m|min|mins|minutes?)|(?P<hours>h|hours?|heures?)|(?P<days>d|days?|j|jours?)"
    r"|(?P<weeks>w|weeks?|semaines?))"
)
_VACATION = re.compile(r"(?:vacations?|vacances|holidays?|conges?)\b(.*)")
_SAY = re.compile(r"(?:say|dire|dis)(?:\s*:|\s|$)", re.IGNORECASE)
_CONDITION = re.compile(r"\W*(?:\d+\W+)?(?:if|si)\s.*\s(?:then|alors)\s.*\S", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]{2}")
_NUMBERED = re.compile(
    r"(?:#|n°|no\.?\s)?\s*(\d{1,3})(?:\s*[.):=]\s*|\s+-+\s+|\s+)(\S.*)", re.IGNORECASE
)


def parse_command(lines: Sequence[str]) -> tuple[MailCommand | NotUnderstood, str]:
    """Return the command in a reply, and its message to the opponents, which may be empty.

    The first line with a letter or digit that is no greeting is the command; a turn whose line
    ends in a comma goes on in the next line that begins like a turn. The lines below, up to a blank
    one or a signature, are the message; conditions among them are left out (see
    `parse_conditions`): opponents must not see them.
    """
    kept = _from_first_word(lines)
    if not kept:
        return NotUnderstood("", "empty"), ""
    if is_greeting(kept[0]) and (below := _from_first_word(kept[1:])):
        kept = below
    used = 1
    command, behind = _command_of_line(kept[0])
    if command is None:
        # A mail program may have broken a long turn into several lines.
        while used < len(kept) and kept[used - 1].rstrip().endswith(","):
            if not any(c.isdigit() for c in kept[used].strip().partition(" ")[0]):
                break
            used += 1
        command = TurnCommand(_plain_turn(" ".join(kept[:used])))
    paragraph = [*behind, *without_signature(list(_first_paragraph(kept[used:])))]
    if isinstance(command, SayCommand):
        said = "\n".join([command.text, *paragraph]).strip()
        return (SayCommand(said) if said else NotUnderstood(kept[0], "say")), ""
    if isinstance(command, NoteCommand | ReportCommand):
        return replace(command, text="\n".join([command.text, *paragraph])), ""
    return command, "\n".join(line for line in paragraph if not _is_condition(line))


def lines_below(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines below the command and its message: those behind the first blank line."""
    kept = _from_first_word(lines)
    if kept and is_greeting(kept[0]):
        kept = _from_first_word(kept[1:])
    blank = next((index for index, line in enumerate(kept) if not line.strip()), len(kept))
    return tuple(kept[blank:])


def parse_conditions(lines: Sequence[str]) -> tuple[Condition, ...]:
    """Return the first MOST_NUMBERED conditional turns in the first paragraph of a reply."""
    paragraph = _first_paragraph(_from_first_word(lines))
    found = (Condition(_tidy(line)) for line in paragraph if _is_condition(line))
    return tuple(islice(found, MOST_NUMBERED))


def parse_numbered(lines: Sequence[str]) -> tuple[NumberedCommand, ...]:
    """Return the commands of an answer to a digest, one for each line that begins with a number.

    Unnumbered lines right below one are its message. At most 100 are read.
    """
    found: list[NumberedCommand] = []
    may_go_on = False
    for line in lines:
        match = _NUMBERED.fullmatch(_tidy(line))
        if match and len(found) == MOST_NUMBERED:
            break
        if match:
            command, behind = _command_of_line(match[2])
            if command is None:
                command = TurnCommand(_plain_turn(match[2]))
            found.append(NumberedCommand(int(match[1]), command, "".join(behind)))
        elif may_go_on and line.strip() and not _is_condition(line):
            last = found[-1]
            if isinstance(last.command, SayCommand):
                said = SayCommand(f"{last.command.text}\n{line.strip()}".strip())
                found[-1] = replace(last, command=said)
            else:
                found[-1] = replace(last, message=f"{last.message}\n{line.strip()}".strip())
        may_go_on = bool(found) and bool(line.strip())
    mute, empty = NotUnderstood("say", "say"), SayCommand("")
    return tuple(replace(one, command=mute) if one.command == empty else one for one in found)


# One line ----------------------------------------------------------------------------------------


def _command_of_line(line: str) -> tuple[MailCommand | NotUnderstood | None, tuple[str, ...]]:
    """Return the command on a line and the words behind it; None if it must be a turn."""
    text = _tidy(line)
    command: MailCommand | NotUnderstood | None = None
    if len(text) <= _LONGEST_CONDITION and _CONDITION.match(text):
        command = Condition(text)
    elif said := _SAY.match(text):
        # The message keeps its own quotation marks.
        whole = plain_spaces(line).strip()
        inside = whole.lstrip(_AROUND)
        message = (inside.rstrip(_AROUND) if inside != whole else inside)[said.end() :]
        command = SayCommand(message.strip())
    elif starting := read_starting(_strip_please(text)):
        command = (
            NotUnderstood(text, starting.reason) if isinstance(starting, Misformed) else starting
        )
    elif argued := read_argument_command(text):
        command = argued
    elif len(text) <= _LONGEST_COMMAND:
        command = _short_command(text)
    # "accept, with pleasure"
    if command is None and (end := _END_OF_CLAUSE.search(text[:_LONGEST_COMMAND])):
        polite = _COMMANDS.get(" ".join(fold(text[: end.start()]).split()))
        if polite in _POLITE and not is_doubtful("", text[end.start() :]):
            return polite, (text[end.end() :],)
    if command is None and _ENDS_GAME.match(fold(text[:_LONGEST_COMMAND])):
        command = NotUnderstood(text[:_LONGEST_COMMAND], "bare")
    return command, ()


def _short_command(text: str) -> MailCommand | NotUnderstood | None:
    """Return the command that a line is which is short enough to be one; None: it is none."""
    plain = " ".join(fold(text).rstrip(_BEHIND + _AROUND).split())
    if plain in _STOP:
        return NotUnderstood(text, "stop")
    command = _COMMANDS.get(plain)
    if command is None and (asked := _COMMANDS.get(_strip_please(plain))) not in _FINAL:
        command = asked
    if command is None and (later := _LATER.fullmatch(plain)):
        return _parse_delay(later[1]) or NotUnderstood(text, "later")
    if command is None and (vacation := _VACATION.fullmatch(plain)):
        return parse_vacation(vacation[1]) or NotUnderstood(text, "vacation")
    asks = any(mark in text[len(text.rstrip(_BEHIND + _AROUND)) :] for mark in "?？")
    if asks and command is not None and command not in _READS:
        return NotUnderstood(text, "bare")
    return command


def _strip_please(text: str) -> str:
    """Return a command without “please” before or behind it."""
    if len(text) > _LONGEST_COMMAND:
        return text
    found = _COURTESY.match(text)
    return _COURTESY.sub("", text[found.end() if found else 0 :])


def _parse_delay(text: str) -> LaterCommand | None:
    found = _DELAY.fullmatch(text)
    if not found or not int(found[1]):
        return None
    (unit,) = (name for name, value in found.groupdict().items() if value)
    return LaterCommand(timedelta(**{unit: int(found[1])}))


# Text --------------------------------------------------------------------------------------------


def _tidy(line: str) -> str:
    """Return a line with plain dashes and spaces, without marks around its words."""
    return plain_spaces(line).translate(_DASHES).strip(_AROUND)


def _plain_turn(text: str) -> str:
    """Return a line that must be a turn; its end is kept where it may say more than the turn."""
    tidy = " ".join(_tidy(text).split())
    plain = tidy.rstrip(_BEHIND + _AROUND)
    if "?" in tidy[len(plain) :]:
        return tidy
    # Word by word: one pattern for the whole line would take hours for a word of 256 kB.
    first, *others = plain.split() or [""]
    has_words = any(map(_LETTERS.match, others)) or any(map(_LETTERS.search, [first, *others][:-1]))
    return tidy if has_words else plain


def _is_condition(line: str) -> bool:
    """Tell whether a line of a message is a conditional turn: prose has no digits, turns have."""
    if len(line) > _LONGEST_CONDITION or not any(c.isdigit() for c in line):
        return False
    return _CONDITION.match(_tidy(line)) is not None


def _from_first_word(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines from the first that has a letter or a digit."""
    for index, line in enumerate(lines):
        if any(c.isalnum() for c in line):
            return lines[index:]
    return ()


def _first_paragraph(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines up to the first blank one."""
    for line in lines:
        if not line.strip():
            return
        yield line.strip()
