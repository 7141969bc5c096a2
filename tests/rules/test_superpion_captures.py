"""Superpion: captures and chains of them."""

import pytest

from tests.rules.games import refusal
from tests.rules.superpion_boards import RULES, legal, pieces, play, reserve, setup


def test_a_pawn_jumps_diagonally_in_all_four_directions():
    position = setup(
        """
        8  . k . k .
        7  . . b . .
        6  . r . y .
           e f g h i
        """
    )
    assert legal(position) == {"g7xe9", "g7xi9", "g7xe5", "g7xi5"}


def test_a_pawn_needs_an_empty_square_just_behind():
    position = setup(
        """
        9  r . . . .
        8  . k . . .
        7  . . b . .
           e f g h i
        """
    )
    assert legal(position) == {"g7-g9", "g7-e7", "g7-i7"}


def test_a_pawn_takes_only_what_is_right_beside_it():
    position = setup(
        """
        9  . . r
        8  . . .
        7  b . .
           g h i
        """
    )
    assert not any("x" in text for text in legal(position))


def test_a_pawn_may_jump_over_a_superpion():
    position = setup(also="b:g7 R:h8 k:p12")
    assert legal(position) == {"g7xi9"}


def test_nobody_captures_an_own_piece():
    position = setup(also="b:g7 b:h8 B:d4 k:p12")
    assert not any("x" in text for text in legal(position))


def test_a_superpion_captures_from_any_distance_and_lands_anywhere_behind():
    position = setup(also="B:d4 r:g7 k:p12")
    assert legal(position) == {f"d4x{end}" for end in ("h8", "i9", "j10", "k11", "l12", "m13")}


def test_a_superpion_lands_short_of_the_next_piece():
    position = setup(also="B:d4 r:g7 b:k11 k:p12", acted="k11")
    assert legal(position) == {"d4xh8", "d4xi9", "d4xj10"}


def test_a_superpion_needs_empty_squares_before_and_behind():
    two_in_a_row = setup(also="B:d4 r:g7 r:h8 k:p12")
    own_before = setup(also="B:d4 b:f6 r:g7 k:p12", acted="f6")
    at_the_edge = setup(also="B:h12 y:l16 k:p4")
    for position in (two_in_a_row, own_before, at_the_edge):
        assert not any("x" in text for text in legal(position))


def test_a_chain_goes_on_as_long_as_another_capture_is_possible():
    position = setup(also="b:e3 r:f4 r:h6 k:p12")
    assert legal(position) == {"e3xg5xi7"}
    assert refusal(RULES, position, "e3xg5") == ("illegal", "The capture goes on from g5.")


def test_a_chain_changes_direction_freely():
    position = setup(also="b:e3 r:f4 r:f6 r:d8 k:p12")
    assert legal(position) == {"e3xg5xe7xc9"}


def test_a_captured_piece_leaves_at_once_and_the_origin_counts_as_empty():
    position = setup(
        """
        9  . . . . . .
        8  . . . . . .
        7  . . . k . .
        6  . . B . . .
        5  . k . . . .
        4  . . . . . .
           d e f g h i
        """,
        also="b:m1 k:p12",
    )
    # From behind g7 back over its square and over the origin, to the other piece; and the like.
    assert {"f6xh8xd4", "f6xd4xh8", "f6xd4xi9"} <= legal(position)
    assert all(text.count("x") == 2 for text in legal(position))


def test_a_piece_is_not_jumped_twice():
    position = setup(also="B:f6 k:g7 k:p12 b:m1")
    assert legal(position) == {f"f6x{end}" for end in ("h8", "i9", "j10", "k11", "l12", "m13")}
    after = play(position, "f6xh8")
    assert reserve(after, "B") == "K"
    assert "g7" not in pieces(after)


def test_captures_are_compulsory():
    position = setup(also="b:e3 r:f4 b:m3 k:p12")
    assert legal(position) == {"e3xg5"}
    assert refusal(RULES, position, "m3-m5") == ("illegal", "A capture is compulsory.")


def test_only_the_captures_that_gain_the_most_are_legal_for_all_pieces_together():
    position = setup(also="b:e3 r:f4 b:i3 r:j4 r:l6 k:p12")
    assert legal(position) == {"i3xk5xm7"}
    assert refusal(RULES, position, "e3xg5") == ("illegal", "Another capture takes more pawns.")
    # It is the other pawn's turn now, and its capture is the best that is left.
    assert legal(play(position, "i3xk5xm7")) == {"e3xg5"}


def test_a_superpion_counts_as_two_pawns():
    against_one = setup(also="b:e3 r:f4 b:i3 R:j4 k:p12")
    assert legal(against_one) == {"i3xk5"}
    against_two = setup(also="b:e3 r:f4 r:h6 b:k3 R:l4 k:p12")
    assert legal(against_two) == {"e3xg5xi7", "k3xm5"}


def test_a_captured_superpion_gives_both_its_pawns():
    position = setup(also="b:i3 R:j4 r:a5 k:p12", crowns={"j4": "Y"}, reserves={"B": "K"})
    assert reserve(play(position, "i3xk5"), "B") == "RYK"
    with_a_box_pawn = setup(also="b:i3 R:j4 r:a5 k:p12")
    assert reserve(play(with_a_box_pawn, "i3xk5"), "B") == "R0"


def test_every_colour_keeps_what_its_own_pieces_captured():
    position = setup(also="b:e3 r:f4 y:f14 y:m15 k:n10 r:a5", variant="superduel")
    after = play(position, "e3xg5")
    assert (reserve(after, "B"), reserve(after, "Y")) == ("R", "")


def test_partners_do_not_capture_each_other():
    teams = setup(also="b:g7 y:h8 k:p12", variant="teams")
    rivals = setup(also="b:g7 y:h8 k:p12", variant="four")
    assert not any("x" in text for text in legal(teams))
    assert legal(rivals) == {"g7xi9"}


@pytest.mark.parametrize(
    ("variant", "prey"),
    [("four", "RYK"), ("teams", "RK"), ("three", "RYK"), ("two", "YK"), ("superduel", "RK")],
)
def test_which_colours_blue_may_capture(variant, prey):
    for colour in "RYK":
        others = " ".join(f"{c.lower()}:{s}" for c, s in zip("RYK", ("a5", "d16", "p4"), strict=True))  # fmt: skip  # noqa: E501
        position = setup(also=f"b:g7 {colour.lower()}:h8 {others}", variant=variant)
        assert ("g7xi9" in legal(position)) == (colour in prey)


def test_anybody_may_capture_the_empty_camps_pawns():
    for colour, letter in zip("BRY", "bry", strict=True):
        position = setup(also=f"{letter}:m9 k:n10 b:e1 r:a5 y:d16", act=colour, variant="three")
        assert legal(position) == {"m9xo11"}


def test_pawns_of_one_class_meet_only_those_of_the_other():
    same = setup(also="b:g7 r:i9 r:g9 k:p12", acted="")
    assert not any("x" in text for text in legal(same))
    moved = {end.partition("-")[2] for end in legal(same)}
    assert moved == {"e7", "i7"}


# The canonical way -------------------------------------------------------------------------------

ROUND = """
    8  . k . k .
    7  . . . . .
    6  . k . k .
    5  . . b . .
       e f g h i
"""


def test_ways_that_end_alike_are_one_action_written_with_the_first_squares():
    position = setup(ROUND, also="b:m1 r:a5")
    assert legal(position) == {"g5xe7xg9xi7xg5"}


def test_any_legal_way_is_read():
    position = setup(ROUND, also="b:m1 r:a5")
    assert RULES.format(position, RULES.parse(position, "g5xi7xg9xe7xg5")) == "g5xe7xg9xi7xg5"
    assert refusal(RULES, position, "g5xi7xe7xg9xg5")[0] == "illegal"


def test_the_order_is_by_column_and_then_by_row_not_by_text():
    # From g9 the way over h8 lands on i7 and the one over h10 on i11: 7 comes before 11.
    position = setup(also="b:g9 k:h10 k:j10 k:h8 k:j8 k:p4 r:a5 b:m1")
    assert legal(position) == {"g9xi7xk9xi11xg9"}


def test_the_same_end_with_other_pieces_taken_is_another_action():
    position = setup(
        """
        8  . . . . r . .
        7  . r . . . . .
        6  B . . . . . .
        5  . . . . . . .
        4  . . r . . . .
           d e f g h i j
        """,
        also="r:m13 k:p12",
    )
    assert {"d6xg9xi7xe3", "d6xl14xn12xe3"} <= legal(position)
    taken = reserve(play(position, "d6xg9xi7xe3"), "B")
    assert taken == reserve(play(position, "d6xl14xn12xe3"), "B") == "RRR"
    assert pieces(play(position, "d6xg9xi7xe3")) != pieces(play(position, "d6xl14xn12xe3"))
