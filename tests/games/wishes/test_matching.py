"""Who is paired with whom: the pure function, against made-up players."""

from dataclasses import replace
from datetime import timedelta
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from games.competition.matching import (
    AGAIN_WITHIN,
    LONGEST_WAIT,
    Seeker,
    cost_of,
    may_be_paired,
    pair_seekers,
)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)

RATINGS = st.integers(0, 3000)
USERS = st.integers(1, 9)
TIMES = st.timedeltas(timedelta(), 40 * DAY)


@st.composite
def seekers(draw, most=9):
    """Return players with made-up ratings, ranges, times, and people whom they avoid."""
    found = []
    for wish in range(1, draw(st.integers(0, most)) + 1):
        bounds = sorted([draw(RATINGS), draw(RATINGS)])
        one = Seeker(
            wish=wish,
            user=draw(USERS),
            rating=float(draw(RATINGS)),
            waited=draw(st.timedeltas(timedelta(), 12 * DAY)),
            lowest=draw(st.sampled_from([None, bounds[0]])),
            highest=draw(st.sampled_from([None, bounds[1]])),
            usual=draw(st.none() | TIMES),
            lost_on_time=draw(st.floats(0, 1)),
            avoids=draw(st.frozensets(USERS, max_size=3)),
            played=draw(st.dictionaries(USERS, st.timedeltas(timedelta(), 200 * DAY), max_size=3)),
        )
        found.append(one)
    return found


@given(seekers(), st.randoms())
def test_pairs_are_allowed_and_nobody_is_in_two_whatever_the_order(found, random):
    by_wish = {one.wish: one for one in found}
    pairs = pair_seekers(found)
    paired = [wish for pair in pairs for wish in pair]
    assert len(paired) == len(set(paired))
    for first, second in pairs:
        one, other = by_wish[first], by_wish[second]
        assert first < second
        assert one.user != other.user
        assert other.user not in one.avoids
        assert one.user not in other.avoids
        assert one.lowest is None or other.rating >= one.lowest
        assert other.highest is None or one.rating <= other.highest
    left = [one for one in found if one.wish not in paired]
    assert not any(may_be_paired(one, other) for one, other in combinations(left, 2))
    random.shuffle(found)
    assert pair_seekers(found) == pairs


@given(seekers(most=2))
def test_waiting_never_forbids_a_pair_and_costs_are_the_same_both_ways(found):
    for one, other in combinations(found, 2):
        assert cost_of(one, other) == cost_of(other, one) >= 0
        assert may_be_paired(one, other) == may_be_paired(other, one)
        if may_be_paired(one, other):
            assert may_be_paired(replace(one, waited=one.waited + DAY), other)


@given(seekers(most=2))
def test_after_the_longest_wait_only_what_is_never_relaxed_forbids_a_pair(found):
    for one, other in combinations(found, 2):
        waited = replace(one, waited=LONGEST_WAIT)
        fits = one.user != other.user
        fits &= other.user not in one.avoids and one.user not in other.avoids
        for each, rating in ((one, other.rating), (other, one.rating)):
            fits &= each.lowest is None or each.lowest <= rating
            fits &= each.highest is None or rating <= each.highest
        assert may_be_paired(waited, other) == fits


def test_who_fits_better_is_taken_in_each_respect():
    """Ann is paired with Bob: he differs from Cid in one thing only, in which he fits her."""
    ann = Seeker(wish=1, user=1, rating=1500, usual=HOUR, lost_on_time=0.0)
    bob = replace(ann, wish=3, user=3)
    worse = (
        {"rating": 1650.0},
        {"usual": 8 * HOUR},
        {"lost_on_time": 0.1},
        {"played": {1: AGAIN_WITHIN - 9 * DAY}},
    )
    for change in worse:
        cid = replace(bob, wish=2, user=2, **change)
        assert pair_seekers([ann, cid, bob]) == [(1, 3)], change
        assert pair_seekers([ann, cid]) == [(1, 2)], change


def test_waiting_makes_worse_pairs_possible():
    ann = Seeker(wish=1, user=1, rating=1500)
    bob = Seeker(wish=2, user=2, rating=2000)
    assert cost_of(ann, bob) == 5
    assert pair_seekers([ann, bob]) == []
    assert pair_seekers([replace(ann, waited=18 * HOUR), bob]) == [(1, 2)]
    assert pair_seekers([replace(ann, waited=17 * HOUR), bob]) == []


def test_who_has_waited_longer_comes_first():
    ann = Seeker(wish=1, user=1, rating=1500)
    bob = Seeker(wish=2, user=2, rating=1500)
    cid = Seeker(wish=3, user=3, rating=1600, waited=DAY)
    assert pair_seekers([ann, bob, cid]) == [(1, 3)]


def test_the_same_two_wait_before_they_are_paired_again():
    ann = Seeker(wish=1, user=1, rating=1500, played={2: timedelta()})
    bob = Seeker(wish=2, user=2, rating=1500)
    assert pair_seekers([ann, bob]) == []
    assert pair_seekers([replace(ann, waited=36 * HOUR), bob]) == [(1, 2)]
    assert pair_seekers([replace(ann, played={2: AGAIN_WITHIN}), bob]) == [(1, 2)]
