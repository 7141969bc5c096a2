"""Every refusal of puzzles; what the rules refuse is in `games.errors`, as in games.

A wrong answer is no refusal: it is judged, and kept if it counts. Each refusal leaves the attempt
as it was, and the person can go on from there.
"""

from django.utils.translation import gettext_noop as _

from games.errors import Refusal

# One declaration a line reads as the table that it is.
# fmt: off

class NoSuchPuzzle(Refusal, status=404, text=_(
    "There is no puzzle of this day."
)): ...
class StalePuzzleLine(Refusal, text=_(
    "You have already played %(turns)s in this puzzle. Go on from there."
)): ...
class BadPuzzleLine(Refusal, status=422, text=_(
    "These turns are not the right beginning of this puzzle. Begin again with its position."
)): ...
class PuzzleLineIsOver(Refusal, text=_(
    "These turns have solved the puzzle: nothing more is asked."
)): ...
class HelpsInRunningGame(Refusal, status=403, text=_(
    "This puzzle would help you in one of your running games, which stands at one of its positions "
    "or a turn before. You can answer it and see its solution when that game has gone on."
)): ...

# Programs are told their names and sentences at `/api/errors/`.
