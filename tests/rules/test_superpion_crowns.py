"""Superpion: how a pawn becomes a superpion, and what it is crowned with."""

import pytest

from tests.rules.games import refusal
from tests.rules.superpion_boards import RULES, legal, pieces, play, reserve, setup

FAR = "k:p12 r:a5"


def crowned(position):
    """Return the legal actions that crown a pawn."""
    return {text for text in legal(position) if "=" in text}


@pytest.mark.parametrize(
    ("colour", "pawn", "goal"),
    [
        ("B", "f14", "f16"),
        ("B", "c7", "a7"),
        ("B", "n8", "p8"),
        ("R", "f14", "f16"),
        ("R", "e3", "e1"),
        ("R", "n8", "p8"),
        ("Y", "e3", "e1"),
        ("Y", "c7", "a7"),
        ("Y", "n8", "p8"),
        ("K", "f14", "f16"),
        ("K", "c7", "a7"),
        ("K", "e3", "e1"),
    ],
)
def test_a_pawn_that_ends_on_an_opposing_back_row_becomes_a_superpion(colour, pawn, goal):
    others = {"B": "b:d2", "R": "r:a13", "Y": "y:m15", "K": "k:p12"}
    also = " ".join(piece for letter, piece in others.items() if letter != colour)
    position = setup(also=f"{colour.lower()}:{pawn} {also}", act=colour)
    assert f"{pawn}-{goal}=0" in legal(position)
    assert f"{pawn}-{goal}" not in legal(position)
    assert pieces(play(position, f"{pawn}-{goal}"))[goal] == f"{colour}=0"


def test_no_other_row_of_a_camp_will_do():
    position = setup(also=f"b:f12 b:e13 {FAR}")
    assert crowned(position) == set()


def test_the_own_camps_back_row_crowns_nobody():
    position = setup(also=f"b:g3 r:f2 {FAR}")
    assert legal(position) == {"g3xe1"}
    assert pieces(play(position, "g3xe1"))["e1"] == "b"


@pytest.mark.parametrize(
    ("variant", "goals"),
    [("four", "RYK"), ("teams", "RK"), ("three", "RYK"), ("two", "YK"), ("superduel", "RK")],
)
def test_a_partners_or_ones_own_second_camp_is_no_opposing_one(variant, goals):
    ways = {"R": ("d6", "b8", "a9"), "Y": ("f14", "g15", "h16"), "K": ("n8", "o9", "p10")}
    for camp, (pawn, prey, goal) in ways.items():
        prey_colour = "k" if camp != "K" or variant == "two" else "r"
        start = {"R": "c7"}.get(camp, pawn)
        also = f"b:{start} {prey_colour}:{prey} r:a13 y:m15 k:p4"
        position = setup(also=also, variant=variant)
        texts = {text.partition("=")[0] for text in crowned(position)}
        assert (f"{start}x{goal}" in texts) == (camp in goals), camp


def test_a_superpion_is_not_crowned_again():
    position = setup(also=f"B:f14 {FAR}", reserves={"Y": "R"})
    assert crowned(position) == set()
    assert "f14-f16" in legal(position)


def test_a_chain_that_touches_a_back_row_and_can_go_on_does_not_promote():
    position = setup(also=f"b:f14 y:g15 y:i15 {FAR}", reserves={"Y": "R"})
    assert legal(position) == {"f14xh16xj14"}
    assert pieces(play(position, "f14xh16xj14"))["j14"] == "b"


def test_a_chain_that_ends_on_a_back_row_promotes():
    position = setup(also=f"b:f14 y:g15 y:m15 {FAR}", reserves={"Y": "R"})
    assert legal(position) == {"f14xh16=R"}
    after = play(position, "f14xh16=R")
    assert pieces(after)["h16"] == "B=R"
    assert (reserve(after, "B"), reserve(after, "Y")) == ("Y", "")


def test_the_player_chooses_the_colour_among_those_in_the_reserve_of_the_camp_reached():
    position = setup(
        also=f"b:f14 {FAR} y:m15", reserves={"Y": "BBRK0", "B": "Y", "R": "Y", "K": "Y"}
    )
    assert crowned(position) == {f"f14-f16={crown}" for crown in "BRK0"}
    after = play(position, "f14-f16=B")
    assert pieces(after)["f16"] == "B=B"
    assert reserve(after, "Y") == "BRK0"
    assert reserve(after, "B") == "Y"


def test_from_an_empty_reserve_the_crown_comes_from_the_box():
    position = setup(also=f"b:f14 y:m15 {FAR}", reserves={"B": "Y", "K": "B"})
    assert crowned(position) == {"f14-f16=0"}
    after = play(position, "f14-f16=0")
    assert pieces(after)["f16"] == "B=0"
    assert (reserve(after, "B"), reserve(after, "K")) == ("Y", "B")


def test_a_pawn_of_the_box_that_lies_in_the_reserve_is_used_up():
    position = setup(also=f"b:f14 y:m15 {FAR}", reserves={"Y": "00"})
    assert reserve(play(position, "f14-f16=0"), "Y") == "0"


def test_the_camp_of_a_player_without_pieces_still_crowns_from_its_reserve():
    position = setup(also=f"b:f14 {FAR}", reserves={"Y": "R"})
    assert crowned(position) == {"f14-f16=R"}


def test_a_camp_that_nobody_plays_crowns_from_the_box():
    position = setup(also="b:n8 k:p12 r:a5", variant="three")
    assert crowned(position) == {"n8-p8=0"}


def test_the_camp_of_a_player_who_left_crowns_from_the_box():
    position = setup(also="b:f14 y:m15 r:a5 k:p12", reserves={"Y": "R"}, left=(2,))
    assert crowned(position) == {"f14-f16=0"}
    assert reserve(play(position, "f14-f16"), "Y") == "R"


def test_the_suffix_may_be_left_out_when_there_is_only_one_choice():
    position = setup(also=f"b:f14 y:m15 {FAR}", reserves={"Y": "RR"})
    assert RULES.format(position, RULES.parse(position, "f14-f16")) == "f14-f16=R"


def test_the_suffix_may_not_be_left_out_when_there_is_a_choice():
    position = setup(also=f"b:f14 y:m15 {FAR}", reserves={"Y": "BR"})
    assert refusal(RULES, position, "f14 f16") == (
        "ambiguous",
        "“f14 f16” can mean more than one thing: f14-f16=B, f14-f16=R.",
    )


def test_a_crown_that_is_not_there_is_refused():
    position = setup(also=f"b:f14 y:m15 {FAR}", reserves={"Y": "BR"})
    sentence = "This pawn is not available for the crown: choose =B, =R."
    assert refusal(RULES, position, "f14-f16=K") == ("illegal", sentence)
    assert refusal(RULES, position, "f14-f12=B")[0] == "illegal"
    assert refusal(RULES, position, "f14-h14=B") == (
        "illegal",
        "Nothing is crowned by this action.",
    )


def test_the_choices_of_a_crown_are_several_actions_on_the_same_squares():
    position = setup(also=f"b:f14 y:m15 {FAR}", reserves={"Y": "BR"})
    ways = [
        RULES.squares(position, a) for a in RULES.legal_actions(position) if a.crown is not None
    ]
    assert ways == [("f14", "f16"), ("f14", "f16")]


def test_a_superpion_keeps_its_crown_when_it_moves_and_captures():
    position = setup(also=f"B:h8 {FAR} b:g3", crowns={"h8": "Y"})
    assert pieces(play(position, "h8-h2"))["h2"] == "B=Y"
    capturing = setup(also="B:d4 r:g7 k:p12", crowns={"d4": "K"})
    assert pieces(play(capturing, "d4xj10"))["j10"] == "B=K"


def test_a_superpion_that_comes_back_to_its_square_is_still_there():
    ring = setup(also="B:g5 k:f6 k:f8 k:h6 k:h8 b:m1 r:a5", crowns={"g5": "R"})
    assert "g5xe7xg9xi7xg5" in legal(ring)
    assert pieces(play(ring, "g5xe7xg9xi7xg5"))["g5"] == "B=R"
