"""Puzzles as their pages show them: what is asked, the archive, the solution, and streaks."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.utils.translation import gettext, ngettext

from accounts.models import User, Vacation
from games import errors
from games.models import Puzzle, PuzzleAttempt
from games.queries.trials import Trial, read_trial
from games.rules.base import MoveError, is_too_long
from games.rules.registry import program_for

ARCHIVE_DAYS = 14
"""So many days are listed at once."""


def find_puzzle(day: date, *, now: datetime) -> Puzzle:
    """Return the puzzle of a day that has begun. Raises NoSuchPuzzle."""
    found = Puzzle.objects.filter(day=day).first() if day <= now.astimezone(UTC).date() else None
    if found is None:
        raise errors.NoSuchPuzzle
    return found


def read_day(text: str) -> date:
    """Return the day that an address names, in its one form. Raises NoSuchPuzzle."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise errors.NoSuchPuzzle from None
    if day.isoformat() != text:
        raise errors.NoSuchPuzzle
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


# What is asked, and answers -----------------------------------------------------------------------


def task_of(puzzle: Puzzle) -> str:
    """Return what the side to move can reach, as a title."""
    if not puzzle.is_win:
        return gettext("Do not lose")
    turns = puzzle.own_turns
    return ngettext("Win in %(count)s turn", "Win in %(count)s turns", turns) % {"count": turns}


def question_of(puzzle: Puzzle) -> str:
    """Return what is asked, in whole sentences."""
    seat = puzzle.rules.to_move(puzzle.position) or 0
    player = puzzle.rules.seat_name({}, seat).translated(gettext)
    said = gettext("To play: %(player)s.") % {"player": player}
    if puzzle.is_win:
        asked = gettext("Of %(count)s possible turns, only one keeps the win. Which one?")
    else:
        asked = gettext("Of %(count)s possible turns, only one does not lose. Which one?")
    return f"{said} {asked % {'count': puzzle.choices}}"


def judge_answer(puzzle: Puzzle, text: str) -> str:
    """Return a whole legal turn in its canonical text, to be compared with the right answer.

    Raises TurnTooLong, MoveRefused.
    """
    if is_too_long(text):
        raise errors.TurnTooLong
    try:
        actions = puzzle.rules.parse_turn(puzzle.position, text)
    except MoveError as error:
        raise errors.MoveRefused(error) from error
    return puzzle.rules.format_turn(puzzle.position, actions).replace(" ", "")


def verdict_of(puzzle: Puzzle, notation: str) -> str:
    """Return in words whether a turn is the answer, and what it leads to if it is not."""
    if notation == puzzle.answer:
        return gettext("%(turn)s is right!") % {"turn": notation}
    program = program_for(puzzle.rules_slug)
    actions = puzzle.rules.parse_turn(puzzle.position, notation)
    if program.judge_turn(puzzle.position, actions).after.value < 0:
        return gettext("%(turn)s loses against best play.") % {"turn": notation}
    return gettext("%(turn)s gives the win away: best play is a draw then.") % {"turn": notation}


def trial_of(puzzle: Puzzle) -> Trial:
    """Return the position as the boards of rulebooks have it."""
    return read_trial(puzzle.rules, "", puzzle.moves)


def solution_of(puzzle: Puzzle) -> list[Trial]:
    """Return what each turn of the solution leads to."""
    line, trial = [], trial_of(puzzle)
    for turn in puzzle.solution.split():
        trial = trial.go_on(turn)
        line.append(trial)
    return line


# Streaks ------------------------------------------------------------------------------------------


def streak_of(user: User, *, now: datetime) -> int:
    """Return how many days in a row the user's first answer to the puzzle of the day was right.

    Days are those of UTC. Makes two queries.
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
    spans = [(begin.astimezone(UTC).date(), end.astimezone(UTC).date()) for begin, end in absences]
    first, day, streak = min(solved, default=today), today, 0
    while day >= first:
        if day in solved:
            streak += 1
        elif day != today and not any(begin <= day <= end for begin, end in spans):
            break
        day -= timedelta(days=1)
    return streak
