"""Replies to a puzzle's letter: a turn is the answer, and “solution” asks for the solution."""

from dataclasses import replace
from datetime import UTC

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games import errors, puzzle_errors
from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzle_lines import PuzzleLine, question_of, read_line, solution_of, verdict_of
from games.queries.puzzles import streak_of, task_of
from games.rules.base import MAX_SHOWN
from games.services.puzzles import answer_puzzle, show_solution
from notifications.mail_commands.context import CommandContext, CommandResult
from notifications.mail_parser.phrases import fold

LONGEST_QUOTED = 80

_SOLUTION = frozenset({"solution", "the solution", "la solution", "give up", "je donne ma langue"})
"""What asks for the solution, folded."""


def answer_by_mail(puzzle: Puzzle, text: str, context: CommandContext) -> CommandResult:
    """Take a line for the answer to a puzzle; the result says whether it is right, and why.

    The answer follows the turns that the answered mail knew of. A right one brings the board for
    the next, with what the other side plays; every other answer, and the last one, opens the
    solution. Raises AccountClosed, Barred, HelpsInRunningGame.
    """
    user = context.require_user()
    title = task_of(puzzle)
    own = context.reply.puzzle_line.split()
    first = PuzzleAttempt.objects.filter(puzzle=puzzle, user=user).first()
    if fold(text).strip(" .!?") in _SOLUTION:
        show_solution(day=puzzle.day, user=user, now=context.now)
        is_new = first is None or first.is_right is None
        said = [_("This puzzle counts as not solved.")] if is_new else []
        return _with_solution(puzzle, user, title, said, context)
    try:
        answered = answer_puzzle(
            day=puzzle.day,
            user=user,
            text=text,
            line=own,
            now=context.now,
            received_at=context.received_at,
            is_final=True,
        )
    except (errors.MoveRefused, errors.TurnTooLong) as refusal:
        said = [
            _("You wrote: %(text)s") % {"text": text[:LONGEST_QUOTED]},
            refusal.sentence,
            _("Reply with your turn and nothing else."),
        ]
        said += _possible_turns(read_line(puzzle, own))
        return CommandResult(False, tuple(said), title=title)
    except puzzle_errors.StalePuzzleLine as refusal:
        line = read_line(puzzle, first.turns if first else [])
        return replace(_next_step(line, title, [refusal.sentence]), done=False)
    said = [verdict_of(answered.judged)]
    is_late = context.received_at.astimezone(UTC).date() > puzzle.day
    if first is not None and first.is_right is not None:
        if answered.judged.is_right:
            # Without the next turn, which is not asked for.
            said = [_("%(turn)s is right!") % {"turn": answered.judged.notation}]
        said.append(_before(first))
    elif is_late:
        said.append(_("The day of this puzzle is over, so it does not count for your streak."))
    if answered.attempt.is_right is None:
        return _next_step(answered.line, title, said)
    return _with_solution(puzzle, user, title, said, context)


def _before(first: PuzzleAttempt) -> str:
    """Return that a puzzle was answered before, and how."""
    if not first.notation:
        return _("You had asked for the solution before, so this answer does not count.")
    said = _("You had answered %(turn)s before, and only the first answer counts.")
    return said % {"turn": ", ".join(first.turns)}


def _next_step(line: PuzzleLine, title: str, said: list[str]) -> CommandResult:
    """Return what was said with what is asked next; the letter shows the board."""
    said = [*said, question_of(line), *_possible_turns(line)]
    said.append(_("Reply with your turn and nothing else; “solution” sends you the solution."))
    return CommandResult(True, tuple(said), title=title, puzzle_line=line.own)


def _possible_turns(line: PuzzleLine) -> list[str]:
    """Return the sentence that lists what can be played; none where there is very much."""
    if len(line.legal) > MAX_SHOWN:
        return []
    return [_("Possible turns: %(turns)s") % {"turns": ", ".join(line.legal)}]


def _with_solution(
    puzzle: Puzzle, user: User, title: str, said: list[str], context: CommandContext
) -> CommandResult:
    """Return what was said with the solution and the streak."""
    attempt = PuzzleAttempt.objects.filter(puzzle=puzzle, user=user).first()
    own = attempt.turns if attempt and attempt.is_right else []
    solution = solution_of(puzzle, own)
    line = [f"{n}. {one.turns[-1]}  {one.words()}" for n, one in enumerate(solution, 1)]
    streak = streak_of(user, now=context.now)
    sentence = ngettext("Your streak: %(streak)s day.", "Your streak: %(streak)s days.", streak)
    said = [*said, sentence % {"streak": streak}]
    said.append(_("The puzzle: %(url)s") % {"url": settings.SITE_URL + puzzle.get_absolute_url()})
    said.append(_("The solution:"))
    return CommandResult(True, tuple(said), listing="\n".join(line), title=title)
