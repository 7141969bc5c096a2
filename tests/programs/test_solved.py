"""The solved games: tables that follow from the rules, and programs that give nothing away."""

from functools import cache

import pytest

from games.rules.matches import level_of, play_match
from games.rules.morpion.rules import Morpion, Position
from games.rules.registry import program_for
from games.rules.solved import SolvedValue, read_table, write_table
from games.rules.taquet.rules import Taquet, _key
from tests.rules.games import after

MORPION, TAQUET = program_for("morpion"), program_for("taquet")
BEST = 5


@pytest.mark.parametrize("program", [MORPION, TAQUET], ids=["morpion", "taquet"])
def test_the_table_that_is_kept_follows_from_the_rules(program):
    assert program.solve() == program.table


def test_a_table_is_read_as_it_was_written(tmp_path):
    table = {
        3: SolvedValue(1, 1),
        4: SolvedValue(-1, 18),
        70_000: SolvedValue(1, 63),
        1 << 26: SolvedValue(-1, 2),
    }
    write_table(tmp_path / "table.xz", table)
    assert read_table(tmp_path / "table.xz") == table


# Morpion -----------------------------------------------------------------------------------------


@cache
def minimax(position: Position) -> tuple[int, int]:
    """Return the result for the seat to act, and the length of best play, by trying everything."""
    rules = Morpion()
    ended = rules.outcome(position)
    if ended is not None:
        return (0 if ended.is_draw else -1), 0
    found = [minimax(rules.play(position, action)) for action in rules.legal_actions(position)]
    best = max((-result, length if result > 0 else -length) for result, length in found)
    return best[0], abs(best[1]) + 1


def test_every_position_of_morpion_is_judged_as_by_trying_everything():
    minimax(MORPION.rules.initial({}))
    seen, waiting = set(), [MORPION.rules.initial({})]
    while waiting:
        position = waiting.pop()
        if position in seen:
            continue
        seen.add(position)
        verdict = MORPION.verdict(position)
        result, length = minimax(position)
        assert verdict == SolvedValue(result, length if result else 0)
        waiting += [
            MORPION.rules.play(position, action) for action in MORPION.rules.legal_actions(position)
        ]
    assert len(seen) == 5_478  # as published


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_beats_the_best_level_at_morpion(seat):
    rules, waiting, ends = MORPION.rules, [MORPION.rules.initial({})], 0
    while waiting:
        position = waiting.pop()
        outcome = rules.outcome(position)
        if outcome is not None:
            ends += 1
            assert seat in outcome.winners
        elif rules.to_move(position) == seat:
            waiting.append(rules.play_turn(position, MORPION.choose_turn(position, BEST, 0)))
        else:
            waiting += [rules.play(position, action) for action in rules.legal_actions(position)]
    assert ends > 50


def test_a_turn_of_morpion_is_judged_exactly():
    position = after(MORPION.rules, "1")  # a corner: only the centre holds the draw
    held = MORPION.judge_turn(position, (4,))
    assert (held.kept, held.best, held.holding, held.choices) == (True, "5", 1, 8)
    lost = MORPION.judge_turn(position, (8,))
    assert (lost.kept, lost.before.value, lost.after.value) == (False, 0, -1)
    assert lost.after.is_exact
    assert lost.after.distance == minimax(after(MORPION.rules, "1 9"))[1]


# Taquet ------------------------------------------------------------------------------------------


def test_the_start_of_taquet_is_judged_as_published():
    start = TAQUET.rules.initial({})
    assert TAQUET.verdict(start) == SolvedValue(1, 15)
    placed = TAQUET.judge_turn(start, TAQUET.rules.parse_turn(start, "a1"))
    assert (placed.kept, placed.holding, placed.choices) == (True, 8, 12)
    assert (placed.before.distance, placed.after.distance) == (15, 14)
    slid = TAQUET.judge_turn(start, TAQUET.rules.parse_turn(start, "Tb3"))
    assert (slid.kept, slid.after.value, slid.after.is_exact) == (False, -1, True)


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_the_best_level_wins_from_the_start_against_every_level(level):
    best, other = level_of(TAQUET, BEST), level_of(TAQUET, level)
    scores = list(play_match(TAQUET.rules, {}, best, other, 8, opening_turns=0))
    # The first player wins: of the two games of an opening the best level is first in one.
    assert all(scores[-1].outcomes[number].winners == (0,) for number in range(0, 8, 2))


@pytest.mark.parametrize("seed", range(12))
def test_the_best_level_never_makes_a_result_worse(seed):
    rules = TAQUET.rules
    position, turn = rules.initial({}), 0
    while rules.outcome(position) is None and turn < 60:
        level = BEST if turn % 2 else seed % 4 + 1
        turns = TAQUET.choose_turn(position, level, seed)
        if level == BEST:
            before = TAQUET.verdict(position).result
            assert -TAQUET.verdict(rules.play_turn(position, turns)).result == before
        position, turn = rules.play_turn(position, turns), turn + 1


def test_a_win_past_a_position_that_occurred_twice_is_not_called_certain():
    rules, position = TAQUET.rules, after(TAQUET.rules, "a1")
    while rules.legal_actions(position)[0].kind == "place":
        position = rules.play_turn(position, TAQUET.choose_turn(position, BEST, 0))
    assert TAQUET.verdict(position).result == 1
    turn = TAQUET.choose_turn(position, BEST, 0)
    assert TAQUET.judge_turn(position, turn).before.is_exact
    there = rules.play_turn(position, turn)
    # It is the only turn that wins; if it repeats a position for the third time, none does.
    ended = TAQUET.judge_turn(_after_twice(position, there), turn)
    assert (ended.before.value, ended.after.value, ended.after.distance) == (0, 0, 0)
    for _ in range(2):
        there = rules.play_turn(there, TAQUET.choose_turn(there, BEST, 0))
    doubtful = TAQUET.judge_turn(_after_twice(position, there), turn)
    assert (doubtful.before.value, doubtful.before.is_exact) == (1, False)


def _after_twice(position, other):
    """Return the position as if the other one had already occurred twice."""
    twice = _key(other.own, other.other, other.taquet, other.turn)
    return position._replace(since=(twice, twice, *position.since))


def test_levels_of_taquet_never_overlook_what_they_see():
    rules = Taquet()
    position = after(rules, "a1 c3 b1 c2")  # c1 completes the line
    for level in (1, 2, 3, 4, 5):
        for seed in range(5):
            turn = TAQUET.choose_turn(position, level, seed)
            assert rules.outcome(rules.play_turn(position, turn)) is not None
