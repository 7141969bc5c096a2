"""Routes of the puzzle of the day: what is asked, and an answer."""

from datetime import date, datetime
from typing import Annotated

from django.conf import settings
from ninja import Path, Router
from pydantic import Field

from accounts.models import Scope, User
from accounts.server_time import server_now
from games import errors, models
from games.api import requests
from games.api import schemas as api
from games.api.access import acting, reading
from games.api.auth import ApiRequest
from games.api.output import board_as_data
from games.queries.puzzles import (
    find_puzzle,
    newest_puzzle,
    question_of,
    read_day,
    streak_of,
    task_of,
    verdict_of,
)
from games.services.puzzles import answer_puzzle

router = Router(tags=["puzzles"])

Day = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), Path()]


class FirstAnswer(api.Out):
    """What the token's user answered first: only that counts.

    `turn` is null if they asked for the solution instead.
    """

    turn: str | None
    is_right: bool
    answered_at: datetime


class Puzzle(api.Out):
    """The puzzle of a day: a position in which a single turn keeps the result.

    Days are those of UTC. `win_in` is in how many turns of the side to move best play wins, null if
    the task is not to lose.
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
    streak: int = Field(description="How many days in a row your first answer was right.")
    solution: list[str] | None = Field(
        description="Best play, from the answer on; null until you have solved the puzzle."
    )


class JudgedAnswer(api.Out):
    """What became of an answer. `is_first`: it is the one that counts."""

    turn: str
    is_right: bool
    is_first: bool
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
        raise errors.NoSuchPuzzle
    return _as_data(puzzle, request.user, now)


@router.post("/puzzles/{day}/answer", url_name="puzzle_answer", **acting(Scope.PLAY, JudgedAnswer))
def answer_the_puzzle(request: ApiRequest, day: Day, given: requests.PuzzleAnswer) -> JudgedAnswer:
    """Answer the puzzle of a day, and return whether the turn is right and what it leads to.

    Every account may answer. The first answer counts; later ones are judged too, and `is_first` is
    false. So is the same answer sent again: nothing is counted twice. A text that is no whole legal
    turn is 422 MoveRefused and does not count. A day without a puzzle, or one to come, is 404
    NoSuchPuzzle.
    """
    now, on = server_now(), read_day(day)
    answered = answer_puzzle(day=on, user=request.user, text=given.text, now=now)
    puzzle = find_puzzle(on, now=now)
    return JudgedAnswer(
        turn=answered.notation,
        is_right=answered.is_right,
        is_first=answered.is_first,
        verdict=verdict_of(puzzle, answered.notation),
        puzzle=_as_data(puzzle, request.user, now),
    )


def _as_data(puzzle: models.Puzzle, user: User, now: datetime) -> Puzzle:
    """Return a puzzle as a user may see it: the solution only once it is open to them."""
    rules, position = puzzle.rules, puzzle.position
    attempt = models.PuzzleAttempt.objects.filter(puzzle=puzzle, user=user).first()
    is_closed = attempt is not None and attempt.closed_at is not None
    return Puzzle(
        day=puzzle.day,
        url=settings.SITE_URL + puzzle.get_absolute_url(),
        game=puzzle.rules_slug,
        task=task_of(puzzle),
        question=question_of(puzzle),
        win_in=puzzle.own_turns if puzzle.is_win else None,
        is_from_game=puzzle.is_played,
        seat_to_move=rules.to_move(position) or 0,
        moves=puzzle.moves.split(),
        text=rules.dump(position),
        board=board_as_data(rules.board(position, None, ())),
        legal=[rules.format(position, action) for action in rules.legal_actions(position)],
        your_answer=FirstAnswer(
            turn=attempt.notation or None,
            is_right=attempt.is_right,
            answered_at=attempt.answered_at,
        )
        if attempt
        else None,
        streak=streak_of(user, now=now),
        solution=puzzle.solution.split() if is_closed else None,
    )
