"""Superpion: what is read, what is said, and what is saved."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.render.text import board_text
from games.rules.base import MAX_TEXT, BadPosition, MoveError
from tests.rules import contract
from tests.rules.games import refusal
from tests.rules.superpion_boards import RULES, initial, legal, play, setup

FUZZ = settings(derandomize=True, deadline=None, max_examples=200, database=None)


# Reading -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["e3-e5", "E3-E5", " e3 e5 ", "e3e5", "e3–e5", "e3xe5", "e3:e5", "e3→e5", "e3.e5"]
)
def test_case_spaces_and_separators_do_not_matter(text):
    assert RULES.format(RULES.parse(initial(), text)) == "e3-e5"


def test_a_long_capture_may_be_given_by_its_first_and_last_squares():
    position = setup(also="b:e3 r:f4 r:h6 k:p12")
    assert RULES.format(RULES.parse(position, "e3 i7")) == "e3xg5xi7"


def test_first_and_last_squares_that_fit_several_captures_are_ambiguous():
    position = setup(also="B:d6 r:h8 r:f4 r:e7 r:m13 k:p12")
    assert refusal(RULES, position, "d6xe3") == (
        "ambiguous",
        "“d6xe3” can mean more than one thing: d6xg9xi7xe3, d6xl14xn12xe3.",
    )


@pytest.mark.parametrize("text", ["f14-f16=r", "f14f16(R)", "F14 F16 = R"])
def test_the_crown_is_read_however_it_is_written(text):
    position = setup(also="b:f14 y:m15 k:p12", reserves={"Y": "RYK"})
    assert RULES.format(RULES.parse(position, text)) == "f14-f16=R"


def test_the_french_initials_of_the_colours_are_read_too():
    position = setup(also="b:f14 y:m15 k:p12", reserves={"Y": "RYK"})
    assert RULES.format(RULES.parse(position, "f14-f16=J")) == "f14-f16=Y"
    assert RULES.format(RULES.parse(position, "f14-f16=N")) == "f14-f16=K"


@pytest.mark.parametrize(
    "text", ["", "e3", "pass", "e3-", "-e5", "e3-e5=Z", "e33-e5", "q3-q5", "=R"]
)
def test_what_is_no_notation_is_unreadable(text):
    kind, sentence = refusal(RULES, initial(), text)
    assert kind == "unreadable"
    assert "e3xg5xi7" in sentence


# Refusals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("e3-e2", "e2 is a black square: only the white ones are played on."),
        ("a1-a3", "There is no square a1 on the board."),
        ("e5-e7", "No piece stands on e5."),
        ("c5-e5", "Blue is to act, and the piece on c5 has another colour."),
        ("e3-g3", "A piece stands on g3."),
        ("e3-e7", "A pawn moves two squares straight ahead or to a side, never back."),
        ("e3xg5", "A pawn captures by jumping diagonally over an opposing piece beside it to the "
                  "empty square just behind."),
    ],
)  # fmt: skip
def test_why_an_action_is_refused(text, sentence):
    assert refusal(RULES, initial(), text) == ("illegal", sentence)


def test_why_a_pawn_does_not_go_away_from_the_opponent_in_two():
    position = setup(also="b:g7 k:p12", variant="two")
    assert refusal(RULES, position, "g7-e7") == (
        "illegal",
        "A pawn moves two squares towards the other player's camps.",
    )


def test_why_a_superpion_cannot():
    position = setup(also="B:h8 b:h4 k:p12 r:k11 r:l12")
    assert refusal(RULES, position, "h8-h2") == (
        "illegal",
        "A superpion moves along its row or column, over empty squares.",
    )
    assert refusal(RULES, position, "h8xm13") == (
        "illegal",
        "A superpion captures along a diagonal, over one opposing piece at a time, with only empty "
        "squares before it and behind it.",
    )


def test_few_legal_actions_are_listed_with_a_refusal():
    with pytest.raises(MoveError) as caught:
        RULES.parse(initial(), "e3-e9")
    assert set(caught.value.legal) == legal(initial())


# Words -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("also", "text", "words"),
    [
        ("b:e3", "e3-e5", "moves a pawn from e3 to e5"),
        ("B:h8", "h8-h2", "moves a superpion from h8 to h2"),
        ("b:e3 r:f4", "e3xg5", "captures a piece with the pawn on e3, landing on g5"),
        ("B:d4 r:g7", "d4xi9", "captures a piece with the superpion on d4, landing on i9"),
        ("b:e3 r:f4 r:h6", "e3xg5xi7", "captures 2 pieces with the pawn on e3, landing on i7"),
        (
            "b:f14",
            "f14-f16",
            "moves a pawn from f14 to f16, and crowns it with a pawn from the box",
        ),
    ],
)
def test_actions_are_told_in_words(also, text, words):
    position = setup(also=f"{also} k:p12")
    assert str(RULES.describe(position, RULES.parse(position, text))) == words


def test_a_crowns_colour_is_told():
    position = setup(also="b:f14 y:m15 k:p12", reserves={"Y": "BRYK"})
    told = {str(RULES.describe(position, a)) for a in RULES.legal_actions(position) if a.crown is not None}  # fmt: skip  # noqa: E501
    crowns = ("blue", "red", "yellow", "black")
    assert told == {
        f"moves a pawn from f14 to f16, and crowns it with a {crown} pawn" for crown in crowns
    }


def test_full_reserves_stay_under_80_columns_too():
    position = setup(also="b:e3 r:a5", reserves={"Y": "B" * 8 + "R" * 8 + "Y" * 8 + "K" * 8})
    lines = board_text(RULES.board(position, None, ())).splitlines()
    assert "Reserve of Yellow: b × 8  r × 8  y × 8  k × 8" in lines
    assert max(map(len, lines)) < 80


@pytest.mark.parametrize("seat", [None, 0, 1, 2, 3])
def test_the_board_as_text_is_under_80_columns(seat):
    text = board_text(RULES.board(initial(), seat, ()))
    assert max(map(len, text.splitlines())) < 80


def test_the_board_as_text_from_the_left_names_its_columns_by_two_lines_of_numbers():
    lines = board_text(RULES.board(initial(), 1, ())).splitlines()
    assert lines[15].split()[0] == "a"
    assert lines[16].split() == ["1"] * 7
    assert lines[17].split() == [
        "6",
        "5",
        "4",
        "3",
        "2",
        "1",
        "0",
        "9",
        "8",
        "7",
        "6",
        "5",
        "4",
        "3",
        "2",
        "1",
    ]


# Long and hostile texts --------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["e3xe5xe3x", "e3xg5x", "d4xh8x", "e3", "e1", "=", "e3-e5=R"])
def test_four_kilobytes_of_notation_are_refused_at_once(unit):
    positions = [initial(), setup(also="B:d4 b:e3 r:g7 r:f4 k:p12 k:k5")]
    for position in positions:
        for size in (MAX_TEXT - 1, MAX_TEXT):
            begun = time.perf_counter()
            _, sentence = refusal(RULES, position, (unit * size)[:size])
            assert time.perf_counter() - begun < 0.5
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
        assert RULES.format(action) in legal(position)


# Saving ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_a_game_goes_on_from_a_loaded_position_as_from_the_first(seed):
    game = contract.random_play(RULES, seed)
    middle = len(game.actions) // 2
    position = RULES.load(RULES.dump(game.positions[middle]))
    for action in game.actions[middle:]:
        position = RULES.play(position, action)
    assert position == game.positions[-1]
    assert RULES.outcome(position) == RULES.outcome(game.positions[-1])


@pytest.mark.parametrize("variant", ["four", "teams", "three"])
def test_a_game_that_somebody_left_is_saved_too(variant):
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
        ("a stirred turn without an action", "B - 0", "B -! 0"),
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
def test_whatever_is_not_exactly_a_position_is_refused(what, old, new):
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


def test_loading_is_quick():
    texts = [RULES.dump(position) for position in contract.random_play(RULES, 3).positions]
    begun = time.perf_counter()
    for text in texts:
        RULES.load(text)
    assert (time.perf_counter() - begun) / len(texts) < 0.01


def test_reading_the_longest_list_of_a_random_game_is_quick():
    longest = max(
        (position for seed in range(5) for position in contract.random_play(RULES, seed).positions),
        key=lambda position: len(RULES.legal_actions(position)),
    )
    text = RULES.format(RULES.legal_actions(longest)[-1])
    fresh = RULES.load(RULES.dump(longest))
    begun = time.perf_counter()
    RULES.parse(fresh, text)
    assert time.perf_counter() - begun < 0.05
