"""Lines as people write them: which play, which are asked back, and which are talk.

The tables in tests/corpus/lines are written by hand. A line that plays or asks has its turn in
front. A file's name tells its language ("any" for lines in both or neither), and with "phone" that
its lines are written as on phones: no punctuation and no capitals, or a capital that the keyboard
made, two spaces for a full stop and none behind a comma, no accents or apostrophes, emoji, words
shortened as in chats, "sent from my phone".
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
LANGUAGES = ("en", "fr")
RULES = {
    "a turn alone": {"plays"},
    "words before it": {"plays", "asks"},
    "courtesy behind it": {"plays", "asks"},
    "a question": {"asks"},
    "another turn": {"asks"},
    "doubt": {"asks"},
    "a number that counts": {"asks", "talks"},
    "words alone": {"talks"},
}
"""Rules of docs/mail-grammar.md, and what becomes of lines that they are about."""


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
            becomes = row.removeprefix("# ").partition(":")[0]
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
    assert not wrong, "\n".join(map(str, wrong))


def written(*, languages=(*LANGUAGES, "any"), on_phone=None):
    """Return the game, what becomes of it, and the text of the lines in files of these sorts."""
    found = []
    for name in TABLES:
        _game, *phone, language = name.split(".")
        if language in languages and on_phone in (None, bool(phone)):
            table = read(name)
            found += [(table.game, becomes, line) for becomes, _, line in table.lines]
    return found


def test_the_tables_have_lines_enough_of_each_sort():
    lines = written()
    assert len({(game, line) for game, _, line in lines}) == len(lines) >= FEWEST
    sorts = [becomes for _, becomes, _ in lines]
    assert min(map(sorts.count, ("plays", "asks", "talks"))) >= FEWEST // 6


def test_half_of_the_lines_are_written_as_on_phones():
    assert len(written(on_phone=True)) * 2 >= len(written())


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_a_third_of_the_lines(language):
    assert len(written(languages=[language])) * 3 >= len(written())
    on_phones = written(languages=[language], on_phone=True)
    assert len(on_phones) * 3 >= len(written(on_phone=True))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", RULES)
def test_each_rule_has_lines_as_on_phones(rule, language):
    headings = set()
    for path in FOLDER.glob(f"*.phone.{language}.txt"):
        headings.update(path.read_text(encoding="utf-8").splitlines())
    assert {becomes for becomes in RULES[rule] if f"# {becomes}: {rule}" in headings} == RULES[rule]
