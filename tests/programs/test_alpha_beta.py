"""The shared search finds what trying everything finds, keeps to its limits, and stops."""

import random

import pytest

from games.rules import alpha_beta
from games.rules import budget as budgets
from games.rules.alpha_beta import SURE, WIN, AlphaBeta, SearchedGame
from games.rules.budget import Budget
from games.rules.morpion.rules import Morpion
from games.rules.random_games import random_game
from games.rules.registry import program_for
from games.rules.supermorpion.program import (
    ANYWHERE,
    BOARD,
    LINE,
    POWERS,
    BoardsWon,
    SearchedSuperMorpion,
    board_of,
    state_of,
    worth,
)
from games.rules.supermorpion.rules import actions_played
from games.rules.three_by_three import SYMMETRIES
from tests.programs.test_solved import minimax

MORPION = Morpion()
SUPER = program_for("super-morpion")


def unlimited():
    """Return a budget that no test spends; its clock starts now."""
    return Budget(1 << 40)


class SearchedMorpion(SearchedGame):
    """Morpion for one seat, of which the search knows only the ends."""

    def __init__(self, seat):
        self.seat = seat

    def is_ours(self, state):
        return MORPION.turn(state) % 2 == self.seat

    def actions(self, state):
        return MORPION.legal_actions(state)

    def play(self, state, action):
        return MORPION.play(state, action)

    def end(self, state):
        outcome = MORPION.outcome(state)
        if outcome is None:
            return None
        return 0 if outcome.is_draw else WIN if self.seat in outcome.winners else -WIN

    def value(self, state):
        return 0


def random_position(rules, turns: int, seed: int):
    chance, position = random.Random(seed), rules.initial({})
    while rules.turn(position) < turns and rules.legal_actions(position):
        position = rules.play(position, chance.choice(rules.legal_actions(position)))
    return position


@pytest.mark.parametrize("turns", range(2, 8))
@pytest.mark.parametrize("seat", [0, 1])
def test_it_finds_the_result_and_the_way_to_it_of_trying_everything(turns, seat):
    for seed in range(15):
        position = random_position(MORPION, turns, seed)
        if MORPION.outcome(position) is not None:
            continue
        legal = MORPION.legal_actions(position)
        game = SearchedMorpion(seat)
        found = AlphaBeta(game).search(position, legal, 9, unlimited())
        result, length = minimax(position)
        ours = result if game.is_ours(position) else -result
        assert (found.value > SURE) - (found.value < -SURE) == ours
        assert found.actions_left == (length if result else None)
        reached = minimax(MORPION.play(position, found.action))
        assert (-reached[0], reached[1] + 1) == (result, length)


class Tree(SearchedGame):
    """Two actions for us: one loses in four actions, the other is even for ever."""

    def is_ours(self, state):
        return len(state) % 2 == 0

    def actions(self, state):
        return ("lost", "even") if not state else (1, 2)

    def play(self, state, action):
        return (*state, action)

    def end(self, state):
        return -WIN if len(state) == 4 and state[0] == "lost" else None

    def value(self, state):
        return 5 if state[0] == "lost" else 0


def test_no_budget_makes_it_play_what_it_has_seen_lose():
    seen = set()
    for positions in range(1, 100):
        found = AlphaBeta(Tree()).search((), ("lost", "even"), 5, Budget(positions))
        seen.add((found.action, found.actions_left))
    # Until it has looked so far it prefers what loses.
    assert seen == {("lost", None), ("even", None)}


def plain(game, state, depth: int, ply: int = 0) -> int:
    """Return the value of a state for the side to act: all actions are tried but the last ones."""
    if depth == 1:
        value, _ = game.last_ply(state, WIN)
        return value - (ply + 1) * (value == WIN) + (ply + 1) * (value == -WIN)
    ours = game.is_ours(state)
    best = -WIN
    for action in game.actions(state):
        after = game.play(state, action)
        end = game.end(after)
        if end is not None:
            value = end if ours else -end
            value -= (ply + 1) * (value == WIN) - (ply + 1) * (value == -WIN)
        else:
            value = -plain(game, after, depth - 1, ply + 1)
        best = max(best, value)
    return best


@pytest.mark.parametrize("seed", range(8))
def test_what_it_leaves_out_changes_no_value(seed):
    position = random_position(SUPER.rules, 30 + seed, seed)
    game, state = SearchedSuperMorpion(SUPER.rules.to_move(position)), state_of(position)
    found = AlphaBeta(game).search(state, SUPER.rules.legal_actions(position), 5, unlimited())
    assert found.value == plain(game, state, found.depth)


def forced(rules, position, turns: int) -> int | None:
    """Return in how many turns the seat to act wins whatever is answered, None if it cannot."""
    for length in range(1, turns + 1, 2):
        if _wins(rules, position, length, rules.to_move(position)):
            return length
    return None


def _wins(rules, position, turns: int, seat: int) -> bool:
    outcome = rules.outcome(position)
    if outcome is not None or turns == 0:
        return outcome is not None and outcome.winners == (seat,)
    afters = (rules.play(position, action) for action in rules.legal_actions(position))
    ours = rules.to_move(position) == seat
    return (any if ours else all)(_wins(rules, after, turns - 1, seat) for after in afters)


def test_it_finds_every_forced_win_of_super_morpion_in_three_turns():
    found = []
    for seed in range(60):
        position = random_position(SUPER.rules, 44, seed)
        if SUPER.rules.outcome(position) is not None:
            continue
        length = forced(SUPER.rules, position, 3)
        seat = SUPER.rules.to_move(position)
        search = AlphaBeta(SearchedSuperMorpion(seat))
        legal = SUPER.rules.legal_actions(position)
        best = search.search(state_of(position), legal, 3, unlimited())
        assert (best.actions_left if best.value > 0 else None) == length
        found.append(length)
    assert {1, 3, None} <= set(found)


@pytest.mark.parametrize("seed", range(6))
def test_the_state_of_super_morpion_follows_the_rules(seed):
    chance, position = random.Random(seed), SUPER.rules.initial({})
    game = SearchedSuperMorpion(0)
    state = state_of(position)
    while SUPER.rules.outcome(position) is None:
        legal = SUPER.rules.legal_actions(position)
        assert sorted(game.actions(state)) == sorted(legal)
        assert game.end(state) is None
        quick, _ = game.last_ply(state, WIN)
        assert game.last_ply(state, quick - 10)[0] >= quick - 10
        action = chance.choice(legal)
        position, state = SUPER.rules.play(position, action), game.play(state, action)
    winners = SUPER.rules.outcome(position).winners
    assert game.end(state) == {(0,): WIN, (1,): -WIN, (0, 1): 0}[winners]


def test_the_state_of_super_morpion_counts_boards_at_the_end():
    game, found = SearchedSuperMorpion(0), set()
    for seed in range(120):
        end = random_game(SUPER.rules, seed).positions[-1]
        outcome = SUPER.rules.outcome(end)
        if outcome.reason == "boards":
            state = state_of(SUPER.rules.initial({}))
            for action in actions_played(end):
                assert game.end(state) is None
                state = game.play(state, action)
            assert game.end(state) == {(0,): WIN, (1,): -WIN, (0, 1): 0}[outcome.winners]
            found.add(outcome.winners)
    assert found == {(0,), (1,), (0, 1)}


def test_the_short_cut_of_super_morpion_finds_every_end_and_is_near_elsewhere():
    """Without it the search tries one action after the other."""
    ends, differences = 0, []
    for seed in range(20):
        for position in random_game(SUPER.rules, seed).positions[:-1]:
            state, game = state_of(position), SearchedSuperMorpion(seed % 2)
            slow, _ = SearchedGame.last_ply(game, state, WIN)
            quick, _ = game.last_ply(state, WIN)
            if WIN in {abs(slow), abs(quick)}:
                assert quick == slow
                ends += 1
            else:
                differences.append(abs(quick - slow))
    assert ends > 10
    near = sum(difference < LINE // 10 for difference in differences)
    assert near / len(differences) > 0.95


@pytest.mark.parametrize("seed", range(6))
def test_the_estimate_of_super_morpion_is_fair_to_both_and_blind_to_turns(seed):
    for position in random_game(SUPER.rules, seed).positions[:-1]:
        state = state_of(position)
        _, target, seat, _ = state
        value = SearchedSuperMorpion(0).value(state)
        assert SearchedSuperMorpion(1).value(state) == -value
        swapped = tuple(board_with(noughts, crosses) for crosses, noughts in sets_of(state))
        other = swapped, target, 1 - seat, None
        assert abs(SearchedSuperMorpion(1).value(other) - value) <= 1
        for way, turned in SYMMETRIES:
            boards = [board_of(0)] * 9
            for board, (crosses, noughts) in enumerate(sets_of(state)):
                boards[way[board]] = board_with(turned[crosses], turned[noughts])
            sent_to = ANYWHERE if target == ANYWHERE else way[target]
            alike = tuple(boards), sent_to, seat, None
            assert abs(SearchedSuperMorpion(0).value(alike) - value) <= 1


def sets_of(state):
    """Return the crosses and noughts of each board."""
    for board in state[0]:
        marks = [board.code // power % 3 for power in POWERS]
        yield tuple(sum(1 << cell for cell in range(9) if marks[cell] == mark) for mark in (1, 2))


def board_with(crosses, noughts):
    """Return what is known of a board with these crosses and noughts."""
    return board_of(
        sum(POWERS[cell] * ((crosses >> cell & 1) + 2 * (noughts >> cell & 1)) for cell in range(9))
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_slopes_of_super_morpion_are_those_of_its_worth(seed):
    chance = random.Random(seed)
    mine, theirs = ([chance.random() / 2 for _ in range(9)] for _ in range(2))
    value, per_board, (my_slope, my_pairs), (their_slope, their_pairs) = worth(mine, theirs)
    assert worth(theirs, mine)[0] == pytest.approx(-value)
    for board in range(9):
        grown = mine.copy(), theirs.copy()
        for strengths in grown:
            strengths[board] += 1e-6
        gained = (worth(grown[0], theirs)[0] - value) / 1e-6
        lost = (value - worth(mine, grown[1])[0]) / 1e-6
        assert gained == pytest.approx(my_slope * my_pairs[board] + per_board, rel=1e-3)
        assert lost == pytest.approx(their_slope * their_pairs[board] + per_board, rel=1e-3)


def test_the_table_is_bounded(monkeypatch):
    monkeypatch.setattr(alpha_beta, "MOST_ENTRIES", 100)
    position = random_position(SUPER.rules, 20, 1)
    search = AlphaBeta(SearchedSuperMorpion(0))
    search.search(state_of(position), SUPER.rules.legal_actions(position), 7, unlimited())
    assert 100 < len(search._table) + len(search._older) <= 200


@pytest.mark.parametrize(("deep", "least"), [(5, 2), (0, 3)])
def test_deep_searches_keep_no_positions_that_cost_little(monkeypatch, deep, least):
    monkeypatch.setattr(alpha_beta, "DEEP", deep)
    position = random_position(SUPER.rules, 20, 1)
    search = AlphaBeta(SearchedSuperMorpion(0))
    search.search(state_of(position), SUPER.rules.legal_actions(position), 5, unlimited())
    assert min(depth for depth, *_ in search._table.values()) == least


def test_it_counts_what_it_looks_at_and_stops_there():
    position = random_position(SUPER.rules, 20, 1)
    budget = Budget(30_000)
    search = AlphaBeta(SearchedSuperMorpion(0))
    search.search(state_of(position), SUPER.rules.legal_actions(position), 60, budget)
    assert -2_000 < budget.positions <= 0


def test_it_ends_soon_after_its_time_where_positions_take_long(monkeypatch):
    class Slow(SearchedMorpion):
        calls = 0

        def actions(self, state):
            self.calls += 1
            return super().actions(state)

    game, position = Slow(0), random_position(MORPION, 1, 0)
    monkeypatch.setattr(budgets, "thread_time", lambda: game.calls)
    AlphaBeta(game).search(position, MORPION.legal_actions(position), 9, Budget(1 << 40, 10))
    assert 10 < game.calls < 70


def test_it_asks_whether_to_stop_and_does():
    asked = []
    position = random_position(SUPER.rules, 20, 1)
    budget = Budget(1 << 40, is_stopped=lambda: asked.append(1) or len(asked) >= 3)
    search = AlphaBeta(SearchedSuperMorpion(0))
    search.search(state_of(position), SUPER.rules.legal_actions(position), 60, budget)
    assert len(asked) == 3
    assert (1 << 40) - budget.positions < 10_000


@pytest.mark.parametrize("seed", range(4))
def test_beginners_see_the_boards_that_are_won(seed):
    position = random_position(SUPER.rules, 40, seed)
    crosses, noughts = SUPER.rules.agreed_end(position).points
    assert BoardsWon(0).value(state_of(position)) == BOARD * (crosses - noughts)
    assert BoardsWon(1).value(state_of(position)) == BOARD * (noughts - crosses)
