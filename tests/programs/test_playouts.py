"""Search by random games, and Superpion's program among several, which plays short ones."""

import gc
import random
import weakref

import pytest

from games.rules import playouts
from games.rules.alpha_beta import AlphaBeta
from games.rules.budget import Budget
from games.rules.looking_ahead import ANY
from games.rules.morpion.rules import Morpion
from games.rules.playouts import Node, RandomGames, best_child
from games.rules.registry import program_for
from games.rules.superpion import moves, program
from games.rules.superpion.estimate import Estimate, estimate_for
from games.rules.superpion.program import SHORT, ShortGames, parts_behind
from tests.rules.games import after

MORPION, SUPERPION = Morpion(), program_for("superpion")
ENOUGH = 3_000


def begun(variant, actions, seed=0):
    rules, chance = SUPERPION.rules, random.Random(seed)
    position = rules.initial(rules.check_options({"variant": variant}))
    for _ in range(actions):
        position = rules.play(position, chance.choice(rules.legal_actions(position)))
    return position


def test_only_the_actions_that_were_given_are_tried():
    position = after(MORPION, "1 4 2 5")
    legal = MORPION.legal_actions(position)
    some = [action for action in legal if MORPION.format(position, action) != "3"]
    for given, tried in ((some, some), (None, legal)):
        root = RandomGames(MORPION, random.Random(0)).search(position, Budget(ENOUGH), given)
        assert {child.action for child in root.children} == set(tried)
    assert MORPION.format(position, best_child(root).action) == "3"


def test_more_exploration_tries_the_others_more_often():
    position = after(MORPION, "1 4 2 5")
    often = []
    for exploration in (0.1, 2.0):
        games = RandomGames(MORPION, random.Random(0), exploration=exploration)
        root = games.search(position, Budget(ENOUGH))
        often.append(best_child(root).visits / root.visits)
    assert often[0] > often[1]


def test_the_tree_of_the_search_before_goes_on_if_it_tries_the_same_actions():
    before = after(MORPION, "1 4 2")
    legal = MORPION.legal_actions(before)
    for second, goes_on in ((None, True), ("all", True), ("some", False), ("before", False)):
        games = RandomGames(MORPION, random.Random(0))
        root = games.search(before, Budget(ENOUGH), legal)
        known = best_child(root)
        visits, position = known.visits, known.position
        if second == "before":
            found = games.search(before, Budget(ENOUGH), legal)
        else:
            actions = MORPION.legal_actions(position)[second == "some" :]
            found = games.search(position, Budget(ENOUGH), None if second is None else actions)
        assert (found is known) == goes_on
        assert (known.visits > visits) == goes_on


def test_the_rest_of_the_tree_is_forgotten(monkeypatch):
    class Watched(Node):
        __slots__ = ("__weakref__",)

    monkeypatch.setattr(playouts, "Node", Watched)
    before = after(MORPION, "1 4 2")
    games = RandomGames(MORPION, random.Random(0))
    root = games.search(before, Budget(ENOUGH))
    known = best_child(root)
    others = [weakref.ref(child) for child in root.children if child is not known]
    del root
    assert len(others) > 1
    games.search(known.position, Budget(1))
    gc.collect()
    assert not any(other() for other in others)


def test_a_tree_has_so_many_nodes_and_no_more():
    before = after(MORPION, "1")
    games = RandomGames(MORPION, random.Random(0), most_nodes=100)
    root = games.search(before, Budget(ENOUGH))
    assert root.count() == 100
    for node in (root, *root.children):
        # Once when it became a leaf, and then on the way to its children.
        visits = sum(child.visits for child in node.children)
        assert not node.children or node.visits == visits + (node is not root)
    kept = games.search(best_child(root).position, Budget(ENOUGH))
    assert kept is best_child(root)
    assert kept.count() == 100


def test_the_second_action_of_a_turn_goes_on_with_the_tree_of_the_first():
    rules, position = SUPERPION.rules, begun("four", 0)
    games = ShortGames(0, random.Random(0))
    found = games.search(position, rules.legal_actions(position), ANY, Budget(20 * ENOUGH))
    position = rules.play(position, found.action)
    assert rules.to_move(position) == 0
    legal = rules.legal_actions(position)
    assert games.search(position, legal, ANY, Budget(1)).depth == found.depth - 1 > 1
    assert ShortGames(0, random.Random(0)).search(position, legal, ANY, Budget(1)).depth == 1


@pytest.mark.parametrize(
    ("variant", "level", "kind"),
    [
        ("two", 5, AlphaBeta),
        ("teams", 5, AlphaBeta),
        ("two", 2, AlphaBeta),
        ("three", 1, AlphaBeta),
        ("three", 2, ShortGames),
        ("four", 5, ShortGames),
    ],
)
def test_all_levels_but_the_first_play_random_games_against_several(
    monkeypatch, variant, level, kind
):
    searched = []
    for one in (AlphaBeta, ShortGames):

        def search(self, *args, one=one, search=one.search):
            searched.append(one)
            return search(self, *args)

        monkeypatch.setattr(one, "search", search)
    SUPERPION.choose_turn(begun(variant, 0), level, 0, lambda: True)
    assert set(searched) == {kind}


@pytest.mark.parametrize("variant", ["three", "four"])
def test_what_a_position_is_worth_to_each_seat_is_shared_among_them(variant):
    for actions in (0, 70, 110):
        position = begun(variant, actions)
        legal, parts = SUPERPION.rules.legal_actions(position), []
        for seat in range(len(position.seating.sides)):
            found = ShortGames(seat, random.Random(0)).search(position, legal, ANY, Budget(ENOUGH))
            parts.append(found.value / (abs(found.value) + program.EVEN))
        assert sum(parts) == pytest.approx(0, abs=0.01)
        assert actions == 0 or max(parts) - min(parts) > 0.1


def test_random_games_prove_nothing(monkeypatch):
    monkeypatch.setattr(program, "parts_behind", lambda position: (1.0, 0.0, 0.0, 0.0))
    position, legal = begun("four", 0), SUPERPION.rules.legal_actions(begun("four", 0))
    found = ShortGames(0, random.Random(0)).search(position, legal, ANY, Budget(ENOUGH))
    assert found.actions_left is None
    assert found.value / (found.value + program.EVEN) == pytest.approx(0.99, abs=0.001)


@pytest.mark.parametrize("variant", ["three", "four"])
def test_opinions_among_several_come_from_random_games(monkeypatch, variant):
    def refuse(self, *args):
        raise AssertionError("alpha-beta knows only one opponent")

    monkeypatch.setattr(AlphaBeta, "search", refuse)
    monkeypatch.setattr(program, "OPINION", ENOUGH)
    rules, signs = SUPERPION.rules, set()
    for seed in range(12):
        position = begun(variant, 110, seed)
        if rules.outcome(position) is not None:
            continue
        turn = SUPERPION.choose_turn(position, 2, 0)
        opinion = SUPERPION.judge_turn(position, turn, lambda: True)
        assert not opinion.after.is_exact
        assert opinion.after.depth >= 1
        lead = 2 * parts_behind(position)[rules.to_move(position)] - 1
        if abs(lead) > 0.5:
            signs.add(lead > 0)
            assert (opinion.after.value > 0) == (lead > 0)
    assert signs == {True, False}


def test_each_level_looks_at_more_positions_than_the_one_below_against_several():
    position = begun("four", 0)
    seen = [SUPERPION.sight(position, level).positions for level in range(2, 6)]
    assert seen == sorted(set(seen))
    assert SUPERPION.sight(begun("two", 0), 3).positions < seen[1]


def test_random_games_of_superpion_are_short_and_do_not_wait_for_long_captures(monkeypatch):
    rules, lengths = SUPERPION.rules, []
    position = begun("four", 90)
    legal = rules.legal_actions(position)
    play_out = RandomGames._play_out

    def counted(self, position):
        parts, played = play_out(self, position)
        lengths.append(played)
        return parts, played

    def refuse(position, own):
        raise AssertionError("a quick look is enough")

    monkeypatch.setattr(RandomGames, "_play_out", counted)
    monkeypatch.setattr(moves, "best_captures", refuse)
    found = ShortGames(0, random.Random(0)).search(position, legal, ANY, Budget(ENOUGH))
    assert found.action in legal
    assert found.depth >= 1
    assert max(lengths) == SHORT
    assert len(lengths) > ENOUGH / (2 * SHORT)


@pytest.mark.parametrize("variant", ["three", "four"])
def test_each_pair_of_sides_shares_one(variant):
    sides = {"three": 3, "four": 4}[variant]
    assert parts_behind(begun(variant, 0)) == pytest.approx([0.5] * sides, abs=0.01)
    for actions in range(20, 140, 10):
        position = begun(variant, actions)
        parts = parts_behind(position)
        assert sum(parts) == pytest.approx(sides / 2)
        if not position.superpions:
            worth = estimate_for(position.seating).sides(position)
            order = sorted(range(sides), key=lambda seat: worth[position.seating.sides[seat]])
            assert sorted(range(sides), key=lambda seat: parts[seat]) == order


def test_superpions_count_the_more_among_several_the_fewer_pieces_are_left(monkeypatch):
    counted = {}

    class Watched(Estimate):
        def sides(self, position, superpion=0.0):
            counted[position.occupied.bit_count()] = superpion
            return super().sides(position, superpion)

    monkeypatch.setattr(program, "estimate_for", Watched)
    for actions in range(0, 150, 10):
        parts_behind(begun("four", actions))
    worth = [superpion for _, superpion in sorted(counted.items())]
    assert len(worth) > 5
    assert worth == sorted(set(worth), reverse=True)
    assert worth[-1] == 0


def test_the_only_superpions_make_their_side_likelier_to_be_ahead(monkeypatch):
    rules, chance = SUPERPION.rules, random.Random(3)
    position = rules.initial(rules.check_options({"variant": "four"}))
    seen = 0
    while rules.outcome(position) is None:
        owners = [seat for seat in range(4) if position.pieces[seat] & position.superpions]
        if len(owners) == 1:
            seen += 1
            parts = parts_behind(position)
            with monkeypatch.context() as without:
                without.setattr(program, "LATE_SUPERPION", 0.0)
                assert parts[owners[0]] > parts_behind(position)[owners[0]]
        position = rules.play(position, chance.choice(rules.legal_actions(position)))
    assert seen > 5
