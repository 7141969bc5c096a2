"""Morpion, sentence by sentence of its reading."""

import pytest

from games.rules.base import BadPosition
from games.rules.morpion.rules import Morpion
from tests.rules.games import after, legal, refusal

RULES = Morpion()


def whole_games(position):
    if RULES.outcome(position) is not None:
        return 1
    return sum(whole_games(RULES.play(position, a)) for a in RULES.legal_actions(position))


def test_there_are_as_many_whole_games_as_published():
    assert whole_games(RULES.initial({})) == 255_168


@pytest.mark.parametrize(
    "record", ["1 4 2 5 3", "4 1 5 2 6", "1 2 4 3 7", "1 2 5 3 9", "3 1 5 2 7"]
)
def test_three_in_a_line_wins_in_every_direction(record):
    outcome = RULES.outcome(after(RULES, record))
    assert (outcome.winners, outcome.places, outcome.reason) == ((0,), (1, 2), "line")


def test_crosses_begin_and_the_two_players_act_in_turn():
    assert (RULES.seats({}), RULES.to_move(RULES.initial({}))) == (2, 0)
    assert [RULES.to_move(after(RULES, record)) for record in ("5", "5 1", "5 1 9")] == [1, 0, 1]


def test_any_empty_cell_may_be_taken():
    assert legal(RULES, RULES.initial({})) == set("123456789")


def test_the_second_player_wins_with_a_line_of_noughts():
    assert RULES.outcome(after(RULES, "1 4 2 5 9 6")).winners == (1,)


def test_a_full_board_with_no_line_is_a_draw():
    outcome = RULES.outcome(after(RULES, "7 1 6 5 4 3 9 8 2"))
    assert outcome.is_draw
    assert (outcome.points, outcome.reason) == (None, "full")


def test_a_line_with_the_last_cell_wins():
    outcome = RULES.outcome(after(RULES, "5 3 7 9 1 8 6 2 4"))
    assert (outcome.winners, outcome.reason) == ((0,), "line")


def test_an_agreed_end_is_a_draw():
    outcome = RULES.agreed_end(after(RULES, "5"))
    assert (outcome.is_draw, outcome.points, outcome.reason) == (True, None, "agreed")


def test_a_taken_cell_is_refused_with_the_legal_ones():
    position = after(RULES, "5")
    assert refusal(RULES, position, "5") == ("illegal", "Cell 5 is taken.")
    assert legal(RULES, position) == set("12346789")


@pytest.mark.parametrize("text", ["", "0", "10", "b2", "٣", "5 5", "x" * 4096])
def test_what_is_no_digit_from_1_to_9_is_unreadable(text):
    assert refusal(RULES, RULES.initial({}), text)[0] == "unreadable"


def test_spaces_around_the_digit_do_not_matter():
    assert RULES.parse(RULES.initial({}), " 5\n") == RULES.parse(RULES.initial({}), "5")


def test_nothing_is_played_after_the_end():
    assert refusal(RULES, after(RULES, "1 4 2 5 3"), "9") == ("illegal", "The game is over.")


@pytest.mark.parametrize(
    "text",
    [
        "X........ ", "x........", "X.......", "X.........",
        "O........", "XX.......", "XXOO.....X", "XXXOOO...", "OOOXX.XX.", "XXX...OO.X", "XXXO.....",
        "XXXXOOOO.", "[1]",
    ],
)  # fmt: skip
def test_a_board_that_no_game_comes_to_is_refused(text):
    with pytest.raises(BadPosition):
        RULES.load(text)


def test_every_position_that_arises_is_loaded_and_no_other():
    """5,478 is the known number of positions of this game."""
    seen = {RULES.initial({})}
    front = list(seen)
    while front:
        found = {RULES.play(p, a) for p in front for a in RULES.legal_actions(p)}
        front = list(found - seen)
        seen |= found
    assert len(seen) == 5_478
    assert all(RULES.load(RULES.dump(position)) == position for position in seen)
    dumps = {RULES.dump(position) for position in seen}
    loadable = 0
    for number in range(3**9):
        text = "".join(".XO"[number // 3**cell % 3] for cell in range(9))
        try:
            RULES.load(text)
        except BadPosition:
            continue
        loadable += 1
        assert text in dumps
    assert loadable == 5_478


def test_the_drawing_shows_marks_numbers_and_the_winning_line():
    position = after(RULES, "1 4 2 5 3")
    board = RULES.board(position, None, (2,))
    assert [(p.square, p.symbol) for p in board.pieces] == [
        ("1", "X"), ("2", "X"), ("3", "X"), ("4", "O"), ("5", "O"),
    ]  # fmt: skip
    assert [cell.label for cell in board.cells] == list("123456789")
    assert [(line.start, line.end, line.side, line.win) for line in board.lines] == [
        ("1", "3", 0, True)
    ]
    assert board.last == ("3",)


def test_an_action_is_told_in_words():
    start = RULES.initial({})
    assert str(RULES.describe(start, RULES.parse(start, "5"))) == "plays in the centre"
