"""Workers that start and end the same season at the same moment, and ones that are killed."""

from collections import Counter

import pytest

from games.models import Game, LeagueGame, SeasonEntry
from tests.competition.records import division_by_hand
from tests.factories import PersonFactory
from tests.games.leagues.simulation import join_all, open_morpion
from tests.games.parallel import at_once, run_until_killed

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS = 9
GAMES = 10 + 6  # a division of five and one of four


@pytest.fixture
def season(now):
    people = [PersonFactory(username=f"racer{number}") for number in range(PLAYERS)]
    league = open_morpion(now)
    join_all(people, now)
    return league.seasons.get()


def chore(now):
    return [("leagues", {"now": now})]


def check_is_whole(season):
    """Everybody has one game against everybody of their division, and no more."""
    rows = LeagueGame.objects.filter(division__season=season)
    assert rows.count() == rows.exclude(game=None).count() == Game.objects.count() == GAMES
    played = Counter(key for row in rows for key in (row.first_id, row.second_id))
    assert sorted(played.values()) == [3] * 4 + [4] * 5
    assert season.divisions.count() == 2
    assert season.league.seasons.count() == 2


@pytest.mark.postgresql
def test_workers_that_start_a_season_together_begin_each_game_once(season):
    at_once(*[chore(season.starts_at) for _ in range(4)])
    at_once(chore(season.starts_at))  # what was locked is left to the next run
    check_is_whole(season)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("point", "count"),
    [
        ("form_divisions", 1),
        ("all_pairs", 1),
        ("all_pairs", 2),
        ("add_season", 1),
        ("begin_together", 1),
        ("new_table", 1),
        ("new_table", 7),
        ("start_clock", 16),
    ],
)
def test_a_worker_that_is_killed_at_the_start_pairs_nobody_twice(season, point, count):
    run_until_killed("leagues", season.starts_at, point, count)
    at_once(*[chore(season.starts_at) for _ in range(2)])
    at_once(chore(season.starts_at))
    check_is_whole(season)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("point", "count"), [("finish_game", 1), ("finish_game", 9), ("next_places", 1)]
)
def test_a_worker_that_is_killed_on_the_final_day_ends_the_season_once(season, point, count):
    at_once(chore(season.starts_at))
    Game.objects.update(
        deadline=None,
        stop_reason="moderator",
        clock_started_at=None,
        stopped_at=season.starts_at,
        reminder_at=None,
    )
    run_until_killed("leagues", season.final_at, point, count)
    at_once(*[chore(season.final_at) for _ in range(3)])
    at_once(chore(season.final_at))
    season.refresh_from_db()
    assert season.ended_at == season.final_at
    assert set(Game.objects.values_list("status", "ending")) == {("finished", "final-day")}
    tables = [division_by_hand(division) for division in season.divisions.all()]
    assert sum(points for table in tables for _, points, _ in table) == 2 * GAMES
    assert not SeasonEntry.objects.filter(season__number=2).exists()  # nobody has played a turn


@pytest.mark.postgresql
def test_who_joins_as_the_season_starts_is_in_it_or_too_late(season, now):
    PersonFactory(username="late")
    join = [("join_league", {"user": "late", "now": season.starts_at})]
    (answer,), _ = at_once(join, chore(season.starts_at))
    assert answer == "NoSeasonToJoin"
    at_once(chore(season.starts_at))  # the first may have left the season to this run
    early = [("join_league", {"user": "late", "now": now})]
    (again,), (same,) = at_once(early, early)
    assert sorted([again, same]) == ["AlreadyInSeason", "joined"]
    assert SeasonEntry.objects.get(user__username="late").season.number == 2
