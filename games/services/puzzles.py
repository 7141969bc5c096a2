"""The puzzle of each day is made, and people's answers to it are kept."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import User
from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzles import find_puzzle, judge_answer
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
    """What became of an answer: the turn in its canonical text, and whether it is the right one.

    `is_first`: it is the one that is kept.
    """

    notation: str
    is_right: bool
    is_first: bool


def answer_puzzle(
    *,
    day: date,
    user: User,
    text: str,
    now: datetime,
    received_at: datetime | None = None,
    is_final: bool = False,
) -> Answered:
    """Judge a user's answer. The first one is kept; a right or final one opens the solution.

    One by mail counts from when it was received. Raises AccountClosed, Barred, NoSuchPuzzle,
    TurnTooLong, MoveRefused.
    """
    with transaction.atomic():
        person = lock_acting_user(user, now)
        puzzle = find_puzzle(day, now=now)
        notation = judge_answer(puzzle, text)
        is_right = notation == puzzle.answer
        closes, at = is_right or is_final, received_at or now
        first = _keep(puzzle, person, at, notation=notation, is_right=is_right, closes=closes)
    return Answered(notation, is_right, first)


def show_solution(*, day: date, user: User, now: datetime) -> None:
    """Open the solution for a user. Without an answer before, the puzzle counts as not solved.

    Raises AccountClosed, Barred, NoSuchPuzzle.
    """
    with transaction.atomic():
        person = lock_acting_user(user, now)
        _keep(find_puzzle(day, now=now), person, now, notation="", is_right=False, closes=True)


def _keep(puzzle: Puzzle, user: User, now: datetime, *, closes: bool, **first: Any) -> bool:
    """Store a first answer, or leave the one that is there, and open the solution if it `closes`.

    Returns whether it was the first. The user's row is locked.
    """
    defaults = first | {"answered_at": now}
    attempt, is_first = PuzzleAttempt.objects.get_or_create(
        puzzle=puzzle, user=user, defaults=defaults
    )
    if closes and attempt.closed_at is None:
        attempt.closed_at = now
        attempt.save(update_fields=["closed_at"])
    return is_first
