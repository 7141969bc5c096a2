"""Puzzles as their pages list them: which one a day has, the archive, and streaks."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.utils.translation import gettext, ngettext

from accounts.models import User, Vacation
from games import puzzle_errors
from games.models import Puzzle, PuzzleAttempt

ARCHIVE_DAYS = 14
"""So many days are listed at once."""


def find_puzzle(day: date, *, now: datetime) -> Puzzle:
    """Return the puzzle of a day that has begun. Raises NoSuchPuzzle."""
    found = Puzzle.objects.filter(day=day).first() if day <= now.astimezone(UTC).date() else None
    if found is None:
        raise puzzle_errors.NoSuchPuzzle
    return found


def read_day(text: str) -> date:
    """Return the day that an address names, in its one form. Raises NoSuchPuzzle."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise puzzle_errors.NoSuchPuzzle from None
    if day.isoformat() != text:
        raise puzzle_errors.NoSuchPuzzle
    return day


def newest_puzzle(*, now: datetime) -> Puzzle | None:
    """Return today's puzzle; the one before it while today's is not made; None without any."""
    return Puzzle.objects.filter(day__lte=now.astimezone(UTC).date()).first()


@dataclass(frozen=True)
class ArchivedPuzzle:
    """A line of the archive; `attempt` is the reader's."""

    puzzle: Puzzle
    attempt: PuzzleAttempt | None

    @property
    def task(self) -> str:
        """What was asked, as a title."""
        return task_of(self.puzzle)


def archived_puzzles(user: User | None, before: date) -> list[ArchivedPuzzle]:
    """Return the puzzles of some days before a day, newest first, with what the user answered."""
    puzzles = list(Puzzle.objects.filter(day__lt=before)[:ARCHIVE_DAYS])
    attempts = {}
    if user and puzzles:
        found = PuzzleAttempt.objects.filter(user=user, puzzle__in=puzzles)
        attempts = {attempt.puzzle_id: attempt for attempt in found}
    return [ArchivedPuzzle(puzzle, attempts.get(puzzle.pk)) for puzzle in puzzles]


def task_of(puzzle: Puzzle) -> str:
    """Return what the side to move can reach, as a title."""
    if not puzzle.is_win:
        return gettext("Do not lose")
    turns = puzzle.own_turns
    return ngettext("Win in %(count)s turn", "Win in %(count)s turns", turns) % {"count": turns}


# Streaks ------------------------------------------------------------------------------------------


def streak_of(user: User, *, now: datetime) -> int:
    """Return how many days in a row the user solved the puzzle of the day, on its day.

    A line that is not finished is not solved, nor is it wrong: its day breaks the streak only once
    it is over. Days are those of UTC. Makes two queries.
    """
    today = now.astimezone(UTC).date()
    right = PuzzleAttempt.objects.filter(user=user, is_right=True)
    answers = right.values_list("puzzle__day", "answered_at")
    solved = {day for day, at in answers if at.astimezone(UTC).date() == day}
    absences = Vacation.objects.filter(user=user, begins_at__lte=now)
    return count_streak(solved, absences.values_list("begins_at", "ends_at"), today)


def count_streak(
    solved: Collection[date], absences: Iterable[tuple[datetime, datetime]], today: date
) -> int:
    """Return how many days in a row were solved up to today, or up to yesterday.

    A day with a part in one of the `absences` is left out unless it is solved. Today breaks nothing
    while it lasts.
    """
    spans = [
        # Up to the last moment before the end, which mostly is a midnight.
        (begin.astimezone(UTC).date(), (end - timedelta.resolution).astimezone(UTC).date())
        for begin, end in absences
    ]
    first, day, streak = min(solved, default=today), today, 0
    while day >= first:
        if day in solved:
            streak += 1
        elif day != today and not any(begin <= day <= end for begin, end in spans):
            break
        day -= timedelta(days=1)
    return streak
