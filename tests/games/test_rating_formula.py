"""The formula of ratings, and the systems it is measured against, held by what is published."""

import json
import math
from itertools import pairwise

import pytest

from games.services.rating_formula import (
    START_MU,
    START_SIGMA,
    Player,
    rate_game,
    weight_of,
    win_probability,
)
from tests.bench.ratings import glicko2, read

NEW = Player(START_MU, START_SIGMA)


def test_four_hundred_points_win_ten_games_of_eleven():
    assert win_probability((1900.0, 0.0), (1500.0, 0.0)) == pytest.approx(10 / 11)


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_a_draw_of_equals_changes_no_rating(sides):
    after = rate_game([[NEW]] * sides, [1] * sides, 1.0)
    assert [mu for ((mu, _),) in after] == pytest.approx([START_MU] * sides)
    assert all(sigma < START_SIGMA for ((_, sigma),) in after)


@pytest.mark.parametrize("places", [[1, 2, 3, 4], [2, 1, 4, 3], [1, 1, 3, 3], [1, 2, 2, 4]])
def test_equals_are_ordered_by_their_places_and_together_gain_nothing(places):
    gained = [mu - START_MU for ((mu, _),) in rate_game([[NEW]] * 4, places, 1.0)]
    assert sum(gained) == pytest.approx(0, abs=1e-6)
    by_place = sorted(zip(places, gained, strict=True), key=lambda pair: (pair[0], -pair[1]))
    for (one, more), (other, less) in pairwise(by_place):
        assert more == pytest.approx(less) if one == other else more > less


def test_half_a_weight_is_half_a_change():
    ((whole, _),), _ = rate_game([[NEW], [NEW]], [1, 2], 1.0)
    ((half, _),), _ = rate_game([[NEW], [NEW]], [1, 2], 0.5)
    assert half - START_MU == pytest.approx((whole - START_MU) / 2)


def test_who_left_gains_nothing_and_loses_as_everybody():
    left = Player(START_MU, START_SIGMA, has_left=True)
    ((won, _),), _ = rate_game([[left], [NEW]], [1, 2], 1.0)
    ((lost, _),), _ = rate_game([[left], [NEW]], [2, 1], 1.0)
    ((stayed, _),), _ = rate_game([[NEW], [NEW]], [2, 1], 1.0)
    assert won == START_MU
    assert lost == stayed < START_MU


def test_the_first_three_games_count_in_full():
    assert [weight_of(earlier) for earlier in range(5)] == [1, 1, 1, 0.75, 0.6]


def test_glicko_2_is_that_of_its_paper():
    """The example of Glickman's paper: 1500 and 200 become 1464.06 and 151.52."""
    scale = 173.7178
    games = [(1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0)]
    seen = [((one - 1500) / scale, deviation / scale, score) for one, deviation, score in games]
    mu, phi, volatility = glicko2(0.0, 200 / scale, 0.06, seen, 0.5)
    assert math.isclose(mu * scale + 1500, 1464.06, abs_tol=0.01)
    assert math.isclose(phi * scale, 151.52, abs_tol=0.01)
    assert math.isclose(volatility, 0.05999, abs_tol=0.00001)


def test_results_of_a_file_are_read_by_day(tmp_path):
    lines = tmp_path / "results.csv"
    lines.write_text("2026-02-01,ann,bob,0.5\n2026-01-01,bob,cat,0\n2026-01-01,cat,ann,1\n")
    found = [(one.sides, list(one.places)) for one in read(lines)]
    assert found == [
        ([["bob"], ["cat"]], [2, 1]),
        ([["cat"], ["ann"]], [1, 2]),
        ([["ann"], ["bob"]], [1, 1]),
    ]
    match = {"date": "2016-01-02", "home_team": "Lens", "away_team": "Metz"}
    scores = [(1, 3), (None, None), (2, 2)]
    matches = [match | {"home_score": one, "away_score": other} for one, other in scores]
    path = tmp_path / "football.json"
    path.write_text(json.dumps(matches))
    assert [list(one.places) for one in read(path)] == [[2, 1], [1, 1]]


@pytest.mark.parametrize("line", ["day,first,second,score", "2026-01-01,ann,bob,2", "ann,bob,1"])
def test_a_line_that_is_no_result_is_refused(line, tmp_path):
    lines = tmp_path / "results.csv"
    lines.write_text(f"2026-01-01,ann,bob,1\n{line}\n")
    with pytest.raises(ValueError, match=r"line 2 of .* is no result"):
        read(lines)
