"""Super Morpion, sentence by sentence of its reading."""

import pytest

from games.rules.base import BadPosition
from games.rules.supermorpion.rules import SuperMorpion
from tests.rules.games import after, legal, refusal

RULES = SuperMorpion()

WON_FIVE = "59 95 51 15 55"
"""Seat 0 wins board 5 by its centre, which would send seat 1 to that same board."""

FILLED_NINE = (
    "26 63 33 34 44 42 29 96 64 45 54 43 36 68 86 61 15 51 19 91 11 23 39 95 58 89 92 28 88 85 56 "
    "66 69 98 82 25 59 93 94 49 97 79 99"
)
"""Board 9 is filled by its own last cell, 99, and nobody has a line in it."""

COUNTED = (
    "39 95 56 67 75 51 16 68 85 53 36 65 54 45 57 73 31 17 78 83 38 87 72 24 47 97 84 43 32 25 52 "
    "26 62 49 94 41 14 98 82 86 64 55 59 93 35 58 81 13 88 12 66 69 19 11"
)
"""Closed without a line of boards, 3 to 5; no line was possible any more after 46 actions."""

DRAWN = (
    "69 99 95 59 98 87 75 56 65 55 57 73 33 32 22 27 77 76 64 43 35 54 48 83 37 79 91 16 66 94 47 "
    "13 23 45 41 15 18 85 93 26 44 17 25 96 29 92 21 97"
)
LINE_WITH_FEWER_BOARDS = (
    "11 12 29 91 17 73 36 67 74 44 49 95 51 18 86 61 14 42 26 65 52 27 76 63 33 32 23 35 57 71 75 "
    "56 54 48 85 99 87 38"
)


def board_cells(number):
    return {f"{number}{cell}" for cell in range(1, 10)}


def test_crosses_begin_and_the_two_players_act_in_turn():
    assert (RULES.seats({}), RULES.to_move(RULES.initial({}))) == (2, 0)
    seats = [RULES.to_move(after(RULES, record)) for record in ("15", "15 57", "15 57 75")]
    assert seats == [1, 0, 1]
    marks = {
        piece.square: piece.symbol for piece in RULES.board(after(RULES, "15 57"), 0, ()).pieces
    }
    assert marks == {"15": "X", "57": "O"}


def test_the_first_action_may_be_any_cell():
    assert legal(RULES, RULES.initial({})) == set().union(*map(board_cells, range(1, 10)))


def test_the_example_of_the_rulebook():
    """A plays the centre of board 1, B bottom left in board 5, A must play in board 7."""
    position = after(RULES, "15")
    assert legal(RULES, position) == board_cells(5)
    assert legal(RULES, after(RULES, "15 57")) == board_cells(7)


def test_another_board_than_the_one_sent_to_is_refused():
    assert refusal(RULES, after(RULES, "15"), "61") == (
        "illegal",
        "Play in board 5: the last move sends you there.",
    )


def test_a_taken_cell_is_refused():
    assert refusal(RULES, after(RULES, "15 51"), "15") == ("illegal", "Cell 5 of board 1 is taken.")


@pytest.mark.parametrize(
    ("record", "winner"),
    [
        ("61 16 63 36 62", 0), ("16 61 15 51 14", 0), ("76 69 96 68", None),
        ("67 76 69 96 68", 0), ("54 45 57 75 51", 0), ("48 84 42 24 45", 0),
        ("59 95 53 35 56", 0), ("15 51 19 91 11", 0), ("45 54 43 34 47", 0),
        ("11 12 21 15 51 18", 1),
    ],
)  # fmt: skip
def test_a_board_is_won_by_a_row_a_column_or_a_diagonal_of_one_players_marks(record, winner):
    board = RULES.board(after(RULES, record), None, ())
    played_last = next(area for area in board.areas if area.label == record.split()[-1][0])
    assert (played_last.side, played_last.closed) == (winner, winner is not None)


def test_a_board_is_open_until_its_last_cell_is_taken():
    before = after(RULES, FILLED_NINE.removesuffix(" 99"))
    assert not RULES.board(before, None, ()).areas[8].closed
    assert "99" in legal(RULES, before)


def test_the_marks_of_a_full_board_stay():
    pieces = RULES.board(after(RULES, FILLED_NINE), None, ()).pieces
    assert board_cells(9) <= {piece.square for piece in pieces}


def test_sent_to_a_won_board_one_plays_anywhere_open():
    position = after(RULES, WON_FIVE)
    taken = set(WON_FIVE.split())
    assert legal(RULES, position) == {
        text for board in (1, 2, 3, 4, 6, 7, 8, 9) for text in board_cells(board) - taken
    }


def test_a_won_board_is_closed_even_with_empty_cells():
    assert refusal(RULES, after(RULES, WON_FIVE), "52") == ("illegal", "Board 5 is already closed.")


def test_sent_to_a_full_board_one_plays_anywhere_open():
    position = after(RULES, FILLED_NINE)
    texts = legal(RULES, position)
    assert texts
    assert not texts & board_cells(9)
    assert len({text[0] for text in texts}) > 1


def test_a_full_board_with_no_line_belongs_to_nobody():
    position = after(RULES, FILLED_NINE)
    area = RULES.board(position, None, ()).areas[8]
    assert (area.closed, area.shape, area.side) == (True, None, None)


def test_three_boards_in_a_line_win():
    outcome = RULES.outcome(
        after(RULES, "51 19 91 13 35 57 71 17 77 75 52 27 74 43 32 29 98 83 38 84 44 45 53")
    )
    assert outcome.reason == "line"
    assert outcome.winners == (0,)


@pytest.mark.parametrize(
    ("boards", "record"),
    [
        ("123", "51 19 91 18 83 37 73 31 12 27 71 17 72 24 43 34 47 21"),
        ("456", "75 56 67 77 74 47 76 63 34 48 84 49 95 53 35 59 96 62 27 61"),
        ("789", "75 57 71 19 92 27 79 98 81 17 14 48 87 18 84 49 93 31 91"),
        ("147", "51 17 74 45 57 79 94 46 61 13 37 75 54 44 87 71 11 15"),
        ("258", "95 53 32 24 48 81 18 82 22 26 68 83 38 25 55 58 35 51 15 52"),
        ("369", "97 75 55 53 37 79 98 83 35 59 99 56 67 71 13 36 69 29 68 89 33"),
        ("159", "58 89 96 61 16 68 87 79 98 81 13 39 93 35 52 25 55 85 19 91 99"),
        ("357", "65 59 93 36 64 48 83 33 37 72 28 86 66 39 97 73 95 51 15 55 45 71"),
    ],
)
def test_a_row_a_column_or_a_diagonal_of_boards_wins_at_once(boards, record):
    *before, _ = record.split()
    assert RULES.outcome(after(RULES, " ".join(before))) is None
    position = after(RULES, record)
    outcome, winner = RULES.outcome(position), (len(before)) % 2
    assert (outcome.winners, outcome.reason) == ((winner,), "line")
    won = {area.label for area in RULES.board(position, None, ()).areas if area.side == winner}
    assert set(boards) <= won


def test_nothing_is_played_after_the_end():
    position = after(RULES, LINE_WITH_FEWER_BOARDS)
    assert legal(RULES, position) == set()
    assert refusal(RULES, position, "22") == ("illegal", "The game is over.")


def test_a_line_of_boards_wins_even_with_fewer_boards():
    outcome = RULES.outcome(after(RULES, LINE_WITH_FEWER_BOARDS))
    assert (outcome.winners, outcome.reason) == ((1,), "line")
    assert outcome.points[1] < outcome.points[0]


def test_when_every_board_is_closed_the_player_with_more_boards_wins():
    outcome = RULES.outcome(after(RULES, COUNTED))
    assert (outcome.winners, outcome.points, outcome.reason) == ((1,), (3, 5), "boards")


def test_as_many_boards_each_is_a_draw():
    outcome = RULES.outcome(after(RULES, DRAWN))
    assert (outcome.is_draw, outcome.points, outcome.reason) == (True, (4, 4), "boards")


def test_the_game_does_not_stop_early_when_no_line_is_possible():
    hopeless = after(RULES, " ".join(COUNTED.split()[:46]))
    winners = {area.label: area.side for area in RULES.board(hopeless, None, ()).areas}
    closed = {area.label for area in RULES.board(hopeless, None, ()).areas if area.closed}
    for line in ("123", "456", "789", "147", "258", "369", "159", "357"):
        for seat in (0, 1):
            assert any(board in closed and winners[board] != seat for board in line)
    assert RULES.outcome(hopeless) is None
    assert RULES.to_move(hopeless) == 0


def test_an_agreed_end_counts_the_boards_as_they_are():
    outcome = RULES.agreed_end(after(RULES, WON_FIVE))
    assert (outcome.winners, outcome.points, outcome.reason) == ((0,), (1, 0), "agreed")
    assert RULES.agreed_end(RULES.initial({})).is_draw


@pytest.mark.parametrize("text", ["57", "5-7", "5.7", "5/7", "5 7", " 5 - 7\n", "5–7"])
def test_the_common_ways_to_write_are_read(text):
    start = RULES.initial({})
    assert RULES.format(start, RULES.parse(start, text)) == "57"


@pytest.mark.parametrize(
    "text", ["", "5", "507", "50", "05", "5--7", "a5", "５７", "57 "[::-1] + "8"]
)
def test_what_is_no_board_and_cell_is_unreadable(text):
    kind, sentence = refusal(RULES, RULES.initial({}), text)
    assert kind == "unreadable"
    assert "such as 57" in sentence


def test_the_legal_actions_are_listed_with_a_refusal_when_few():
    position = after(RULES, "15")
    with pytest.raises(Exception, match="sends you there") as caught:
        RULES.parse(position, "61")
    assert caught.value.legal == tuple(sorted(board_cells(5)))
    with pytest.raises(Exception, match="cannot be read") as caught:
        RULES.parse(RULES.initial({}), "?")
    assert caught.value.legal == ()


@pytest.mark.parametrize(
    "text",
    ["15 61", "15  57", "15 57 ", " 15", "1557", "15,57", "15 15", "15-57", "00", "15\n57", "null"],
)
def test_a_text_that_is_no_dumped_position_is_refused(text):
    with pytest.raises(BadPosition):
        RULES.load(text)


def test_nothing_can_be_loaded_beyond_the_end():
    with pytest.raises(BadPosition):
        RULES.load(COUNTED + " 11")


def test_the_drawing_shows_where_to_play_and_what_is_won():
    board = RULES.board(after(RULES, WON_FIVE + " 37"), None, ((2, 6),))
    assert [area.label for area in board.areas if area.target] == ["7"]
    won = board.areas[4]
    assert (won.label, won.closed, won.shape, won.side) == ("5", True, "cross", 0)
    assert board.last == ("37",)


def test_every_open_board_is_a_target_when_play_is_free():
    board = RULES.board(after(RULES, WON_FIVE), None, ())
    assert [area.label for area in board.areas if area.target] == list("12346789")


def test_the_drawing_numbers_boards_and_cells_in_reading_order():
    board = RULES.board(RULES.initial({}), None, ())
    at = {cell.square: (cell.x, cell.y) for cell in board.cells}
    assert at["11"] == (0, 0)
    assert at["57"][0] < at["58"][0] < at["59"][0]
    assert at["51"][1] < at["54"][1] < at["57"][1]
    assert at["75"][0] < at["85"][0] < at["95"][0]
    assert at["35"][1] < at["65"][1] < at["95"][1]
    assert at["21"][0] - at["13"][0] > at["12"][0] - at["11"][0], "a gap parts the boards"


def test_the_winning_line_joins_three_boards():
    position = after(RULES, LINE_WITH_FEWER_BOARDS)
    (line,) = RULES.board(position, None, ()).lines
    assert (line.win, line.side) == (True, 1)
    sides = {area.label: area.side for area in RULES.board(position, None, ()).areas}
    assert (sides[line.start[0]], sides[line.end[0]]) == (1, 1)
    assert line.start[1] == line.end[1] == "5"


def test_an_action_is_told_in_words():
    start = RULES.initial({})
    assert str(RULES.describe(start, RULES.parse(start, "57"))) == (
        "plays in the bottom left corner of board 5"
    )
    position = after(RULES, "59 95 51 15")
    assert str(RULES.describe(position, RULES.parse(position, "55"))) == (
        "plays in the centre of board 5 and wins it"
    )


def test_words_are_translated_in_all_their_parts():
    french = {
        "plays %(where)s of board %(board)s": "joue %(where)s de la plaquette %(board)s",
        "in the centre": "au centre",
    }
    start = RULES.initial({})
    words = RULES.describe(start, RULES.parse(start, "55")).translated(french.__getitem__)
    assert words == "joue au centre de la plaquette 5"
