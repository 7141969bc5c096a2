"""The texts that a person can ask for by mail."""

import pytest
from django.utils import translation

from games.models import Game
from games.rules.registry import all_rules
from notifications.mail_commands.listings import list_commands, rulebook_of
from notifications.mail_parser import NotUnderstood, SayCommand, TurnCommand, parse_command


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_command_that_help_names_is_read_as_one(language):
    """The first line is a turn; "say …" wants words, all others are commands as they stand."""
    with translation.override(language):
        first, *lines = list_commands(None).splitlines()
    assert first.startswith(("a turn – plays it", "un coup – le joue"))
    words = [word.strip() for line in lines for word in line.partition(" – ")[0].split(",")]
    assert len(words) > len(lines)
    for word in words:
        order, _ = parse_command([word])
        assert not isinstance(order, TurnCommand | NotUnderstood), word
        assert not isinstance(order, SayCommand) or order.text == "…"


@pytest.mark.parametrize("slug", sorted(rules.slug for rules in all_rules()))
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_rulebook_in_a_mail_has_no_marks_of_its_page(slug, language):
    with translation.override(language):
        text = rulebook_of(Game(rules_slug=slug))
    assert "\n------" in text
    for mark in ("# ", "`", "**", "| "):
        assert mark not in text
