"""The contract has teeth: each planted fault is caught, by the clause that it breaks alone."""

import pytest

from games.rules.morpiae.rules import Morpiae
from games.rules.morpion.rules import Morpion
from games.rules.supermorpion.rules import SuperMorpion
from games.rules.superpion.rules import Superpion
from games.rules.taquet.rules import Taquet
from tests.rules import contract
from tests.rules.mutants import MUTANTS

SOUND = (Morpion, SuperMorpion, Morpiae, Superpion, Taquet)
SEEDS = range(3)


def any_text_is_refused_or_legal(rules, play):
    texts = {"", "x", "b3", "Tb3", "a1-b2", "57", "5", "10", "pass", "e3xg5xi7", "é", "0"}
    contract.any_text_is_refused_or_legal(rules, play, texts)


ALL_CLAUSES = {clause.__name__: clause for clause in contract.CLAUSES} | {
    contract.any_text_is_refused_or_legal.__name__: any_text_is_refused_or_legal
}


def broken_clauses(make):
    """Return the names of the clauses that the rules break; each game has rules of its own."""
    broken = set()
    for name, clause in ALL_CLAUSES.items():
        for seed in SEEDS:
            rules = make()
            try:
                clause(rules, contract.random_play(rules, seed))
            except Exception:
                broken.add(name)
    return broken


@pytest.mark.parametrize("make", SOUND)
def test_sound_rules_break_no_clause(make):
    assert broken_clauses(make) == set()


@pytest.mark.parametrize(("mutant", "clause"), MUTANTS.items(), ids=lambda value: value.__name__)
def test_a_mutant_is_caught_by_its_clause_alone(mutant, clause):
    assert broken_clauses(mutant) == {clause.__name__}


def test_every_clause_has_a_mutant():
    assert {clause.__name__ for clause in MUTANTS.values()} == set(ALL_CLAUSES)
