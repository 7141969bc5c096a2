"""Rules with one fault each, and the clause of the contract that must catch it."""

import random
from dataclasses import replace
from typing import Any

from games.rules.base import Outcome, Sentence, Unreadable
from games.rules.morpion.rules import Morpion
from games.rules.morpion.rules import Position as MorpionPosition
from games.rules.supermorpion.rules import SuperMorpion
from games.rules.taquet.rules import Taquet
from tests.rules import contract


class SomebodyMovesAfterTheEnd(Morpion):
    def to_move(self, position):
        return self.turn(position) & 1


class EndsWhileActionsAreLeft(Taquet):
    def outcome(self, position):
        return super().outcome(position) or Outcome((1, 1), None, "repetition")


class ForgetsHistory(Taquet):
    def load(self, text):
        loaded = super().load(text)
        return loaded._replace(since=loaded.since[-1:])


class LoadsCarelessly(SuperMorpion):
    def load(self, text):
        return super().load(text.strip())


class CrashesOnABadDump(Morpion):
    def load(self, text):
        if len(text) != 9:
            raise ValueError(text)
        return super().load(text)


class CannotReadAnOpening(Taquet):
    """Refuses an opening that no random game of these seeds chooses."""

    def read(self, position, text):
        if text == "Tc2" and position.turn == 0:
            raise Unreadable("No.")
        return super().read(position, text)


class WritesSpaces(Morpion):
    def format(self, action):
        return "cell " + super().format(action)

    def read(self, position, text):
        return ["cell " + found for found in super().read(position, text.removeprefix("cell "))]


class OffersAnActionTwice(Taquet):
    """Offers its last opening twice."""

    def legal_actions(self, position):
        legal = super().legal_actions(position)
        return legal if position.turn else [*legal, legal[-1]]


class ShufflesItsActions(SuperMorpion):
    dice = random.Random(1)

    def legal_actions(self, position):
        legal = list(super().legal_actions(position))
        self.dice.shuffle(legal)
        return legal


class Sheet:
    """A position that is written on."""

    def __init__(self, drawn: MorpionPosition) -> None:
        self.drawn = drawn
        self.plays = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sheet) and self.drawn == other.drawn

    def __hash__(self) -> int:
        return hash(self.drawn)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.drawn, name)

    def __iter__(self):
        return iter(self.drawn)


class WritesOnTheOldPosition(Morpion):
    """Makes its mark on the old position too, when somebody tries a second action there."""

    def initial(self, options):
        return Sheet(super().initial(options))

    def load(self, text):
        return Sheet(super().load(text))

    def play(self, position, action):
        after = super().play(position, action)
        position.plays += 1
        if position.plays == 2:
            position.drawn = after
        return Sheet(after)


class StartsElsewhereNextTime(Morpion):
    begun = False

    def initial(self, options):
        start = super().initial(options)
        position = self.play(start, 0) if self.begun else start
        self.begun = True
        return position


class CountsTurnsTwice(Taquet):
    def turn(self, position):
        return 2 * position.turn


class AgreesForTheWrongReason(SuperMorpion):
    def agreed_end(self, position):
        return replace(super().agreed_end(position), reason="agreement")


class PlacesAThirdSeat(Morpion):
    def outcome(self, position):
        outcome = super().outcome(position)
        return outcome and replace(outcome, places=(*outcome.places, 3))


class AsksAThirdSeat(Taquet):
    def to_move(self, position):
        seat = super().to_move(position)
        return 2 if seat == 1 else seat


class CallsBothSeatsAlike(Morpion):
    def seat_name(self, options, seat):
        return Sentence("Cross")


class DrawsOffTheBoard(Morpion):
    def board(self, position, viewer, last):
        board = super().board(position, viewer, last)
        return replace(board, pieces=tuple(replace(p, square="a1") for p in board.pieces))


class ForgetsToMarkTheLastTurn(SuperMorpion):
    def board(self, position, viewer, last):
        return super().board(position, viewer, ())


class ClicksOffTheBoard(Taquet):
    def squares(self, action):
        return ("hand", *super().squares(action))


class TellsNothing(SuperMorpion):
    def describe(self, position, action):
        return Sentence("")


class HasNoWordsForTheEnd(Taquet):
    reasons = {}

    def outcome(self, position):
        outcome = super().outcome(position)
        return outcome and replace(outcome, reason="three")


class ChokesOnStrangeText(Morpion):
    def read(self, position, text):
        return super().read(position, str(int(text)))


MUTANTS = {
    SomebodyMovesAfterTheEnd: contract.the_end_is_told_in_three_ways_at_once,
    EndsWhileActionsAreLeft: contract.the_end_is_told_in_three_ways_at_once,
    ForgetsHistory: contract.a_dump_loads_as_the_same_position,
    LoadsCarelessly: contract.an_altered_dump_is_refused,
    CrashesOnABadDump: contract.an_altered_dump_is_refused,
    CannotReadAnOpening: contract.every_legal_action_is_read_from_its_text,
    WritesSpaces: contract.notation_is_plain_and_names_one_action,
    OffersAnActionTwice: contract.notation_is_plain_and_names_one_action,
    ShufflesItsActions: contract.the_order_of_legal_actions_is_fixed,
    WritesOnTheOldPosition: contract.playing_leaves_the_old_position_as_it_was,
    StartsElsewhereNextTime: contract.a_replay_comes_to_the_same_end,
    CountsTurnsTwice: contract.turns_are_counted_one_by_one,
    AgreesForTheWrongReason: contract.the_outcome_has_a_place_for_every_seat,
    PlacesAThirdSeat: contract.the_outcome_has_a_place_for_every_seat,
    AsksAThirdSeat: contract.only_real_seats_are_to_move,
    CallsBothSeatsAlike: contract.only_real_seats_are_to_move,
    DrawsOffTheBoard: contract.the_drawing_holds_together,
    ForgetsToMarkTheLastTurn: contract.actions_are_shown_on_the_drawing,
    ClicksOffTheBoard: contract.actions_are_shown_on_the_drawing,
    TellsNothing: contract.every_action_is_told_in_words,
    HasNoWordsForTheEnd: contract.every_action_is_told_in_words,
    ChokesOnStrangeText: contract.any_text_is_refused_or_legal,
}
