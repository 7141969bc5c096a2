"""The program that needs only the rules: it sees ends at once, and answers the same each time."""

import pytest

from games.rules.morpion.rules import Morpion
from games.rules.random_games import random_game
from games.rules.registry import UnknownGame, all_rules, program_for, rules_for
from games.rules.search import SearchProgram
from tests.rules.games import after

MORPION = Morpion()
PROGRAM = SearchProgram(MORPION)
LEVELS = range(1, 6)


def turn(record: str, level: int, seed: int = 0) -> str:
    position = after(MORPION, record)
    return MORPION.format_turn(position, PROGRAM.choose_turn(position, level, seed))


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_completes_its_line(level):
    assert {turn("1 4 2 5", level, seed) for seed in range(5)} == {"3"}


@pytest.mark.parametrize("level", range(2, 6))
def test_all_but_the_first_level_stop_a_line(level):
    assert {turn("1 9 2", level, seed) for seed in range(5)} == {"3"}


def test_the_first_level_overlooks_a_line_of_the_opponent():
    assert {turn("1 9 2", 1, seed) for seed in range(10)} > {"3"}


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.slug)
def test_the_same_seed_is_the_same_legal_turn_in_every_game(rules):
    program = SearchProgram(rules)
    position = rules.initial(rules.check_options({}))
    for level in (1, 2, 3):
        turns = {program.choose_turn(position, level, 7) for _ in range(2)}
        assert len(turns) == 1
        text = rules.format_turn(position, turns.pop())
        assert rules.format_turn(position, rules.parse_turn(position, text)) == text


def test_a_stopped_search_still_plays_a_whole_turn():
    position = after(MORPION, "1 9 2")
    assert MORPION.parse_turn(
        position,
        MORPION.format_turn(position, PROGRAM.choose_turn(position, 5, 0, lambda: True)),
    )


def test_a_turn_that_gives_the_game_away_is_not_kept():
    position = after(MORPION, "1 9 2")
    opinion = PROGRAM.judge_turn(position, MORPION.parse_turn(position, "4"))
    assert (opinion.kept, opinion.best) == (False, "3")
    assert opinion.after.value < opinion.before.value
    assert PROGRAM.judge_turn(position, MORPION.parse_turn(position, "3")).kept


def last_turn(rules, game):
    """Return the position before the last turn of a game, and the actions of that turn."""
    number = rules.turn(game.positions[-2])
    begun = next(n for n, one in enumerate(game.positions) if rules.turn(one) == number)
    return game.positions[begun], tuple(game.actions[begun:])


def test_partners_win_together_in_every_opinion():
    rules = rules_for("superpion")
    program = SearchProgram(rules)
    found = set()
    for seed in range(40):
        game = random_game(rules, seed)
        before, turn = last_turn(rules, game)
        seat, outcome = rules.to_move(before), rules.outcome(game.positions[-1])
        if game.options["variant"] != "teams" or outcome.is_draw:
            continue
        after = program.judge_turn(before, turn, lambda: True).after
        assert (after.value, after.is_exact) == (1.0 if seat in outcome.winners else -1.0, True)
        found.add(after.value)
    assert found


def test_every_game_has_a_program_which_is_made_once():
    for rules in all_rules():
        assert program_for(rules.slug) is program_for(rules.slug)
        assert program_for(rules.slug).rules is rules


def test_an_unknown_game_has_no_program():
    with pytest.raises(UnknownGame):
        program_for("draughts")
