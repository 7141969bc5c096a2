"""Taquet, sentence by sentence of its reading."""

import pytest

from games.rules.base import BadPosition
from games.rules.taquet.rules import Taquet
from tests.rules.games import after, legal, refusal

RULES = Taquet()

THIRD_TIME = "c1 a1 c2 c3 a2 a3 Tc2 c3-b3 a2-b1 b3-c3 b1-a2 a3-b3 c1-b1 b3-a3 b1-c1"
BOTH_LINES = "b1 b3 a1 Tb1 c2 c3 b2-c1 a2 Tc1 b3-b2 Tc3"


def men_after(record):
    """Return the men and the taquet by square: O seat 0, A seat 1, T the taquet."""
    board = RULES.board(after(RULES, record), None, ())
    return {piece.square: piece.symbol for piece in board.pieces}


def in_hand(record):
    trays = RULES.board(after(RULES, record), None, ()).trays
    return tuple(tray.heaps[0].count for tray in trays)


def test_the_taquet_starts_in_the_centre_and_all_men_in_hand():
    assert men_after("") == {"b2": "T"}
    assert in_hand("") == (3, 3)


def test_discs_begin_and_the_two_players_act_in_turn():
    assert (RULES.seats({}), RULES.to_move(RULES.initial({}))) == (2, 0)
    assert [RULES.to_move(after(RULES, r)) for r in ("a1", "a1 c3", "a1 c3 a1-a2")] == [1, 0, 1]


def test_what_is_held_is_told_apart_by_words():
    trays = RULES.board(RULES.initial({}), None, ()).trays
    assert [(t.seat, t.label) for t in trays] == [(0, "Discs in hand"), (1, "Triangles in hand")]


def test_the_first_action_is_a_man_anywhere_or_a_slide():
    assert legal(RULES, RULES.initial({})) == {
        "a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3", "Ta2", "Tb1", "Tb3", "Tc2",
    }  # fmt: skip


def test_a_man_is_placed_from_the_hand():
    assert men_after("a1 c3") == {"b2": "T", "a1": "O", "c3": "A"}
    assert in_hand("a1 c3") == (2, 2)


def test_a_man_steps_straight_or_diagonally_to_an_empty_square_beside_it():
    steps = {text for text in legal(RULES, after(RULES, "b3 c3")) if "-" in text}
    assert steps == {"b3-a3", "b3-a2", "b3-c2"}


def test_a_man_may_step_before_all_are_placed():
    assert men_after("b3 c3 b3-a2") == {"b2": "T", "a2": "O", "c3": "A"}


def test_a_single_slide_changes_places_with_what_is_there():
    assert men_after("b3 Tb3") == {"b3": "T", "b2": "O"}
    assert men_after("Tb3") == {"b3": "T"}


def test_a_single_slide_moves_a_man_of_either_side():
    assert men_after("b3 b1 Tb1") == {"b3": "O", "b1": "T", "b2": "A"}


def test_a_man_never_steps_over_another_one_or_the_taquet():
    over = "A man moves to a square right beside it, over nothing."
    for record, text in [("a1 c3 a2 c2", "a1-a3"), ("a1 b1", "a1-c1"), ("a1 c1", "a1-c3")]:
        assert refusal(RULES, after(RULES, record), text) == ("illegal", over)


def test_a_man_stays_on_the_board_whatever_is_played():
    """No action takes a man of either side away, or back into the hand."""
    front = [after(RULES, "a1 c3 b3 c2")]
    seen = 0
    for _ in range(3):
        front = [RULES.play(p, action) for p in front for action in RULES.legal_actions(p)]
        for position in front:
            board = RULES.board(position, None, ())
            for seat in (0, 1):
                men = sum(piece.side == seat for piece in board.pieces)
                assert men >= 2
                assert men + board.trays[seat].heaps[0].count == 3
                seen += 1
    assert seen > 2_000


def test_a_double_slide_moves_the_two_others_towards_where_the_taquet_was():
    assert men_after("c1 Tb1 b2 c3 Tb3") == {"c1": "O", "b3": "T", "b1": "O", "c3": "A"}
    # From the edge a2 along its row: b2 and c2 each move one square towards a2.
    assert men_after("c2 Ta2 b2 b3 Tc2") == {"c2": "T", "a2": "O", "b2": "O", "b3": "A"}


def test_a_double_slide_is_only_possible_from_an_edge():
    slides = {text for text in legal(RULES, RULES.initial({})) if text[0] == "T"}
    assert slides == {"Ta2", "Tb1", "Tb3", "Tc2"}
    corner = {text for text in legal(RULES, after(RULES, "Ta2 a1 Ta1 c3")) if text[0] == "T"}
    assert corner == {"Ta2", "Ta3", "Tb1", "Tc1"}


def test_the_taquet_never_slides_diagonally():
    assert refusal(RULES, RULES.initial({}), "Tc3") == (
        "illegal",
        "The taquet slides along its row or its column, never diagonally.",
    )


@pytest.mark.parametrize(("record", "back"), [("Tb3", "Tb2"), ("Tb3 a1 Tb1", "Tb3")])
def test_a_slide_that_takes_back_the_last_one_is_not_allowed(record, back):
    position = after(RULES, record)
    assert back not in legal(RULES, position)
    assert refusal(RULES, position, back) == (
        "illegal",
        "This slide would only take back the last one.",
    )


def test_one_of_the_two_squares_of_a_double_slide_may_be_returned():
    assert "Tb2" in legal(RULES, after(RULES, "Tb3 a1 Tb1"))


def test_the_same_slide_is_allowed_once_something_else_was_played():
    assert "Tb2" in legal(RULES, after(RULES, "Tb3 a1"))


@pytest.mark.parametrize(
    "record", ["a1 c1 a2 c2 a3", "a3 a1 b3 b1 c3", "Tb3 a2 b2 c2 a1 a3 c3", "Tb3 a2 b2 c2 a3 a1 c1"]
)
def test_three_men_in_a_line_win_in_every_direction(record):
    outcome = RULES.outcome(after(RULES, record))
    assert (outcome.winners, outcome.places, outcome.reason) == ((0,), (1, 2), "line")


def test_two_men_in_a_line_are_not_enough():
    assert RULES.outcome(after(RULES, "a1 c1 a2 c3")) is None


def test_nothing_is_played_after_the_end():
    position = after(RULES, "a1 c1 a2 c2 a3")
    assert legal(RULES, position) == set()
    assert refusal(RULES, position, "b1") == ("illegal", "The game is over.")


def test_the_second_player_wins_with_a_line_too():
    assert RULES.outcome(after(RULES, "b1 a1 c1 a2 c3 a3")).winners == (1,)


def test_a_slide_can_complete_the_line_of_its_player():
    outcome = RULES.outcome(after(RULES, "a1 c3 b3 c3-c2 c3 c2-b1 Tb3"))
    assert (outcome.winners, outcome.reason) == ((0,), "line")


def test_a_slide_can_complete_the_opponents_line():
    outcome = RULES.outcome(after(RULES, "a3 Tb1 b3 b2 c1 Tb3"))
    assert (outcome.winners, outcome.reason) == ((0,), "line")


def test_both_lines_at_once_are_a_draw():
    outcome = RULES.outcome(after(RULES, BOTH_LINES))
    assert (outcome.is_draw, outcome.reason) == (True, "both-lines")


def test_a_position_that_occurs_for_the_third_time_is_a_draw():
    *before, last = THIRD_TIME.split()
    position = after(RULES, " ".join(before))
    assert RULES.outcome(position) is None
    outcome = RULES.outcome(after(RULES, THIRD_TIME))
    assert (outcome.is_draw, outcome.reason) == (True, "repetition")
    assert last in legal(RULES, position)


def test_the_seat_to_act_is_part_of_a_repeated_position():
    start = "a1 c3"
    first_round = "a1-a2 c3-c2 a2-b1 c2-c3 b1-a1"
    second_round = "c3-c2 a1-a2 c2-b3 a2-a1 b3-c3"
    position = after(RULES, f"{start} {first_round} {second_round}")
    boards = {repr(men_after(r)) for r in (start, f"{start} {first_round}")}
    assert boards == {repr(men_after(f"{start} {first_round} {second_round}"))}
    assert RULES.outcome(position) is None, "twice with seat 0 to act, once with seat 1"


def test_the_seat_to_act_counts_even_before_a_man_is_placed():
    there_and_around = "Tb3 Tb1 Tb2"
    assert men_after(there_and_around) == men_after("") == {"b2": "T"}
    position = after(RULES, f"{there_and_around} {there_and_around}")
    assert RULES.outcome(position) is None, "three times, but twice with seat 0 to act"


def test_a_loaded_position_remembers_the_positions_before():
    *before, last = THIRD_TIME.split()
    loaded = RULES.load(" ".join(before))
    assert RULES.outcome(RULES.play(loaded, RULES.parse(loaded, last))).reason == "repetition"


def test_a_loaded_position_remembers_the_slide_that_is_barred():
    assert "Tb2" not in legal(RULES, RULES.load("Tb3"))


def test_an_agreed_end_is_a_draw():
    outcome = RULES.agreed_end(after(RULES, "a1 c3"))
    assert (outcome.is_draw, outcome.points, outcome.reason) == (True, None, "agreed")


@pytest.mark.parametrize(
    ("record", "text", "sentence"),
    [
        ("a1", "a1", "There is already a man on a1."),
        ("", "b2", "The taquet is on b2."),
        ("", "Tb2", "The taquet is already on b2."),
        ("", "a1-a2", "You have no man on a1."),
        ("a1", "a1-a2", "You have no man on a1."),
        ("a1 a2", "a1-a3", "A man moves to a square right beside it, over nothing."),
        ("a1 a2", "a1-a2", "There is already a man on a2."),
        ("a1 a2", "a1-b2", "The taquet is on b2."),
        ("a1 c3 a2 c2 b3 a3", "b1",
         "All your men are on the board: move one, or slide the taquet."),
    ],
)  # fmt: skip
def test_a_refusal_says_why(record, text, sentence):
    assert refusal(RULES, after(RULES, record), text) == ("illegal", sentence)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("A1-A2", "a1-a2"), ("a1a2", "a1-a2"), ("a1 a2", "a1-a2"), (" a1 > a2 ", "a1-a2"),
        ("a1/a2", "a1-a2"), ("B3", "b3"), ("b 3", "b3"), ("tb3", "Tb3"), ("T b3", "Tb3"),
        ("T-b3", "Tb3"), ("taquet B3", "Tb3"), ("b2-b3", "Tb3"),
    ],
)  # fmt: skip
def test_the_common_ways_to_write_are_read(text, canonical):
    position = after(RULES, "a1 c1")
    assert RULES.format(position, RULES.parse(position, text)) == canonical


@pytest.mark.parametrize(
    "text", ["", "d1", "a4", "a1-a2-a3", "T", "Ta1-a2", "57", "a1--a2", "Tt b3"]
)
def test_what_is_no_notation_is_unreadable(text):
    assert refusal(RULES, RULES.initial({}), text)[0] == "unreadable"


@pytest.mark.parametrize(
    "text", ["a1  c1", "a1 c1 ", "A1", "a1,c1", "a1 a1", "Tb3 Tb2", "{}", "\0"]
)
def test_a_text_that_is_no_dumped_position_is_refused(text):
    with pytest.raises(BadPosition):
        RULES.load(text)


def test_the_squares_to_click_tell_every_action_apart():
    position = after(RULES, "a1 c1 Tb3 c3")
    actions = RULES.legal_actions(position)
    clicks = {RULES.squares(position, action) for action in actions}
    assert len(clicks) == len(actions)
    assert ("b3", "b1") in clicks, "the taquet first, then where it ends"


def test_the_drawing_marks_every_square_that_changed():
    def last(record):
        *before, text = record.split()
        position = after(RULES, " ".join(before))
        action = RULES.parse(position, text)
        return RULES.board(RULES.play(position, action), None, (action,)).last

    assert last("a1") == ("a1",)
    assert last("a1 c1 a1-a2") == ("a1", "a2")
    assert last("Tb3") == ("b2", "b3")
    assert last("Tb3 a1 Tb1") == ("b3", "b2", "b1")


def test_men_of_the_two_seats_differ_in_shape():
    board = RULES.board(after(RULES, "a1 c1"), None, ())
    assert {piece.shape for piece in board.pieces} == {"disc", "triangle", "square"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("c3", "places a man on c3"),
        ("a1-a2", "moves a man from a1 to a2"),
        ("Tb3", "slides the taquet from b2 to b3"),
    ],
)
def test_an_action_is_told_in_words(text, words):
    position = after(RULES, "a1 c1")
    assert str(RULES.describe(position, RULES.parse(position, text))) == words
