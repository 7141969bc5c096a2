"""The puzzle of the day and those of earlier days. Whoever is not signed in can solve them too."""

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.server_time import server_now
from games import errors, puzzle_errors
from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzle_lines import (
    PuzzleLine,
    helps_in_running_game,
    question_of,
    read_line,
    solution_of,
    start_of,
    verdict_of,
    words_of_turns,
)
from games.queries.puzzles import (
    ARCHIVE_DAYS,
    archived_puzzles,
    find_puzzle,
    newest_puzzle,
    read_day,
    streak_of,
    task_of,
)
from games.render.picture import board_picture
from games.rules.base import MAX_TEXT
from games.services.puzzles import answer_puzzle, show_solution
from games.templatetags.boards import page_svg

_EXPLAINED = (
    errors.MoveRefused,
    errors.TurnTooLong,
    puzzle_errors.BadPuzzleLine,
    puzzle_errors.PuzzleLineIsOver,
    puzzle_errors.StalePuzzleLine,
    puzzle_errors.HelpsInRunningGame,
)
"""What the page of the puzzle says itself."""


@require_safe
@never_cache
def puzzles(request: HttpRequest) -> HttpResponse:
    """Show today's puzzle."""
    now = server_now()
    return _page(request, newest_puzzle(now=now), now)


@require_safe
@never_cache
def puzzle(request: HttpRequest, day: str) -> HttpResponse:
    """Show the puzzle of a day."""
    now = server_now()
    return _page(request, find_puzzle(read_day(day), now=now), now)


@require_POST
def puzzle_answer(request: HttpRequest, day: str) -> HttpResponse:
    """Judge an answer; show its board first when `step` is "preview", the solution if "solution".

    `line` holds one's turns before it, with spaces between; the page shown asks for the next one.
    What somebody who is not signed in answers is stored nowhere.
    """
    now, sent = server_now(), request.POST
    found = find_puzzle(read_day(day), now=now)
    user = request.user if isinstance(request.user, User) else None
    text = sent.get("text", "").strip() or sent.get("choice", "")
    own = sent.get("line", "").split()
    line: PuzzleLine | None = None
    try:
        if sent.get("step") == "solution":
            if user:
                show_solution(day=found.day, user=user, now=now)
            return _page(request, found, now, is_closed=True)
        if user and own and helps_in_running_game(user.pk, found):
            raise puzzle_errors.HelpsInRunningGame  # also where the line itself is wrong
        line = read_line(found, own)
        if sent.get("step") == "preview":
            shown = line.trial.go_on(line.judge(text).notation)
            board = shown.rules.board(shown.position, None, shown.actions)
            svg = page_svg(board, title=_("The board after your turn"), description=shown.words())
            preview = {"svg": svg, "words": shown.words()}
            return _page(request, found, now, line, preview=preview, typed=shown.turns[-1])
        if user:
            answered = answer_puzzle(day=found.day, user=user, text=text, line=own, now=now)
            judged, line = answered.judged, answered.line
        else:
            judged = line.judge(text)
            line = judged.after
    except _EXPLAINED as refusal:
        # The page shows where the user stands: after turns that cannot be, or that the user has
        # gone on from, that is what is kept.
        is_turn = isinstance(refusal, errors.MoveRefused | errors.TurnTooLong)
        page = _page(
            request, found, now, line if is_turn else None, refusal=refusal, typed=text[:MAX_TEXT]
        )
        page.status_code = refusal.status
        return page
    said = verdict_of(judged)
    verdict = {
        "verdict": said if judged.is_right else " ".join([said, _("Try again.")]),
        "is_right": judged.is_right,
    }
    return _page(request, found, now, line, is_closed=line.is_over, **verdict)


def puzzle_card() -> dict[str, Any] | None:
    """Return today's puzzle as the landing page shows it; None without any. Makes one query."""
    puzzle = newest_puzzle(now=server_now())
    if puzzle is None:
        return None
    board = puzzle.rules.board(puzzle.position, None, ())
    picture = board_picture(board, title=_("Puzzle of the day"), translate=_)
    return {
        "rules": puzzle.rules,
        "task": task_of(puzzle),
        "question": question_of(start_of(puzzle)),
        "picture": SafeString(picture),
    }


def _page(
    request: HttpRequest,
    puzzle: Puzzle | None,
    now: datetime,
    line: PuzzleLine | None = None,
    *,
    is_closed: bool = False,
    **more: Any,
) -> HttpResponse:
    """Show where somebody stands in a puzzle, and the puzzles of the days before.

    Without a `line` it is what is kept of a user. The solution is shown if it `is_closed`, or open
    to the user; but not to who has a running game in which it helps.
    """
    if puzzle is None:
        return render(request, "games/puzzle.html")
    user = request.user if isinstance(request.user, User) else None
    attempt = PuzzleAttempt.objects.filter(puzzle=puzzle, user=user).first() if user else None
    if line is None:
        line = read_line(puzzle, attempt.right_line if attempt else [])
    archive = archived_puzzles(user, puzzle.day)
    today = now.astimezone(UTC).date()
    later = None
    if puzzle.day < today:
        later = Puzzle.objects.filter(day__gt=puzzle.day, day__lte=today).order_by("day").first()
    solution = []
    if is_closed or (attempt and attempt.closed_at):
        if user and helps_in_running_game(user.pk, puzzle, line):
            more.setdefault("refusal", puzzle_errors.HelpsInRunningGame())
            line = start_of(puzzle)
        else:
            solution = solution_of(puzzle, line.own if line.is_over else ())
    shown = solution[-1] if solution else line.trial
    context = {
        "puzzle": puzzle,
        "is_today": puzzle.day == today,
        "task": task_of(puzzle),
        "question": question_of(line if not solution else start_of(puzzle)),
        "board": puzzle.rules.board(shown.position, None, shown.actions),
        "words": shown.report(),
        "choices": line.trial.choices(),
        "all_turns": len(shown.turns),
        "all_moves": " ".join(shown.turns),
        "own": line.own,
        "played": words_of_turns(line),
        "solution": [(one.turns[-1], one.words()) for one in solution],
        "attempt": attempt,
        "streak": streak_of(user, now=now) if user else 0,
        "archive": archive,
        "later": later,
        "older": archive[-1].puzzle if len(archive) == ARCHIVE_DAYS else None,
    }
    return render(request, "games/puzzle.html", context | more)
