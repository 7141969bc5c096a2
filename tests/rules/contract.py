"""The contract of games/rules/base.py as checks that any game's rules can be put through.

Each clause takes the rules and a game that was played at random with them, and fails with an
AssertionError that tells what is broken. Other errors count as broken too: no clause may crash.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.rules.base import AnyRules, BadPosition, MoveError, Option, replay

LONGEST = 5_000


@dataclass(frozen=True)
class Play:
    """A whole random game: `positions` has one more entry than `actions`."""

    options: Mapping[str, Any]
    positions: list[Any]
    actions: list[Any]


def random_play(rules: AnyRules, seed: int) -> Play:
    dice = random.Random(f"{rules.slug} {seed}")
    options = random_options(rules, dice)
    positions, actions = [rules.initial(options)], []
    while legal := rules.legal_actions(positions[-1]):
        assert len(actions) < LONGEST, "a random game does not end"
        actions.append(dice.choice(legal))
        positions.append(rules.play(positions[-1], actions[-1]))
    return Play(options, positions, actions)


def random_options(rules: AnyRules, dice: random.Random) -> dict[str, Any]:
    """Choose among all values, and leave every second option at its default."""
    chosen = {o.key: dice.choice(values(o)) for o in rules.options() if dice.random() < 0.5}
    return rules.check_options(chosen)


def values(option: Option) -> list[Any]:
    if option.choices:
        return [value for value, _ in option.choices]
    if isinstance(option.default, bool):
        return [True, False]
    numbers: list[Any] = list(range(option.minimum or 0, (option.maximum or 0) + 1))
    return [*numbers, None] if option.default is None else numbers


def sample(play: Play, count: int) -> list[Any]:
    """Return about `count` positions spread over the game, its first and last among them."""
    step = max(1, len(play.positions) // count)
    return [*play.positions[:-1:step], play.positions[-1]]


def the_end_is_told_in_three_ways_at_once(rules: AnyRules, play: Play) -> None:
    for position in play.positions:
        over = rules.outcome(position) is not None
        assert (rules.to_move(position) is None) == over
        assert (not rules.legal_actions(position)) == over
    assert rules.outcome(play.positions[-1]) is not None


def a_dump_loads_as_the_same_position(rules: AnyRules, play: Play) -> None:
    for position in play.positions:
        text = rules.dump(position)
        assert isinstance(text, str)
        loaded = rules.load(text)
        assert loaded == position
        assert hash(loaded) == hash(position)
        assert rules.dump(loaded) == text


def an_altered_dump_is_refused(rules: AnyRules, play: Play) -> None:
    for position in sample(play, 4):
        text = rules.dump(position)
        for bad in altered(text):
            if (loaded := loaded_or_none(rules, bad)) is not None:
                raise AssertionError(f"{bad!r} loads as {loaded!r}")
        for cut in (text[:-1], text[1:]):
            loaded = loaded_or_none(rules, cut)
            assert loaded is None or rules.dump(loaded) == cut


def altered(text: str) -> list[str]:
    return [text + " ", " " + text, text + "\n", text + "\0", text + ",1", "{}" + text, text + "é"]


def loaded_or_none(rules: AnyRules, text: str) -> Any:
    try:
        return rules.load(text)
    except BadPosition as error:
        assert str(error)
        return None


def every_legal_action_is_read_from_its_text(rules: AnyRules, play: Play) -> None:
    for position in play.positions:
        for action in rules.legal_actions(position):
            assert rules.parse(position, rules.format(action)) == action


def notation_is_plain_and_names_one_action(rules: AnyRules, play: Play) -> None:
    for position in play.positions:
        texts = [rules.format(action) for action in rules.legal_actions(position)]
        assert len(set(texts)) == len(texts)
        for text in texts:
            assert text, "an action without a text"
            assert text.isascii(), text
            assert text.isprintable(), text
            assert not set(text) & set(", "), "a comma or a space would not survive in a turn"


def the_order_of_legal_actions_is_fixed(rules: AnyRules, play: Play) -> None:
    for position in play.positions:
        assert list(rules.legal_actions(position)) == list(rules.legal_actions(position))


def any_text_is_refused_or_legal(rules: AnyRules, play: Play, texts: Iterable[str]) -> None:
    texts = list(texts)
    for position in sample(play, 6):
        legal = {rules.format(action) for action in rules.legal_actions(position)}
        for text in texts:
            try:
                action = rules.parse(position, text)
            except MoveError as error:
                assert error.kind in ("unreadable", "illegal", "ambiguous")
                assert str(error)
                if error.legal:
                    assert error.legal == tuple(sorted(legal))
            else:
                assert rules.format(action) in legal


def playing_leaves_the_old_position_as_it_was(rules: AnyRules, play: Play) -> None:
    for position in play.positions:
        before = (rules.dump(position), repr(position), hash(position))
        for action in rules.legal_actions(position):
            rules.play(position, action)
        assert (rules.dump(position), repr(position), hash(position)) == before


def a_replay_comes_to_the_same_end(rules: AnyRules, play: Play) -> None:
    assert replay(rules, play.options, turns(rules, play)) == play.positions[-1]


def turns(rules: AnyRules, play: Play) -> list[str]:
    """Return the record: the actions grouped into turns, as text."""
    groups: list[list[Any]] = []
    previous = None
    for position, action in zip(play.positions, play.actions, strict=False):
        if rules.turn(position) != previous:
            groups.append([])
        groups[-1].append(action)
        previous = rules.turn(position)
    return [rules.format_turn(group) for group in groups]


def turns_are_counted_one_by_one(rules: AnyRules, play: Play) -> None:
    assert rules.turn(play.positions[0]) == 0
    for before, after in zip(play.positions, play.positions[1:], strict=False):
        finished = rules.turn(after) - rules.turn(before)
        assert finished in (0, 1)
        if rules.to_move(after) not in (None, rules.to_move(before)):
            assert finished == 1, "another seat is to act in the same turn"
        if rules.to_move(after) is None:
            assert finished == 1, "the last turn is not counted"


def the_outcome_has_a_place_for_every_seat(rules: AnyRules, play: Play) -> None:
    seats = rules.seats(play.options)
    assert len(rules.sides(play.options)) == seats
    agreed = [rules.agreed_end(position) for position in play.positions[:-1]]
    assert all(outcome.reason == "agreed" for outcome in agreed)
    for outcome in [rules.outcome(play.positions[-1]), *agreed]:
        assert len(outcome.places) == seats
        assert set(outcome.places) <= set(range(1, seats + 1))
        assert outcome.winners, "nobody is first"
        if outcome.points is not None:
            assert len(outcome.points) == seats


def only_real_seats_are_to_move(rules: AnyRules, play: Play) -> None:
    seats = range(rules.seats(play.options))
    assert all(rules.to_move(position) in seats for position in play.positions[:-1])
    names = {str(rules.seat_name(play.options, seat)) for seat in seats}
    assert len(names) == len(seats)


def the_drawing_holds_together(rules: AnyRules, play: Play) -> None:
    for position in play.positions:
        for viewer in (None, *range(rules.seats(play.options))):
            board = rules.board(position, viewer, ())
            names = [cell.square for cell in board.cells]
            assert len(set(names)) == len(names)
            assert all(0 <= cell.x <= board.width - 1 for cell in board.cells)
            assert all(0 <= cell.y <= board.height - 1 for cell in board.cells)
            named = [p.square for p in board.pieces]
            named += [end for line in board.lines for end in (line.start, line.end)]
            assert set(named) <= set(names)
            stacked = [p.square for p in board.pieces]
            assert len(set(stacked)) == len(stacked), "two pieces on one square"


def actions_are_shown_on_the_drawing(rules: AnyRules, play: Play) -> None:
    for position, action in zip(play.positions, play.actions, strict=False):
        after = rules.board(rules.play(position, action), None, (action,))
        names = {cell.square for cell in after.cells}
        assert set(rules.squares(action)) <= names
        assert set(after.last) <= names
        assert bool(after.last) == bool(rules.squares(action))


def every_action_is_told_in_words(rules: AnyRules, play: Play) -> None:
    for position in play.positions:
        for action in rules.legal_actions(position):
            words = str(rules.describe(position, action))
            assert words
            assert words[0].islower(), "a subject goes before it"
    outcome = rules.outcome(play.positions[-1])
    assert str(rules.reason(outcome.reason)) != str(rules.reason("no such reason"))


CLAUSES: tuple[Callable[[AnyRules, Play], None], ...] = (
    the_end_is_told_in_three_ways_at_once,
    a_dump_loads_as_the_same_position,
    an_altered_dump_is_refused,
    every_legal_action_is_read_from_its_text,
    notation_is_plain_and_names_one_action,
    the_order_of_legal_actions_is_fixed,
    playing_leaves_the_old_position_as_it_was,
    a_replay_comes_to_the_same_end,
    turns_are_counted_one_by_one,
    the_outcome_has_a_place_for_every_seat,
    only_real_seats_are_to_move,
    the_drawing_holds_together,
    actions_are_shown_on_the_drawing,
    every_action_is_told_in_words,
)
"""Every clause but one, which needs other games' texts: `any_text_is_refused_or_legal`."""


def texts_of(rules: AnyRules, play: Play) -> set[str]:
    """Return the texts of every action that was legal somewhere in the game."""
    return {rules.format(a) for position in play.positions for a in rules.legal_actions(position)}
