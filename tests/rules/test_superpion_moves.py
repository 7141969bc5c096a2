"""Superpion: the board, what moves, and the pieces' turns within a turn."""

import pytest

from tests.rules.games import refusal
from tests.rules.superpion_boards import RULES, board, initial, legal, pieces, play, setup, to_act


def squares_of(position, letter):
    return {square for square, piece in pieces(position).items() if piece == letter}


# The board ---------------------------------------------------------------------------------------


def test_the_board_is_a_cross_of_220_squares():
    names = {cell.square for cell in board(initial()).cells}
    assert len(names) == 220
    assert not names & {"a1", "c3", "a14", "n3", "p16", "n14"}
    assert {"d1", "a4", "m16", "p13", "c4", "d3"} <= names


def test_d1_is_black_and_e1_is_white():
    shades = {cell.square: cell.shade for cell in board(initial()).cells}
    assert (shades["d1"], shades["e1"]) == ("dark", "light")
    assert sum(shade == "light" for shade in shades.values()) == 110


def test_everything_happens_on_white_squares():
    assert refusal(RULES, initial(), "d3-d5") == (
        "illegal",
        "d3 is a black square: only the white ones are played on.",
    )


def test_every_camp_has_a_pawn_on_each_of_its_fifteen_white_squares():
    start = initial()
    assert squares_of(start, "b") == {
        "d2",
        "e1",
        "e3",
        "f2",
        "g1",
        "g3",
        "h2",
        "i1",
        "i3",
        "j2",
        "k1",
        "k3",
        "l2",
        "m1",
        "m3",
    }
    assert squares_of(start, "r") == {
        "a5",
        "a7",
        "a9",
        "a11",
        "a13",
        "b4",
        "b6",
        "b8",
        "b10",
        "b12",
        "c5",
        "c7",
        "c9",
        "c11",
        "c13",
    }
    assert squares_of(start, "y") == {
        "d14",
        "d16",
        "e15",
        "f14",
        "f16",
        "g15",
        "h14",
        "h16",
        "i15",
        "j14",
        "j16",
        "k15",
        "l14",
        "l16",
        "m15",
    }
    assert squares_of(start, "k") == {
        "n4",
        "n6",
        "n8",
        "n10",
        "n12",
        "o5",
        "o7",
        "o9",
        "o11",
        "o13",
        "p4",
        "p6",
        "p8",
        "p10",
        "p12",
    }


# Moves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("colour", "other", "ends"),
    [
        ("B", "k:p12", {"g9", "e7", "i7"}),
        ("R", "k:p12", {"i7", "g9", "g5"}),
        ("Y", "k:p12", {"g5", "e7", "i7"}),
        ("K", "b:d2", {"e7", "g9", "g5"}),
    ],
)
def test_a_pawn_moves_two_squares_ahead_or_to_either_side_never_back(colour, other, ends):
    position = setup(also=f"{colour.lower()}:g7 {other}", act=colour)
    assert legal(position) == {f"g7-{end}" for end in ends}


def test_a_pawn_moves_on_to_an_empty_square_only():
    position = setup(
        """
        9  . . b . .
        7  r . b . .
           e f g h i
        """,
        also="k:p12",
        acted="g9",
    )
    assert legal(position) == {"g7-i7"}


def test_a_superpion_moves_any_number_of_white_squares_in_four_directions():
    position = setup(also="B:h8 k:p12")
    row = {"b8", "d8", "f8", "j8", "l8", "n8", "p8"}
    column = {"h2", "h4", "h6", "h10", "h12", "h14", "h16"}
    assert legal(position) == {f"h8-{end}" for end in row | column}


def test_a_superpion_moves_over_empty_squares_only():
    position = setup(also="B:h8 b:l8 b:d8 r:h12 b:h6", acted="l8")
    ends = {end for start, _, end in (text.partition("-") for text in legal(position)) if start == "h8"}  # fmt: skip  # noqa: E501
    assert ends == {"j8", "f8", "h10"}


def test_no_piece_moves_diagonally_without_capturing():
    position = setup(also="B:h8 b:g3 k:p12")
    assert "h8-i9" not in legal(position)
    assert refusal(RULES, position, "g3-h4")[0] == "illegal"


# Two pieces a turn -------------------------------------------------------------------------------


def test_a_turn_is_two_actions_with_two_different_pieces():
    first = play(initial(), "e3-e5")
    assert (RULES.to_move(first), RULES.turn(first)) == (0, 0)
    assert not any(text.startswith("e5") for text in legal(first))
    assert refusal(RULES, first, "e5-e7") == (
        "illegal",
        "This piece has acted already in this turn.",
    )
    second = play(first, "g3-g5")
    assert (RULES.to_move(second), RULES.turn(second)) == (1, 1)


def test_if_only_one_piece_can_act_it_acts_alone():
    position = setup(also="b:e3 b:d16 y:f16 r:c5", variant="teams")
    # The pawn on the partner's back row has nowhere to go but to a side, and that is taken.
    position = play(position, "e3-e5")
    assert to_act(position) == "R"


def test_the_last_pawn_moves_normally():
    position = play(setup(also="b:e3 r:c5 r:c9"), "e3-g3")
    assert to_act(position) == "R"
    assert pieces(position)["g3"] == "b"


def test_a_colour_that_cannot_act_is_skipped():
    position = setup(also="b:e3 b:g3 r:p8 k:p6 k:p10 k:h8 k:l4 y:f16")
    position = play(position, "e3-e5 g3-g5")
    assert to_act(position) == "Y"


def test_the_capture_rule_is_for_the_pieces_that_have_not_acted():
    position = setup(
        """
        10 . . . . . . .
        9  . k . . . . .
        8  r . . . . . .
           d e f g h i j
        """,
        also="r:a13 r:n8 k:p4",
        act="R",
    )
    assert legal(position) == {"d8xf10"}
    after = play(position, "d8xf10")
    # The same pawn could not go on, another one may do what it likes.
    assert "a13-c13" in legal(after)


def test_a_piece_that_could_capture_but_has_acted_does_not_bind_the_others():
    position = setup(also="b:f4 b:m3 r:g7 k:p12")
    after = play(position, "f4-f6")
    # The pawn on f6 is now beside the red one on g7, and h8 is empty.
    assert "m3-m5" in legal(after)
    assert not any("x" in text for text in legal(after))


def test_colours_act_clockwise_from_blue():
    position = initial()
    for colour in "BRYK":
        assert to_act(position) == colour
        for _ in range(2):
            position = RULES.play(position, RULES.legal_actions(position)[0])
    assert to_act(position) == "B"
    assert RULES.turn(position) == 4
