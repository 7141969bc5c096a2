"""Leagues by the API: seasons and tables, one's own place, and joining, skipping and leaving."""

import pytest

from games.api.output import cursor_of
from games.models import Game, SeasonEntry
from games.services.endings import resign
from games.services.leagues.entries import join_season
from games.services.leagues.seasons import run_leagues
from tests.api.client import code_of
from tests.factories import PersonFactory
from tests.games.leagues.simulation import make_team, open_morpion, open_superpion, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(ann, bob, cat, now):
    """A season of ann, bob and cat that has begun: three games."""
    season, _starts_at = started([ann, bob, cat], now)
    return season


def test_a_league_is_joined_declined_and_joined_again(as_ann, ann, now):
    assert as_ann.get("/leagues").data == {"leagues": []}
    open_morpion(now)
    (league,) = as_ann.get("/leagues").data["leagues"]
    assert (league["game"], league["running"], league["you_will"]) == ("morpion", None, None)
    assert league["coming"]["number"] == 1
    joined = as_ann.post("/leagues/morpion/join").data
    assert joined["you_will"] == "plays"
    assert code_of(as_ann.post("/leagues/morpion/join")) == (409, "AlreadyInSeason")
    assert as_ann.post("/leagues/morpion/decline").data["you_will"] == "declined"
    assert as_ann.post("/leagues/morpion/join").data["you_will"] == "plays"
    assert SeasonEntry.objects.get().user == ann


def test_what_cannot_be_done_is_refused(as_ann, as_robot, now):
    assert code_of(as_ann.post("/leagues/morpion/join")) == (404, "NoSuchLeague")
    open_morpion(now)
    assert code_of(as_ann.post("/leagues/morpion/skip")) == (409, "NothingToSkip")
    assert code_of(as_ann.post("/leagues/morpion/leave")) == (409, "NotInSeason")
    assert code_of(as_ann.post("/leagues/morpion/win")) == (422, "BadRequest")
    assert code_of(as_robot.post("/leagues/morpion/join")) == (403, "ProgramsJoinNoLeague")
    assert code_of(as_ann.get("/leagues/morpion/seasons/7")) == (404, "NoSuchLeague")


def test_a_season_has_its_tables_and_one_s_own_place(as_ann, as_bob, season, ann, now):
    game = Game.objects.filter(seats__user=ann).first()
    resign(game_id=game.pk, user=ann, now=season.starts_at)
    tables = as_ann.get("/leagues/morpion/seasons/1").data
    (division,) = tables["divisions"]
    assert (division["number"], division["up"], division["down"]) == (1, 0, 0)
    assert [row["place"] for row in division["rows"]] == [1, 2, 3]
    assert division["rows"][0]["points"] == 2
    assert tables["your_place"]["division"] == 1
    own = division["rows"][tables["your_place"]["place"] - 1]
    assert (own["player"]["username"], own["lost"]) == ("ann", 1)
    played = {one["game"]: one["first_points"] for one in division["games"]}
    assert len(played) == 3
    assert played.pop(game.pk) in (0, 2)
    assert set(played.values()) == {None}
    (league,) = as_bob.get("/leagues").data["leagues"]
    assert (league["you_play"], league["you_will"]) == ("plays", None)
    assert league["running"]["number"] == 1


def test_a_team_is_made_and_stands_in_the_table(as_ann, as_bob, as_robot, ann, bob, now):
    season = open_superpion(now).seasons.get()
    path = "/leagues/superpion/team/partner"
    asked = as_ann.post(path, {"username": "bob"}).data
    assert (asked["team_size"], asked["you_will"], asked["partner"]) == (2, "plays", None)
    (league,) = as_bob.get("/leagues").data["leagues"]
    assert [one["username"] for one in league["asked_by"]] == ["ann"]
    assert as_bob.post(path, {"username": "ann"}).data["partner"]["username"] == "ann"
    assert as_ann.post("/leagues/superpion/alone").data["partner"] is None
    assert code_of(as_ann.post("/leagues/superpion/alone")) == (409, "NoTeam")
    assert code_of(as_ann.post(path, {"username": "nobody"})) == (422, "NoSuchPlayer")
    assert code_of(as_robot.post(path, {"username": "ann"})) == (403, "ProgramsJoinNoLeague")
    make_team(*(PersonFactory(username=f"x{number}") for number in range(2)), now)
    for number in range(3):
        join_season(rules_slug="superpion", user=PersonFactory(username=f"y{number}"), now=now)
    run_leagues(now=season.starts_at)
    tables = as_ann.get("/leagues/superpion/seasons/1").data
    (division,) = tables["divisions"]
    names = [[one["username"] for one in row["players"]] for row in division["rows"]]
    assert sorted(map(sorted, names)) == [["ann", "y0"], ["x0", "x1"], ["y1", "y2"]]
    assert "ann" in names[tables["your_place"]["place"] - 1]
    (league,) = as_bob.get("/leagues").data["leagues"]
    assert (league["you_play"], league["you_will"]) == ("waits", "plays")  # he joined last


def test_who_does_not_play_has_no_place(as_robot, season):
    assert as_robot.get("/leagues/morpion/seasons/1").data["your_place"] is None


def test_tables_ask_as_often_for_many_as_for_few(as_ann, now, django_assert_max_num_queries):
    open_morpion(now)
    for _ in range(13):
        join_season(rules_slug="morpion", user=PersonFactory(), now=now)
    season = SeasonEntry.objects.first().season
    run_leagues(now=season.starts_at)
    as_ann.get("/leagues")
    with django_assert_max_num_queries(6):
        assert len(as_ann.get("/leagues/morpion/seasons/1").data["divisions"]) == 3
    with django_assert_max_num_queries(6):
        as_ann.get("/leagues")


def test_a_season_of_many_divisions_has_pages(as_ann, ann, now, monkeypatch):
    monkeypatch.setattr("games.api.leagues.DIVISIONS_ON_A_PAGE", 2)
    open_morpion(now)
    for person in (*(PersonFactory() for _ in range(13)), ann):
        join_season(rules_slug="morpion", user=person, now=now)
    season = SeasonEntry.objects.first().season
    run_leagues(now=season.starts_at)
    found, cursor = [], ""
    while cursor is not None:
        page = as_ann.get("/leagues/morpion/seasons/1", {"cursor": cursor}).data
        found.append([one["number"] for one in page["divisions"]])
        assert page["your_place"]["division"] == 1  # also where it is on another page
        cursor = page["next"]
    assert found == [[1, 2], [3]]
    beyond = as_ann.get("/leagues/morpion/seasons/1", {"cursor": cursor_of(10**17)}).data
    assert (beyond["divisions"], beyond["next"]) == ([], None)
    assert code_of(as_ann.get("/leagues/morpion/seasons/1", {"cursor": "x"})) == (422, "BadCursor")
