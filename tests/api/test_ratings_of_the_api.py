"""Ratings by the API: the list of a game in pages, and a player's ratings if they show them."""

import pytest

from accounts.models import Audience
from games.models import Rating, RatingChange
from games.queries.ratings import ON_A_PAGE
from tests.api.client import code_of
from tests.factories import PersonFactory
from tests.games.play import DAY, begin

pytestmark = pytest.mark.django_db


def rate(player, now, mu=1500, sigma=40, slug="morpion", **more):
    values = {"table_kind": "2", "games": 9, "of_program": False, "changed_at": now} | more
    return Rating.objects.create(player=player, rules_slug=slug, mu=mu, sigma=sigma, **values)


def test_the_list_of_a_game_goes_on_with_a_cursor(as_ann, ann, now):
    people = [PersonFactory() for _ in range(ON_A_PAGE + 5)]
    for number, one in enumerate(people):
        rate(one, now, mu=1900 - number)
    rate(ann, now, sigma=180)  # provisional
    found, cursor = [], ""
    while cursor is not None:
        page = as_ann.get("/ratings/morpion", {"cursor": cursor}).data
        assert (page["game"], page["table"], page["tables"]) == ("morpion", "2", ["2"])
        found += [one["player"]["username"] for one in page["ratings"]]
        cursor = page["next"]
    assert found == [one.username for one in people]
    assert page["ratings"][0]["rating"] == {
        "game": "morpion",
        "table": "2",
        "level": 0,
        "games": 9,
        "number": 1850,
        "range": 80,
        "is_provisional": False,
    }
    assert code_of(as_ann.get("/ratings/morpion", {"cursor": "x"})) == (422, "BadCursor")
    assert code_of(as_ann.get("/ratings/chess")) == (422, "UnknownRules")


def test_a_list_does_not_begin_anew_when_the_rating_of_its_cursor_is_gone(as_ann, now):
    ratings = [rate(PersonFactory(), now, mu=1900 - number) for number in range(ON_A_PAGE + 1)]
    cursor = as_ann.get("/ratings/morpion").data["next"]
    ratings[ON_A_PAGE - 1].delete()
    answer = as_ann.get("/ratings/morpion", {"cursor": cursor})
    assert code_of(answer) == (422, "BadCursor")


def test_the_list_asks_as_often_for_many_as_for_few(as_ann, now, django_assert_max_num_queries):
    for number in range(30):
        rate(PersonFactory(), now, mu=1900 - number)
    as_ann.get("/ratings/morpion")
    with django_assert_max_num_queries(5):
        assert len(as_ann.get("/ratings/morpion").data["ratings"]) == 30


@pytest.fixture
def rated(ann, bob, now):
    """Ann with a rating and the game that changed it last."""
    game = begin(ann, bob, now=now)
    RatingChange.objects.create(
        game=game,
        player=ann,
        ended_at=now,
        rules_slug="morpion",
        table_kind="2",
        mu=1516.2,
        sigma=40,
        games=9,
        people="x",
        mu_before=1500,
        sigma_before=41,
        weight=0.5,
    )
    rate(ann, now, mu=1516.2)
    return game


def test_a_player_has_ratings_with_their_history(as_bob, rated, ann):
    answer = as_bob.get("/players/ann/ratings").data
    assert answer["player"]["username"] == "ann"
    assert [(one["game"], one["number"]) for one in answer["ratings"]] == [("morpion", 1516)]
    history = as_bob.get("/players/ANN/ratings/morpion").data["changes"]
    assert [(one["game"], one["before"], one["number"]) for one in history] == [
        (rated.pk, 1500, 1516)
    ]
    assert history[0]["weight"] == 0.5
    assert as_bob.get("/players/ann/ratings/taquet").data["changes"] == []


def test_whose_results_are_hidden_has_no_ratings_for_others(as_ann, as_bob, rated, ann):
    ann.results_shown_to = Audience.NOBODY
    ann.save()
    for path in ("/players/ann/ratings", "/players/ann/ratings/morpion"):
        hidden, nobody = as_bob.get(path), as_bob.get(path.replace("ann", "nobody-here"))
        assert code_of(hidden) == (404, "NoRatingsShown")
        assert hidden.data == nobody.data
        assert as_ann.get(path).status_code == 200
    assert as_bob.get("/ratings/morpion").data["ratings"] == []
    assert len(as_ann.get("/ratings/morpion").data["ratings"]) == 1


def test_a_suspended_player_is_on_no_list(as_bob, rated, ann, now):
    ann.barred_until = now + DAY
    ann.save()
    assert as_bob.get("/ratings/morpion").data["ratings"] == []
