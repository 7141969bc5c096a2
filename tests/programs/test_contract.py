"""Every installed game's program keeps the contract, and the checks see what they are for."""

import pytest

from games.rules.morpion.rules import Morpion
from games.rules.program_contract import CHECKS, check_program
from games.rules.programs import Opinion, TurnOpinion
from games.rules.registry import all_rules, program_for
from games.rules.search import SearchProgram

SLUGS = [rules.slug for rules in all_rules()]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_program_keeps_the_contract(slug):
    assert list(map(str, check_program(program_for(slug), games=1))) == []


class Half(SearchProgram):
    def choose_turn(self, position, level, seed, is_stopped=None):
        return ()


class Illegal(SearchProgram):
    def choose_turn(self, position, level, seed, is_stopped=None):
        return (9,)


class Moody(SearchProgram):
    asked = 0

    def choose_turn(self, position, level, seed, is_stopped=None):
        self.asked += 1
        legal = self.rules.legal_actions(position)
        return (legal[self.asked % len(legal)],)


class Four(SearchProgram):
    levels = SearchProgram.levels[:4]


class Boaster(SearchProgram):
    def judge_turn(self, position, actions, is_stopped=None):
        sure = Opinion(value=0.5, is_exact=True)
        best = self.rules.format_turn(position, actions)
        return TurnOpinion(before=sure, after=sure, kept=True, best=best)


class Restless(SearchProgram):
    def choose_turn(self, position, level, seed, is_stopped=None):
        return super().choose_turn(position, min(level, 2), seed)

    def judge_turn(self, position, actions, is_stopped=None):
        found = super().judge_turn(position, actions)
        return TurnOpinion(found.after, found.before, True, best="nothing")


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        (Half, "turns_are_whole_and_legal"),
        (Illegal, "turns_are_whole_and_legal"),
        (Moody, "turns_are_whole_and_legal"),
        (Half, "a_stopped_program_plays_at_once"),
        (Four, "levels_are_numbered_and_named"),
        (Boaster, "opinions_fit_together"),
        (Restless, "opinions_fit_together"),
    ],
)
def test_what_breaks_the_contract_is_found(kind, check):
    assert check in {one.__name__ for one in CHECKS}
    assert check in {fault.check for fault in check_program(kind(Morpion()), games=1)}
