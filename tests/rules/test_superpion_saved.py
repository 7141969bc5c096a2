"""Superpion: long and hostile texts, and positions saved as text."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.base import MAX_TEXT, BadPosition, MoveError
from games.rules.random_games import random_game
from games.rules.superpion import moves, notation
from tests.rules.games import refusal
from tests.rules.superpion_boards import RULES, initial, legal, play, setup

FUZZ = settings(derandomize=True, deadline=None, max_examples=200, database=None)


# Long and hostile texts --------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["e3xe5xe3x", "e3xg5x", "d4xh8x", "e3", "e1", "=", "e3-e5=R"])
def test_four_kilobytes_of_notation_are_refused_at_once(unit):
    positions = [initial(), setup(also="B:d4 b:e3 r:g7 r:f4 k:p12 k:k5")]
    for position in positions:
        for size in (MAX_TEXT - 1, MAX_TEXT):
            begun = time.process_time()
            _, sentence = refusal(RULES, position, (unit * size)[:size])
            assert time.process_time() - begun < 0.5
            assert len(sentence) < 300


HOPS = st.lists(
    st.sampled_from(
        ["d4", "e3", "g5", "h8", "i9", "i7", "e1", "d2", "k11", "m13", "a5", "p12", "f4", "g7"]
    ),
    max_size=9,
)


@FUZZ
@given(hops=HOPS, separator=st.sampled_from(["x", "-", ""]), end=st.sampled_from(["", "=R", "=0"]))
def test_any_way_is_a_legal_action_or_refused_with_a_sentence(hops, separator, end):
    position = setup(also="B:d4 b:e3 b:e13 r:g7 r:f4 k:p12 k:k9 R:i7")
    text = separator.join(hops) + end
    try:
        action = RULES.parse(position, text)
    except MoveError as error:
        assert 0 < len(str(error)) < 300
    else:
        assert RULES.format(position, action) in legal(position)


# Saving ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_a_game_goes_on_from_a_loaded_position_as_from_the_first(seed):
    game = random_game(RULES, seed)
    middle = len(game.actions) // 2
    position = RULES.load(RULES.dump(game.positions[middle]))
    for action in game.actions[middle:]:
        position = RULES.play(position, action)
    assert position == game.positions[-1]
    assert RULES.outcome(position) == RULES.outcome(game.positions[-1])


@pytest.mark.parametrize("variant", ["four", "teams", "three"])
def test_a_game_that_a_player_left_is_saved_too(variant):
    dice = random.Random(variant)
    position, leaving = initial(variant=variant), {13: 0, 40: 2}
    for number in range(60):
        position = RULES.play(position, dice.choice(RULES.legal_actions(position)))
        if number in leaving and not RULES.outcome(position):
            position = RULES.withdraw(position, leaving[number])
        loaded = RULES.load(RULES.dump(position))
        assert loaded == position
        assert RULES.outcome(loaded) == RULES.outcome(position)
        assert RULES.to_move(loaded) == RULES.to_move(position)
        if RULES.outcome(position):
            break


def test_a_position_is_saved_as_it_is_documented():
    position = play(initial(quiet_rounds=12), "e3-e5 m3-m5 b12-d12")
    assert RULES.dump(position) == (
        "four 12 - 1 R d12 1 "
        "d2e1e5f2g1g3h2i1i3j2k1k3l2m1m5/a5a7a9a11a13b4b6b8b10c5c7c9c11c13d12/"
        "d14d16e15f14f16g15h14h16i15j14j16k15l14l16m15/n4n6n8n10n12o5o7o9o11o13p4p6p8p10p12 "
        "0.0.0.0.0/0.0.0.0.0/0.0.0.0.0/0.0.0.0.0"
    )


START = (
    "four 10 - 0 B - 0 "
    "d2e1e3f2g1g3h2i1i3j2k1k3l2m1m3/a5a7a9a11a13b4b6b8b10b12c5c7c9c11c13/"
    "d14d16e15f14f16g15h14h16i15j14j16k15l14l16m15/n4n6n8n10n12o5o7o9o11o13p4p6p8p10p12 "
    "0.0.0.0.0/0.0.0.0.0/0.0.0.0.0/0.0.0.0.0"
)


@pytest.mark.parametrize(
    ("what", "old", "new"),
    [
        ("an unknown variant", "four", "five"),
        ("three without its empty camp", "four", "three"),
        ("four with an empty camp", "four", "four-K"),
        ("too few quiet rounds", "four 10", "four 4"),
        ("too many quiet rounds", "four 10", "four 51"),
        ("a seat that does not exist", "10 -", "10 4"),
        ("a seat that left twice", "10 -", "10 11"),
        ("a number with a nought before it", "- 0 B", "- 00 B"),
        ("another colour at the start", "B -", "R -"),
        ("an end that has not come", "0 B", "0 -"),
        ("a piece that has acted elsewhere", "B -", "B e5"),
        ("quiet turns before the first", "- 0 d2", "- 9 d2"),
        ("a capture in a turn without an action", "B - 0", "B -! 0"),
        ("a black square", "d2e1", "d3e1"),
        ("a square off the cross", "d2e1", "a1e1"),
        ("squares out of order", "d2e1", "e1d2"),
        ("one square twice", "d2e1", "d2d2"),
        ("two colours on one square", "d2e1e3", "d2e1a5"),
        ("a pawn too few", "d2e1", "e1"),
        ("a pawn too many", "d2e1e3", "d2d4e1e3"),
        ("a pawn of the other class", "d2e1e3", "d2d4e1"),
        ("a pawn on an opposing back row", "a5a7a9a11a13", "a5a7a9a11e1"),
        ("a crown of a pawn that is elsewhere", "d2e1", "d2e1=R"),
        ("a captured pawn that is elsewhere", "0.0.0.0.0/0", "0.1.0.0.0/0"),
        ("a colour too few", "/d14", "d14"),
        ("a reserve too few", "/0.0.0.0.0", ""),
        ("a start that is not the start", "d2e1e3", "d2e1e5"),
        ("more", "four", "four four"),
    ],
)
def test_a_text_that_is_not_exactly_a_position_is_refused(what, old, new):
    assert RULES.dump(RULES.load(START)) == START
    assert START.replace(old, new, 1) != START
    with pytest.raises(BadPosition):
        RULES.load(START.replace(old, new, 1))


MIDDLE = "g3-g5 i3-i5 c9-e9 a9-c9 f14-f12 j14-j12 n8-l8 n10-n8"


@pytest.mark.parametrize(
    ("what", "old", "new"),
    [
        ("two colours on one square", "d2e1e3f2g1g5", "d2e1e3e9f2g1"),
        ("a pawn on an opposing back row", "d2e1e3f2g1g5", "a9d2e1e3f2g1"),
        ("a pawn of the other class", "d2e1e3f2g1g5", "d2d4e1e3f2g1"),
        ("more quiet turns than turns", "B - 4", "B - 6"),
        ("somebody to act who has left", "- 4 B", "0 4 B"),
        ("another's piece that has acted", "B - 4", "B e9 4"),
    ],
)
def test_a_position_on_the_way_that_contradicts_the_rules_is_refused(what, old, new):
    text = RULES.dump(play(initial(), MIDDLE))
    assert RULES.load(text) == play(initial(), MIDDLE)
    assert old in text
    with pytest.raises(BadPosition):
        RULES.load(text.replace(old, new, 1))


def test_a_turn_that_saw_a_capture_has_no_quiet_turns_before_it():
    quiet = RULES.dump(play(initial(), f"{MIDDLE} g5-g7"))
    assert " B g7 4 " in quiet
    with pytest.raises(BadPosition):
        RULES.load(quiet.replace(" B g7 4 ", " B g7! 4 "))
    assert RULES.load(quiet.replace(" B g7 4 ", " B g7! 0 ")).eventful


def test_loading_is_quick():
    texts = [RULES.dump(position) for position in random_game(RULES, 3).positions]
    begun = time.process_time()
    for text in texts:
        RULES.load(text)
    assert (time.process_time() - begun) / len(texts) < 0.01


def test_reading_beside_the_longest_list_looks_for_it_once_and_writes_it_once(monkeypatch):
    longest = max(
        (position for seed in range(5) for position in random_game(RULES, seed).positions),
        key=lambda position: len(RULES.legal_actions(position)),
    )
    many = len(RULES.legal_actions(longest))
    text = RULES.format(longest, RULES.legal_actions(longest)[-1])
    fresh, calls = RULES.load(RULES.dump(longest)), []
    fresh.actions = None
    for module, name in ((moves, "best_captures"), (notation, "format_action")):
        real = getattr(module, name)

        def counted(*arguments, real=real):
            calls.append(real.__name__)
            return real(*arguments)

        monkeypatch.setattr(module, name, counted)
    RULES.parse(fresh, text)
    assert calls.count("best_captures") == 1
    assert many <= calls.count("format_action") <= many + 5
