"""Rules with one fault each, and the check of the contract that must name it."""

import random
from dataclasses import replace
from typing import Any

from games.rules import contract
from games.rules.base import InvalidMoveError, Option, Outcome, Rules, TranslatableText
from games.rules.morpiae.rules import Morpiae
from games.rules.morpion.rules import Morpion
from games.rules.morpion.rules import Position as MorpionPosition
from games.rules.supermorpion.rules import SuperMorpion
from games.rules.superpion.rules import Superpion
from games.rules.taquet.rules import Taquet


class HasASlugWithCapitals(Morpion):
    slug = "Morpion"


class DependsOnALaterOption(Taquet):
    def options(self):
        late = Option("late", "Late", default=False)
        return (Option("early", "Early", default=False, only_with=("late", True)), late)


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
            raise InvalidMoveError("No.")
        return super().read(position, text)


class WritesSpaces(Morpion):
    def format(self, position, action):
        return "cell " + super().format(position, action)

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
    """Makes its mark on the old position too, when a second action is tried there."""

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

    def example_turns(self, position):
        """Return none: to find them plays, and would change the position for other checks."""
        return ()


class ShowsHalfATurn(Superpion):
    """Shows the first action of a turn as if it were the whole turn."""

    def example_turns(self, position):
        return tuple(text.split(",")[0] for text in super().example_turns(position))


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


class CountsForOneSeat(Morpiae):
    def points(self, position):
        return super().points(position)[:1]


class CountsInHalves(Morpiae):
    def points(self, position):
        return tuple(points / 2 for points in super().points(position))


class CountsFromTheSecondTurnOn(Morpiae):
    def points(self, position):
        return super().points(position) if self.turn(position) else None


class CountsWithoutAnEnd(Morpion):
    def points(self, position):
        return (0, 0)


class AsksAThirdSeat(Taquet):
    def to_move(self, position):
        seat = super().to_move(position)
        return 2 if seat == 1 else seat


class CallsBothSeatsAlike(Morpion):
    def seat_name(self, options, seat):
        return TranslatableText("Cross")


class NobodyMayLeave(Superpion):
    def withdraw(self, position, seat):
        return Rules.withdraw(self, position, seat)


class AsksWhoHasLeft(Superpion):
    """Skips no seat: one that has left is to move all the same."""

    def to_move(self, position):
        seat = super().to_move(position)
        left = position.seating.left
        return left[0] if seat is not None and left else seat


class DrawsOffTheBoard(Morpion):
    def board(self, position, viewer, last):
        board = super().board(position, viewer, last)
        return replace(board, pieces=tuple(replace(p, square="a1") for p in board.pieces))


class ForgetsToMarkTheLastTurn(SuperMorpion):
    def board(self, position, viewer, last):
        return super().board(position, viewer, ())


class DrawsAShapeThatIsNone(Morpion):
    def board(self, position, viewer, last):
        board = super().board(position, viewer, last)
        return replace(board, pieces=tuple(replace(p, shape="star") for p in board.pieces))


class ClicksOffTheBoard(Taquet):
    def squares(self, position, action):
        return ("hand", *super().squares(position, action))


class TellsNothing(SuperMorpion):
    def describe(self, position, action):
        return TranslatableText("")


class HasNoWordsForTheEnd(Taquet):
    reasons = {}

    def outcome(self, position):
        outcome = super().outcome(position)
        return outcome and replace(outcome, reason="three")


class ChokesOnStrangeText(Morpion):
    def read(self, position, text):
        return super().read(position, str(int(text)))


class RefusesWithoutAWord(SuperMorpion):
    def why_not(self, position, notation):
        return TranslatableText("")


MUTANTS = {
    HasASlugWithCapitals: contract.the_game_has_a_slug_a_name_and_a_summary,
    DependsOnALaterOption: contract.options_take_their_own_values,
    NobodyMayLeave: contract.players_can_leave_a_game_of_several,
    AsksWhoHasLeft: contract.players_can_leave_a_game_of_several,
    DrawsAShapeThatIsNone: contract.the_drawing_holds_together,
    RefusesWithoutAWord: contract.any_text_is_refused_or_legal,
    SomebodyMovesAfterTheEnd: contract.the_end_is_told_by_three_methods_at_once,
    EndsWhileActionsAreLeft: contract.the_end_is_told_by_three_methods_at_once,
    ForgetsHistory: contract.a_dump_loads_as_the_same_position,
    LoadsCarelessly: contract.an_altered_dump_is_refused,
    CrashesOnABadDump: contract.an_altered_dump_is_refused,
    CannotReadAnOpening: contract.every_notation_is_read,
    WritesSpaces: contract.notation_is_plain_and_names_one_action,
    OffersAnActionTwice: contract.notation_is_plain_and_names_one_action,
    ShufflesItsActions: contract.legal_actions_keep_their_order,
    WritesOnTheOldPosition: contract.play_leaves_the_old_position_unchanged,
    ShowsHalfATurn: contract.examples_are_whole_turns,
    StartsElsewhereNextTime: contract.a_replay_comes_to_the_same_end,
    CountsTurnsTwice: contract.turns_are_counted_one_by_one,
    AgreesForTheWrongReason: contract.outcomes_place_every_seat,
    PlacesAThirdSeat: contract.outcomes_place_every_seat,
    CountsForOneSeat: contract.points_count_for_every_seat,
    CountsInHalves: contract.points_count_for_every_seat,
    CountsFromTheSecondTurnOn: contract.points_count_for_every_seat,
    CountsWithoutAnEnd: contract.points_count_for_every_seat,
    AsksAThirdSeat: contract.only_seats_of_the_game_are_to_move,
    CallsBothSeatsAlike: contract.only_seats_of_the_game_are_to_move,
    DrawsOffTheBoard: contract.the_drawing_holds_together,
    ForgetsToMarkTheLastTurn: contract.actions_are_shown_on_the_drawing,
    ClicksOffTheBoard: contract.actions_are_shown_on_the_drawing,
    TellsNothing: contract.actions_and_the_end_have_words,
    HasNoWordsForTheEnd: contract.actions_and_the_end_have_words,
    ChokesOnStrangeText: contract.any_text_is_refused_or_legal,
}


class NeverEnds(Taquet):
    """Forgets that a position stood before, and every line."""

    def play(self, position, action):
        return super().play(position, action)._replace(result=None, since=(), played=())
