"""The turns that letters give as examples, read as answers: every option, both languages.

`test_examples.py` answers some of them over SMTP.
"""

import random
import re

import pytest
from django.utils import translation

from games.models import Game
from games.queries.positions import position_at
from games.rules.random_games import option_values, random_turn
from games.rules.registry import all_rules
from notifications.emails.formatting import turn_help
from notifications.mail_commands.turn_text import split_turn
from notifications.mail_parser import TurnCommand, parse_command

AFTER = (0, 1, 2, 3, 6, 10, 20, 40, 60)
"""After how many turns of a random game its examples are read."""

QUOTED = {"en": re.compile(r"“([^”]+)”"), "fr": re.compile(r"«\s([^»]+)\s»")}
HELP = {"en": "help", "fr": "aide"}
"""The command that the sentence names behind the examples."""


def choices_of(rules):
    """Return the default options, and one set of options for each other value of each of them."""
    found = [{}]
    for option in rules.options():
        values = option_values(option)
        if not option.choices:
            # Numbers: the least, the greatest, the default.
            values = list(dict.fromkeys([values[0], values[-1], option.default]))
        needed = dict([option.only_with] if option.only_with else [])
        found += [needed | {option.key: value} for value in values]
    return found


CASES = [(rules, options) for rules in all_rules() for options in choices_of(rules)]


def named(case):
    rules, options = case
    return "-".join([rules.slug, *(f"{key}={value}" for key, value in options.items())])


def after_turns(rules, options):
    """Yield games as they stand after the turns in AFTER, until one is over."""
    options = rules.check_options(options)
    chance, position = random.Random(7), rules.initial(options)
    for number in range(max(AFTER) + 1):
        if rules.to_move(position) is None:
            return
        if number in AFTER:
            dump = rules.dump(position)
            yield Game(rules_slug=rules.slug, options=options, position=dump, turn_number=number)
        _text, position = random_turn(rules, position, chance)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("case", CASES, ids=map(named, CASES))
def test_every_example_alone_is_a_whole_turn(case, language):
    rules, options = case
    read = 0
    for game in after_turns(rules, options):
        with translation.override(language):
            said = turn_help({"my_turn": True}, game)
        examples = QUOTED[language].findall(said)
        assert examples.pop() == HELP[language]
        assert examples or rules.hides_legal_actions(position_at(game))
        for text in examples:
            command, message = parse_command([text])
            meant, message = split_turn(command, message, game, game.turn_number)
            assert isinstance(meant, TurnCommand), text
            assert message == ""
            rules.parse_turn(position_at(game), meant.text)
            read += 1
    assert read >= len(AFTER) // 2
