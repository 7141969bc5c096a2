"""A turn among other words: "b3 nice move", or below a greeting."""

import re
from collections.abc import Sequence
from dataclasses import replace

from games.models import Game
from games.queries.positions import position_at
from games.rules.base import InvalidMoveError, MoveError
from games.services.turns import canonical_turn
from notifications.mail_parser import MailCommand, NotUnderstood, TurnCommand, parse_command

MOST_WORDS = 40
"""Words of a line of which the first may be a turn."""

MOST_BELOW, LONGEST_BELOW = 12, 80
"""Lines of a refused mail that are read, and their characters, for a turn below a greeting."""

_WORD = re.compile(r"[^\W\d_]{2,}[.,!?…]*")
"""What a message begins with: a word of letters, so that half of a turn is never taken for one."""

_SEPARATORS = ",;:-"


def begins_with_turn(lines: Sequence[str], game: Game | None) -> bool:
    """Tell whether the first meaningful line of a mail could be played at a game now."""
    command, _ = parse_command(lines)
    if not isinstance(command, TurnCommand):
        return False
    if game is None or game.started_at is None or game.is_over:
        return False
    return canonical_turn(game.rules, position_at(game), command.text) is not None


def turn_below(lines: Sequence[str], game: Game | None, turn_number: int | None) -> str:
    """Return the line below the first that could be played now, or nothing: people greet first.

    `turn_number` is the number of turns that the sender had seen.
    """
    if game is None or game.is_over or game.turn_number != turn_number:
        return ""
    rules, position = game.rules, position_at(game)
    for line in map(str.strip, lines[1:MOST_BELOW]):
        may_be_turn = len(line) <= LONGEST_BELOW and any(map(str.isdigit, line))
        if may_be_turn and canonical_turn(rules, position, line) is not None:
            return line
    return ""


def split_turn(
    command: MailCommand | NotUnderstood, message: str, game: Game | None, turn_number: int | None
) -> tuple[MailCommand | NotUnderstood, str]:
    """Return the command with the words behind a turn moved into the message.

    Only if the whole line is no turn. The turn is then the longest beginning that is legal now; or
    else the first word, if it can be read as a turn: then that is what is refused.
    """
    if not isinstance(command, TurnCommand) or game is None or game.turn_number != turn_number:
        return command, message
    rules, position = game.rules, position_at(game)
    words = command.text.split()
    if canonical_turn(rules, position, command.text) is not None or len(words) > MOST_WORDS:
        return command, message
    for count in range(len(words) - 1, 0, -1):
        turn = " ".join(words[:count]).rstrip(_SEPARATORS)
        if _is_prose(words[count:]) and canonical_turn(rules, position, turn) is not None:
            return _split(command, turn, words[count:], message)
    if not words[1:] or not _is_prose(words[1:]):
        return command, message
    first = words[0].rstrip(_SEPARATORS)
    try:
        rules.parse_turn(position, first)
        is_readable = True
    except InvalidMoveError:
        is_readable = False
    except MoveError:
        is_readable = any(map(str.isdigit, words[0]))
    return _split(command, first, words[1:], message) if is_readable else (command, message)


def _split(
    command: TurnCommand, turn: str, behind: Sequence[str], message: str
) -> tuple[MailCommand, str]:
    said = " ".join(behind)
    return replace(command, text=turn), f"{said}\n{message}".strip()


def _is_prose(words: Sequence[str]) -> bool:
    """Tell whether these words are said to somebody: prose, or a mere smiley."""
    return _WORD.fullmatch(words[0]) is not None or not any(map(str.isalnum, "".join(words)))
