"""Ladders by the API: places, joining and leaving, and challenges with their answers."""

from datetime import timedelta

import pytest

from games.api.output import cursor_of
from games.models import Game, LadderChallenge, LadderPlace
from games.queries import ladders
from tests.api.client import code_of
from tests.factories import PersonFactory
from tests.games.ladders.climbing import call, climbers
from tests.games.ladders.climbing import ladder_of as stored

pytestmark = pytest.mark.django_db

LADDER = "/ladders/morpion"


def test_a_ladder_is_joined_and_left(as_ann, as_robot, ann):
    listed = {one["game"]: one for one in as_ann.get("/ladders").data["ladders"]}
    assert listed["morpion"] == {
        "game": "morpion",
        "name": "Morpion",
        "size": 0,
        "your_place": None,
    }
    assert as_ann.get(LADDER).data["places"] == []
    joined = as_ann.post(f"{LADDER}/join").data
    assert (joined["size"], joined["your_place"]) == (1, 1)
    assert code_of(as_ann.post(f"{LADDER}/join")) == (409, "AlreadyOnLadder")
    assert code_of(as_robot.post(f"{LADDER}/join")) == (403, "ProgramsJoinNoLadder")
    assert as_ann.post(f"{LADDER}/leave").data["your_place"] is None
    assert code_of(as_ann.post(f"{LADDER}/leave")) == (409, "NotOnLadder")
    assert code_of(as_ann.post("/ladders/chess/join")) == (404, "NoSuchLadder")
    assert code_of(as_ann.get("/ladders/chess")) == (404, "NoSuchLadder")
    assert code_of(as_ann.post(f"{LADDER}/win")) == (422, "BadRequest")
    assert LadderPlace.objects.get().user == ann


def test_a_challenge_is_made_once_and_accepted(as_ann, as_bob, as_robot, now):
    for player in (as_bob, as_ann):
        player.post(f"{LADDER}/join")
    above = as_ann.get(LADDER).data["places"][0]
    assert (above["player"]["username"], above["can_challenge"]) == ("bob", True)
    key = {"Idempotency-Key": "first"}
    made = as_ann.post(f"{LADDER}/challenges", {"username": "BOB"}, **key).data
    assert as_ann.post(f"{LADDER}/challenges", {"username": "BOB"}, **key).data == made
    assert LadderChallenge.objects.count() == 1
    assert (made["state"], made["rules"], made["game"]) == ("waiting", "morpion", None)
    assert made["answer_by"] > made["made_at"]
    again = as_ann.post(f"{LADDER}/challenges", {"username": "bob"})
    assert code_of(again) == (409, "AlreadyMeeting")
    assert as_bob.get("/me/ladder-challenges").data == {"received": [made], "made": []}
    assert as_ann.get("/me/ladder-challenges").data == {"received": [], "made": [made]}
    assert as_ann.get(LADDER).data["challenges"] == [made]
    answer = f"/ladder-challenges/{made['id']}"
    for stranger, how in ((as_ann, "accept"), (as_robot, "decline"), (as_bob, "withdraw")):
        refused = stranger.post(f"{answer}/{how}")
        assert code_of(refused) == (404, "NoSuchLadderChallenge")
    accepted = as_bob.post(f"{answer}/accept").data
    assert (accepted["state"], accepted["answer_by"]) == ("playing", None)
    assert accepted["game"] == Game.objects.get().pk
    assert code_of(as_bob.post(f"{answer}/accept")) == (409, "ChallengeIsAnswered")
    assert code_of(as_ann.post(f"{answer}/withdraw")) == (409, "ChallengeIsAnswered")


def test_declining_is_free_once_and_a_challenge_is_withdrawn(as_ann, as_bob, ann, bob, now):
    for player in (as_bob, as_ann):
        player.post(f"{LADDER}/join")
    assert as_bob.get(LADDER).data["free_decline"] is True
    made = call(ann, bob, now=now)
    withdrawn = as_ann.post(f"/ladder-challenges/{made.pk}/withdraw").data
    assert withdrawn["outcome"] == "withdrawn"
    LadderChallenge.objects.update(ended_at=now - timedelta(days=20))
    made = call(ann, bob, now=now)
    declined = as_bob.post(f"/ladder-challenges/{made.pk}/decline").data
    assert (declined["state"], declined["outcome"]) == ("over", "spared")
    page = as_bob.get(LADDER).data
    assert (page["free_decline"], page["ladder"]["your_place"]) == (False, 1)
    assert [one["id"] for one in page["newest"]] == [made.pk, withdrawn["id"]]


def test_who_cannot_be_challenged_is_refused(as_ann, ann, bob, now):
    climbers(6, now)
    refused = as_ann.post(f"{LADDER}/challenges", {"username": "climber1"})
    assert code_of(refused) == (409, "NotOnLadder")
    as_ann.post(f"{LADDER}/join")
    for name, said in (
        ("climber1", (409, "OutOfReach")),
        ("bob", (409, "OpponentNotOnLadder")),
        ("nobody", (422, "NoSuchPlayer")),
        ("climber2\0", (422, "NoSuchPlayer")),
    ):
        assert code_of(as_ann.post(f"{LADDER}/challenges", {"username": name})) == said
    assert not LadderChallenge.objects.exists()


def test_places_come_in_pages_and_cost_the_same(
    as_ann, ann, now, monkeypatch, django_assert_max_num_queries
):
    people = climbers(5, now)
    as_ann.post(f"{LADDER}/join")
    call(ann, people[4], now=now)
    call(people[1], people[0], now=now)
    monkeypatch.setattr(ladders, "PAGE", 2)
    seen, cursor = [], ""
    while cursor is not None:
        page = as_ann.get(LADDER, {"cursor": cursor}).data
        seen += [(one["place"], one["player"]["username"]) for one in page["places"]]
        assert page["ladder"]["your_place"] == 6
        cursor = page["next"]
    assert seen == [*((n, f"climber{n}") for n in range(1, 6)), (6, "ann")]
    assert code_of(as_ann.get(LADDER, {"cursor": "x"})) == (422, "BadCursor")
    beyond = as_ann.get(LADDER, {"cursor": cursor_of(9)}).data
    assert (beyond["places"], beyond["next"]) == ([], None)
    monkeypatch.undo()
    places = [
        LadderPlace(ladder=stored(), user=PersonFactory(), place=place, **_times(now))
        for place in range(7, 15)
    ]
    LadderPlace.objects.bulk_create(places)
    with django_assert_max_num_queries(7):
        assert len(as_ann.get(LADDER).data["places"]) == 14
    with django_assert_max_num_queries(4):
        as_ann.get("/me/ladder-challenges")


def _times(now):
    return {"joined_at": now, "idle_from": now, "sinks_at": now + timedelta(days=28)}
