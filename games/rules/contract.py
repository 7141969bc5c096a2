"""The promises of `base.py` as checks that any game's rules can be put through.

`check` plays whole games at random and returns what is wrong, in sentences for the game's author.
A check takes the rules and one of these games, and yields a sentence for each fault. An error that
the rules raise is a fault too.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from traceback import extract_tb
from typing import Any, get_args

from games.rules.base import (
    AnyRules,
    BadPosition,
    MoveError,
    Option,
    Outcome,
)
from games.rules.board import Board, Shape
from games.rules.entries import replay, withdrawal
from games.rules.random_games import (
    EndlessGame,
    RandomGame,
    random_game,
    random_notations,
    random_record,
)

GAMES = 30
"""How many random games `check` plays unless it is given another number."""

MOST_SEATS = 4
"""A board has so many colours for players."""

STRANGE_TEXTS = (
    *("", " ", "x", "0", "1", "5", "10", "57", "02", "-1", "1.5", "٣", "é", "\0", "\ud800"),
    *("a1", "b3", "Tb3", "a1-b2", "e3xg5xi7", "pass", "resign", "1 2", "a,b", "9" * 400),
)
"""What people or their mail programs may write at a game that knows nothing of it."""


@dataclass(frozen=True, slots=True)
class ContractFault:
    """A promise that the rules break: the name of the check, what is wrong, and in which game."""

    check: str
    sentence: str
    seed: int

    def __str__(self) -> str:
        name = self.check.replace("_", " ").capitalize()
        return f"{name}: {self.sentence} (random game {self.seed})"


Check = Callable[[AnyRules, RandomGame], Iterator[str]]


def check(rules: AnyRules, *, seed: int = 0, games: int = GAMES) -> list[ContractFault]:
    """Return the first fault that each check finds in `games` random games; none: all is well.

    Games are numbered from `seed`; the same number is always the same game.
    """
    faults: dict[str, ContractFault] = {}
    for number in range(seed, seed + games):
        try:
            game = random_game(rules, number)
        except Exception as error:
            name = "random_games_come_to_an_end"
            return [*faults.values(), ContractFault(name, error_in_words(error), number)]
        for one in CHECKS:
            if one.__name__ not in faults:
                sentence = first_fault(one, rules, game)
                if sentence is not None:
                    faults[one.__name__] = ContractFault(one.__name__, sentence, number)
    return list(faults.values())


def first_fault(one: Check, rules: AnyRules, game: RandomGame) -> str | None:
    """Return the first fault that a check finds in a game, None if it finds none."""
    try:
        return next(one(rules, game), None)
    except Exception as error:
        return error_in_words(error)


def error_in_words(error: Exception) -> str:
    """Return what an error of the game's own code is, and where it is raised."""
    if isinstance(error, EndlessGame):
        return str(error)
    frame = extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}, line {frame.lineno}"
    return f"{type(error).__name__} is raised in {where}: {error}"


def _sample(game: RandomGame, count: int) -> list[tuple[int, Any]]:
    """Return about `count` numbered positions of the game, the first and the last among them."""
    numbered = list(enumerate(game.positions))
    return [*numbered[: -1 : max(1, len(numbered) // count)], numbered[-1]]


def when(number: int) -> str:
    """Return where in a random game something is wrong, in words."""
    return f"after {number} actions" if number else "at the start"


# What the game says of itself --------------------------------------------------------------------


def the_game_has_a_slug_a_name_and_a_summary(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check what is in addresses and in the database, and what people read first."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rules.slug) or len(rules.slug) > 40:  # noqa: PLR2004
        yield f"The slug “{rules.slug}” is not a-z, 0-9 and single hyphens, 40 characters at most."
    if not rules.name:
        yield "The name is empty."
    if not rules.summary.endswith("."):
        yield "The summary is not a sentence that ends with a full stop."


def options_take_their_own_values(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check labels and defaults, and that an option depends on an earlier one only."""
    earlier: dict[str, Option] = {}
    for option in rules.options():
        if not option.label:
            yield f"The option “{option.key}” has no label."
        if option.key in earlier:
            yield f"Two options have the key “{option.key}”."
        if option.read(option.default) != option.default:
            yield f"The option “{option.key}” does not take its default."
        if option.only_with is not None:
            key, value = option.only_with
            if key not in earlier or earlier[key].read(value) != value:
                yield f"“{option.key}” depends on “{key}={value}”, which no earlier option takes."
        earlier[option.key] = option
    if rules.check_options(json.loads(json.dumps(game.options))) != game.options:
        yield f"The options {dict(game.options)} change when they are saved as JSON."


# How a game goes ---------------------------------------------------------------------------------


def examples_are_whole_turns(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that a player can type every example of a turn that a mail shows."""
    for number, position in _sample(game, 6):
        for text in rules.example_turns(position):
            try:
                rules.parse_turn(position, text)
            except MoveError as error:
                yield f"The example “{text}”, {when(number)}, is no whole turn: {error}"


def the_end_is_told_by_three_methods_at_once(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that `outcome`, `to_move` and `legal_actions` agree whether the game is over."""
    for number, position in enumerate(game.positions):
        over = rules.outcome(position) is not None
        if (rules.to_move(position) is None) != over:
            yield f"{_said(over)} {when(number)}, but to_move says {rules.to_move(position)}."
        if bool(rules.legal_actions(position)) == over:
            count = len(rules.legal_actions(position))
            yield f"{_said(over)} {when(number)}, but there are {count} legal actions."


def _said(over: bool) -> str:
    return "There is an outcome" if over else "There is no outcome"


def legal_actions_keep_their_order(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that `legal_actions` answers the same each time, with hashable actions."""
    for number, position in enumerate(game.positions):
        first, second = (list(rules.legal_actions(position)) for _ in range(2))
        if first != second:
            yield f"legal_actions answers differently the second time, {when(number)}."
        elif [*map(hash, first)] != [*map(hash, second)]:
            yield f"Equal actions have different hashes, {when(number)}."


def play_leaves_the_old_position_unchanged(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that positions are immutable."""
    for number, position in enumerate(game.positions):
        before = (rules.dump(position), repr(position), hash(position))
        for action in rules.legal_actions(position):
            rules.play(position, action)
        if (rules.dump(position), repr(position), hash(position)) != before:
            yield f"The position {when(number)} changes when an action is played in it."


def turns_are_counted_one_by_one(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that `turn` begins at 0 and grows by one for each turn, the last one included."""
    if rules.turn(game.positions[0]) != 0:
        yield f"turn is {rules.turn(game.positions[0])} at the start."
    for number, (before, after) in enumerate(pairwise(game.positions), start=1):
        finished = rules.turn(after) - rules.turn(before)
        if finished not in (0, 1):
            yield f"turn goes from {rules.turn(before)} to {rules.turn(after)} by one action."
        elif finished == 0 and rules.to_move(after) is None:
            yield f"The last turn is not counted, {when(number)}."
        elif finished == 0 and rules.to_move(after) != rules.to_move(before):
            yield f"Another seat is to act in the same turn, {when(number)}."


def only_seats_of_the_game_are_to_move(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check `to_move`, and that every seat has a name of its own and a colour of a board."""
    seats = range(rules.seats(game.options))
    for number, position in enumerate(game.positions[:-1]):
        if rules.to_move(position) not in seats:
            yield f"Seat {rules.to_move(position)} is to move {when(number)}, of {len(seats)}."
    names = [str(rules.seat_name(game.options, seat)) for seat in seats]
    if len(set(names)) != len(seats):
        yield f"Two seats have the same name: {', '.join(names)}."
    colours = [rules.seat_colour(game.options, seat) for seat in seats]
    if not set(colours) <= set(range(MOST_SEATS)):
        yield f"The colours of the seats are {colours}, not from 0 to {MOST_SEATS - 1}."


def outcomes_place_every_seat(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that outcomes and `sides` have an entry for each seat, and that somebody is first."""
    seats = rules.seats(game.options)
    if len(rules.sides(game.options)) != seats:
        yield f"sides has {len(rules.sides(game.options))} entries for {seats} seats."
    for number, position in enumerate(game.positions[:-1]):
        agreed = rules.agreed_end(position)
        if agreed.reason != "agreed":
            yield f"The reason of agreed_end is “{agreed.reason}”, not “agreed”."
        yield from _wrong_places(agreed, seats, f"agreed_end {when(number)}")
    outcome = rules.outcome(game.positions[-1])
    if outcome is not None:
        yield from _wrong_places(outcome, seats, "outcome")


def _wrong_places(outcome: Outcome, seats: int, what: str) -> Iterator[str]:
    places = outcome.places
    if len(places) != seats or not set(places) <= set(range(1, seats + 1)):
        yield f"{what} has the places {places} for {seats} seats."
    if not outcome.winners:
        yield f"{what} has nobody in the first place."
    if outcome.points is not None and len(outcome.points) != seats:
        yield f"{what} has the points {outcome.points} for {seats} seats."


def points_count_for_every_seat(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that a game has points in all positions or in none, a whole number for each seat."""
    seats = rules.seats(game.options)
    first = rules.points(game.positions[0])
    for number, position in enumerate(game.positions[:-1]):
        points = rules.points(position)
        if (points is None) != (first is None):
            yield f"points is {points} {when(number)}, but {first} at the start."
        elif points is not None and (len(points) != seats or {*map(type, points)} != {int}):
            yield f"points is {points} {when(number)}, for {seats} seats."
    outcome = rules.outcome(game.positions[-1])
    if outcome is not None and (outcome.points is None) != (first is None):
        yield f"The outcome has the points {outcome.points}, but points is {first} at the start."


def players_can_leave_a_game_of_several(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check, with more than two seats, that `withdraw` lets the others play on."""
    seats = rules.seats(game.options)
    if seats <= len(("one", "other")):
        return
    chance = random.Random(game.seed)  # noqa: S311  (the same games each time)
    for number, position in _sample(game, 3)[:-1]:
        seat = chance.randrange(seats)
        after = rules.withdraw(position, seat)
        if rules.load(rules.dump(after)) != after:
            yield f"Seat {seat} left {when(number)}: the dump loads as another position."
        while legal := rules.legal_actions(after):
            if rules.to_move(after) == seat:
                yield f"Seat {seat} left {when(number)}, and is to move again."
                break
            after = rules.play(after, chance.choice(legal))
        if rules.outcome(after) is None:
            yield f"Seat {seat} left {when(number)}, and the game ends without an outcome."
    without = replay(rules, game.options, [withdrawal(0)])
    if without != rules.withdraw(game.positions[0], 0):
        yield "A record with a player who leaves comes to another position."


# Text --------------------------------------------------------------------------------------------


def a_dump_loads_as_the_same_position(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that `load` gives back what `dump` wrote, history included."""
    for number, position in enumerate(game.positions):
        text = rules.dump(position)
        loaded = rules.load(text)
        if loaded != position or hash(loaded) != hash(position) or rules.dump(loaded) != text:
            yield f"The dump {text!r}, {when(number)}, loads as another position."


def an_altered_dump_is_refused(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that `load` raises BadPosition for every text that `dump` did not write."""
    for _, position in _sample(game, 4):
        text = rules.dump(position)
        added = (" ", "\n", "\0", ",1", "é")
        longer = (*(text + end for end in added), " " + text, "{}" + text)
        for bad in (*longer, text[:-1], text[1:]):
            try:
                loaded = rules.load(bad)
            except BadPosition:
                continue
            # It may be the dump of another position.
            if rules.dump(loaded) != bad:
                yield f"load takes {bad!r}, which dump writes as {rules.dump(loaded)!r}."


def notation_is_plain_and_names_one_action(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that `format` writes ASCII without spaces and commas, and no text twice."""
    for number, position in enumerate(game.positions):
        texts = [rules.format(position, action) for action in rules.legal_actions(position)]
        if len(set(texts)) != len(texts):
            twice = next(text for text in texts if texts.count(text) > 1)
            yield f"Two legal actions are written “{twice}”, {when(number)}."
        for text in texts:
            if not re.fullmatch(r"[!-+\--~]+", text):
                yield f"The notation {text!r} is not printable ASCII without spaces and commas."


def every_notation_is_read(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that `parse` finds each legal action by the text that `format` writes."""
    for number, position in enumerate(game.positions):
        for action in rules.legal_actions(position):
            text = rules.format(position, action)
            try:
                is_read = rules.parse(position, text) == action
            except MoveError as error:
                yield f"“{text}” is legal {when(number)}, but is refused: {error}"
            else:
                if not is_read:
                    yield f"“{text}” is read as another action, {when(number)}."


def any_text_is_refused_or_legal(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that `read` and `why_not` answer to strange texts and to what is legal elsewhere."""
    known = sorted(random_notations(rules, game))
    elsewhere = known[:: max(1, len(known) // 20)]
    yield from wrong_answers(rules, game, (*STRANGE_TEXTS, *elsewhere))


def wrong_answers(rules: AnyRules, game: RandomGame, texts: Iterable[str]) -> Iterator[str]:
    """Yield a fault for each text that is neither a legal action nor refused with a sentence."""
    texts = list(texts)
    for number, position in _sample(game, 6):
        legal = {rules.format(position, action) for action in rules.legal_actions(position)}
        for text in texts:
            try:
                action = rules.parse(position, text)
            except MoveError as error:
                if not str(error):
                    yield f"{text!r} is refused without a sentence, {when(number)}."
                if error.legal not in ((), tuple(sorted(legal))):
                    yield f"The refusal of {text!r} lists other than the legal actions."
            else:
                if rules.format(position, action) not in legal:
                    yield f"{text!r} is read as an action that is not legal, {when(number)}."


def a_replay_comes_to_the_same_end(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that the record, played again, leads to the same position."""
    if replay(rules, game.options, random_record(rules, game)) != game.positions[-1]:
        yield "The record of the game, played again, comes to another position."


def actions_and_the_end_have_words(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that `describe` can follow a subject, and that `reason` knows why a game ended."""
    for number, position in enumerate(game.positions):
        for action in rules.legal_actions(position):
            words = str(rules.describe(position, action))
            if not words[:1].islower():
                text = rules.format(position, action)
                yield f"“{text}”, {when(number)}, is described as “{words}”: begin in lower case."
    outcome = rules.outcome(game.positions[-1])
    if outcome is not None and str(rules.reason(outcome.reason)) == str(rules.reason("-")):
        yield f"reasons has no sentence for “{outcome.reason}”."


# Drawing -----------------------------------------------------------------------------------------


def the_drawing_holds_together(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that everything is on cells that exist, whichever side the board is seen from."""
    for number, position in enumerate(game.positions):
        for viewer in (None, *range(rules.seats(game.options))):
            for fault in _wrong_in(rules.board(position, viewer, ())):
                yield f"{fault}, {when(number)}, seen by seat {viewer}."


_SHAPES = get_args(Shape)


def _wrong_in(board: Board) -> Iterator[str]:
    names = [cell.square for cell in board.cells]
    squares = [piece.square for piece in board.pieces]
    if len(set(names)) != len(names):
        yield "Two cells have the same name"
    if len(set(squares)) != len(squares):
        yield "Two pieces are on one cell"
    right, bottom = board.width - 1, board.height - 1
    for cell in board.cells:
        if not (0 <= cell.x <= right and 0 <= cell.y <= bottom):
            yield f"The cell “{cell.square}” is outside the board"
    ends = [end for line in board.lines for end in (line.start, line.end)]
    for name in {*squares, *ends} - set(names):
        yield f"Something is drawn on “{name}”, which is no cell"
    for piece in board.pieces:
        if piece.shape not in _SHAPES or len(piece.symbol) != 1:
            yield f"No piece has the shape “{piece.shape}” and the symbol “{piece.symbol}”"


def actions_are_shown_on_the_drawing(rules: AnyRules, game: RandomGame) -> Iterator[str]:
    """Check that what is clicked for an action, and what is marked after it, are cells."""
    for number, (position, action) in enumerate(zip(game.positions, game.actions, strict=False)):
        text, clicked = rules.format(position, action), rules.squares(position, action)
        before = {cell.square for cell in rules.board(position, None, ()).cells}
        after = rules.board(rules.play(position, action), None, (action,))
        if not set(clicked) <= before:
            yield f"squares of “{text}”, {when(number)}, names what is no cell: {clicked}."
        if not set(after.last) <= {cell.square for cell in after.cells}:
            yield f"The drawing after “{text}” marks what is no cell: {after.last}."
        if bool(after.last) != bool(clicked):
            yield f"“{text}” has the squares {clicked}, but {after.last} is marked after it."


CHECKS: tuple[Check, ...] = (
    the_game_has_a_slug_a_name_and_a_summary,
    options_take_their_own_values,
    examples_are_whole_turns,
    the_end_is_told_by_three_methods_at_once,
    legal_actions_keep_their_order,
    play_leaves_the_old_position_unchanged,
    turns_are_counted_one_by_one,
    only_seats_of_the_game_are_to_move,
    outcomes_place_every_seat,
    points_count_for_every_seat,
    players_can_leave_a_game_of_several,
    a_dump_loads_as_the_same_position,
    an_altered_dump_is_refused,
    notation_is_plain_and_names_one_action,
    every_notation_is_read,
    any_text_is_refused_or_legal,
    a_replay_comes_to_the_same_end,
    actions_and_the_end_have_words,
    the_drawing_holds_together,
    actions_are_shown_on_the_drawing,
)
"""Every check, in the order in which an author should see the faults."""
