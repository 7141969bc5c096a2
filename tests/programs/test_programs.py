"""What each game's own program knows of its game, and that it answers the same everywhere."""

import random
import subprocess
import sys

import pytest
from django.conf import settings

from games.rules.alpha_beta import WIN, AlphaBeta, SearchedGame
from games.rules.budget import Budget
from games.rules.matches import level_of, play_match
from games.rules.morpiae.program import (
    CONTEMPT,
    NO_DRAW,
    AnyLine,
    CirclesColoured,
    SearchedMorpiae,
    alternating_gains,
    state_of,
)
from games.rules.random_games import random_game
from games.rules.registry import program_for
from games.rules.superpion import estimate, moves
from games.rules.superpion.estimate import Estimate

MORPIAE, SUPERPION = program_for("morpiae"), program_for("superpion")
SUPER = program_for("super-morpion")

TURNS = """
import django; django.setup()
from games.rules.random_games import random_game
from games.rules.registry import all_rules, program_for
for rules in all_rules():
    game = random_game(rules, 3)
    position = game.positions[len(game.positions) // 2]
    while rules.turn(position) == rules.turn(game.positions[len(game.positions) // 2 - 1]):
        position = rules.play(position, rules.legal_actions(position)[0])
    program = program_for(rules.slug)
    print(rules.slug, [program.choose_turn(position, level, 5) for level in (1, 2, 3, 4)])
"""


def test_every_process_thinks_the_same():
    said = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", TURNS],
            cwd=settings.BASE_DIR, capture_output=True, text=True, check=True,
            env={"PYTHONHASHSEED": seed, "DJANGO_SETTINGS_MODULE": "config.settings.test"},
        )  # fmt: skip
        said.add(done.stdout)
    assert len(said) == 1
    assert said.pop().count("\n") == 5


@pytest.mark.parametrize("slug", ["super-morpion", "morpiae"])
def test_a_level_beats_one_far_below(slug):
    program = program_for(slug)
    options = program.rules.check_options({})
    first, second = level_of(program, 3), level_of(program, 1)
    *_, score = play_match(program.rules, options, first, second, 4)
    assert score.wins >= 2
    assert score.losses == 0


# Morpiae -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_the_state_of_morpiae_follows_the_rules(seed):
    rules, chance = MORPIAE.rules, random.Random(seed)
    position, game = rules.initial(rules.check_options({})), SearchedMorpiae(0)
    state = state_of(position)
    while rules.outcome(position) is None:
        assert list(game.actions(state)) == list(rules.legal_actions(position))
        assert game.is_ours(state) == (rules.to_move(position) == 0)
        assert state == state_of(position)
        action = chance.choice(rules.legal_actions(position))
        position, state = rules.play(position, action), game.play(state, action)
    assert rules.outcome(position) == state.result


@pytest.mark.parametrize("kind", [SearchedMorpiae, CirclesColoured, AnyLine])
def test_the_lines_of_morpiae_that_are_not_tried_change_no_value(kind):
    """Whole games: the last line, and two passes, are worth a win, not what they colour."""
    ends = set()
    for seed in range(8):
        for position in random_game(MORPIAE.rules, seed).positions[:-1]:
            state = state_of(position)._replace(target=None)
            for seat in (0, 1):
                game = kind(seat)
                best, _ = SearchedGame.last_ply(game, state, WIN)
                ends.add(abs(best) == WIN)
                assert game.last_ply(state, WIN)[0] == best
                for alpha in (best - 100, best, best + 100):
                    found, _ = game.last_ply(state, WIN, alpha)
                    assert found == best if best > alpha else best <= found <= max(alpha, best)
    assert ends == {True, False}


@pytest.mark.parametrize("seed", range(5))
def test_the_best_line_of_morpiae_gains_what_the_rules_say(seed):
    rules = MORPIAE.rules
    for position in random_game(rules, seed).positions[:-1]:
        seat = rules.to_move(position)
        afters = [rules.play(position, action) for action in rules.legal_actions(position)]
        had = position.coloured[seat].bit_count()
        gains = [after.coloured[seat].bit_count() - had for after in afters]
        worth = alternating_gains(state_of(position))
        assert (worth > 0) == (max(gains) > 0) or sorted(gains)[-2:] == [max(gains)] * 2
        assert worth <= max(gains) or sum(gains) >= worth


def test_an_even_position_of_morpiae_is_worth_the_less_the_fewer_lines_are_left():
    worth: dict[int, set[int]] = {}
    for seed in range(40):
        for position in random_game(MORPIAE.rules, seed).positions[:-1]:
            values = [SearchedMorpiae(seat).value(state_of(position)) for seat in (0, 1)]
            if values[0] == values[1]:
                worth.setdefault(len(position.legal) - 1, set()).add(values[0])
            else:
                assert sum(values) == 0
    assert all(len(values) == 1 for values in worth.values())
    by_lines = [values.pop() for _, values in sorted(worth.items())]
    assert set(range(1, 10)) <= worth.keys()
    assert by_lines == sorted(by_lines)
    assert -CONTEMPT < by_lines[0] < by_lines[-1] == 0


def test_levels_of_morpiae_that_never_draw_fear_few_lines_no_more_than_the_best_level():
    """Their contempt is for draws, not for positions that may become one."""
    for seed in range(40):
        for position in random_game(MORPIAE.rules, seed).positions[:-1]:
            state = state_of(position)
            best = SearchedMorpiae(0).value(state)
            assert SearchedMorpiae(0, NO_DRAW).value(state) == best


# Superpion ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_the_estimate_of_superpion_is_its_points_and_more(monkeypatch, seed):
    rules, game = SUPERPION.rules, random_game(SUPERPION.rules, seed)
    kept = Estimate(game.positions[0].seating)
    for position in game.positions[::7]:
        fresh = Estimate(position.seating)
        assert kept.sides(position) == fresh.sides(position)
    monkeypatch.setattr(estimate, "SUPERPION", 0)
    monkeypatch.setattr(estimate, "STEP", 0)
    for position in game.positions[::7]:
        counted: dict[int, int] = {}
        for side, points in zip(
            position.seating.sides, rules.agreed_end(position).points, strict=True
        ):
            counted[side] = counted.get(side, 0) + points
        assert Estimate(position.seating).sides(position) == counted


def test_the_search_of_superpion_does_not_wait_for_long_captures(monkeypatch):
    rules = SUPERPION.rules
    position = random_game(rules, 1).positions[60]
    legal = rules.legal_actions(position)

    def refuse(position, own):
        raise AssertionError("a quick look is enough")

    monkeypatch.setattr(moves, "best_captures", refuse)
    for level in (1, 4):
        game, state = SUPERPION.searched(position, rules.to_move(position), level)
        found = AlphaBeta(game).search(state, legal, 3, Budget(300))
        assert found.depth > 1


def test_one_opponent_of_superpion_may_take_anything():
    for variant in ("two", "superduel", "teams"):
        position = SUPERPION.rules.initial(SUPERPION.rules.check_options({"variant": variant}))
        legal = SUPERPION.rules.legal_actions(position)
        for seat in range(len(position.seating.sides)):
            searched, _ = SUPERPION.searched(position, seat, 5)
            assert list(searched.actions(position)) == list(legal)


@pytest.mark.parametrize("slug", ["super-morpion", "morpiae", "superpion"])
def test_the_best_turn_is_kept_and_its_value_is_in_range(slug):
    program = program_for(slug)
    position = program.rules.initial(program.rules.check_options({}))
    turn = program.choose_turn(position, 2, 0)
    opinion = program.judge_turn(position, turn, lambda: True)
    best = program.rules.parse_turn(position, opinion.best)
    assert program.judge_turn(position, best, lambda: True).kept
    assert -1 <= opinion.after.value <= opinion.before.value <= 1
    assert opinion.before.depth


def test_a_turn_that_wins_at_once_won_in_one_turn():
    rules, found = SUPER.rules, 0
    for seed in range(30):
        game = random_game(rules, seed)
        before, outcome = game.positions[-2], rules.outcome(game.positions[-1])
        if outcome.is_draw:
            continue
        turn = (game.actions[-1],)
        opinion = SUPER.judge_turn(before, turn, lambda: True)
        assert (opinion.before.distance, opinion.after.distance) == (1, 0)
        found += 1
    assert found


def test_superpion_counts_no_turns_before_the_end():
    """Its turns may have several actions, which is what the search counts."""
    rules = SUPERPION.rules
    found = 0
    for seed in range(40):
        game = random_game(rules, seed)
        if game.options["variant"] != "two":
            continue
        turns = {rules.turn(one): one for one in reversed(game.positions[:-1])}
        for before in list(turns.values())[:4]:
            turn = SUPERPION.choose_turn(before, 1, 0)
            after = SUPERPION.judge_turn(before, turn, lambda: True).after
            if after.is_exact:
                ended = rules.outcome(rules.play_turn(before, turn)) is not None
                assert after.distance == (0 if ended else None)
                found += 1
    assert found
