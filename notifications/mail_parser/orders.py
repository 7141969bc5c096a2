"""What a player can order by mail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from typing import TypeAlias


class Command(Enum):
    """What is ordered by a word alone."""

    RESIGN = "give the game up"
    OFFER_END = "offer to end the game as it stands"
    ACCEPT = "accept the offer, or the invitation"
    DECLINE = "decline the offer, or the invitation"
    BOARD = "send the board as it stands"
    HISTORY = "send all turns so far"
    RULES = "send the rules of the game"
    REMATCH = "play again, with the same people and options"
    QUIET = "send only the mail that one cannot play without"
    LOUD = "send all mail again"
    HELP = "send what can be ordered"


@dataclass(frozen=True, slots=True)
class TurnCommand:
    """Play this; only the rules can tell whether it is a turn."""

    text: str


@dataclass(frozen=True, slots=True)
class LaterCommand:
    """Remind me again after this time, at least a minute and at most 9999 days."""

    delay: timedelta


@dataclass(frozen=True, slots=True)
class VacationCommand:
    """Be away: for so many days from now, or else from the first day to the last, both included."""

    days: int | None = None
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True, slots=True)
class SayCommand:
    """Tell the opponents; never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Condition:
    """Play something if the opponent plays something: recognised, not yet carried out."""

    text: str


MailCommand: TypeAlias = (
    Command | TurnCommand | LaterCommand | VacationCommand | SayCommand | Condition
)


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A command that lacks something; `reason` is empty, later, vacation, say, or stop."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Numbered:
    """One order of an answer to a digest: for the game with this number there.

    A Turn's text is all that followed the number, so it may hold a message behind the turn, which
    only the rules can part from it; `message` holds the unnumbered lines right below, which are
    part of what a Say says.
    """

    number: int
    order: MailCommand | NotUnderstood
    message: str
