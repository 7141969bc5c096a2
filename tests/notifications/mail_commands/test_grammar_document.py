"""docs/mail-grammar.md: every line in its tables becomes what the table says."""

import re

import pytest
from django.conf import settings

from games.queries.positions import position_at
from games.services.turns import canonical_turn
from notifications.mail_commands.context import HANDLERS
from notifications.mail_commands.questions import FINAL
from notifications.mail_commands.turn_text import split_turn
from notifications.mail_parser import (
    Command,
    DoubtfulTurn,
    NotUnderstood,
    TurnCommand,
    parse_command,
)
from notifications.mail_parser.friendly_answers import read_friendly_answer
from tests.games.play import begin

ROW = re.compile(r"^\| `(.+)` \| (.+) \|$", re.MULTILINE)
FEWEST = 60
ROWS = ROW.findall((settings.BASE_DIR / "docs" / "mail-grammar.md").read_text(encoding="utf-8"))
FRIENDLY = {
    "accepts an invitation": True,
    "declines an invitation": False,
    "is no answer to an invitation": None,
}


def in_words(line, game):
    """Return what becomes of a line, in the words of the document's second column."""
    command, _ = parse_command([line])
    command, _ = split_turn(command, "", game, game.turn_number)
    if isinstance(command, TurnCommand | DoubtfulTurn):
        turn = canonical_turn(game.rules, position_at(game), command.text)
        is_asked = isinstance(command, DoubtfulTurn)
        return f"asks whether {turn} is meant" if is_asked else f"plays {turn or 'nothing'}"
    if isinstance(command, NotUnderstood):
        assert command.reason == "bare"
        return "nothing: the word counts only alone"
    if not isinstance(command, Command):
        return type(command).__name__
    if command in FINAL.values():
        may = " if it could end the game" if command == Command.ACCEPT else ""
        return f"{command.name}, asked back{may}"
    return command.name + (": does what the mail asked about" if command == Command.YES else "")


@pytest.mark.django_db
def test_every_line_in_the_document_becomes_what_it_says(ann, bob, now):
    game = begin(ann, bob, now=now, slug="taquet")
    assert len(ROWS) >= FEWEST
    for line, said in ROWS:
        if said in FRIENDLY:
            assert read_friendly_answer(line) is FRIENDLY[said], line
        else:
            assert (line, in_words(line, game)) == (line, said)


def test_every_command_is_in_the_document():
    said = {words.partition(",")[0].partition(":")[0] for _, words in ROWS}
    assert {command.name for command in Command} <= said
    others = {key.__name__ for key in HANDLERS if isinstance(key, type)}
    read_elsewhere = {"TurnCommand", "NotUnderstood", "LadderAnswerCommand"}
    assert others - read_elsewhere <= said
