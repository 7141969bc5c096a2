"""The puzzle of each day is made, and people's answers to it are kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db import transaction

from accounts.models import User
from games import puzzle_errors
from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzle_lines import (
    JudgedTurn,
    PuzzleLine,
    helps_in_running_game,
    read_line,
)
from games.queries.puzzles import find_puzzle
from games.rules.puzzles import WEEK, make_puzzle
from games.rules.registry import program_for
from games.rules.solved import SolvedProgram
from games.services.played_puzzles import played_puzzle
from games.services.suspensions import lock_acting_user

PAST_DAYS = 6
"""A site that begins, or was down, gets the puzzles of so many days before today."""


def make_puzzles(*, now: datetime) -> int:
    """Make the puzzles that are missing: of the last days, today and tomorrow. Returns how many.

    Two workers make the same puzzle, and the database keeps one.
    """
    today = now.astimezone(UTC).date()
    days = {today + timedelta(days=number) for number in range(-PAST_DAYS, 2)}
    missing = days - set(Puzzle.objects.filter(day__in=days).values_list("day", flat=True))
    for day in sorted(missing):
        Puzzle.objects.bulk_create([played_puzzle(day) or puzzle_of(day)], ignore_conflicts=True)
    return len(missing)


def puzzle_of(day: date) -> Puzzle:
    """Return the puzzle of a day by the tables, which is not saved. The day alone decides."""
    slug, difficulty = WEEK[day.weekday()]
    program = program_for(slug)
    if not isinstance(program, SolvedProgram):
        raise TypeError(slug)
    made = make_puzzle(program, difficulty, seed=day.toordinal())
    return Puzzle(
        day=day,
        rules_slug=slug,
        moves=" ".join(made.moves),
        solution=" ".join(made.solution),
        is_win=made.result > 0,
        choices=made.choices,
    )


@dataclass(frozen=True)
class Answered:
    """What became of an answer.

    `counts`: it is one that is kept, not a repetition nor one after the attempt was decided. `line`
    is where the user goes on, and `attempt` what is kept now.
    """

    judged: JudgedTurn
    counts: bool
    line: PuzzleLine
    attempt: PuzzleAttempt


def answer_puzzle(
    *,
    day: date,
    user: User,
    text: str,
    now: datetime,
    line: Sequence[str] = (),
    received_at: datetime | None = None,
    is_final: bool = False,
) -> Answered:
    """Judge a user's answer, which follows their own turns of `line`.

    The first answer is kept, and so are the next ones while all are right: they must begin with
    those that are kept, and one that is sent again changes nothing. A wrong one decides the
    attempt; what follows is judged and not kept. The last turn of a line opens the solution, and
    `is_final` lets a wrong answer, or one after the attempt was decided, open it too. An answer by
    mail counts from when it was received.

    Raises AccountClosed, Barred, NoSuchPuzzle, TurnTooLong, MoveRefused, BadPuzzleLine,
    PuzzleLineIsOver, StalePuzzleLine, HelpsInRunningGame.
    """
    at = received_at or now
    with transaction.atomic():
        person = lock_acting_user(user, now)
        puzzle = find_puzzle(day, now=now)
        if line and helps_in_running_game(person.pk, puzzle):
            raise puzzle_errors.HelpsInRunningGame  # also where the line itself is wrong
        judged = read_line(puzzle, line).judge(text)
        if helps_in_running_game(person.pk, puzzle, judged.after):
            raise puzzle_errors.HelpsInRunningGame
        attempt = PuzzleAttempt.objects.filter(puzzle=puzzle, user=person).first()
        turns = [*line, judged.notation]
        if attempt is None or attempt.is_right is None:
            kept = attempt.turns if attempt else []
            if attempt and turns == kept[: len(turns)]:
                return Answered(judged, False, read_line(puzzle, kept), attempt)
            if turns[: len(kept)] != kept:
                raise puzzle_errors.StalePuzzleLine(turns=", ".join(kept))
            counts, attempt = True, attempt or PuzzleAttempt(puzzle=puzzle, user=person)
            attempt.notation, attempt.answered_at = " ".join(turns), at
            goes_on = judged.is_right and not judged.after.is_over
            attempt.is_right = None if goes_on else judged.is_right
            is_closed = bool(attempt.is_right) or (is_final and not goes_on)
        else:
            counts, is_closed = False, is_final or judged.solves
        if is_closed and attempt.closed_at is None:
            attempt.closed_at = at
        attempt.save()
    return Answered(judged, counts, judged.after, attempt)


def show_solution(*, day: date, user: User, now: datetime) -> None:
    """Open the solution for a user. Unless they had solved the puzzle, it counts as not solved.

    Raises AccountClosed, Barred, NoSuchPuzzle, HelpsInRunningGame.
    """
    with transaction.atomic():
        person = lock_acting_user(user, now)
        puzzle = find_puzzle(day, now=now)
        if helps_in_running_game(person.pk, puzzle):
            raise puzzle_errors.HelpsInRunningGame
        attempt = PuzzleAttempt.objects.filter(puzzle=puzzle, user=person).first()
        if attempt is None:
            attempt = PuzzleAttempt(puzzle=puzzle, user=person, answered_at=now)
        attempt.is_right = attempt.is_right or False
        attempt.closed_at = attempt.closed_at or now
        attempt.save()
