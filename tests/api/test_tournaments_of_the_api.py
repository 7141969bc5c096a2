"""Tournaments by the API: opened, joined, left and cancelled; private ones; rounds and tables."""

from datetime import timedelta

import pytest

from games.models import Tournament
from games.services.endings import resign
from games.services.tournaments.rounds import run_tournaments
from tests.api.client import Api, code_of, token_for
from tests.factories import PersonFactory
from tests.games.tournaments.simulation import DAY, join_all, open_one, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_cat(cat, now):
    return Api(token_for(cat, now=now))


@pytest.fixture
def four(ann, bob):
    return [ann, bob, PersonFactory(username="p3"), PersonFactory(username="p4")]


def new(now, **changed):
    """Return the body of a request that opens a tournament."""
    return {
        "game": "morpion",
        "form": "knockout",
        "pace": {"allowance": 3 * 86400},
        "most_players": 8,
        "starts_at": (now + 3 * DAY).isoformat(),
    } | changed


def test_a_tournament_is_opened_once_joined_left_and_cancelled(as_ann, as_bob, as_robot, now):
    key = {"Idempotency-Key": "spring"}
    opened = as_ann.post("/tournaments", new(now, name="Spring"), **key).data
    assert as_ann.post("/tournaments", new(now, name="Spring"), **key).data == opened
    made, shown = Tournament.objects.get(), opened["tournament"]
    assert (shown["id"], shown["name"], shown["form"]) == (made.pk, "Spring", "knockout")
    assert (shown["you_play"], shown["joined"], shown["link"]) == (None, 0, None)
    assert shown["seed_hash"] == made.seed_hash
    assert shown["seed"] is None
    assert made.seed not in str(opened)
    path = f"/tournaments/{made.pk}"
    joined = as_bob.post(f"{path}/join").data
    assert (joined["tournament"]["you_play"], joined["tournament"]["joined"]) == ("plays", 1)
    assert [one["player"]["username"] for one in joined["entrants"]] == ["bob"]
    assert code_of(as_bob.post(f"{path}/join")) == (409, "AlreadyInTournament")
    assert code_of(as_robot.post(f"{path}/join")) == (403, "NoProgramsInTournaments")
    assert code_of(as_bob.post(f"{path}/cancel")) == (403, "NotYourTournament")
    assert as_bob.post(f"{path}/leave").data["tournament"]["you_play"] is None
    assert code_of(as_bob.post(f"{path}/leave")) == (409, "NotInTournament")
    assert as_ann.post(f"{path}/cancel").data["tournament"]["is_cancelled"] is True
    assert code_of(as_ann.post(f"{path}/cancel")) == (409, "TournamentIsOver")
    assert code_of(as_bob.post(f"{path}/join")) == (409, "TournamentIsOver")


def test_what_cannot_be_opened_is_refused(as_ann, as_robot, now):
    for changed, said in (
        ({"form": "ladder"}, "BadRequest"),
        ({"most_players": 65}, "BadRequest"),
        ({"starts_at": now.replace(tzinfo=None).isoformat()}, "BadRequest"),
        ({"name": "a\0b"}, "BadRequest"),
        ({"form": "round-robin", "most_players": 20}, "BadTournament"),
        ({"starts_at": now.isoformat()}, "BadStart"),
        ({"least_rating": 1500, "most_rating": 1400}, "BadRatings"),
    ):
        assert code_of(as_ann.post("/tournaments", new(now, **changed))) == (422, said), changed
    refused = as_robot.post("/tournaments", new(now))
    assert code_of(refused) == (403, "NoProgramsInTournaments")
    assert not Tournament.objects.exists()


def test_one_by_link_is_there_for_nobody_without_its_link(as_ann, as_bob, as_cat, now):
    shown = as_ann.post("/tournaments", new(now, by_link=True)).data["tournament"]
    key = Tournament.objects.get().key
    assert shown["link"] == f"{shown['url']}?key={key}"
    path = f"/tournaments/{shown['id']}"
    for data in ({}, {"key": "guess"}):
        assert code_of(as_bob.get(path, data)) == (404, "NoSuchTournament")
        for action in ("join", "leave", "cancel"):
            assert code_of(as_bob.post(f"{path}/{action}", data)) == (404, "NoSuchTournament")
    assert as_bob.get("/tournaments").data["tournaments"] == []
    seen = as_cat.get(path, {"key": key}).data["tournament"]
    assert (seen["is_by_link"], seen["link"]) == (True, None)
    joined = as_bob.post(f"{path}/join", {"key": key}).data["tournament"]
    assert joined["link"] == shown["link"]
    assert [one["id"] for one in as_bob.get("/tournaments").data["tournaments"]] == [shown["id"]]
    assert as_cat.get("/tournaments").data["tournaments"] == []


def test_rounds_and_the_seed_are_shown_once_it_has_started(as_ann, as_cat, four, ann, now):
    tournament, start = started(four, now - 2 * DAY, "knockout")
    path = f"/tournaments/{tournament.pk}"
    state = as_cat.get(path).data
    assert state["tournament"]["seed"] == tournament.seed
    assert sorted(one["number"] for one in state["entrants"]) == [1, 2, 3, 4]
    (first,) = state["rounds"]
    assert (first["number"], first["is_knockout"], len(first["matches"])) == (1, True, 2)
    match = next(one for one in first["matches"] if "ann" in (one["first"], one["second"]))
    (game,) = match["games"]
    assert (game["first"], game["first_points"], game["counts"]) == (match["first"], None, True)
    resign(game_id=game["game"], user=ann, now=start)
    after = as_cat.get(path).data["rounds"][0]["matches"][match["board"] - 1]
    other = next(name for name in (match["first"], match["second"]) if name != "ann")
    assert after["goes_on"] == other
    assert after["games"][0]["first_points"] == (0 if match["first"] == "ann" else 2)
    assert code_of(as_cat.post(f"{path}/join")) == (409, "TournamentHasStarted")
    left = as_ann.post(f"{path}/leave").data
    assert left["tournament"]["you_play"] == "left"


def test_a_table_has_points_and_the_end_an_order(as_cat, four, now):
    tournament, start = started(four[:3], now - 2 * DAY, "round-robin")
    path = f"/tournaments/{tournament.pk}"
    state = as_cat.get(path).data
    for match in state["rounds"][0]["matches"]:
        loser = max(match["first"], match["second"])  # p3, then bob
        user = next(one for one in four if one.username == loser)
        resign(game_id=match["games"][0]["game"], user=user, now=start)
    (table,) = as_cat.get(path).data["tables"]
    assert [(row["player"], row["points"]) for row in table["rows"]] == [
        ("ann", 4),
        ("bob", 2),
        ("p3", 0),
    ]
    run_tournaments(now=start + timedelta(hours=1))
    over = as_cat.get(path).data
    assert over["tournament"]["ended_at"]
    assert over["order"] == ["ann", "bob", "p3"]


def test_the_list_has_pages_and_states_and_costs_the_same(
    as_ann, as_cat, four, now, django_assert_max_num_queries
):
    started(four, now - 2 * DAY)
    openers = [PersonFactory() for _ in range(21)]
    for opener in openers:
        join_all(open_one(opener, now), four[:2], now)
    first = as_ann.get("/tournaments").data
    rest = as_ann.get("/tournaments", {"cursor": first["next"]}).data
    assert (len(first["tournaments"]), len(rest["tournaments"]), rest["next"]) == (20, 2, None)
    assert {one["you_play"] for one in first["tournaments"]} == {"plays"}
    assert {one["joined"] for one in first["tournaments"]} == {2}
    (runs,) = as_cat.get("/tournaments", {"state": "running"}).data["tournaments"]
    assert (runs["joined"], runs["you_play"]) == (4, None)
    assert as_cat.get("/tournaments", {"state": "over"}).data["tournaments"] == []
    with django_assert_max_num_queries(6):
        as_ann.get("/tournaments", {"state": "open"})
    with django_assert_max_num_queries(8):
        as_ann.get(f"/tournaments/{runs['id']}")
