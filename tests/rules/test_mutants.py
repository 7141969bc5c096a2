"""Each check of the contract names the fault that was planted for it, and no other check does."""

import pytest

from games.rules import contract
from games.rules.morpiae.rules import Morpiae
from games.rules.morpion.rules import Morpion
from games.rules.random_games import random_game
from games.rules.supermorpion.rules import SuperMorpion
from games.rules.superpion.rules import Superpion
from games.rules.taquet.rules import Taquet
from tests.rules.mutants import MUTANTS, CannotReadAnOpening, NeverEnds

pytestmark = pytest.mark.slow

SOUND = (Morpion, SuperMorpion, Morpiae, Superpion, Taquet)
GAMES = 3


def broken_checks(make):
    """Return the names of the checks that find a fault; each has rules of its own."""
    broken = set()
    for check in contract.CHECKS:
        for seed in range(GAMES):
            rules = make()
            if contract.first_fault(check, rules, random_game(rules, seed)) is not None:
                broken.add(check.__name__)
    return broken


@pytest.mark.parametrize("make", SOUND)
def test_sound_rules_have_no_fault(make):
    assert contract.check(make(), games=GAMES) == []


@pytest.mark.parametrize(("mutant", "check"), MUTANTS.items(), ids=lambda value: value.__name__)
def test_a_mutant_is_caught_by_its_check_alone(mutant, check):
    assert broken_checks(mutant) == {check.__name__}


@pytest.mark.parametrize(("mutant", "check"), MUTANTS.items(), ids=lambda value: value.__name__)
def test_the_fault_of_a_mutant_is_named_in_a_sentence(mutant, check):
    (fault,) = (one for one in contract.check(mutant(), games=GAMES) if one.check == check.__name__)
    assert len(fault.sentence) > 20
    name = check.__name__.replace("_", " ").capitalize()
    assert str(fault) == f"{name}: {fault.sentence} (random game {fault.seed})"


def test_every_check_has_a_mutant():
    assert set(MUTANTS.values()) == set(contract.CHECKS)


def test_a_fault_tells_what_is_wrong_and_where():
    (fault,) = contract.check(CannotReadAnOpening(), games=1)
    assert fault.sentence == "“Tc2” is legal at the start, but is refused: No."


def test_a_game_without_an_end_is_named_and_not_waited_for():
    (fault,) = contract.check(NeverEnds(), games=1)
    assert fault.check == "random_games_come_to_an_end"
    assert fault.sentence == "The game goes on after 5000 random actions."


def test_an_error_in_the_rules_is_a_fault_with_its_place():
    class Crashes(Morpion):
        def describe(self, position, action):
            raise KeyError(action)

    (fault,) = contract.check(Crashes(), games=1)
    assert fault.check == contract.actions_and_the_end_have_words.__name__
    assert fault.sentence.startswith("KeyError is raised in test_mutants.py, line ")
