"""A turn among other words: "b3, nice move" plays, "b3?" is asked back, "see you" is neither."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from games.models import Game
from games.queries.positions import position_at
from games.rules.base import AnyRules, InvalidMoveError, MoveError
from games.services.turns import canonical_turn
from notifications.mail_parser import (
    Command,
    DoubtfulTurn,
    MailCommand,
    NotUnderstood,
    TurnCommand,
    parse_command,
)
from notifications.mail_parser.turn_words import (
    begins_correction,
    is_doubtful,
    is_second_thought,
    without_lead_in,
)

MOST_WORDS = 40
"""Words of a line of which the first may be a turn."""

_TAKES_BACK = (Command.RESIGN, Command.ABORT, Command.UNDO, Command.TAKEBACK)
"""Commands that do not go with a turn above them."""

MOST_BELOW, LONGEST_BELOW = 12, 80
"""Lines below the first that are read, and their characters, for a turn."""

_BETWEEN = re.compile(r"(?<=[,;:!?…)])(?=[^\W\d_])|(?<=\w)(?=[^\w\s,;:.!?…\-–=()/>→×'’*])")
"""Where people on phones leave out a space: "c3,thanks", "c3👍"."""

_AROUND = " ,;:.!?…-–—()[]\"'«»“”*"


def begins_with_turn(lines: Sequence[str], game: Game | None) -> bool:
    """Tell whether the first line of a mail could be played, with its words, at a game now."""
    if game is None or game.started_at is None or game.is_over:
        return False
    command, _ = parse_command(lines)
    meant, _ = split_turn(command, "", game, game.turn_number)
    if not isinstance(meant, TurnCommand | DoubtfulTurn):
        return False
    return canonical_turn(game.rules, position_at(game), meant.text) is not None


def turn_below(lines: Sequence[str], game: Game | None, turn_number: int | None) -> str:
    """Return the line below the first that could be played now, or nothing: people talk first.

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


def may_be_turn(command: MailCommand | NotUnderstood, game: Game | None) -> bool:
    """Tell whether a line is a command, or a turn that could be played or refused, and no words.

    In a game that is over only a line that is nothing but a turn is one.
    """
    if not isinstance(command, TurnCommand) or game is None:
        return not (isinstance(command, NotUnderstood) and command.reason == "bare")
    text, _ = without_lead_in(command.text)
    words = _BETWEEN.sub(" ", text).split()
    beginnings = [text.strip(_AROUND)]
    if not game.is_over:
        beginnings += [" ".join(words[:count]).strip(_AROUND) for count in (1, 2)]
    position = position_at(game)
    for beginning in filter(None, beginnings):
        try:
            if game.rules.read(position, beginning):
                return True
        except MoveError:
            continue
    return False


def split_turn(
    command: MailCommand | NotUnderstood,
    message: str,
    game: Game | None,
    turn_number: int | None,
    below: Sequence[str] = (),
) -> tuple[MailCommand | NotUnderstood, str]:
    """Return the turn that a line means, and its message with the words behind the turn on top.

    `below` are the lines of the mail below the message. A turn whose words may change it, or that a
    line below takes back or puts another in place of, becomes a DoubtfulTurn. If no
    beginning of the line is legal now, the first word is the turn if it can be read as one: then
    that is what is refused. Any other command is returned as it is.
    """
    if not isinstance(command, TurnCommand) or game is None or game.turn_number != turn_number:
        return command, message
    rules, position = game.rules, position_at(game)

    def is_legal(text: str) -> bool:
        return canonical_turn(rules, position, text) is not None

    line = command.text
    if is_legal(line):
        return _unless_contradicted(command, message, below, is_legal)
    text, is_open = without_lead_in(line)
    words = _BETWEEN.sub(" ", text).split()
    if not words or len(words) > MOST_WORDS:
        return command, message
    for count in range(len(words), 0, -1):
        turn, behind = _apart(words, count)
        if turn and is_legal(turn):
            if is_open or is_doubtful(turn, behind):
                return DoubtfulTurn(turn, line), message
            said = f"{behind.lstrip(_AROUND)}\n{message}".strip() if behind else message
            return _unless_contradicted(replace(command, text=turn), said, below, is_legal)
    return _readable_turn(command, words, rules, position), message


def _readable_turn(
    command: TurnCommand, words: list[str], rules: AnyRules, position: object
) -> TurnCommand:
    """Return the first word as a turn to be refused, if it is one; else the line as it is."""
    first, behind = _apart(words, 1)
    if not behind or is_doubtful(first, behind):
        return command
    try:
        rules.parse_turn(position, first)
        is_readable = True
    except InvalidMoveError:
        is_readable = False
    except MoveError:
        is_readable = any(map(str.isdigit, first))
    return replace(command, text=first) if is_readable else command


def _apart(words: list[str], count: int) -> tuple[str, str]:
    """Return the first words without marks around them, and what stands behind, marks included."""
    head = " ".join(words[:count])
    turn = head.rstrip(_AROUND)
    return turn.lstrip(_AROUND), " ".join([head[len(turn) :], *words[count:]]).strip()


def _unless_contradicted(
    command: TurnCommand, message: str, below: Sequence[str], is_legal: Callable[[str], bool]
) -> tuple[MailCommand, str]:
    """Return a turn and its message; asked back if a line below names another or takes it back."""
    for line in [*message.splitlines(), *filter(str.strip, below)][:MOST_BELOW]:
        if len(line) > LONGEST_BELOW:
            continue
        if is_second_thought(line) or parse_command([line])[0] in _TAKES_BACK:
            return DoubtfulTurn(command.text, f"{command.text}\n{line}"), message
        if not any(map(str.isdigit, line)):
            continue
        # "c3", and below it "a2" or "no wait, a2"
        words = line.split() if begins_correction(line) else ()
        if any(is_legal(text.strip(_AROUND)) for text in (line, *words)):
            return DoubtfulTurn(command.text, f"{command.text}\n{line}"), message
    return command, message
