"""Routes of the puzzle of the day: what is asked, and an answer."""

from datetime import date, datetime
from typing import Annotated

from django.conf import settings
from ninja import Path, Router
from pydantic import Field

from accounts.models import Scope, User
from accounts.server_time import server_now
from games import models, puzzle_errors
from games.api import requests
from games.api import schemas as api
from games.api.access import acting, reading
from games.api.auth import ApiRequest
from games.api.output import board_as_data
from games.queries.puzzle_lines import (
    PuzzleLine,
    helps_in_running_game,
    question_of,
    read_line,
    solution_of,
    start_of,
    verdict_of,
)
from games.queries.puzzles import find_puzzle, newest_puzzle, read_day, streak_of, task_of
from games.services.puzzles import answer_puzzle

router = Router(tags=["puzzles"])

Day = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), Path()]


class FirstAnswer(api.Out):
    """What the token's user answered first: only that counts.

    `turn` is null if they asked for the solution instead.
    """

    turn: str | None
    line: list[str] = Field(description="All of your own turns; only the last one can be wrong.")
    is_right: bool = Field(description="You have solved the puzzle.")
    goes_on: bool = Field(description="All of them are right, and the next turn is asked.")
    answered_at: datetime


class NextStep(api.Out):
    """The position that your turns have led to, and the turns that are legal in it.

    `resistance` is the other side's newest turn: of those with which it lasts longest, the first in
    the order of their notation.
    """

    line: list[str] = Field(description="Your own turns so far: send them with the next one.")
    resistance: str | None
    question: str = Field(description="What is asked, in whole sentences.")
    seat_to_move: int
    moves: list[str] = Field(description="The turns from the start of a game to the position.")
    text: str = Field(description="The whole position as text, as the rules write it.")
    board: api.Board
    legal: list[str] = Field(description="Every legal turn.")


class Puzzle(api.Out):
    """The puzzle of a day: a position in which a single turn keeps the result.

    Days are those of UTC. `win_in` is in how many turns of the side to move best play wins, null if
    the task is not to lose. `next` is where your line stands if it goes on.
    """

    day: date
    url: str
    game: str
    task: str = Field(description="What the side to move can reach, as a title.")
    question: str = Field(description="What is asked, in whole sentences.")
    win_in: int | None
    is_from_game: bool = Field(description="The position is from a finished game of this site.")
    seat_to_move: int
    moves: list[str] = Field(description="The turns from the start of a game to the position.")
    text: str = Field(description="The whole position as text, as the rules write it.")
    board: api.Board
    legal: list[str] = Field(description="Every legal turn. One of them is the answer.")
    your_answer: FirstAnswer | None
    next: NextStep | None
    streak: int = Field(description="How many days in a row you solved the puzzle of the day.")
    solution: list[str] | None = Field(
        description="Best play, from the answer on; null until you have solved the puzzle, and "
        "while it would help in a running game that you play."
    )


class JudgedAnswer(api.Out):
    """What became of an answer. `is_first`: it is one that counts.

    `goes_on`: the turn is right, and the next one is asked; `next` is the position for it.
    `resistance` is the other side's answer to the turn, null if it has none.
    """

    turn: str
    is_right: bool
    is_first: bool
    goes_on: bool
    resistance: str | None
    next: NextStep | None
    verdict: str = Field(description="A sentence for a person: what the turn leads to.")
    puzzle: Puzzle


@router.get("/puzzles/today", url_name="puzzle_today", **reading(Scope.GAMES_READ, Puzzle))
def puzzle_today(request: ApiRequest) -> Puzzle:
    """Return the puzzle of the day: the position, what is asked, and what you answered.

    Every account may ask. Days begin at midnight UTC; for a moment after midnight the puzzle can
    still be that of the day before, so take the day from the answer. A site without any puzzle
    answers 404 NoSuchPuzzle.
    """
    now = server_now()
    puzzle = newest_puzzle(now=now)
    if puzzle is None:
        raise puzzle_errors.NoSuchPuzzle
    return _as_data(puzzle, request.user, now)


@router.post("/puzzles/{day}/answer", url_name="puzzle_answer", **acting(Scope.PLAY, JudgedAnswer))
def answer_the_puzzle(request: ApiRequest, day: Day, given: requests.PuzzleAnswer) -> JudgedAnswer:
    """Answer the puzzle of a day, and return whether the turn is right and what it leads to.

    Every account may answer. Where the task is to win, a right turn `goes_on`: the other side
    resists as long as it can, and the next turn is asked, with your turns so far in `line`. A turn
    is right if none wins sooner. That ends when the game is won, after four of your turns, or when
    every turn wins.

    The first answers count, up to a wrong one; later ones are judged too, and `is_first` is false.
    So is the same answer sent again: nothing is counted twice. A text that is no whole legal turn
    is 422 MoveRefused and does not count. A `line` that does not begin with your turns that count
    is 409 StalePuzzleLine, one that is wrong itself 422 BadPuzzleLine, and one that has solved the
    puzzle 409 PuzzleLineIsOver. While a running game that you play stands at a position of the
    puzzle, or its next turn can lead to one, it is 403 HelpsInRunningGame. A day without a puzzle,
    or one to come, is 404 NoSuchPuzzle.
    """
    now, on = server_now(), read_day(day)
    answered = answer_puzzle(day=on, user=request.user, text=given.text, line=given.line, now=now)
    judged = answered.judged
    goes_on = judged.is_right and not judged.after.is_over
    return JudgedAnswer(
        turn=judged.notation,
        is_right=judged.is_right,
        is_first=answered.counts,
        goes_on=goes_on,
        resistance=(judged.after.resistance or None) if judged.is_right else None,
        next=_next_step(judged.after) if goes_on else None,
        verdict=verdict_of(judged),
        puzzle=_as_data(find_puzzle(on, now=now), request.user, now),
    )


def _next_step(line: PuzzleLine) -> NextStep:
    rules, position = line.puzzle.rules, line.trial.position
    return NextStep(
        line=list(line.own),
        resistance=line.resistance or None,
        question=question_of(line),
        seat_to_move=rules.to_move(position) or 0,
        moves=list(line.trial.turns),
        text=rules.dump(position),
        board=board_as_data(rules.board(position, None, line.trial.actions)),
        legal=line.legal,
    )


def _as_data(puzzle: models.Puzzle, user: User, now: datetime) -> Puzzle:
    """Return a puzzle as a user may see it: the solution only once it is open to them."""
    rules, position = puzzle.rules, puzzle.position
    attempt = models.PuzzleAttempt.objects.filter(puzzle=puzzle, user=user).first()
    line = read_line(puzzle, attempt.right_line if attempt else [])
    solution = None
    if attempt and attempt.closed_at and not helps_in_running_game(user.pk, puzzle, line):
        solution = [trial.turns[-1] for trial in solution_of(puzzle, line.own)]
    goes_on = attempt is not None and attempt.is_right is None
    return Puzzle(
        day=puzzle.day,
        url=settings.SITE_URL + puzzle.get_absolute_url(),
        game=puzzle.rules_slug,
        task=task_of(puzzle),
        question=question_of(start_of(puzzle)),
        win_in=puzzle.own_turns if puzzle.is_win else None,
        is_from_game=puzzle.is_played,
        seat_to_move=rules.to_move(position) or 0,
        moves=puzzle.moves.split(),
        text=rules.dump(position),
        board=board_as_data(rules.board(position, None, ())),
        legal=start_of(puzzle).legal,
        your_answer=FirstAnswer(
            turn=next(iter(attempt.turns), None),
            line=attempt.turns,
            is_right=bool(attempt.is_right),
            goes_on=goes_on,
            answered_at=attempt.answered_at,
        )
        if attempt
        else None,
        next=_next_step(line) if goes_on else None,
        streak=streak_of(user, now=now),
        solution=solution,
    )
