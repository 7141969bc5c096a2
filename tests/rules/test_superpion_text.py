"""Superpion: what is read, and what is said."""

import pytest

from games.render.text import board_text
from games.rules.base import MoveError
from tests.rules.games import refusal
from tests.rules.superpion_boards import RULES, initial, legal, setup

# Reading -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["e3-e5", "E3-E5", " e3 e5 ", "e3e5", "e3–e5", "e3xe5", "e3:e5", "e3→e5", "e3.e5"]
)
def test_case_spaces_and_separators_do_not_matter(text):
    assert RULES.format(initial(), RULES.parse(initial(), text)) == "e3-e5"


def test_a_long_capture_may_be_given_by_its_first_and_last_squares():
    position = setup(also="b:e3 r:f4 r:h6 k:p12")
    assert RULES.format(position, RULES.parse(position, "e3 i7")) == "e3xg5xi7"


def test_first_and_last_squares_that_fit_several_captures_are_ambiguous():
    position = setup(also="B:d6 r:h8 r:f4 r:e7 r:m13 k:p12")
    assert refusal(RULES, position, "d6xe3") == (
        "ambiguous",
        "“d6xe3” can mean more than one thing: d6xg9xi7xe3, d6xl14xn12xe3.",
    )


@pytest.mark.parametrize("text", ["f14-f16=r", "f14f16(R)", "F14 F16 = R"])
def test_the_crown_is_read_however_it_is_written(text):
    position = setup(also="b:f14 y:m15 k:p12", reserves={"Y": "RYK"})
    assert RULES.format(position, RULES.parse(position, text)) == "f14-f16=R"


def test_the_french_initials_of_the_colours_are_read_too():
    position = setup(also="b:f14 y:m15 k:p12", reserves={"Y": "RYK"})
    assert RULES.format(position, RULES.parse(position, "f14-f16=J")) == "f14-f16=Y"
    assert RULES.format(position, RULES.parse(position, "f14-f16=N")) == "f14-f16=K"


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
        ("e5-e7", "There is no piece on e5."),
        ("c5-e5", "Blue is to act, and the piece on c5 has another colour."),
        ("e3-g3", "There is already a piece on g3."),
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
