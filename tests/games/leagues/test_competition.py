"""Pairings, tables and moves between divisions: published tables, and properties."""

from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.competition.calendar import (
    final_day,
    first_start,
    last_possible_day,
    slower_side,
)
from games.competition.divisions import division_sizes, exchanged, form_divisions, next_places
from games.competition.pairings import all_pairs, berger_rounds
from games.competition.standings import PairingResult, standings, sure_of_first, sure_of_last

FIDE = {
    4: "1-4 2-3 / 4-3 1-2 / 2-4 3-1",
    6: "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 / 3-8 4-2 5-1 6-7 "
    "/ 8-7 1-6 2-5 3-4 / 4-8 5-3 6-2 7-1",
}
"""The Berger tables of the FIDE Handbook (C.05, annex 1); white is named first."""


@pytest.mark.parametrize("count", FIDE)
def test_pairings_are_those_of_the_fide_handbook(count):
    published = [
        {tuple(map(int, pair.split("-"))) for pair in pairs.split()}
        for pairs in FIDE[count].split("/")
    ]
    assert [set(pairs) for pairs in berger_rounds(count)] == published


@given(count=st.integers(2, 12), legs=st.sampled_from([1, 2]))
def test_everybody_plays_everybody_and_has_both_sides_alike(count, legs):
    games = all_pairs(count, legs)
    for leg in range(1, legs + 1):
        pairs = [frozenset(pair) for one, pair in games if one == leg]
        assert sorted(map(sorted, pairs)) == [
            list(two) for two in combinations(range(1, count + 1), 2)
        ]
    for player in range(1, count + 1):
        first = sum(pair[0] == player for _, pair in games)
        second = sum(pair[1] == player for _, pair in games)
        assert abs(first - second) <= (0 if legs == 2 or count % 2 else 1)


def games_of(table):
    """Return the results of a cross table: a line a player, 1, ½ or 0 against each in its order."""
    points = {"1": 2, "½": 1, "0": 0}
    rows = [line.split() for line in table.strip().splitlines()]
    return [
        PairingResult(one, two, points[rows[one][two]])
        for one, two in combinations(range(len(rows)), 2)
    ]


CROSS_TABLE = """
-  ½  ½  1  1
½  -  ½  ½  ½
½  ½  -  ½  ½
0  ½  ½  -  1
0  ½  ½  0  -
"""


def test_sonneborn_berger_adds_the_points_of_whom_one_beat_and_half_for_draws():
    # By hand, in points of 1: 3, 2, 2, 2, 1. The first has 0.5*2 + 0.5*2 + 2 + 1 = 5, and so on.
    # With two points for a win each value doubles.
    table = standings(range(5), games_of(CROSS_TABLE))
    assert [(row.player, row.points) for row in table] == [(0, 6), (1, 4), (2, 4), (3, 4), (4, 2)]
    assert [row.sonneborn_berger for row in table] == [10, 8, 8, 6, 4]


def test_equal_sonneborn_berger_is_decided_by_the_games_among_these_players():
    games = [
        PairingResult(1, 2, 2),
        PairingResult(1, 3, 0),
        PairingResult(1, 4, 2),
        PairingResult(2, 3, 2),
        PairingResult(2, 4, 2),
        PairingResult(3, 4, 2),
    ]  # 1, 2 and 3 beat each other in a circle, and all of them beat 4
    table = standings([3, 2, 1, 4], games)
    assert [row.points for row in table] == [4, 4, 4, 0]
    assert [row.direct for row in table[:3]] == [2, 2, 2]
    assert [row.player for row in table] == [3, 2, 1, 4]  # the last rule: the given order
    double = [*games, PairingResult(2, 1, 2), PairingResult(1, 4, 0), PairingResult(2, 4, 0)]
    assert standings([3, 2, 1, 4], double)[0].player == 2


def test_direct_result_comes_before_wins_and_the_order():
    # 1 and 2 have equal points and Sonneborn-Berger; 2 beat 1.
    games = [
        PairingResult(2, 1, 2),
        PairingResult(1, 3, 2),
        PairingResult(1, 4, 1),
        PairingResult(2, 3, 1),
        PairingResult(2, 4, 0),
        PairingResult(3, 4, 1),
    ]
    table = {row.player: row for row in standings([1, 2, 3, 4], games)}
    assert table[1].points == table[2].points == 3
    assert table[1].sonneborn_berger == table[2].sonneborn_berger == 4
    assert table[2].place < table[1].place


PAIRS = list(combinations(range(4), 2))
over = st.lists(st.sampled_from([0, 1, 2]), min_size=len(PAIRS), max_size=len(PAIRS))
so_far = st.lists(st.sampled_from([None, 0, 1, 2]), min_size=len(PAIRS), max_size=len(PAIRS))


@given(points=so_far, finish=over)
def test_what_is_said_to_be_certain_comes_true_however_the_rest_ends(points, finish):
    now = [PairingResult(*pair, won) for pair, won in zip(PAIRS, points, strict=True)]
    end = [
        PairingResult(one.first, one.second, last if one.points is None else one.points)
        for one, last in zip(now, finish, strict=True)
    ]
    before, after = standings(range(4), now), standings(range(4), end)
    assert sum(row.points for row in after) == 2 * len(PAIRS)
    places = {row.player: row.place for row in after}
    assert sorted(places.values()) == [1, 2, 3, 4]
    assert all(places[player] == 1 for player in sure_of_first(before, 1))
    assert all(places[player] == 4 for player in sure_of_last(before, 1))
    assert len(sure_of_first(after, 1)) == len(sure_of_last(after, 1)) == 1


def test_somebody_is_certain_as_soon_as_nobody_can_reach_as_many_points():
    games = [PairingResult(0, 1, 2), PairingResult(0, 2, 2), PairingResult(0, 3, 2)]
    rest = [PairingResult(1, 2), PairingResult(1, 3), PairingResult(2, 3)]
    assert sure_of_first(standings(range(4), games + rest), 1) == {0}
    assert sure_of_last(standings(range(4), games + rest), 1) == set()
    almost = [*games[:2], PairingResult(0, 3), *rest]
    assert sure_of_first(standings(range(4), almost), 1) == set()


@given(players=st.integers(0, 90), most=st.integers(6, 8))
def test_divisions_hold_everybody_and_none_is_too_large(players, most):
    sizes = division_sizes(players, most)
    assert sum(sizes) == players
    assert all(size <= most for size in sizes)
    assert all(size == most for size in sizes[:-2])
    if players > most:
        assert min(sizes) >= 3
        assert sizes[-2] - sizes[-1] <= 1 or sizes[-1] == most


def test_divisions_of_published_examples():
    assert division_sizes(24, 8) == [8, 8, 8]
    assert division_sizes(20, 8) == [8, 6, 6]
    assert division_sizes(17, 8) == [8, 5, 4]
    assert division_sizes(5, 8) == [5]
    assert exchanged([8, 8, 5]) == [2, 1, 0]


def test_two_move_up_and_two_down():
    above, below = list(range(1, 9)), list(range(11, 19))
    earned = next_places([above, below])
    up = {player for player, (level, _) in earned.items() if level == 1}
    assert up == {1, 2, 3, 4, 5, 6, 11, 12}
    assert form_divisions(earned, [], 8)[0] == [1, 2, 3, 11, 12, 4, 5, 6]
    # Somebody comes back to the first division: the last of those who stayed makes room.
    assert form_divisions(earned | {20: (1, 2)}, [], 8)[0] == [1, 2, 20, 3, 11, 12, 4, 5]


@given(sizes=st.lists(st.integers(3, 8), min_size=1, max_size=6))
def test_each_level_keeps_its_size_and_nobody_is_lost(sizes):
    start = iter(range(100))
    divisions = [[next(start) for _ in range(size)] for size in sizes]
    earned = next_places(divisions)
    assert sorted(earned) == sorted(player for players in divisions for player in players)
    assert len(set(earned.values())) == len(earned)
    levels = [level for level, _ in earned.values()]
    assert [levels.count(number) for number in range(1, len(sizes) + 1)] == sizes


def test_seasons_begin_with_a_month_and_end_three_days_before_the_next():
    start = first_start(datetime(2026, 3, 20, tzinfo=UTC))
    assert start == datetime(2026, 4, 1, tzinfo=UTC)
    assert first_start(datetime(2026, 12, 28, tzinfo=UTC)) == datetime(2027, 2, 1, tzinfo=UTC)
    final = final_day(start, 2)
    assert final == datetime(2026, 5, 29, tzinfo=UTC)
    quick = TimeControl(PaceKind.TOTAL, bank=timedelta(days=5))
    days = [
        last_possible_day(start, final, pace, stretch).isoformat()[:10]
        for pace, stretch in (
            *((quick, 1), (quick, 2), (quick, None)),
            (per_turn(timedelta(days=3)), 1),
        )
    ]
    assert days == ["2026-04-11", "2026-04-21", "2026-05-29", "2026-05-29"]


def test_who_took_more_than_three_fifths_of_the_time_loses():
    hours = [timedelta(hours=hour) for hour in (61, 39)]
    assert slower_side({0: hours[0], 1: hours[1]}) == 0
    assert slower_side({0: hours[1], 1: hours[0]}) == 1
    assert slower_side({0: timedelta(hours=60), 1: timedelta(hours=40)}) is None
    assert slower_side({0: timedelta(), 1: timedelta()}) is None
