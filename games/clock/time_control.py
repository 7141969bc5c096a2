"""How much time each seat gets."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from games.clock.spans import NOTHING

ONE_DAY = timedelta(days=1)
SHORTEST_ALLOWANCE = timedelta(minutes=1)
LONGEST_ALLOWANCE = timedelta(days=366)


class PaceKind(StrEnum):
    """How time is given: for each turn, from a bank that grows, or once for the whole game."""

    TURN = "turn"
    FISCHER = "fischer"
    TOTAL = "total"


@dataclass(frozen=True)
class TimeControl:
    """How much time a seat has.

    TURN: `allowance` for each turn. FISCHER: `bank` at the start, `allowance` more after each
    turn, never growing above `cap`. TOTAL: `bank` for the whole game. What a kind does not use
    is zero.
    """

    kind: PaceKind
    allowance: timedelta = NOTHING
    bank: timedelta = NOTHING
    cap: timedelta = NOTHING

    @property
    def first(self) -> timedelta:
        """A seat's time when the game begins."""
        return self.allowance if self.kind == PaceKind.TURN else self.bank

    @property
    def most(self) -> timedelta:
        """The most that a seat has for one turn, unless it is given more."""
        return {
            PaceKind.TURN: self.allowance,
            PaceKind.FISCHER: self.cap,
            PaceKind.TOTAL: self.bank,
        }[self.kind]

    def after_turn(self, left: timedelta) -> timedelta:
        """Return a seat's time for its next turn if `left` remained at the end of this one.

        The cap only limits growth: a seat that was given more time than that keeps it.
        """
        if self.kind == PaceKind.TURN:
            return self.allowance
        if self.kind == PaceKind.TOTAL:
            return left
        return max(left, min(self.cap, left + self.allowance))

    @property
    def for_another(self) -> timedelta:
        """The time of a player who takes a seat over from one who ran out of time.

        That is the allowance; with a bank at least a day, or all of the bank if it is shorter.
        """
        if self.kind == PaceKind.TURN:
            return self.allowance
        return max(self.allowance, min(self.bank, ONE_DAY))

    @property
    def is_possible(self) -> bool:
        """Whether a table may have it: all times are in bounds, and unused ones are zero."""

        def fits(time: timedelta) -> bool:
            return SHORTEST_ALLOWANCE <= time <= LONGEST_ALLOWANCE

        if self.kind == PaceKind.TURN:
            return fits(self.allowance) and self.bank == self.cap == NOTHING
        if self.kind == PaceKind.TOTAL:
            return fits(self.bank) and self.allowance == self.cap == NOTHING
        grows = NOTHING < self.allowance <= self.cap
        return fits(self.bank) and fits(self.cap) and grows and self.bank <= self.cap


def per_turn(allowance: timedelta) -> TimeControl:
    """Return the pace that gives the same time for each turn."""
    return TimeControl(PaceKind.TURN, allowance=allowance)
