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
from games import errors
from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzles import (
    ARCHIVE_DAYS,
    archived_puzzles,
    find_puzzle,
    judge_answer,
    newest_puzzle,
    question_of,
    read_day,
    solution_of,
    streak_of,
    task_of,
    trial_of,
    verdict_of,
)
from games.render.picture import board_picture
from games.rules.base import MAX_TEXT
from games.services.puzzles import answer_puzzle, show_solution
from games.templatetags.boards import page_svg


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

    What somebody who is not signed in answers is stored nowhere.
    """
    now, sent = server_now(), request.POST
    found = find_puzzle(read_day(day), now=now)
    user = request.user if isinstance(request.user, User) else None
    if sent.get("step") == "solution":
        if user:
            show_solution(day=found.day, user=user, now=now)
        return _page(request, found, now, is_closed=True)
    text = sent.get("text", "").strip() or sent.get("choice", "")
    try:
        if sent.get("step") == "preview":
            shown = trial_of(found).go_on(judge_answer(found, text))
            board = shown.rules.board(shown.position, None, shown.actions)
            svg = page_svg(board, title=_("The board after your turn"), description=shown.words())
            preview = {"svg": svg, "words": shown.words()}
            return _page(request, found, now, preview=preview, typed=shown.turns[-1])
        if user:
            answered = answer_puzzle(day=found.day, user=user, text=text, now=now)
            notation, is_right = answered.notation, answered.is_right
        else:
            notation = judge_answer(found, text)
            is_right = notation == found.answer
    except (errors.MoveRefused, errors.TurnTooLong) as refusal:
        page = _page(request, found, now, refusal=refusal, typed=text[:MAX_TEXT])
        page.status_code = refusal.status
        return page
    said = verdict_of(found, notation)
    verdict = {"verdict": said if is_right else f"{said} {_('Try again.')}", "is_right": is_right}
    return _page(request, found, now, is_closed=is_right, **verdict)


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
        "question": question_of(puzzle),
        "picture": SafeString(picture),
    }


def _page(
    request: HttpRequest,
    puzzle: Puzzle | None,
    now: datetime,
    *,
    is_closed: bool = False,
    **more: Any,
) -> HttpResponse:
    """Show a puzzle, with its solution if it is closed, and the puzzles of the days before."""
    if puzzle is None:
        return render(request, "games/puzzle.html")
    user = request.user if isinstance(request.user, User) else None
    attempt = PuzzleAttempt.objects.filter(puzzle=puzzle, user=user).first() if user else None
    archive = archived_puzzles(user, puzzle.day)
    today = now.astimezone(UTC).date()
    later = None
    if puzzle.day < today:
        later = Puzzle.objects.filter(day__gt=puzzle.day, day__lte=today).order_by("day").first()
    trial = trial_of(puzzle)
    line = []
    if is_closed or (attempt and attempt.closed_at):
        line = solution_of(puzzle)
    shown = line[-1] if line else trial
    context = {
        "puzzle": puzzle,
        "is_today": puzzle.day == today,
        "task": task_of(puzzle),
        "question": question_of(puzzle),
        "board": puzzle.rules.board(shown.position, None, shown.actions),
        "words": shown.report(),
        "choices": trial.choices(),
        "all_turns": len(shown.turns),
        "line": [(one.turns[-1], one.words()) for one in line],
        "attempt": attempt,
        "streak": streak_of(user, now=now) if user else 0,
        "archive": archive,
        "later": later,
        "older": archive[-1].puzzle if len(archive) == ARCHIVE_DAYS else None,
    }
    return render(request, "games/puzzle.html", context | more)
