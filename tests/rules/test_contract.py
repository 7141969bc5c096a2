"""Every installed game keeps every clause of the contract, in thirty random games."""

import json
from functools import cache

import pytest

from games.rules.base import AnyRules
from games.rules.registry import all_rules, app_for, rules_for
from tests.rules import contract
from tests.rules.vectors import VECTORS

GAMES = [pytest.param(rules, id=rules.slug) for rules in all_rules()]
SEEDS = range(30)


@pytest.fixture(scope="module", params=GAMES)
def rules(request: pytest.FixtureRequest) -> AnyRules:
    return request.param


@pytest.fixture(scope="module")
def plays(rules: AnyRules) -> list[contract.Play]:
    return [contract.random_play(rules, seed) for seed in SEEDS]


@pytest.mark.parametrize("clause", contract.CLAUSES, ids=lambda clause: clause.__name__)
def test_a_game_keeps_the_clause(rules, plays, clause):
    for play in plays:
        clause(rules, play)


@cache
def texts_of_all_games() -> set[str]:
    texts = set[str]()
    for other in all_rules():
        for seed in range(100, 103):
            texts |= contract.texts_of(other, contract.random_play(other, seed))
    return texts


def test_texts_of_other_games_are_refused_or_legal(rules, plays):
    for play in plays[::3]:
        contract.any_text_is_refused_or_legal(rules, play, texts_of_all_games())


def test_every_installed_game_has_vectors(rules):
    assert rules.slug in {vector["game"] for vector in VECTORS}


def test_every_game_tells_people_what_it_is(rules):
    assert rules.name
    assert rules.summary.endswith(".")
    for language in ("en", "fr"):
        assert app_for(rules.slug).rulebook(language).startswith("# ")


def test_every_option_says_what_it_is_and_takes_its_own_default(rules):
    for option in rules.options():
        assert option.label
        assert option.read(option.default) == option.default


def test_an_option_depends_on_a_value_of_an_earlier_one(rules):
    earlier = {}
    for option in rules.options():
        if option.only_with is not None:
            key, value = option.only_with
            assert earlier[key].read(value) == value
        earlier[option.key] = option


def test_options_survive_json(rules):
    options = rules.check_options({})
    assert rules.check_options(json.loads(json.dumps(options))) == options


def test_the_registry_gives_the_same_rules_each_time(rules):
    assert rules_for(rules.slug) is rules
