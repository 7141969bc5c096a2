"""Who is not paired with whom: blocked players, and suspended ones, in Swiss rounds and leagues."""

from datetime import timedelta

import pytest

from accounts.models import Block
from accounts.server_time import server_now
from games.models import LeagueGame, Season, TournamentGame
from games.moderation.people import suspend_user
from games.queries.leagues import division_tables
from games.services.endings import resign
from games.services.leagues.seasons import run_leagues
from games.services.tournaments.rounds import run_tournaments
from tests.factories import PersonFactory
from tests.games.leagues import simulation as league
from tests.games.tournaments.simulation import DAY, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def six(db):
    return [PersonFactory(username=f"p{number}") for number in range(6)]


def block(by, *others, now):
    for other in others:
        Block.objects.create(by=by, of=other, at=now)


def pairs_of(number):
    """Return the pairs of a round as sets of names."""
    rows = TournamentGame.objects.filter(round__number=number).exclude(second=None)
    return [{row.first.user.username, row.second.user.username} for row in rows]


def play_round(now):
    """Let the second player of each running game resign, and let the next round be made."""
    for row in TournamentGame.objects.filter(game__status="active"):
        resign(game_id=row.game_id, user=row.second.user, now=now)
    run_tournaments(now=now)


def test_swiss_rounds_keep_blocked_players_apart_while_everybody_finds_an_opponent(six, now):
    block(six[0], six[1], six[2], now=now)
    block(six[3], six[0], now=now)
    _, start = started(six, now, swiss_rounds=2)
    play_round(start)
    met = [pair for number in (1, 2) for pair in pairs_of(number)]
    assert len(met) == 6
    # Left for p0 are only p4 and p5, whoever of each pair has blocked the other.
    assert {frozenset(pair - {"p0"}) for pair in met if "p0" in pair} == {
        frozenset({"p4"}),
        frozenset({"p5"}),
    }


def test_who_has_blocked_everybody_is_paired_nevertheless(six, now):
    block(six[0], *six[1:], now=now)
    started(six, now, swiss_rounds=2)
    assert len(pairs_of(1)) == 3
    assert any("p0" in pair for pair in pairs_of(1))


def test_who_is_suspended_when_a_round_is_made_does_not_play_it(six, mo, now):
    tournament, start = started(six, now, swiss_rounds=3)
    row = TournamentGame.objects.filter(game__status="active").first()
    until = start + timedelta(hours=2)
    suspend_user(person_id=row.first.user_id, by=mo, why="so", until=until, now=start)
    play_round(start)
    name = row.first.user.username
    assert not any(name in pair for pair in pairs_of(2))
    assert len(pairs_of(2)) == 2  # and one is free
    play_round(start + DAY)  # the suspension is over
    assert any(name in pair for pair in pairs_of(3))
    assert tournament.entrants.filter(left_at=None).count() == 6


def test_blocks_move_nobody_between_divisions_and_who_blocked_is_told_before(client, six):
    """Places are earned by results: a block neither drives a rival away nor raises anybody."""
    now = server_now()
    people = [*six, *(PersonFactory(username=f"q{number}") for number in range(6))]
    league.open_morpion(now)
    league.join_all(people, now)
    block(people[0], people[1], people[7], now=now)
    client.force_login(people[0])
    page = client.get("/leagues/morpion/").content.decode()
    assert "You have blocked players who have joined" in page
    assert "p1" in page
    client.force_login(people[1])
    assert "You have blocked" not in client.get("/leagues/morpion/").content.decode()
    season = Season.objects.get()
    run_leagues(now=season.starts_at)
    season.refresh_from_db()
    upper, lower = division_tables(season)
    assert {one.entry.user for one in upper.rows} == set(six)
    assert {one.entry.user for one in lower.rows} == set(people[6:])
    theirs = LeagueGame.objects.filter(first__user__in=people[:2], second__user__in=people[:2])
    assert theirs.count() == 1
