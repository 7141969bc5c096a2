"""How a game of Morpiae ends, sentence by sentence."""

import pytest

from games.rules.base import OptionError
from games.rules.entries import replay
from games.rules.morpiae.rules import Morpiae
from tests.rules import morpiae_records as records
from tests.rules.games import after, legal, refusal

RULES = Morpiae()
START = RULES.initial({})


def played(record, **options):
    return replay(RULES, RULES.check_options(options), record.split())


def figure(position):
    board = RULES.board(position, None, ())
    return board.pieces, {(line.start, line.end) for line in board.lines}


# Passing -----------------------------------------------------------------------------------------


def test_passing_is_always_allowed():
    *turns, _ = records.WHOLE_GAME.split()
    for count in range(len(turns) + 1):
        assert "pass" in legal(RULES, after(RULES, " ".join(turns[:count])))


def test_a_pass_draws_nothing_and_hands_over_the_turn():
    position = after(RULES, "i12-m12 pass")
    assert figure(position) == figure(after(RULES, "i12-m12"))
    assert (RULES.to_move(position), RULES.turn(position)) == (0, 2)


def test_two_passes_in_a_row_end_the_game():
    outcome = RULES.outcome(after(RULES, "i12-m12 pass pass"))
    assert (outcome.reason, outcome.points, outcome.is_draw) == ("passes", (0, 0), True)


def test_two_passes_end_the_game_at_the_very_start_too():
    assert RULES.outcome(after(RULES, "pass pass")).reason == "passes"


def test_passes_with_a_line_between_them_do_not():
    assert RULES.outcome(after(RULES, "pass i12-m12 pass i12-i16 pass")) is None


def test_a_loaded_position_remembers_that_the_last_player_passed():
    loaded = RULES.load(RULES.dump(after(RULES, "i12-m12 pass")))
    assert RULES.outcome(RULES.play(loaded, RULES.parse(loaded, "pass"))).reason == "passes"


# No line left ------------------------------------------------------------------------------------


def test_the_game_ends_at_once_when_no_line_is_left_for_anybody():
    *before, _ = records.NO_LINE_LEFT.split()
    assert RULES.outcome(after(RULES, " ".join(before))) is None
    position = after(RULES, records.NO_LINE_LEFT)
    assert RULES.outcome(position).reason == "no-line"
    assert RULES.to_move(position) is None
    assert legal(RULES, position) == set()


def test_nothing_is_played_after_the_end():
    for record in ("pass pass", records.NO_LINE_LEFT):
        for text in ("pass", "i12-m12", "i12"):
            assert refusal(RULES, after(RULES, record), text) == ("illegal", "The game is over.")


# Who wins ----------------------------------------------------------------------------------------


def test_more_coloured_circles_win():
    outcome = RULES.outcome(after(RULES, records.WHOLE_GAME))
    assert (outcome.points, outcome.winners, outcome.places) == ((14, 18), (1,), (2, 1))


def test_the_first_player_wins_with_more_too():
    outcome = RULES.outcome(after(RULES, f"{records.TWO_AT_ONCE} pass pass"))
    assert (outcome.points, outcome.winners, outcome.places) == ((3, 0), (0,), (1, 2))


def test_points_count_after_two_passes_too():
    outcome = RULES.outcome(after(RULES, f"{records.FIRST_COLOUR} pass pass"))
    assert (outcome.points, outcome.winners, outcome.reason) == ((0, 1), (1,), "passes")


def test_as_many_circles_each_are_a_draw():
    outcome = RULES.outcome(after(RULES, f"{records.ONE_EACH} pass pass"))
    assert (outcome.points, outcome.is_draw) == ((1, 1), True)


def test_an_agreed_end_counts_the_circles_as_they_are():
    outcome = RULES.agreed_end(after(RULES, records.FIRST_COLOUR))
    assert (outcome.points, outcome.winners, outcome.reason) == ((0, 1), (1,), "agreed")
    assert RULES.agreed_end(START).is_draw


# The target --------------------------------------------------------------------------------------


def test_the_target_is_off_by_default():
    assert RULES.check_options({}) == {"target": None, "hints": False}
    assert RULES.outcome(played(records.ONE_TO_THREE)) is None


def test_the_rulebooks_own_target_can_be_chosen():
    assert RULES.check_options({"target": "12"})["target"] == 12


@pytest.mark.parametrize("target", [0, 41, -1, "many"])
def test_a_target_that_makes_no_sense_is_refused(target):
    with pytest.raises(OptionError):
        RULES.check_options({"target": target})


def test_the_target_reached_with_a_lead_of_one_does_not_end_the_game():
    assert RULES.outcome(played(records.FIRST_COLOUR, target=1)) is None
    *before, _ = records.ONE_TO_THREE.split()
    position = played(" ".join(before), target=2)
    assert RULES.agreed_end(position).points == (1, 2)
    assert RULES.outcome(position) is None


@pytest.mark.parametrize("target", [2, 3])
def test_the_target_reached_with_a_lead_of_two_ends_the_game_at_once(target):
    position = played(records.ONE_TO_THREE, target=target)
    outcome = RULES.outcome(position)
    assert (outcome.reason, outcome.points, outcome.winners) == ("target", (1, 3), (1,))
    assert legal(RULES, position) == set()


def test_a_lead_of_two_below_the_target_does_not_end_the_game():
    assert RULES.outcome(played(records.ONE_TO_THREE, target=4)) is None


def test_the_first_player_reaches_the_target_too():
    outcome = RULES.outcome(played(records.TWO_AT_ONCE, target=3))
    assert (outcome.reason, outcome.points, outcome.winners) == ("target", (3, 0), (0,))


def test_the_game_ends_as_ever_when_the_target_is_out_of_reach():
    outcome = RULES.outcome(played(records.WHOLE_GAME, target=40))
    assert (outcome.reason, outcome.points) == ("no-line", (14, 18))


def test_a_loaded_position_remembers_the_target():
    *before, last = records.ONE_TO_THREE.split()
    loaded = RULES.load(RULES.dump(played(" ".join(before), target=3)))
    assert RULES.outcome(RULES.play(loaded, RULES.parse(loaded, last))).reason == "target"


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("passes", "Both players passed."),
        ("no-line", "No line is left to draw."),
        ("target", "A player coloured enough circles, with a lead of two."),
    ],
)
def test_every_end_has_its_sentence(slug, sentence):
    assert str(RULES.reason(slug)) == sentence
