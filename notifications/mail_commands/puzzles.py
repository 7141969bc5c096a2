"""Replies to a puzzle's letter: a turn is the answer, and “solution” asks for the solution."""

from datetime import UTC

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games import errors
from games.models import Puzzle, PuzzleAttempt
from games.queries.puzzles import solution_of, streak_of, task_of, verdict_of
from games.rules.base import MAX_SHOWN
from games.services.puzzles import answer_puzzle, show_solution
from notifications.kinds.puzzle.kind import possible_turns
from notifications.mail_commands.context import CommandContext, CommandResult
from notifications.mail_parser.phrases import fold

LONGEST_QUOTED = 80

_SOLUTION = frozenset({"solution", "the solution", "la solution", "give up", "je donne ma langue"})
"""What asks for the solution, folded."""


def answer_by_mail(puzzle: Puzzle, text: str, context: CommandContext) -> CommandResult:
    """Take a line for the answer to a puzzle; the result says whether it is right, and why.

    The first answer is kept, and opens the solution. Raises AccountClosed, Barred.
    """
    user = context.require_user()
    title = task_of(puzzle)
    first = PuzzleAttempt.objects.filter(puzzle=puzzle, user=user).first()
    if fold(text).strip(" .!?") in _SOLUTION:
        show_solution(day=puzzle.day, user=user, now=context.now)
        said = [] if first else [_("This puzzle counts as not solved.")]
        return _with_solution(puzzle, user, title, said, context)
    try:
        answered = answer_puzzle(
            day=puzzle.day,
            user=user,
            text=text,
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
        turns = possible_turns(puzzle)
        if len(turns) <= MAX_SHOWN:
            said.append(_("Possible turns: %(turns)s") % {"turns": ", ".join(turns)})
        return CommandResult(False, tuple(said), title=title)
    said = [verdict_of(puzzle, answered.notation)]
    if first is not None:
        said.append(_before(first))
    elif context.received_at.astimezone(UTC).date() > puzzle.day:
        said.append(_("The day of this puzzle is over, so it does not count for your streak."))
    return _with_solution(puzzle, user, title, said, context)


def _before(first: PuzzleAttempt) -> str:
    """Return that a puzzle was answered before, and how."""
    if not first.notation:
        return _("You had asked for the solution before, so this answer does not count.")
    said = _("You had answered %(turn)s before, and only the first answer counts.")
    return said % {"turn": first.notation}


def _with_solution(
    puzzle: Puzzle, user: User, title: str, said: list[str], context: CommandContext
) -> CommandResult:
    """Return what was said with the solution and the streak."""
    line = [f"{n}. {one.turns[-1]}  {one.words()}" for n, one in enumerate(solution_of(puzzle), 1)]
    streak = streak_of(user, now=context.now)
    sentence = ngettext("Your streak: %(streak)s day.", "Your streak: %(streak)s days.", streak)
    said = [*said, sentence % {"streak": streak}]
    said.append(_("The puzzle: %(url)s") % {"url": settings.SITE_URL + puzzle.get_absolute_url()})
    said.append(_("The solution:"))
    return CommandResult(True, tuple(said), listing="\n".join(line), title=title)
