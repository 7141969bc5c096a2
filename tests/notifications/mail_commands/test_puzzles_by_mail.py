"""The puzzle of the day by mail: subscribing, and what answers to its letter do."""

from datetime import timedelta

import pytest

from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzle_lines import start_of
from games.services.puzzles import puzzle_of
from notifications.models import PuzzleSubscription
from notifications.outbox.puzzle_letters import write_puzzle_letters
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
