"""Where somebody stands in a puzzle: their turns so far, the other side's answers, what comes next.

A line is nothing but its own turns. Whoever asks brings them along, and they are played again here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext, ngettext

from games import errors, puzzle_errors
from games.models import Game, Puzzle
from games.queries.trials import Trial, read_trial
from games.rules.base import MoveError, is_too_long
from games.rules.puzzle_lines import (
    MOST_STEPS,
    AnySolvedProgram,
    is_line_over,
    is_quickest,
    keys_near,
    longest_resistance,
)
from games.rules.puzzles import best_line
from games.rules.registry import program_for
from games.rules.solved import SolvedProgram


@dataclass(frozen=True)
class PuzzleLine:
    """The right turns that somebody has played in a puzzle, and the position that they led to."""

    puzzle: Puzzle
    own: tuple[str, ...]
    trial: Trial
    """All turns from the start of the game, with the other side's answers."""
    is_over: bool = False
    """Nothing more is asked (`games.rules.puzzle_lines.is_line_over`)."""
    resistance: str = ""
    """The other side's newest turn, which resists the longest; empty if there is none."""

    def judge(self, text: str) -> JudgedTurn:
        """Return whether a whole legal turn is right, and where the line stands after it.

        In a puzzle that is won, a turn is right if it wins as soon as best play does; otherwise
        only one is. Raises TurnTooLong, MoveRefused, PuzzleLineIsOver.
        """
        if self.is_over:
            raise puzzle_errors.PuzzleLineIsOver
        if is_too_long(text):
            raise errors.TurnTooLong
        rules, position = self.puzzle.rules, self.trial.position
        try:
            actions = rules.parse_turn(position, text)
        except MoveError as error:
            raise errors.MoveRefused(error) from error
        notation = rules.format_turn(position, actions).replace(" ", "")
        if self.puzzle.is_win:
            is_right = is_quickest(solver_of(self.puzzle), position, actions)
        else:
            is_right = notation == self.puzzle.answer
        after = self._go_on(notation) if is_right else self
        return JudgedTurn(notation, is_right, before=self, after=after)

    def _go_on(self, notation: str) -> PuzzleLine:
        """Return the line after a right turn and the other side's answer to it."""
        own, trial, answer = (*self.own, notation), self.trial.go_on(notation), ""
        if not self.puzzle.is_win:
            return PuzzleLine(self.puzzle, own, trial, is_over=True)
        program = solver_of(self.puzzle)
        if self.puzzle.rules.outcome(trial.position) is None and len(own) < MOST_STEPS:
            answer = longest_resistance(program, trial.position)
            trial = trial.go_on(answer)
        is_over = is_line_over(program, trial.position, len(own))
        return PuzzleLine(self.puzzle, own, trial, is_over, answer)

    @property
    def turns_left(self) -> int:
        """In how many more turns of the side that wins best play wins; 0 once the game is won."""
        if self.puzzle.rules.outcome(self.trial.position) is not None:
            return 0
        distance = solver_of(self.puzzle).verdict(self.trial.position).distance
        return (distance + 1) // 2

    @property
    def played(self) -> tuple[str, ...]:
        """The turns of both sides since the puzzle's position."""
        return self.trial.turns[len(self.puzzle.moves.split()) :]

    @property
    def legal(self) -> list[str]:
        """Every turn that can be played next, as the rules write it."""
        rules, position = self.puzzle.rules, self.trial.position
        return [rules.format(position, action) for action in rules.legal_actions(position)]


@dataclass(frozen=True)
class JudgedTurn:
    """A turn in its canonical text, and the line before and after it.

    A turn that is not right changes no line: `after` is `before`.
    """

    notation: str
    is_right: bool
    before: PuzzleLine
    after: PuzzleLine

    @property
    def solves(self) -> bool:
        """Whether it is right, and the last one that is asked."""
        return self.is_right and self.after.is_over


def start_of(puzzle: Puzzle) -> PuzzleLine:
    """Return the line in which nothing has been played."""
    return PuzzleLine(puzzle, (), read_trial(puzzle.rules, "", puzzle.moves))


def read_line(puzzle: Puzzle, own: Sequence[str]) -> PuzzleLine:
    """Return the line of somebody's own turns, in canonical text. All of them must be right.

    Raises BadPuzzleLine, PuzzleLineIsOver.
    """
    line = start_of(puzzle)
    if len(own) > MOST_STEPS:
        raise puzzle_errors.BadPuzzleLine
    for text in own:
        try:
            judged = line.judge(text)
        except (errors.MoveRefused, errors.TurnTooLong) as refusal:
            raise puzzle_errors.BadPuzzleLine from refusal
        if not judged.is_right or judged.notation != text:
            raise puzzle_errors.BadPuzzleLine
        line = judged.after
    return line


def solver_of(puzzle: Puzzle) -> AnySolvedProgram:
    """Return the program that knows every position of a puzzle's game."""
    program = program_for(puzzle.rules_slug)
    if not isinstance(program, SolvedProgram):
        raise TypeError(puzzle.rules_slug)
    return program


def solution_of(puzzle: Puzzle, own: Sequence[str] = ()) -> list[Trial]:
    """Return what each turn of the solution leads to.

    It begins with somebody's own right turns and goes on with best play. Raises BadPuzzleLine.
    """
    trial = start_of(puzzle).trial
    turns: Sequence[str] = puzzle.solution.split()
    if own and puzzle.is_win:
        line = read_line(puzzle, own)
        turns = (*line.played, *best_line_from(line))
    reached = []
    for turn in turns:
        trial = trial.go_on(turn)
        reached.append(trial)
    return reached


def best_line_from(line: PuzzleLine) -> tuple[str, ...]:
    """Return best play of both sides from where a line stands, to the end of the game."""
    return best_line(solver_of(line.puzzle), line.trial.position)


# Running games ------------------------------------------------------------------------------------


def helps_in_running_game(user_id: int, puzzle: Puzzle, line: PuzzleLine | None = None) -> bool:
    """Tell whether a puzzle, its solution or a line of it helps a user in a game that they play.

    Such a game stands at one of its positions, or can come to one with its next turn. Lessons are
    left out: a teacher may judge them. Positions are compared as the tables know them: in some
    games those that are turned or mirrored are the same. Makes one query.
    """
    plays = Q(seats__user=user_id, seats__left_at=None) | Q(seats__played_by_partner=user_id)
    games = Game.objects.running().filter(plays, rules_slug=puzzle.rules_slug, is_lesson=False)
    texts = list(games.values_list("position", flat=True))
    if not texts:
        return False
    program = solver_of(puzzle)
    reached = [start_of(puzzle).trial, *solution_of(puzzle)]
    if line is not None and line.own:
        reached += solution_of(puzzle, line.own)
    shown = {program.key(trial.position) for trial in reached}
    return not shown.isdisjoint(keys_near(program, texts))


# In words -----------------------------------------------------------------------------------------


def question_of(line: PuzzleLine) -> str:
    """Return what is asked next, in whole sentences."""
    puzzle, position = line.puzzle, line.trial.position
    player = puzzle.rules.seat_name({}, puzzle.rules.to_move(position) or 0).translated(gettext)
    said = gettext("To play: %(player)s.") % {"player": player}
    if line.own:
        asked = ngettext(
            "Win in %(count)s more turn.", "Win in %(count)s more turns.", line.turns_left
        )
        return f"{said} {asked % {'count': line.turns_left}}"
    if puzzle.is_win:
        asked = gettext("Of %(count)s possible turns, only one keeps the win. Which one?")
    else:
        asked = gettext("Of %(count)s possible turns, only one does not lose. Which one?")
    return f"{said} {asked % {'count': puzzle.choices}}"


def verdict_of(judged: JudgedTurn) -> str:
    """Return in words whether a turn is right, and what it leads to."""
    values = {"turn": judged.notation, "answer": judged.after.resistance}
    puzzle, after = judged.before.puzzle, judged.after
    if not judged.is_right:
        return _what_is_wrong(judged) % values
    said = gettext("%(turn)s is right!")
    if puzzle.is_win and after.is_over:
        said = gettext("%(turn)s is right, and the puzzle is solved!")
        if after.turns_left:
            said += " " + gettext("Nothing more is asked: the rest is in the solution.")
    elif puzzle.is_win:
        said += " " + gettext("%(answer)s resists the longest. Now find your next turn.")
    return said % values


def words_of_turns(line: PuzzleLine) -> list[tuple[str, str]]:
    """Return each turn since the puzzle's position: its notation, and what it does."""
    trial, said = start_of(line.puzzle).trial, []
    for turn in line.played:
        trial = trial.go_on(turn)
        said.append((turn, trial.words()))
    return said


def _what_is_wrong(judged: JudgedTurn) -> str:
    """Return what a turn that is not right leads to; `turn` is still to be filled in."""
    puzzle, position = judged.before.puzzle, judged.before.trial.position
    actions = puzzle.rules.parse_turn(position, judged.notation)
    value = solver_of(puzzle).judge_turn(position, actions).after.value
    if value > 0:
        return gettext("%(turn)s wins too, but another turn wins sooner.")
    if value < 0:
        return gettext("%(turn)s loses against best play.")
    return gettext("%(turn)s gives the win away: best play is a draw then.")
