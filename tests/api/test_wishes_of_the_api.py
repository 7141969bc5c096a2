"""Wishes for opponents by the API."""

import pytest

from games.models import Game, Wish
from games.queries.wishes import shown_wishes
from games.services.wishes import pair_wishes
from tests.api.client import Api, code_of, token_for
from tests.factories import PersonFactory
from tests.games.wishes.making import wish_for

pytestmark = pytest.mark.django_db

PACE = {"allowance": 3 * 86_400}


def test_a_wish_is_made_changed_listed_and_withdrawn(as_ann, as_bob, ann, now):
    made = as_ann.post("/wishes", {"game": "morpion", "pace": PACE, "lowest": 1400})
    assert made.status_code == 200
    wish = Wish.objects.get()
    assert (wish.user, wish.via, wish.lowest, wish.at_once) == (ann, "api", 1400, 1)
    assert made.data["id"] == wish.pk
    assert (made.data["state"], made.data["running"], made.data["usual_wait"]) == ("waits", 0, None)
    changed = as_ann.post("/wishes", {"game": "morpion", "pace": PACE, "at_once": 2})
    assert (changed.data["id"], changed.data["lowest"], changed.data["at_once"]) == (
        wish.pk,
        None,
        2,
    )
    assert as_ann.get("/wishes").data == {"wishes": [changed.data]}
    assert as_bob.get("/wishes").data == {"wishes": []}
    assert code_of(as_bob.post(f"/wishes/{wish.pk}/withdraw")) == (404, "NoSuchWish")
    assert as_ann.post(f"/wishes/{wish.pk}/withdraw").data == {"wishes": []}
    assert shown_wishes(ann, now=now) == []
    assert code_of(as_ann.post(f"/wishes/{wish.pk}/withdraw")) == (404, "NoSuchWish")


def test_two_who_wish_by_the_api_are_paired(as_ann, as_bob, now):
    for one in (as_ann, as_bob):
        one.post("/wishes", {"game": "morpion", "pace": PACE})
    assert as_ann.get("/wishes").data["wishes"][0]["others_waiting"] == 1
    assert pair_wishes(now=now) == 1
    shown = as_ann.get("/wishes").data["wishes"][0]
    assert (shown["state"], shown["running"], shown["waits_since"]) == ("enough", 1, None)
    assert as_ann.get("/games").data["games"][0]["id"] == Game.objects.get().pk


def test_the_same_key_makes_one_wish(as_ann):
    key = {"Idempotency-Key": "w1"}
    first = as_ann.post("/wishes", {"game": "morpion", "pace": PACE}, **key)
    as_ann.post(f"/wishes/{first.data['id']}/withdraw")
    again = as_ann.post("/wishes", {"game": "morpion", "pace": PACE}, **key)
    assert again.data == first.data
    assert Wish.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "chess"}, (422, "UnknownRules")),
        ({"lowest": 1600, "highest": 1500}, (422, "BadWish")),
        ({"at_once": 11}, (422, "BadRequest")),
        ({"pace": {"allowance": 0}}, (422, "BadPace")),
        ({"options": {"no": 1}}, (422, "BadOption")),
    ],
)
def test_what_makes_no_sense_is_refused(as_ann, body, code):
    assert code_of(as_ann.post("/wishes", {"game": "morpion", "pace": PACE} | body)) == code
    assert not Wish.objects.exists()


def test_programs_make_no_wish(as_robot):
    answer = as_robot.post("/wishes", {"game": "morpion", "pace": PACE})
    assert code_of(answer) == (403, "ProgramsMakeNoWish")


def test_the_list_asks_as_often_for_many_wishes_as_for_one(now, django_assert_max_num_queries):
    """Besides the usual wait, which costs a query for each game and pace."""
    dan = PersonFactory()
    for slug in ("morpion", "taquet", "super-morpion"):
        wish_for(dan, now=now, slug=slug)
    asking = Api(token_for(dan, now=now))
    asking.get("/wishes")
    with django_assert_max_num_queries(9):
        assert len(asking.get("/wishes").data["wishes"]) == 3
