"""Superpion: the five variants, their seats, colours, order and turns."""

import pytest

from games.rules.base import IllegalMoveError, OptionError
from games.rules.superpion.rules import Superpion
from tests.rules.superpion_boards import RULES, initial, legal, play, setup, to_act


def rounds(count, **options):
    """Return colours and seats of the first turns' actions, in the order of play."""
    position, found = initial(**options), []
    for _ in range(count):
        found.append((to_act(position), RULES.to_move(position)))
        position = RULES.play(position, RULES.legal_actions(position)[0])
    return found


@pytest.mark.parametrize(
    ("options", "order"),
    [
        ({}, "B0 R1 Y2 K3 B0"),
        ({"variant": "teams"}, "B0 R1 Y2 K3 B0"),
        ({"variant": "three"}, "B0 R1 Y2 B0 R1"),
        ({"variant": "three", "empty": "Y"}, "B0 R1 K2 B0 R1"),
        ({"variant": "three", "empty": "R"}, "B0 Y1 K2 B0 Y1"),
        ({"variant": "three", "empty": "B"}, "R0 Y1 K2 R0 Y1"),
        ({"variant": "two"}, "B0 R0 Y1 K1 B0"),
        ({"variant": "superduel"}, "B0 R1 Y0 K1 B0"),
    ],
)
def test_the_order_of_play(options, order):
    twice = [(turn[0], int(turn[1])) for turn in order.split() for _ in range(2)]
    assert rounds(10, **options) == twice


@pytest.mark.parametrize(
    ("variant", "names"),
    [
        ("four", ["Blue", "Red", "Yellow", "Black"]),
        ("teams", ["Blue", "Red", "Yellow", "Black"]),
        ("three", ["Blue", "Red", "Yellow"]),
        ("two", ["Blue and Red", "Yellow and Black"]),
        ("superduel", ["Blue and Yellow", "Red and Black"]),
    ],
)
def test_which_seat_holds_which_colours(variant, names):
    options = RULES.check_options({"variant": variant})
    assert RULES.seats(options) == len(names)
    assert [str(RULES.seat_name(options, seat)) for seat in range(len(names))] == names


def test_the_camp_named_by_empty_is_nobodys():
    options = RULES.check_options({"variant": "three", "empty": "B"})
    names = [str(RULES.seat_name(options, seat)) for seat in range(3)]
    assert names == ["Red", "Yellow", "Black"]


def test_blue_and_yellow_are_partners_against_red_and_black_in_teams_alone():
    sides = {
        variant: RULES.sides(RULES.check_options({"variant": variant}))
        for variant in ("four", "teams", "three", "two", "superduel")
    }
    assert sides == {
        "four": (0, 1, 2, 3),
        "teams": (0, 1, 0, 1),
        "three": (0, 1, 2),
        "two": (0, 1),
        "superduel": (0, 1),
    }


def test_empty_means_nothing_but_in_three():
    assert initial(variant="four", empty="B") == initial(variant="four")
    assert initial(variant="three", empty="B") != initial(variant="three")


@pytest.mark.parametrize("rounds", [4, 51, "many", None])
def test_quiet_rounds_are_from_5_to_50(rounds):
    with pytest.raises(OptionError):
        RULES.check_options({"quiet_rounds": rounds})


def test_the_empty_camps_pawns_stay_and_never_act():
    position = initial(variant="three")
    for _ in range(60):
        if RULES.outcome(position):
            break
        assert to_act(position) != "K"
        position = RULES.play(position, RULES.legal_actions(position)[-1])


# Two players -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("colour", "ends"),
    [
        ("B", {"g9", "i7"}),
        ("R", {"g9", "i7"}),
        ("Y", {"g5", "e7"}),
        ("K", {"g5", "e7"}),
    ],
)
def test_in_two_pawns_move_only_towards_the_other_players_camps(colour, ends):
    other = "k:p12" if colour in "BR" else "b:d2"
    position = setup(also=f"{colour.lower()}:g7 {other}", act=colour, variant="two")
    assert legal(position) == {f"g7-{end}" for end in ends}


@pytest.mark.parametrize(("prey", "end"), [("f6", "e5"), ("f8", "e9"), ("h6", "i5"), ("h8", "i9")])
def test_in_two_captures_go_in_all_directions(prey, end):
    position = setup(also=f"b:g7 k:{prey} y:m15", variant="two")
    assert legal(position) == {f"g7x{end}"}


def test_in_two_superpions_move_in_all_directions():
    position = setup(also="B:h8 k:p12 r:a5", variant="two")
    assert {"h8-h2", "h8-b8", "h8-h16", "h8-p8"} <= legal(position)


def test_in_two_a_turn_is_both_colours_of_the_seat():
    position = initial(variant="two")
    with pytest.raises(IllegalMoveError, match="not finished"):
        RULES.parse_turn(position, "e3-e5, g3-g5, b12-d12")
    whole = RULES.parse_turn(position, "e3-e5, m3-m5, b12-d12, b8-d8")
    after = RULES.play_turn(position, whole)
    assert (RULES.turn(after), RULES.to_move(after), to_act(after)) == (1, 1, "Y")


def test_in_two_the_turn_goes_on_with_the_second_colour_if_the_first_cannot_act():
    position = setup(also="b:p12 r:e5 r:e9 y:m15 k:n4 k:n12 k:p10", variant="two", act="K")
    after = play(position, "n4-l4 n12-l12")
    # The blue pawn in the corner of Black's camp can go neither up nor to the right.
    assert to_act(after) == "R"
    assert RULES.turn(after) == RULES.turn(position) + 1


# Turns -------------------------------------------------------------------------------------------


def test_a_turn_is_one_colours_in_the_other_variants_even_if_the_seat_goes_on():
    position = setup(also="b:e3 b:g3 r:a5 y:f14 y:h14 k:p12", variant="superduel", act="R")
    assert RULES.turn(position) == 20
    red = play(position, "a5-c5")
    assert (to_act(red), RULES.turn(red)) == ("Y", 21)
    # Black alone is left of seat 1, and cannot act: seat 0 plays turn after turn.
    stuck = setup(
        also="b:e3 b:g3 y:f14 y:h14 k:a5 b:c5 b:a7", variant="superduel", act="B", acted=""
    )
    blue = play(stuck, "e3-e5 g3-g5")
    assert (to_act(blue), RULES.turn(blue)) == ("Y", 21)
    yellow = play(blue, "f14-f12 h14-h12")
    assert (to_act(yellow), RULES.turn(yellow)) == ("B", 22)


def test_a_turn_text_is_its_actions_in_order():
    position = initial()
    actions = RULES.parse_turn(position, "e3-e5,g3-g5")
    assert RULES.format_turn(position, actions) == "e3-e5, g3-g5"
    with pytest.raises(IllegalMoveError, match="over before"):
        RULES.parse_turn(position, "e3-e5, g3-g5, c5-e5")


def test_each_action_of_a_turn_is_written_in_the_position_where_it_is_played():
    class TellsWhetherOnePlayedBefore(Superpion):
        def format(self, position, action):
            return f"{bool(position.acted):d}.{super().format(position, action)}"

    position = initial()
    actions = RULES.parse_turn(position, "e3-e5,g3-g5")
    assert TellsWhetherOnePlayedBefore().format_turn(position, actions) == "0.e3-e5, 1.g3-g5"
