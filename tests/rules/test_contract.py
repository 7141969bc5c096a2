"""Every installed game keeps the contract, in thirty random games."""

import subprocess
import sys
from functools import cache

import pytest
from django.conf import settings

from games.rulebook import rulebook_faults
from games.rules import contract
from games.rules.base import AnyRules
from games.rules.random_games import random_game, random_notations
from games.rules.registry import all_rules, rules_for
from tests.rules.vectors import VECTORS

pytestmark = pytest.mark.slow

GAMES = [pytest.param(rules, id=rules.slug) for rules in all_rules()]


@pytest.fixture(scope="module", params=GAMES)
def rules(request: pytest.FixtureRequest) -> AnyRules:
    return request.param


def test_a_game_keeps_the_contract(rules):
    assert list(map(str, contract.check(rules))) == []


def test_a_rulebook_has_no_fault(rules):
    assert list(rulebook_faults(rules.slug)) == []


def test_the_contract_needs_nothing_but_the_standard_library():
    code = (
        "from games.rules.contract import check\n"
        "from games.rules.morpion.rules import Morpion\n"
        "print(check(Morpion(), games=1))"
    )
    # -S: no installed package is found.
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=settings.BASE_DIR, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "[]\n", done.stderr


@cache
def texts_of_all_games() -> set[str]:
    texts = set[str]()
    for other in all_rules():
        for seed in range(100, 103):
            texts |= random_notations(other, random_game(other, seed))
    return texts


def test_texts_of_other_games_are_refused_or_legal(rules):
    for seed in range(0, contract.GAMES, 3):
        game = random_game(rules, seed)
        assert list(contract.wrong_answers(rules, game, texts_of_all_games())) == []


def test_every_installed_game_has_vectors(rules):
    assert rules.slug in {vector["game"] for vector in VECTORS}


def test_the_registry_gives_the_same_rules_each_time(rules):
    assert rules_for(rules.slug) is rules
