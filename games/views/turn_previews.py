"""What a turn that is not played yet would lead to, for the boards of pages."""

from typing import Any

from django.utils.translation import gettext as _

from games import errors
from games.models import Game
from games.queries.positions import choices_for_script, shown_choices_at, words_of
from games.rules.base import AnyRules, MoveError, is_too_long
from games.rules.board import Board
from games.templatetags.boards import page_svg


def parse_beginning(rules: AnyRules, before: Any, text: str) -> tuple[tuple[Any, ...], Any]:
    """Return the actions of a turn or of its beginning, and the position after them.

    Raises TurnTooLong, MoveRefused.
    """
    if is_too_long(text):
        raise errors.TurnTooLong
    try:
        return rules.parse_actions(before, text)
    except MoveError as error:
        raise errors.MoveRefused(error) from error


def is_whole_turn(rules: AnyRules, before: Any, after: Any) -> bool:
    """Return whether no more can be played in the turn that led from one position to the other."""
    return rules.to_move(after) is None or rules.turn(after) != rules.turn(before)


def preview_turn(
    game: Game, before: Any, text: str, viewer_seat: int | None
) -> tuple[dict[str, Any], Board]:
    """Return what the board's page module reads about a turn, and the drawing in it.

    The board is seen from `viewer_seat`, and turned as the reader has turned it.
    Raises TurnTooLong, MoveRefused; changes nothing.
    """
    rules = game.rules
    actions, after = parse_beginning(rules, before, text)
    complete = is_whole_turn(rules, before, after)
    words = words_of(rules, before, actions)
    drawing = rules.board(after, viewer_seat, actions).turned(game.turned_by)
    answer = {
        "svg": page_svg(drawing, title=_("The board after your turn"), description=words),
        "notation": rules.format_turn(before, actions),
        "words": words,
        "complete": complete,
        "actions": [] if complete else choices_for_script(shown_choices_at(rules, after)),
    }
    return answer, drawing
