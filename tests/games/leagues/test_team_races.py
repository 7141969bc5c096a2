"""Teams that are asked, accepted and ended at the same moment, and a season that starts then."""

import pytest

from accounts.models import User
from games.models import Game, LeagueGame, SeasonEntry
from tests.factories import PersonFactory
from tests.games.leagues.simulation import join_all, make_team, open_superpion
from tests.games.leagues.test_season_races import chore
from tests.games.parallel import at_once, run_until_killed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


@pytest.fixture
def season(now):
    for number in range(7):
        PersonFactory(username=f"t{number}")
    return open_superpion(now).seasons.get()


def ask(one, two, now):
    return ("ask_partner", {"user": f"t{one}", "partner": f"t{two}", "now": now})


def accept(one, by, now):
    return ("accept_partner", {"user": f"t{one}", "by": f"t{by}", "now": now})


def alone(one, now):
    return ("play_alone", {"user": f"t{one}", "now": now})


def teams_of(season):
    """Return the teams by their players' names, each of whom is in one team at most."""
    pairs = season.entries.exclude(partner_of=None)
    both = pairs.values_list("user__username", "partner_of__user__username")
    found = sorted(tuple(sorted(pair)) for pair in both)
    names = [name for pair in found for name in pair]
    assert len(names) == len(set(names))
    return found


def test_two_who_ask_each_other_at_once_are_one_team(season, now):
    answers = at_once([ask(0, 1, now)], [ask(1, 0, now)])
    assert answers == [["asked"], ["asked"]]
    assert teams_of(season) == [("t0", "t1")]


def test_of_two_who_accept_each_other_and_of_who_withdraws_one_comes_first(season, now):
    at_once([ask(0, 1, now), ask(2, 0, now), ask(3, 4, now)])
    # t0 accepts t2 while t1 accepts t0: only one of both can be; t3 withdraws while t4 accepts.
    (first,), (second,), (third,), (fourth,) = at_once(
        [accept(0, 2, now)], [accept(1, 0, now)], [accept(4, 3, now)], [alone(3, now)]
    )
    assert {first, second} in ({"accepted", "InvitationIsAnswered"}, {"accepted", "HasPartner"})
    assert (third, fourth) in (("accepted", "alone"), ("InvitationIsAnswered", "alone"))
    assert teams_of(season) == [("t0", "t2") if first == "accepted" else ("t0", "t1")]


def test_who_accepts_or_withdraws_as_the_season_starts_is_in_time_or_too_late(season, now):
    at_once([ask(0, 1, now), ask(2, 3, now), accept(3, 2, now)])
    at_once([ask(4, 0, now), ask(5, 0, now), ask(6, 0, now)])
    start = season.starts_at
    # Their clocks say that they are in time; who comes first to the row of the season is.
    (accepted,), (ended,), _ = at_once([accept(1, 0, now)], [alone(2, now)], chore(start))
    at_once(chore(start))  # the first may have left the season to this run
    assert accepted in ("accepted", "NoSeasonToJoin")
    assert ended in ("alone", "NoSeasonToJoin")
    season.refresh_from_db()
    found, playing = teams_of(season), season.entries.exclude(division=None)
    assert (len(found), season.started_at) == (3, start)
    assert (("t0", "t1") in found) is (accepted == "accepted")
    assert LeagueGame.objects.exclude(game=None).count() == Game.objects.count() == len(found)
    seated = set(playing.values_list("user__username", flat=True))
    assert {name for pair in found for name in pair} == seated
    assert not season.entries.filter(division=None, state="plays").exists()


@pytest.mark.parametrize(
    ("point", "count"),
    [("put_together", 1), ("all_pairs", 1), ("add_season", 1), ("new_table", 2)],
)
def test_a_worker_that_is_killed_at_the_start_makes_no_team_twice(season, now, point, count):
    users = list(User.objects.filter(username__startswith="t").order_by("pk"))
    make_team(users[0], users[1], now)
    join_all(users[2:], now, "superpion")
    run_until_killed("leagues", season.starts_at, point, count)
    at_once(*[chore(season.starts_at) for _ in range(2)])
    at_once(chore(season.starts_at))
    assert len(teams_of(season)) == 3
    assert LeagueGame.objects.exclude(game=None).count() == 3 == Game.objects.count()
    waiting = SeasonEntry.objects.get(season=season, state="waits")
    assert SeasonEntry.objects.get(season__number=2).user_id == waiting.user_id
