"""Lots, Swiss pairings, brackets and groups: properties, and small cases by hand."""

from functools import cache
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.competition.knockout import (
    bracket,
    decided,
    groups_of,
    knockout_rounds,
    seeds_after_groups,
)
from games.competition.pairings import commitment, draw, drawn_order
from games.competition.swiss import SwissPlayer, heaviest_pairs, most_rounds, swiss_round


def greatest_by_trying(count, weights):
    """Return the greatest total weight of pairs by trying all."""

    @cache
    def most(rest):
        if not rest:
            return 0
        one, others = rest[0], rest[1:]
        found = most(others)
        for two in others:
            if (one, two) in weights:
                left = tuple(x for x in others if x != two)
                found = max(found, weights[one, two] + most(left))
        return found

    return most(tuple(range(1, count + 1)))


@st.composite
def graphs(draw_):
    count = draw_(st.integers(1, 8))
    edges = [(one, two) for one in range(1, count + 1) for two in range(one + 1, count + 1)]
    weights = draw_(
        st.lists(st.integers(0, 12), min_size=len(edges), max_size=len(edges)).map(
            lambda numbers: {
                edge: weight for edge, weight in zip(edges, numbers, strict=True) if weight
            }
        )
    )
    return count, weights


@settings(max_examples=300)
@given(graphs())
def test_the_heaviest_pairs_weigh_as_much_as_the_best_of_all_pairs_tried(graph):
    count, weights = graph
    partner = heaviest_pairs(count, weights)
    assert all(partner[partner[one]] == one for one in partner)
    pairs = [(one, two) for one, two in partner.items() if one < two]
    assert sum(weights[pair] for pair in pairs) == greatest_by_trying(count, weights)


def test_lots_are_those_that_anybody_can_compute():
    assert draw("abc", 1, 2) == sha256(b"abc:1:2").hexdigest()
    assert commitment("abc") == sha256(b"abc").hexdigest()
    order = drawn_order("abc", range(1, 9))
    assert sorted(order) == list(range(1, 9))
    assert order == drawn_order("abc", reversed(range(1, 9))) != drawn_order("abd", range(1, 9))


def test_the_first_round_is_upper_half_against_lower_half_with_sides_in_turn():
    found = swiss_round([SwissPlayer(number) for number in range(1, 10)], "seed", 1)
    assert found is not None
    pairs, free = found
    assert free == 9
    assert [set(pair) for pair in pairs] == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    upper_first = [pair[0] < pair[1] for pair in pairs]
    assert upper_first in ([True, False, True, False], [False, True, False, True])


def test_nobody_meets_again_and_the_nearest_points_meet():
    # 1 and 2 lead and have met; 3 and 4 follow; 5 and 6 have nothing.
    players = [
        SwissPlayer(1, 4, (True, False), frozenset({2, 3})),
        SwissPlayer(2, 4, (False, True), frozenset({1, 4})),
        SwissPlayer(3, 2, (False, True), frozenset({1, 5})),
        SwissPlayer(4, 2, (True, False), frozenset({2, 6})),
        SwissPlayer(5, 0, (True, False), frozenset({3, 6})),
        SwissPlayer(6, 0, (False, True), frozenset({4, 5})),
    ]
    found = swiss_round(players, "seed", 3)
    assert found is not None
    # By hand: 1-2, 1-3, 2-4, 3-5, 4-6 and 5-6 have been played. What is left costs 24 at least.
    points = {one.number: one.points for one in players}
    assert all(two not in players[one - 1].met for one, two in found[0])
    assert sum((points[one] - points[two]) ** 2 for one, two in found[0]) == 24


def test_a_pairing_that_is_impossible_is_none():
    met = {1: {2, 3}, 2: {1, 3}, 3: {1, 2}}
    players = [SwissPlayer(one, met=frozenset(of), was_free=True) for one, of in met.items()]
    assert swiss_round(players, "s", 4) is None


@settings(max_examples=60, deadline=None)
@given(count=st.integers(3, 15), seed=st.integers(0, 10**6), data=st.data())
def test_every_round_of_a_swiss_tournament_is_complete_fair_and_reproducible(count, seed, data):
    points = dict.fromkeys(range(1, count + 1), 0)
    firsts = {one: [] for one in points}
    met = {one: set() for one in points}
    free = set()
    for number in range(1, most_rounds(count) + 1):
        players = [
            SwissPlayer(one, points[one], firsts[one], frozenset(met[one]), one in free)
            for one in points
        ]
        found = swiss_round(players, str(seed), number)
        assert found is not None
        assert swiss_round(players[::-1], str(seed), number) == found
        pairs, left = found
        playing = [one for pair in pairs for one in pair]
        assert sorted([*playing, *([left] if left else [])]) == list(points)
        if left:
            assert left not in free
            free.add(left)
            points[left] += 2
        for one, two in pairs:
            assert two not in met[one]
            met[one].add(two)
            met[two].add(one)
            firsts[one].append(True)
            firsts[two].append(False)
            won = data.draw(st.sampled_from([0, 1, 2]))
            points[one] += won
            points[two] += 2 - won
    for one in points:
        assert abs(2 * sum(firsts[one]) - len(firsts[one])) <= 3


def test_the_bracket_is_the_usual_one():
    assert bracket(8) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert bracket(5) == [(1, None), (4, 5), (2, None), (3, None)]
    assert [knockout_rounds(count) for count in (1, 2, 3, 4, 5, 8, 9)] == [0, 1, 2, 2, 3, 3, 4]


@given(st.integers(2, 64))
def test_everybody_is_once_in_the_bracket_and_the_best_are_free(count):
    matches = bracket(count)
    assert sorted(x for pair in matches for x in pair if x) == list(range(1, count + 1))
    assert len(matches) == 2 ** (knockout_rounds(count) - 1)
    idle = sorted(one for one, two in matches if two is None)
    assert idle == list(range(1, 2 * len(matches) - count + 1))


@pytest.mark.parametrize(
    ("best_of", "points", "goes_on"),
    [
        (1, [], None),
        (1, [2], True),
        (1, [0], False),
        (1, [1], False),
        (3, [2], None),
        (3, [2, 2], True),
        (3, [2, 0], None),
        (3, [2, 0, 1], False),
        (3, [1, 1, 2], True),
        (5, [2, 2, 1], None),
        (5, [2, 2, 2], True),
    ],
)
def test_a_match_ends_when_more_than_half_of_the_points_are_won(best_of, points, goes_on):
    assert decided(best_of, points) is goes_on


@given(st.integers(3, 64), st.integers(3, 6))
def test_groups_are_as_equal_as_possible(count, size):
    groups = groups_of(count, size)
    sizes = [len(group) for group in groups]
    assert sorted(x for group in groups for x in group) == list(range(1, count + 1))
    assert max(sizes) <= size
    assert max(sizes) - min(sizes) <= 1


@given(st.integers(2, 16))
def test_nobody_meets_somebody_of_their_own_group_at_once(count):
    firsts, seconds = list(range(count)), list(range(100, 100 + count))
    order = seeds_after_groups(firsts, seconds)
    assert sorted(order) == firsts + seconds
    for one, two in bracket(len(order)):
        if two is not None:
            assert order[one - 1] % 100 != order[two - 1] % 100
