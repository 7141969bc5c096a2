"""Superpion: how a game ends, and what it counts."""

from tests.rules.superpion_boards import RULES, ending, initial, legal, play, setup, to_act


def points(position):
    return RULES.agreed_end(position).points


# Alone -------------------------------------------------------------------------------------------


def test_the_game_ends_when_only_one_players_pieces_are_left():
    position = setup(also="b:e3 b:m1 r:f4")
    assert ending(position) is None
    after = play(position, "e3xg5")
    assert ending(after) == "alone"
    assert RULES.to_move(after) is None
    assert legal(after) == set()
    assert RULES.turn(after) == RULES.turn(position) + 1


def test_a_teams_pieces_are_one_sides():
    assert ending(play(setup(also="b:e3 y:m15 r:f4", variant="teams"), "e3xg5")) == "alone"
    assert ending(play(setup(also="b:e3 y:m15 r:f4", variant="four"), "e3xg5")) is None


def test_a_players_second_colour_is_the_same_side():
    assert ending(play(setup(also="b:e3 r:a5 y:f4", variant="two"), "e3xg5")) == "alone"
    assert ending(play(setup(also="b:e3 y:m15 r:f4", variant="superduel"), "e3xg5")) == "alone"


def test_the_empty_camps_pieces_do_not_keep_the_game_going():
    assert ending(play(setup(also="b:e3 r:f4 k:p12", variant="three"), "e3xg5")) == "alone"
    assert ending(play(setup(also="b:e3 r:f4 k:p12", left=(3,)), "e3xg5")) == "alone"


# Nobody can act ----------------------------------------------------------------------------------


def test_the_game_ends_when_no_colour_can_act():
    # Blue's pawns go only up and right, Black's only down and left: each blocks another.
    black = "k:p4 k:p6 k:p8 k:p10 k:p12"
    position = setup(also=f"b:n4 b:n6 b:n8 b:n10 b:l12 {black}", variant="two")
    after = play(position, "l12-n12")
    assert (ending(after), legal(after)) == ("no-moves", set())
    assert ending(play(position, "l12-l14")) is None


# Captures have become impossible -----------------------------------------------------------------


def test_it_ends_at_once_when_captures_have_certainly_become_impossible():
    position = setup(also="b:e13 b:g15 r:o7")
    assert ending(position) is None
    after = play(position, "e13-e15")
    assert ending(after) == "no-captures"
    assert RULES.turn(after) == RULES.turn(position) + 1


def test_captures_stay_possible_while_there_is_a_superpion():
    assert ending(setup(also="b:e15 B:g15 r:o7")) is None
    assert ending(setup(also="b:e15 b:g15 r:o7")) == "no-captures"


def test_captures_stay_possible_while_pawns_of_both_classes_are_left():
    assert ending(setup(also="b:e15 b:f14 r:o7")) is None
    # Neither the odd two nor the even two could be promoted: a capture could bring them elsewhere.
    odd, even = "b:e15 r:o7", "y:d2 k:b8"
    assert ending(setup(also=odd)) == ending(setup(also=even)) == "no-captures"
    assert ending(setup(also=f"{odd} {even}")) is None


def test_captures_stay_possible_while_a_pawn_could_be_promoted_on_an_empty_board():
    assert ending(setup(also="b:e13 r:o7")) is None
    # Something is in its way: that does not matter.
    assert ending(setup(also="b:c13 b:a13 r:o7 r:a11 b:a9")) is None


def test_the_empty_camps_pawns_count_for_the_class_but_never_move():
    assert ending(setup(also="b:e15 r:o7 k:o9", variant="three")) == "no-captures"
    assert ending(setup(also="b:e15 r:o7 k:p12", variant="three")) is None


def test_what_can_be_reached_depends_on_the_variants_directions():
    assert ending(setup(also="b:e13 y:m13", variant="two")) is None
    # To the right of column a and below nothing opposing that an odd pawn could reach.
    assert ending(setup(also="b:e13 r:g7", variant="four")) is None
    assert ending(setup(also="b:e13 k:o7 k:o9", variant="two")) is None


# Quiet rounds ------------------------------------------------------------------------------------


TWO_COLOURS = "b:e3 b:g3 r:a5 r:a9"


def test_it_ends_after_ten_quiet_turns_of_every_colour_on_the_board():
    before = setup(also=TWO_COLOURS, quiet=18)
    assert ending(play(before, "e3-e5 g3-g5")) is None
    last = setup(also=TWO_COLOURS, quiet=19)
    assert ending(play(last, "e3-e5")) is None
    assert ending(play(last, "e3-e5 g3-g5")) == "quiet"


def test_how_many_quiet_rounds_is_an_option():
    assert ending(play(setup(also=TWO_COLOURS, quiet=9, quiet_rounds=5), "e3-e5 g3-g5")) == "quiet"
    assert ending(play(setup(also=TWO_COLOURS, quiet=19, quiet_rounds=11), "e3-e5 g3-g5")) is None


def test_a_whole_quiet_game_ends_by_itself():
    position = setup(also="B:i1 B:m1 R:a5 R:a13", quiet_rounds=5)
    back_and_forth = ["i1-i3 m1-m3", "a5-c5 a13-c13", "i3-i1 m3-m1", "c5-a5 c13-a13"]
    for turn in range(10):
        assert ending(position) is None
        position = play(position, back_and_forth[turn % 4])
    assert ending(position) == "quiet"


def test_a_capture_or_a_promotion_begins_the_count_anew():
    capture = play(setup(also="b:e3 r:f4 b:m3 r:a5 k:p12", quiet=29), "e3xg5 m3-m5")
    assert (ending(capture), capture.quiet) == (None, 0)
    promotion = play(setup(also="b:f14 b:m3 r:a5 r:a9", quiet=19), "m3-m5 f14-f16")
    assert (ending(promotion), promotion.quiet) == (None, 0)
    assert play(capture, "a5-c5").quiet == 1


def test_an_empty_camp_is_not_waited_for():
    position = setup(also=f"{TWO_COLOURS} k:p12", variant="three", quiet=19)
    assert ending(play(position, "e3-e5 g3-g5")) == "quiet"


def test_a_colour_that_is_skipped_is_still_waited_for():
    # Red cannot act: Blue's turns alone come to ten for each of the two colours.
    stuck = "b:e3 b:g3 r:p8 k:p6 k:p10"
    assert to_act(play(setup(also=stuck), "e3-e5 g3-g5")) == "K"
    before = setup(also="b:e3 b:g3 r:p8 b:p6 b:p10", quiet=18)
    after = play(before, "e3-e5 g3-g5")
    assert (ending(after), to_act(after)) == (None, "B")
    assert ending(play(after, "e5-e7 g5-g7")) == "quiet"


# Points ------------------------------------------------------------------------------------------


def test_an_own_pawn_counts_two_and_every_other_one():
    position = setup(
        also="b:e3 b:g3 r:a5",
        reserves={"B": "BRRYK0", "R": "BB", "Y": "Y", "K": ""},
    )
    # Blue: two on the board, one own, four others and the box's in reserve.
    assert points(position) == (2 + 2 + 2 + 4 + 1, 2 + 2, 2, 0)


def test_a_superpion_counts_as_its_two_pawns():
    def worth(crown):
        return points(setup(also="B:e3 r:a5", crowns={"e3": crown}))[0]

    assert [worth(crown) for crown in "BRYK0"] == [4, 3, 3, 3, 3]


def test_a_player_whose_pieces_are_all_gone_keeps_the_reserve():
    assert points(setup(also="b:e3 r:a5", reserves={"K": "KBB"}))[3] == 4


def test_in_teams_both_partners_colours_are_own_and_points_are_added_up():
    position = setup(
        also="b:e3 Y:m15 r:a5 k:p4",
        crowns={"m15": "B"},
        reserves={"B": "YYR", "R": "KBB", "K": "R"},
        variant="teams",
    )
    outcome = RULES.agreed_end(position)
    assert outcome.points == (2 + 4 + 1, 2 + 2 + 2, 4, 2 + 2)
    assert outcome.places == (1, 2, 1, 2)


def test_both_colours_of_a_player_are_own():
    two = setup(also="b:e3 r:g7 y:k7", reserves={"B": "BRK", "Y": "B"}, variant="two")
    assert points(two) == (2 + 2 + 2 + 2 + 1, 2 + 1)
    duel = setup(also="b:e3 y:g7 r:k7", reserves={"B": "BRY", "K": "RB"}, variant="superduel")
    assert points(duel) == (2 + 2 + 2 + 1 + 2, 2 + 2 + 1)


def test_the_empty_camps_pieces_are_nobodys():
    with_them = setup(also="b:e3 r:a5 k:p12 k:p4", variant="three")
    without = setup(also="b:e3 r:a5", variant="three")
    assert points(with_them) == points(without) == (2, 2, 0)


def test_most_points_win_and_a_tie_is_shared():
    position = setup(also="b:e3 r:a5 r:a9", reserves={"Y": "Y"})
    outcome = RULES.agreed_end(position)
    assert (outcome.points, outcome.places, outcome.reason) == (
        (2, 4, 2, 0),
        (2, 1, 2, 4),
        "agreed",
    )
    tied = RULES.agreed_end(initial())
    assert tied.places == (1, 1, 1, 1)
    assert tied.is_draw
