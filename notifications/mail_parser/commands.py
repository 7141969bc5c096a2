"""The grammar of what people answer: turns, commands in English and French, and messages.

Case, accents, typographic dashes and spaces, and punctuation behind a command do not matter. What
is no command is taken for a turn: only the rules know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from notifications.mail_parser.lines import plain_spaces
from notifications.mail_parser.orders import (
    Command,
    Condition,
    LaterCommand,
    MailCommand,
    NotUnderstood,
    Numbered,
    SayCommand,
    TurnCommand,
    VacationCommand,
)
from notifications.mail_parser.phrases import folded

MOST_NUMBERED = 100
"""Numbered lines that are read of one answer."""

_LONGEST_COMMAND = 80
_LONGEST_CONDITION = 2000
_WEEK = 7

_DASHES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
)
_AROUND = " \t*_`'\"«»“”„‘’"
_BEHIND = " .!?…;,:"

_WORDS: Mapping[MailCommand, str] = {
    Command.RESIGN: "resign|i resign|abandonner|abandonne|abandon|j'abandonne",
    Command.OFFER_END: "offer|offer end|offer the end|offer a draw|offer draw|draw|offre|"
    "proposition|proposer|propose|proposer la fin|proposer nulle|"
    "proposer la nulle|nulle|je propose nulle",
    Command.ACCEPT: "accept|i accept|accepted|accepter|accepte|j'accepte",
    Command.DECLINE: "decline|i decline|declined|refuse|refuser|je refuse|decliner|decline l'offre",
    Command.BOARD: "board|show|show board|plateau|grille|damier|position",
    Command.HISTORY: "history|historique|moves|turns|coups|record",
    Command.RULES: "rules|regles|regle|regles du jeu|la regle du jeu",
    Command.REMATCH: "rematch|revanche|la revanche|play again|rejouer",
    Command.QUIET: "quiet|silence|silencieux|mute|muet",
    Command.LOUD: "loud|unmute|bruit|bruyant|sonore",
    Command.HELP: "help|aide|aidez-moi|a l'aide|commands|commandes",
}
_COMMANDS: Mapping[str, MailCommand] = {
    text: order for order, texts in _WORDS.items() for text in texts.split("|")
}

_POLITE = frozenset({Command.RESIGN, Command.ACCEPT, Command.DECLINE, Command.REMATCH})
"""Commands behind which people write on in the same line."""
_END_OF_CLAUSE = re.compile(r"\s*[,;.!]+\s+(?=\S)|\s+-+\s+(?=\S)")

_STOP = frozenset({
    "stop", "unsubscribe", "stop mail", "stop mails", "stop emails", "remove me", "desinscription",
    "desabonnement", "me desabonner", "se desabonner", "desabonner", "me desinscrire",
})  # fmt: skip
"""What people write to be left alone: it could mean more than one thing."""

_LATER = re.compile(r"(?:later|snooze|plus tard)\b(.*)")
_DELAY = re.compile(
    r"\s*:?\s*(?:in |dans )?(\d{1,4})\s*(?:"
    r"(?P<minutes>m|min|mins|minutes?)|(?P<hours>h|hours?|heures?)|(?P<days>d|days?|j|jours?)"
    r"|(?P<weeks>w|weeks?|semaines?))"
)
_VACATION = re.compile(r"(?:vacations?|vacances|holidays?|conges?)\b(.*)")
_DAYS = re.compile(
    r"\s*:?\s*(?:for |pendant |pour |de )?(\d{1,4})\s*"
    r"(?:(?:d|days?|j|jours?)|(?P<weeks>w|weeks?|semaines?))?"
)
_SPAN = re.compile(
    r"\s*:?\s*(?:from |du )?(\d{4}-\d{1,2}-\d{1,2})\s*(?:,|to |until |au |-+ ?)?\s*"
    r"(\d{4}-\d{1,2}-\d{1,2})"
)
_SAY = re.compile(r"(?:say|dire|dis)(?:\s*:|\s|$)", re.IGNORECASE)
_CONDITION = re.compile(r"\W*(?:\d+\W+)?(?:if|si)\s.*\s(?:then|alors)\s.*\S", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:#|n°|no\.?\s)?\s*(\d{1,3})(?:\s*[.):=]\s*|\s+-+\s+|\s+)(\S.*)", re.IGNORECASE
)


def orders(lines: Sequence[str]) -> tuple[MailCommand | NotUnderstood, str]:
    """Return what a reply orders, and its message to the opponents, which may be empty.

    The first line with a letter or digit is the order; a turn whose line ends in a comma goes on in
    the next one that begins like a turn. The lines below, up to a blank one, are the message;
    conditions among them are left out (see `conditions`): they are no business of the opponents.
    """
    kept = _from_first(lines)
    if not kept:
        return NotUnderstood("", "empty"), ""
    order, behind, used = _order(kept)
    paragraph = [*behind, *_paragraph(kept[used:])]
    if isinstance(order, SayCommand):
        said = "\n".join([order.text, *paragraph]).strip()
        return (SayCommand(said) if said else NotUnderstood(kept[0], "say")), ""
    return order, "\n".join(line for line in paragraph if not _tells_plan(line))


def conditions(lines: Sequence[str]) -> tuple[Condition, ...]:
    """Return every conditional turn in the first paragraph of a reply."""
    paragraph = _paragraph(_from_first(lines))
    return tuple(Condition(_tidy(line)) for line in paragraph if _tells_plan(line))


def numbered(lines: Sequence[str]) -> tuple[Numbered, ...]:
    """Return the orders of an answer to a digest, one for each line that begins with a number.

    Unnumbered lines right below one are its message. At most 100 are read.
    """
    found: list[Numbered] = []
    may_go_on = False
    for line in lines:
        match = _NUMBERED.fullmatch(_tidy(line))
        if match and len(found) == MOST_NUMBERED:
            break
        if match:
            found.append(Numbered(int(match[1]), *_numbered_order(match[2])))
        elif may_go_on and line.strip() and not _tells_plan(line):
            found[-1] = _with_message(found[-1], line)
        may_go_on = bool(found) and bool(line.strip())
    return tuple(map(_not_mute, found))


# One line ----------------------------------------------------------------------------------------


def _order(lines: Sequence[str]) -> tuple[MailCommand | NotUnderstood, Sequence[str], int]:
    """Return the order that begins on the first line, words behind it, and the lines it takes."""
    order = _command(lines[0])
    if order is not None:
        return order, (), 1
    if polite := _polite(lines[0]):
        return polite[0], polite[1:], 1
    used = 1
    while used < len(lines) and _goes_on(lines[used - 1], lines[used]):
        used += 1
    return TurnCommand(_turn(" ".join(lines[:used]))), (), used


def _polite(line: str) -> tuple[MailCommand, str] | None:
    """Return an answer and the words behind it: "accept, with pleasure"."""
    text = _tidy(line)
    end = _END_OF_CLAUSE.search(text[:_LONGEST_COMMAND])
    order = _COMMANDS.get(" ".join(folded(text[: end.start()]).split())) if end else None
    return (order, text[end.end() :]) if end and order in _POLITE else None


def _goes_on(line: str, after: str) -> bool:
    """Tell whether a mail program has broken a long turn between these two lines."""
    first, _, _ = after.strip().partition(" ")
    return line.rstrip().endswith(",") and any(c.isdigit() for c in first)


def _command(line: str) -> MailCommand | NotUnderstood | None:
    """Return the command on a line; None if it is none, and so a turn."""
    text = _tidy(line)
    if _is_condition(text):
        return Condition(text)
    said = _SAY.match(text)
    if said:
        return SayCommand(_said(line, said.end()))
    if len(text) > _LONGEST_COMMAND:
        return None
    plain = " ".join(folded(text).rstrip(_BEHIND + _AROUND).split())
    if plain in _STOP:
        return NotUnderstood(text, "stop")
    return _COMMANDS.get(plain) or _with_time(plain, text)


def _said(line: str, begins: int) -> str:
    """Return the words behind "say", with their own quotation marks."""
    whole = plain_spaces(line).strip()
    inside = whole.lstrip(_AROUND)
    return (inside.rstrip(_AROUND) if inside != whole else inside)[begins:].strip()


def _with_time(plain: str, text: str) -> MailCommand | NotUnderstood | None:
    later, vacation = _LATER.fullmatch(plain), _VACATION.fullmatch(plain)
    if later:
        return _later(later[1]) or NotUnderstood(text, "later")
    if vacation:
        return _vacation(vacation[1]) or NotUnderstood(text, "vacation")
    return None


def _later(text: str) -> LaterCommand | None:
    found = _DELAY.fullmatch(text)
    if not found or not int(found[1]):
        return None
    (unit,) = (name for name, value in found.groupdict().items() if value)
    return LaterCommand(timedelta(**{unit: int(found[1])}))


def _vacation(text: str) -> VacationCommand | None:
    days, span = _DAYS.fullmatch(text), _SPAN.fullmatch(text)
    if days and int(days[1]):
        return VacationCommand(days=int(days[1]) * (_WEEK if days["weeks"] else 1))
    if not span:
        return None
    try:
        first, last = (date(*map(int, day.split("-"))) for day in span.groups())
    except ValueError:
        return None
    return VacationCommand(first=first, last=last) if first <= last else None


def _numbered_order(text: str) -> tuple[MailCommand | NotUnderstood, str]:
    """Return the order behind a number, and its message."""
    order = _command(text)
    if order is None and (polite := _polite(text)):
        return polite
    return TurnCommand(_turn(text)) if order is None else order, ""


def _with_message(one: Numbered, line: str) -> Numbered:
    if isinstance(one.order, SayCommand):
        return replace(one, order=SayCommand(f"{one.order.text}\n{line.strip()}".strip()))
    return replace(one, message=f"{one.message}\n{line.strip()}".strip())


def _not_mute(one: Numbered) -> Numbered:
    return replace(one, order=NotUnderstood("say", "say")) if one.order == SayCommand("") else one


# Text --------------------------------------------------------------------------------------------


def _tidy(line: str) -> str:
    """Return a line with plain dashes and spaces, without what stands around its words."""
    return plain_spaces(line).translate(_DASHES).strip(_AROUND)


def _turn(text: str) -> str:
    return " ".join(_tidy(text).rstrip(_BEHIND + _AROUND).split())


def _is_condition(line: str) -> bool:
    return len(line) <= _LONGEST_CONDITION and _CONDITION.match(_tidy(line)) is not None


def _tells_plan(line: str) -> bool:
    """Tell whether a line of a message is a conditional turn: prose has no digits, turns have."""
    return any(c.isdigit() for c in line) and _is_condition(line)


def _from_first(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines from the first that has a letter or a digit."""
    for index, line in enumerate(lines):
        if any(c.isalnum() for c in line):
            return lines[index:]
    return ()


def _paragraph(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines up to the first blank one."""
    for line in lines:
        if not line.strip():
            return
        yield line.strip()
