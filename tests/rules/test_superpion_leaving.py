"""Superpion: the colours and the place of a player who leaves."""

import pytest

from games.rules.base import IllegalMoveError
from tests.rules.superpion_boards import RULES, ending, initial, legal, pieces, play, setup, to_act


def test_the_colour_of_a_player_who_leaves_becomes_an_empty_camps():
    position = RULES.withdraw(initial(), 1)
    assert RULES.to_move(position) == 0
    after = play(position, "e3-e5 g3-g5")
    assert to_act(after) == "Y"
    assert pieces(after)["a5"] == "r"
    assert RULES.turn(after) == 1


def test_it_may_be_captured_by_anybody():
    position = setup(also="y:d10 r:c9 b:m1 k:p4 r:a13", act="Y", left=(1,))
    assert "d10xb8" in legal(position)


def test_if_it_was_their_turn_the_next_player_acts():
    position = RULES.withdraw(initial(), 0)
    assert (RULES.to_move(position), RULES.turn(position)) == (1, 0)
    halfway = RULES.withdraw(play(initial(), "e3-e5"), 0)
    assert (RULES.to_move(halfway), RULES.turn(halfway)) == (1, 0)
    assert pieces(halfway)["e5"] == "b"
    assert legal(halfway) == legal(position) - {"c5-e5"}


def test_a_player_who_leaves_is_placed_behind_those_who_stay_whatever_the_points():
    position = setup(also="b:e3 r:a5 y:f16 y:h16 k:p4 k:p12", reserves={"R": "YYYYYYYYYY"})
    outcome = RULES.agreed_end(RULES.withdraw(position, 1))
    assert outcome.points == (2, 10, 4, 4)
    assert outcome.places == (3, 4, 1, 1)


def test_later_leavers_place_before_earlier_ones():
    position = setup(also="b:e3 r:a5 y:f16 k:p4", reserves={"R": "YYYY"})
    position = RULES.withdraw(RULES.withdraw(position, 1), 3)
    assert RULES.agreed_end(position).places == (1, 4, 1, 3)


def test_the_last_player_to_stay_wins():
    position = setup(also="b:e3 r:a5 y:f16 k:p4", reserves={"R": "YYYY"})
    for seat in (1, 3, 0):
        position = RULES.withdraw(position, seat)
    outcome = RULES.outcome(position)
    assert (outcome.reason, outcome.places) == ("left", (2, 4, 1, 3))
    assert RULES.to_move(position) is None


def test_it_is_the_same_among_three():
    position = RULES.withdraw(initial(variant="three"), 2)
    assert ending(position) is None
    outcome = RULES.outcome(RULES.withdraw(position, 0))
    assert (outcome.reason, outcome.places) == ("left", (2, 1, 3))


def test_the_game_may_end_because_the_players_who_could_act_have_left():
    position = setup(also="b:e15 b:g15 k:p12 r:o7")
    assert ending(position) is None
    assert ending(RULES.withdraw(position, 1)) is None
    quiet = setup(also="b:e3 r:a5 k:p12 b:g3", quiet=20)
    assert ending(quiet) is None
    assert ending(RULES.withdraw(quiet, 3)) == "quiet"


def test_in_teams_the_partner_plays_both_colours():
    position = RULES.withdraw(initial(variant="teams"), 2)
    after = play(position, "g3-g5 i3-i5 c5-e5 c9-e9")
    assert (to_act(after), RULES.to_move(after)) == ("Y", 0)
    assert "d16-f16" not in legal(after)
    assert ending(after) is None


def test_in_teams_the_other_side_wins_when_both_partners_have_left():
    position = setup(also="b:e3 y:f14 r:a5 k:p4", variant="teams", reserves={"B": "RRRRRRRR"})
    position = RULES.withdraw(RULES.withdraw(position, 0), 2)
    outcome = RULES.outcome(position)
    assert (outcome.reason, outcome.places) == ("left", (2, 1, 2, 1))


@pytest.mark.parametrize("variant", ["two", "superduel"])
def test_nobody_withdraws_from_a_game_of_two(variant):
    with pytest.raises(IllegalMoveError):
        RULES.withdraw(initial(variant=variant), 0)


def test_nobody_withdraws_twice_or_after_the_end():
    once = RULES.withdraw(initial(), 1)
    with pytest.raises(IllegalMoveError):
        RULES.withdraw(once, 1)
    over = play(setup(also="b:e3 b:m1 r:f4"), "e3xg5")
    with pytest.raises(IllegalMoveError):
        RULES.withdraw(over, 1)


def test_every_end_has_its_words():
    for reason in ("alone", "no-moves", "no-captures", "quiet", "left", "agreed"):
        assert str(RULES.reason(reason)) != str(RULES.reason("unknown"))
