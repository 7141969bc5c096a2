"""Lines as people write them: which play, which are asked back, and which are talk.

The tables in tests/corpus/lines are written by hand, half of them as people write on phones. A
line that plays or asks has its turn in front.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from games.queries.positions import position_at
from games.services.turns import canonical_turn
from notifications.mail_commands.turn_text import split_turn
from notifications.mail_parser import DoubtfulTurn, TurnCommand, parse_command
from tests.factories import PersonFactory
from tests.games.multiplayer import gather
from tests.games.play import begin, play_all

FOLDER = Path(__file__).parents[2] / "corpus" / "lines"
TABLES = sorted(path.stem for path in FOLDER.glob("*.txt"))
FEWEST = 400


@dataclass(frozen=True)
class Table:
    """The lines of one file: what becomes of each (plays, asks, talks), the turn, the line."""

    game: str
    after: tuple[str, ...]
    lines: tuple[tuple[str, str, str], ...]


def read(name):
    game, after, lines, becomes = "", (), [], ""
    for row in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if row.startswith("game: "):
            game = row.removeprefix("game: ")
        elif row.startswith("after: "):
            after = tuple(row.removeprefix("after: ").split(", "))
        elif row.startswith("# "):
            becomes = row.removeprefix("# ")
        elif row:
            turn, _, line = row.rpartition(" | ")
            lines.append((becomes, turn, line))
    return Table(game, after, tuple(lines))


def becomes(line, game):
    """Return what becomes of a mail of one line, and the turn that it plays or asks about."""
    command, _message = parse_command([line])
    meant, _message = split_turn(command, "", game, game.turn_number)
    if isinstance(meant, TurnCommand | DoubtfulTurn):
        turn = canonical_turn(game.rules, position_at(game), meant.text)
        if turn is not None:
            return ("asks" if isinstance(meant, DoubtfulTurn) else "plays"), turn
    return "talks", ""


@pytest.mark.django_db
@pytest.mark.parametrize("name", TABLES)
def test_every_line_becomes_what_the_table_says(name, ann, bob, cat, now):
    table = read(name)
    if table.game == "superpion":
        game = gather([ann, bob, cat, PersonFactory(username="dan")], now=now)
    else:
        game = begin(ann, bob, now=now, slug=table.game)
    game = play_all(game, table.after, now=now)
    wrong = [
        (line, found, (expected, turn))
        for expected, turn, line in table.lines
        if (found := becomes(line, game)) != (expected, turn)
    ]
    assert not wrong


def test_the_tables_have_lines_enough_of_each_sort():
    tables = [read(name) for name in TABLES]
    lines = [(table.game, line) for table in tables for _, _, line in table.lines]
    assert len(set(lines)) == len(lines) >= FEWEST
    sorts = [becomes for table in tables for becomes, _, _ in table.lines]
    assert min(map(sorts.count, ("plays", "asks", "talks"))) >= FEWEST // 6
