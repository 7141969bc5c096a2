"""The rules answer any typed text and any changed dump with a sentence."""

import random
import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.base import MAX_TEXT, BadPosition, MoveError, OptionError
from games.rules.random_games import random_game
from games.rules.registry import all_rules

GAMES = pytest.mark.parametrize(
    "rules", [pytest.param(rules, id=rules.slug) for rules in all_rules()]
)
FUZZ = settings(derandomize=True, deadline=None, max_examples=200, database=None)

NEAR = st.text(alphabet="abcABCtT123456789-./:,> \n=x0", max_size=12)
TEXTS = NEAR | st.text(max_size=60)


@cache
def position_of(rules, seed):
    play = random_game(rules, seed)
    return random.Random(seed).choice(play.positions)


@GAMES
@FUZZ
@given(text=TEXTS, seed=st.integers(0, 20))
def test_any_text_is_a_legal_action_or_refused_with_a_sentence(rules, text, seed):
    position = position_of(rules, seed)
    try:
        action = rules.parse(position, text)
    except MoveError as error:
        assert 0 < len(str(error)) < 600
    else:
        assert action in rules.legal_actions(position)


@GAMES
@FUZZ
@given(text=TEXTS, seed=st.integers(0, 20))
def test_any_text_is_a_whole_turn_or_refused_with_a_sentence(rules, text, seed):
    position = position_of(rules, seed)
    try:
        actions = rules.parse_turn(position, text)
    except MoveError as error:
        assert 0 < len(str(error)) < 600
    else:
        assert rules.parse_turn(position, rules.format_turn(position, actions)) == actions


@GAMES
@FUZZ
@given(text=TEXTS | st.text(alphabet="XO. 123456789abcT-", max_size=40))
def test_any_text_loads_as_exactly_the_position_it_dumps_to_or_is_refused(rules, text):
    try:
        position = rules.load(text)
    except BadPosition as error:
        assert str(error)
    else:
        assert rules.dump(position) == text


@GAMES
@FUZZ
@given(seed=st.integers(0, 20), data=st.data())
def test_a_dump_with_one_character_changed_is_refused_or_another_position(rules, seed, data):
    text = rules.dump(position_of(rules, seed))
    at = data.draw(st.integers(0, len(text)))
    other = data.draw(st.sampled_from("XO. 15abT-,\n"))
    changed = text[:at] + other + text[at + 1 :]
    try:
        position = rules.load(changed)
    except BadPosition:
        return
    assert rules.dump(position) == changed


@GAMES
@FUZZ
@given(
    given=st.dictionaries(
        st.text(max_size=10), st.none() | st.booleans() | st.integers() | st.text(), min_size=1
    )
)
def test_unknown_options_are_refused(rules, given):
    known = {option.key for option in rules.options()}
    if not set(given) <= known:
        with pytest.raises(OptionError):
            rules.check_options(given)


@GAMES
@pytest.mark.parametrize("unit", ["a", "1", " ", "\t", "-", "a1-", "é", "\0", "57 ", "\ud800", ","])
def test_a_very_long_text_is_refused_at_once(rules, unit):
    position = rules.initial(rules.check_options({}))
    for size in (MAX_TEXT, MAX_TEXT + 1, 1_000_000):
        begun = time.process_time()
        with pytest.raises(MoveError) as caught:
            rules.parse_turn(position, (unit * size)[:size])
        assert time.process_time() - begun < 0.5
        assert len(str(caught.value)) < 300
