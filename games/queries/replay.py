"""All positions of a game in one answer, from which a page shows any of them without asking again.

The answer is small because each element of a drawing occurs once in it (`parts`), and a drawing is
told by what differs from the one before.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from django.utils.translation import gettext

from games.models import Game
from games.queries.lessons import judgements_of, words_of_judgement
from games.queries.positions import moments_of, turns_of, words_of_moment
from games.queries.seats import Viewer, seat_played
from games.render.picture import picture_parts
from games.render.text import board_text

Edit = list[int]
"""A change: its place, how many items are removed there, and places in `parts` of the new ones.

The place is counted in the sequence as the edits before this one have left it.
"""


def replay_of(game: Game, viewer: Viewer) -> dict[str, list[Any]]:
    """Return all positions of a game that has begun, in the active language, first to last.

    Besides `parts`, which are elements of SVG, each list has an item for the start and for the
    position after each entry of the record: `edits` make a drawing of the one before, `sizes` are
    the drawings' widths and heights (null where they do not change), `texts` the boards as text,
    and `words` say what led to the position (empty at the start).
    """
    turns = list(turns_of(game))
    moments = moments_of(game, [turn.notation for turn in turns])
    words = [
        gettext("%(player)s %(words)s")
        % {"player": turn.player, "words": words_of_moment(game, moment)}
        for turn, moment in zip(turns, moments[1:], strict=True)
    ]
    for number, judgement in judgements_of(game, viewer).items():
        words[number - 1] += f". {words_of_judgement(judgement).removesuffix('.')}"
    seat = seat_played(game, viewer)
    side = seat.number if seat else None
    boards = [
        game.rules.board(moment.position, side, moment.actions).turned(game.turned_by)
        for moment in moments
    ]
    parts: dict[str, int] = {}
    drawing: list[int] = []
    size: tuple[float, float] | None = None
    edits, sizes = [], []
    for board in boards:
        new_size, elements = picture_parts(board, translate=gettext)
        new_drawing = [parts.setdefault(element, len(parts)) for element in elements]
        edits.append(_edits(drawing, new_drawing))
        sizes.append(None if new_size == size else new_size)
        drawing, size = new_drawing, new_size
    return {
        "parts": list(parts),
        "edits": edits,
        "sizes": sizes,
        "texts": [board_text(board, translate=gettext) for board in boards],
        "words": ["", *words],
    }


def _edits(old: Sequence[int], new: Sequence[int]) -> list[Edit]:
    """Return the edits that turn `old` into `new`, first to last."""
    edits, shift = [], 0
    for kind, start, end, first, last in SequenceMatcher(None, old, new, False).get_opcodes():
        if kind != "equal":
            edits.append([start + shift, end - start, *new[first:last]])
            shift += (last - first) - (end - start)
    return edits
