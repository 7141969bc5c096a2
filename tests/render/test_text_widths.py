"""Boards as text in whole games: never wider than a terminal, from any seat, in any language."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.utils import translation
from django.utils.translation import gettext

from games.render.text import board_text
from games.rules.base import Rules
from games.rules.registry import all_rules

COLUMNS = 80
EVERY = 20
"""Actions between two looks at a board: a game of Superpion has some hundreds."""

CASES = [pytest.param(rules, {}, id=rules.slug) for rules in all_rules()]
CASES += [
    pytest.param(
        rules,
        dict(filter(None, [option.only_with, (option.key, value)])),
        id=f"{rules.slug} {value}",
    )
    for rules in all_rules()
    for option in rules.options()
    if option.choices
    for value, _ in option.choices
]


@pytest.mark.parametrize(("rules", "chosen"), CASES)
def test_no_board_of_a_whole_game_is_wider_than_a_terminal(
    rules: Rules[Any, Any], chosen: dict[str, object]
) -> None:
    options = rules.check_options(chosen)
    chance, position, looked = random.Random(7), rules.initial(options), 0
    for number in range(10_000):
        over = rules.to_move(position) is None
        if over or number % EVERY == 0:
            looked += 1
            for seat in (None, *range(rules.seats(options))):
                assert widest(rules.board(position, seat, ())) < COLUMNS
        if over:
            break
        position = rules.play(position, chance.choice(rules.legal_actions(position)))
    assert rules.outcome(position) is not None
    assert looked > 1


def widest(board: Any) -> int:
    """Return the length of the longest line in either language."""
    lengths = []
    for language in ("en", "fr"):
        with translation.override(language):
            lengths += map(len, board_text(board, translate=gettext).splitlines())
    return max(lengths)
