"""A world of players whose strengths are known, with everything that they play against each other.

`PLI_WORLD=people,seasons` says how large it is (two seasons at least), a third number which world:
`make test` lives a short form on both databases, `make chaos` a thousand people for twelve seasons
on PostgreSQL.
"""

import os
import random
from collections import Counter
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from django.core.management import call_command

from games.models import (
    Division,
    Entrant,
    Game,
    LadderChallenge,
    LadderPlace,
    LeagueGame,
    Rating,
    RatingChange,
    Season,
    SeasonEntry,
    Tournament,
    TournamentGame,
    WishGame,
)
from games.queries.leagues import division_tables
from games.queries.tournaments import TournamentState
from tests.competition import records
from tests.competition.life import EVENTS
from tests.competition.playing import DAY
from tests.competition.world import World

SHORT = "40,2"
SIZE = os.environ.get("PLI_WORLD", SHORT)
PEOPLE, SEASONS, SEED = map(int, [*SIZE.split(","), "1"][:3])
IS_LONG = PEOPLE > 100

ENOUGH_GAMES = 10
LEAST_CORRELATION = 0.9 if IS_LONG else 0.7
"""In two seasons people play too few games for more than a rough order."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(0 if IS_LONG else 900)]
if IS_LONG:
    pytestmark.append(pytest.mark.postgresql)


@pytest.fixture
def world(monkeypatch):
    """A world in which the lots of the services are drawn from a seed too."""
    lots = random.Random(SEED)
    monkeypatch.setattr("games.services.tables.chance", lots)
    seeds = SimpleNamespace(token_hex=lambda length: lots.randbytes(length).hex())
    monkeypatch.setattr("games.services.tournaments.entries.secrets", seeds)
    return World(PEOPLE, SEASONS, SEED, datetime(2026, 3, 25, tzinfo=UTC))


@pytest.mark.django_db(transaction=IS_LONG)
def test_everything_that_was_promised_is_so_in_a_world_of_players(world, caplog):
    while not world.is_over():
        world.live_a_day()
        if world.now.day == 15:  # in the middle of a season
            check_tables(world)
    check_tables(world)
    seasons = list(Season.objects.exclude(started_at=None))
    tournaments = list(Tournament.objects.exclude(started_at=None))
    assert (len(seasons), bool(tournaments)) == (SEASONS, True)
    for one in [*seasons, *tournaments]:
        assert one.ended_at <= world.promised[one]
    for division in Division.objects.all():
        records.check_pairs_of_division(division, world.league.legs)
    for tournament in tournaments:
        records.check_pairs_of_swiss(tournament)
    records.check_challenges()
    records.check_wish_games()
    tell(world)
    check_that_all_sorts_of_things_happened(world)
    check_ratings(world)
    assert not [one for one in caplog.records if one.levelname == "ERROR"]  # of a task


def check_tables(world):
    """Check that pages show the tables that follow from the games: those that changed lately."""
    lately = world.now - 45 * DAY
    for season in Season.objects.filter(started_at__gt=lately):
        for table in division_tables(season):
            assert records.shown(table) == records.division_by_hand(table.division)
    for tournament in Tournament.objects.filter(started_at__gt=lately):
        ((_, table),) = TournamentState(tournament).tables
        assert records.shown(table) == records.swiss_by_hand(tournament)


def tell(world):
    """Print what happened: `-rP` shows it."""
    rows = [LeagueGame, TournamentGame, LadderChallenge, WishGame]
    games = {one.__name__: one.objects.exclude(game=None).values("game") for one in rows}
    print(f"{world.day} days, {Game.objects.count()} games")
    print("of:", {name: found.distinct().count() for name, found in games.items()})
    print("ends:", dict(Counter(Game.objects.values_list("ending", flat=True))))
    print("most at once:", dict(world.most))
    print("done:", dict(world.life.done))
    print("refused:", dict(world.life.refused), dict(world.players.refused))


def check_that_all_sorts_of_things_happened(world):
    """Check that the world was not quieter than it should be."""
    assert not [what for what in EVENTS if not world.life.done[what]]
    endings = Counter(Game.objects.values_list("ending", flat=True))
    for ending in ("line", "full", "agreed", "resigned", "timeout"):
        assert endings[ending], ending
    for row in (LeagueGame, TournamentGame):
        assert row.objects.filter(game__ending="final-day").exists()
    assert SeasonEntry.objects.filter(left_because="asked").exists()
    assert SeasonEntry.objects.filter(state="skips").exists()
    assert Entrant.objects.exclude(left_at=None).exists()
    assert LadderPlace.objects.filter(place=None).exists()
    assert any(one.user.is_former for one in world.people)
    assert world.most["league"] == world.league.games_at_once
    assert world.most["wish"] > 1


def check_ratings(world):
    """Check that ratings order the players, and that they follow from the record alone."""
    known = Rating.objects.filter(games__gte=ENOUGH_GAMES)
    strengths = [
        (one.mu, world.life.by_user[one.player_id].strength) for one in known.order_by("pk")
    ]
    found = records.rank_correlation(strengths)
    print(f"rank correlation: {found:.3f} of {len(strengths)} players")
    assert found > LEAST_CORRELATION
    call_command("ratings", "update")  # what has ended since midnight
    before = everything_rated()
    call_command("ratings", "rebuild")
    assert everything_rated() == before


def everything_rated():
    """Return all that is stored of ratings, without keys."""
    found = []
    for model, order in ((Rating, ["player"]), (RatingChange, ["game", "player"])):
        columns = [field.attname for field in model._meta.fields if not field.primary_key]
        found.append(list(model.objects.order_by(*order).values_list(*columns)))
    return found
