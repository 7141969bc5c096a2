"""The puzzle of the day by mail: subscribing, and what answers to its letter do."""

from datetime import timedelta

import pytest

from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzle_lines import read_line, start_of
from games.render.text import board_text
from games.services.puzzles import puzzle_of
from notifications.models import PuzzleSubscription
from notifications.outbox.puzzle_letters import write_puzzle_letters
from tests.games.play import begin, play_all
from tests.games.programs.test_puzzle_steps import SUNDAY
from tests.games.programs.test_puzzles import own_turns
from tests.notifications.mail_commands.players_by_mail import text_of, words_of

pytestmark = pytest.mark.slow

ANN = "ann@example.org"
DAY = timedelta(days=1)


@pytest.fixture
def puzzle(played, office, ann):
    """Ann subscribes by mail and has had the letter; return its puzzle."""
    assert "each day at 08:00" in words_of(office.answer(ANN, "puzzle"))
    office.now = PuzzleSubscription.objects.get(user=ann).due_at
    Puzzle.objects.bulk_create([puzzle_of(office.now.date())])
    write_puzzle_letters(now=office.now)
    office.carry()
    assert office.newest(ANN)["X-Pli-Kind"] == "puzzle"
    return Puzzle.objects.get()


@pytest.mark.parametrize("line", ["puzzle off", "problème non", "Puzzle: off"])
def test_a_line_ends_the_subscription(puzzle, office, line):
    office.answer(ANN, line)
    assert not PuzzleSubscription.objects.exists()


def test_the_right_turn_is_praised_with_the_solution_and_the_streak(puzzle, office):
    said = words_of(office.answer(ANN, puzzle.answer))
    assert f"{puzzle.answer} is right!" in said
    assert "Your streak: 1 day." in said
    assert "The solution:" in said
    attempt = PuzzleAttempt.objects.get()
    assert attempt.is_right
    assert attempt.closed_at


def test_a_wrong_turn_counts_and_a_second_one_does_not(puzzle, office):
    wrong = next(turn for turn in start_of(puzzle).legal if turn.replace(" ", "") != puzzle.answer)
    said = words_of(office.answer(ANN, wrong))
    assert "best play" in said
    assert "The solution:" in said
    assert "Your streak: 0 days." in said
    again = words_of(office.answer(ANN, puzzle.answer))  # in answer to that answer
    assert "only the first answer counts" in again
    assert not PuzzleAttempt.objects.get().is_right


def test_every_turn_in_the_letter_is_an_answer_by_itself(puzzle, office):
    letter = office.newest(ANN)
    listed = words_of(letter).partition("Possible turns: ")[2]
    for turn in start_of(puzzle).legal:
        assert turn in listed
        PuzzleAttempt.objects.all().delete()
        office.hand_in(ANN, turn, to=letter)
        office.now += timedelta(seconds=30)
        office.carry()
        assert PuzzleAttempt.objects.get().notation == turn.replace(" ", "")


@pytest.mark.parametrize("line", ["I have no idea", "c9", "good morning to you"])
def test_words_are_answered_with_what_to_write(puzzle, office, line):
    said = words_of(office.answer(ANN, line))
    assert "Reply with your turn and nothing else." in said
    assert not PuzzleAttempt.objects.exists()


def test_the_solution_can_be_asked_for(puzzle, office):
    said = text_of(office.answer(ANN, "Solution"))
    assert "counts as not solved" in said
    assert puzzle.answer in said
    assert PuzzleAttempt.objects.get().notation == ""


def test_an_answer_after_the_day_does_not_count_for_the_streak(puzzle, office):
    office.now += DAY
    said = words_of(office.answer(ANN, puzzle.answer))
    assert "is right!" in said
    assert "does not count for your streak" in said
    assert "Your streak: 0 days." in said


def test_an_answer_counts_from_its_receipt(puzzle, office, ann):
    received = office.now.replace(hour=23, minute=59, second=50)
    office.now = received
    said = words_of(office.answer(ANN, puzzle.answer))  # read 30 seconds later: the next day
    assert "does not count" not in said
    assert PuzzleAttempt.objects.get().answered_at == received


# Several steps ------------------------------------------------------------------------------------


@pytest.fixture
def won(puzzle):
    """Let the puzzle of ann's letter be that of a Sunday, a win in five."""
    Puzzle.objects.filter(pk=puzzle.pk).update(
        **{
            name: getattr(puzzle_of(SUNDAY), name)
            for name in ("rules_slug", "moves", "solution", "is_win", "choices")
        }
    )
    return Puzzle.objects.get()


def test_a_win_is_played_by_mail_to_its_end(won, office):
    turns = own_turns(won)
    for number, turn in enumerate(turns[:-1], 1):
        answer = office.answer(ANN, turn)
        said = words_of(answer)
        line = read_line(won, turns[:number])
        assert f"{turn} is right! {line.resistance} resists the longest." in said
        assert f"Possible turns: {', '.join(line.legal)}" in said
        assert "“solution” sends you the solution" in said
        board = won.rules.board(line.trial.position, None, line.trial.actions)
        assert board_text(board, translate=str) in text_of(answer).replace("\r\n", "\n")
        assert "The solution:" not in said
        assert PuzzleAttempt.objects.get().closed_at is None  # nor does the page show it
    said = words_of(office.answer(ANN, turns[-1]))
    assert "the puzzle is solved!" in said
    assert "Your streak: 1 day." in said
    assert PuzzleAttempt.objects.get().is_right


def test_a_wrong_step_opens_the_solution(won, office):
    office.answer(ANN, won.answer)
    line = read_line(won, [won.answer])
    wrong = next(turn for turn in line.legal if not line.judge(turn).is_right)
    assert "The solution:" in words_of(office.answer(ANN, wrong))
    attempt = PuzzleAttempt.objects.get()
    assert (attempt.turns, attempt.is_right) == ([won.answer, wrong.replace(" ", "")], False)
    assert attempt.closed_at  # the page shows it, too


def test_who_answers_again_after_a_wrong_turn_is_asked_for_nothing_more(won, office):
    line = start_of(won)
    office.answer(ANN, next(turn for turn in line.legal if not line.judge(turn).is_right))
    said = words_of(office.answer(ANN, won.answer))
    assert f"{won.answer} is right!" in said
    assert "Now find your next turn." not in said
    assert "The solution:" in said


def test_a_reply_to_an_older_letter_is_told_where_the_puzzle_stands(won, office):
    letter, turns = office.newest(ANN), own_turns(won)
    office.answer(ANN, turns[0])
    said = words_of(office.answer(ANN, start_of(won).legal[-1], to=letter))
    assert f"You have already played {turns[0]} in this puzzle." in said
    assert PuzzleAttempt.objects.get().turns == turns[:1]
    assert "resists the longest" in words_of(office.answer(ANN, turns[1]))  # to that answer


def test_who_has_a_running_game_that_it_helps_in_is_told_so(won, office, ann, bob):
    play_all(begin(ann, bob, now=office.now, slug="taquet"), won.moves.split(), now=office.now)
    letter = next(one for one in office.inboxes[ANN] if one["X-Pli-Kind"] == "puzzle")
    for line in (won.answer, "solution"):
        said = words_of(office.answer(ANN, line, to=letter))
        assert "would help you in one of your running games" in said
        assert "The solution:" not in said
    assert not PuzzleAttempt.objects.exists()
