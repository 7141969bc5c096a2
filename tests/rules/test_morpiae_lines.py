"""Drawing lines and colouring circles in Morpiae, sentence by sentence."""

import pytest

from games.rules.morpiae.rules import Morpiae
from tests.rules import morpiae_records as records
from tests.rules.games import after, legal, refusal
from tests.rules.morpiae_by_hand import CROSS, name

RULES = Morpiae()
START = RULES.initial({})


def pieces(record):
    """Return what is on each square: o, @ of seat 0 or % of seat 1."""
    board = RULES.board(after(RULES, record), None, ())
    return {piece.square: piece.symbol for piece in board.pieces}


def coloured(record):
    return {square: symbol for square, symbol in pieces(record).items() if symbol != "o"}


def lines(record):
    return {(line.start, line.end) for line in RULES.board(after(RULES, record), None, ()).lines}


def shortened(record, count=1):
    return " ".join(record.split()[:-count])


# The start ---------------------------------------------------------------------------------------


def test_the_start_is_the_greek_cross_of_36_circles():
    assert len(CROSS) == 36
    assert pieces("") == {name(circle): "o" for circle in CROSS}


def test_the_cross_fills_columns_i_to_r_and_rows_9_to_18_with_four_circles_at_each_arms_end():
    squares = set(pieces(""))
    assert {square[0] for square in squares} == set("ijklmnopqr")
    assert {int(square[1:]) for square in squares} == set(range(9, 19))
    assert {s for s in squares if s[1:] == "18"} == {"l18", "m18", "n18", "o18"}
    assert {s for s in squares if s[1:] == "9"} == {"l9", "m9", "n9", "o9"}
    assert {s for s in squares if s[0] == "i"} == {"i12", "i13", "i14", "i15"}
    assert {s for s in squares if s[0] == "r"} == {"r12", "r13", "r14", "r15"}


def test_seat_0_begins_and_the_seats_act_in_turn():
    assert RULES.seats({}) == 2
    assert [RULES.to_move(after(RULES, r)) for r in ("", "i12-m12", "i12-m12 pass")] == [0, 1, 0]


# A line ------------------------------------------------------------------------------------------


def test_an_action_draws_one_new_circle_and_the_line_through_five():
    assert set(pieces("i12-m12")) - set(pieces("")) == {"m12"}
    assert lines("i12-m12") == {("i12", "m12")}


@pytest.mark.parametrize("text", ["n12-r12", "o14-o18", "n18-r14", "i14-m18"])
def test_a_line_runs_along_a_row_a_column_or_either_diagonal(text):
    assert text in legal(RULES, START)


@pytest.mark.parametrize(
    ("line", "new"), [("h12-l12", "h12"), ("i12-m12", "m12"), ("i14-m18", "k16")]
)
def test_the_new_circle_is_at_either_end_or_between(line, new):
    assert set(pieces(line)) - set(pieces("")) == {new}


def test_a_line_without_a_new_circle_is_refused():
    assert refusal(RULES, after(RULES, "i12-m12"), "i12-m12") == (
        "illegal",
        "All five circles from i12 to m12 are there already: one must be new.",
    )


def test_a_line_with_two_new_circles_is_refused():
    assert refusal(RULES, START, "k12-o12") == (
        "illegal",
        "From k12 to o12 2 circles are missing: only one may be new.",
    )


def test_a_line_is_exactly_five_circles_long():
    position = after(RULES, "i12-m12")
    for text in ("i12-l12", "h12-m12", "n12-s12"):
        start, end = text.split("-")
        assert refusal(RULES, position, text) == (
            "illegal",
            f"From {start} to {end} there are not five points in a row.",
        )


def test_nothing_is_drawn_off_the_sheet():
    assert refusal(RULES, START, "z1-z27") == (
        "illegal",
        "z27 is off the sheet, whose columns are a to z and whose rows are 1 to 26.",
    )


def test_both_players_draw_lines_by_the_same_rule():
    assert legal(RULES, after(RULES, "pass")) == legal(RULES, START)


# No circle twice in the same direction -----------------------------------------------------------


def test_a_circle_crossed_in_a_direction_is_not_used_again_in_that_direction():
    assert refusal(RULES, after(RULES, "i11-i15"), "i12-i16") == (
        "illegal",
        "The circle on i12 is already crossed in that direction.",
    )


def test_the_circles_at_a_lines_ends_count_as_crossed():
    position = after(RULES, "i12-m12")
    assert "m12-q12" not in legal(RULES, position)
    assert refusal(RULES, position, "m12-q12") == (
        "illegal",
        "The circle on m12 is already crossed in that direction.",
    )


def test_a_line_may_begin_right_beside_the_end_of_another():
    assert "n12-r12" in legal(RULES, after(RULES, "i12-m12"))


def test_a_crossed_circle_may_be_used_in_another_direction():
    assert lines("i12-m12 i12-i16") == {("i12", "m12"), ("i12", "i16")}


def test_lines_of_the_same_direction_on_other_straights_do_not_matter():
    before, now = legal(RULES, START), legal(RULES, after(RULES, "i12-m12"))
    assert before - now == {"i12-m12", "h12-l12"}


def test_a_circle_on_two_possible_lines_is_drawn_with_one_and_bars_the_other():
    position = after(RULES, records.TWO_WAYS)
    through_m13 = {
        RULES.format(position, action)
        for action in RULES.legal_actions(position)
        if RULES.squares(position, action)[:1] == ("m13",)
    }
    assert through_m13 == {"k11-o15", "l12-p16"}
    for chosen, other in (("k11-o15", "l12-p16"), ("l12-p16", "k11-o15")):
        assert other not in legal(RULES, after(RULES, f"{records.TWO_WAYS} {chosen}"))


# Colouring ---------------------------------------------------------------------------------------


def test_a_circle_crossed_in_all_four_directions_is_coloured():
    assert coloured(records.FIRST_COLOUR) == {"o15": "%"}


def test_a_circle_crossed_in_three_directions_is_not():
    assert coloured(shortened(records.FIRST_COLOUR)) == {}


def test_it_takes_the_colour_of_the_player_who_drew_the_last_line_through_it():
    before = shortened(records.FIRST_COLOUR)
    assert coloured(f"{before} n16-r12") == {"o15": "%"}
    assert coloured(f"{before} pass n16-r12") == {"o15": "@"}


def test_one_action_can_colour_two_circles():
    before = coloured(shortened(records.TWO_AT_ONCE))
    assert coloured(records.TWO_AT_ONCE) == before | {"j12": "@", "j14": "@"}


def test_one_action_can_colour_four_circles():
    before = coloured(shortened(records.FOUR_AT_ONCE))
    four = dict.fromkeys(["k13", "l13", "m13", "n13"], "@")
    assert not before.keys() & four.keys()
    assert coloured(records.FOUR_AT_ONCE) == before | four


def test_a_colour_stays_for_good():
    seen = {}
    for count in range(len(records.WHOLE_GAME.split()), 0, -4):
        now = coloured(" ".join(records.WHOLE_GAME.split()[:count]))
        assert not seen or now.items() <= seen.items()
        seen = now
