"""A turn with words behind it on the same line: "b3 nice move"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from games.models import Game
from games.queries import position_at
from games.rules.base import AnyRules, InvalidMoveError, MoveError
from games.services.turns import canonical_turn
from notifications.mail_parser import MailCommand, NotUnderstood, ParsedMail, TurnCommand, orders
from notifications.services.mail_commands.context import CommandContext

MOST_WORDS = 40
"""Words of a line of which the first may be a turn."""

MOST_BELOW, LONGEST_BELOW = 12, 80
"""Lines of a refused mail that are looked at, and their characters, for a turn below a greeting."""

_WORD = re.compile(r"[^\W\d_]{2,}[.,!?…]*")
"""What a message begins with: a word of letters, so that no half of a turn is taken for one."""


def begins_with_turn(mail: ParsedMail, game: Game | None) -> bool:
    """Tell whether the first meaningful line of a mail could be played at a game now."""
    order, _ = orders(mail.lines)
    if (
        not isinstance(order, TurnCommand)
        or game is None
        or game.started_at is None
        or game.is_over
    ):
        return False
    return canonical_turn(game.rules, position_at(game), order.text) is not None


def turn_below(lines: Sequence[str], place: CommandContext) -> str:
    """Return the line below the first that could be played now: people greet first. Or nothing."""
    game = place.game
    if game is None or game.is_over or game.turn_number != place.turn_number:
        return ""
    rules, position = game.rules, position_at(game)
    for line in map(str.strip, lines[1:MOST_BELOW]):
        short = len(line) <= LONGEST_BELOW and any(map(str.isdigit, line))
        if short and canonical_turn(rules, position, line) is not None:
            return line
    return ""


def _begins_words(words: Sequence[str]) -> bool:
    """Tell whether these words are said to somebody: prose, or a mere smiley."""
    return _WORD.fullmatch(words[0]) is not None or not any(map(str.isalnum, "".join(words)))


def split_turn(
    order: MailCommand | NotUnderstood, message: str, place: CommandContext
) -> tuple[MailCommand | NotUnderstood, str]:
    """Return the order with the words behind a turn moved into the message.

    Only where the whole line is no turn and its longest beginning is one that is legal now; or else
    its first word one that is not, but can be read: then it is that which is refused.
    """
    game = place.game
    if not isinstance(order, TurnCommand) or game is None or game.turn_number != place.turn_number:
        return order, message
    rules, position = game.rules, position_at(game)
    words = order.text.split()
    if canonical_turn(rules, position, order.text) is not None or len(words) > MOST_WORDS:
        return order, message
    for count in range(len(words) - 1, 0, -1):
        turn, behind = " ".join(words[:count]).rstrip(",;:-"), words[count:]
        if _begins_words(behind) and canonical_turn(rules, position, turn) is not None:
            return _parted(order, turn, behind, message)
    if len(words) > 1 and _begins_words(words[1:]) and _is_readable(rules, position, words[0]):
        return _parted(order, words[0].rstrip(",;:-"), words[1:], message)
    return order, message


def _parted(
    order: TurnCommand, turn: str, behind: Sequence[str], message: str
) -> tuple[MailCommand, str]:
    said = " ".join(behind)
    return replace(order, text=turn), f"{said}\n{message}".strip()


def _is_readable(rules: AnyRules, position: object, word: str) -> bool:
    """Tell whether the rules understand a word, though they may refuse it."""
    try:
        rules.parse_turn(position, word.rstrip(",;:-"))
    except InvalidMoveError:
        return False
    except MoveError:
        return any(map(str.isdigit, word))
    return True
