"""The pages of ladders: what they show, to whom, and what they cost."""

import pytest
from django.urls import reverse

from accounts.server_time import server_now
from games.competition.ladders import IDLE_TIME
from games.models import LadderChallenge, LadderPlace, ModerationLogEntry
from games.services.ladders.challenges import accept_challenge, decline_challenge
from games.services.ladders.places import join_ladder
from tests.factories import PersonFactory
from tests.games.ladders.climbing import (
    SLUG,
    call,
    climbers,
    ladder_of,
    order,
    own_place,
    play,
    renewed,
)

LADDER = "/ladders/morpion/"
DO = f"{LADDER}do/"

pytestmark = pytest.mark.django_db


@pytest.fixture
def seven(ann):
    """Seven players of a ladder; ann is the last."""
    now = server_now()
    people = climbers(6, now)
    join_ladder(rules_slug=SLUG, user=ann, now=now)
    return [*people, ann]


def text_of(client, url=LADDER):
    return " ".join(client.get(url).content.decode().split())


def test_every_game_of_two_has_a_ladder(client, as_ann):
    page = text_of(as_ann, "/ladders/")
    for slug in ("morpion", "taquet"):
        assert f'href="/ladders/{slug}/"' in page
    assert client.get("/ladders/chess/").status_code == 404
    assert "Nobody is on this ladder yet." in text_of(client, "/ladders/taquet/")


def test_one_joins_and_leaves_on_the_page(as_ann, ann):
    assert 'value="join"' in text_of(as_ann)
    assert as_ann.post(DO, {"act": "join"}).status_code == 302
    page = text_of(as_ann)
    assert "Your place: <strong>1</strong> of 1." in page
    assert 'value="leave"' not in page
    assert 'value="leave"' in text_of(as_ann, f"{LADDER}?act=leave")
    assert as_ann.post(DO, {"act": "leave"}).status_code == 302
    assert own_place(ann).left_place == 1
    assert "You left at place 1" in text_of(as_ann)
    assert as_ann.post(DO, {"act": "leave"}).status_code == 409
    assert as_ann.post(DO, {"act": "dance"}).status_code == 404


def test_the_page_offers_to_challenge_whom_the_service_would_let(as_ann, seven):
    page = text_of(as_ann)
    offered = [person for person in seven if f'name="opponent" value="{person.pk}"' in page]
    assert offered == seven[1:6]
    assert as_ann.post(DO, {"act": "challenge", "opponent": seven[0].pk}).status_code == 409
    assert as_ann.post(DO, {"act": "challenge", "opponent": seven[5].pk}).status_code == 302
    assert f'name="opponent" value="{seven[5].pk}"' not in text_of(as_ann)
    challenge = LadderChallenge.objects.get()
    decline_challenge(challenge_id=challenge.pk, user=seven[5], now=server_now())
    assert f'name="opponent" value="{seven[5].pk}"' not in text_of(as_ann)  # only in two weeks


def test_a_challenge_is_answered_on_the_page(client, seven):
    challenge = call(seven[6], seven[2], now=server_now())
    client.force_login(seven[2])
    page = text_of(client)
    assert "Decline for free" in page
    answer = client.post(DO, {"act": "accept", "challenge": challenge.pk})
    assert answer.url == renewed(challenge).game.get_absolute_url()
    assert reverse("game", args=[challenge.game_id]) in text_of(client)
    assert client.post(DO, {"act": "decline", "challenge": challenge.pk}).status_code == 409
    assert client.post(DO, {"act": "withdraw", "challenge": challenge.pk}).status_code == 404


def test_the_page_says_what_declining_costs(client, seven):
    LadderPlace.objects.filter(user=seven[2]).update(has_declined=True)
    challenge = call(seven[6], seven[2], now=server_now())
    client.force_login(seven[2])
    assert "Decline and lose the place" in text_of(client)
    client.post(DO, {"act": "decline", "challenge": challenge.pk})
    assert "the challenger has your place" in text_of(client)
    assert order()[2] == "ann"


def test_the_challenger_withdraws_on_the_page(as_ann, seven):
    challenge = call(seven[6], seven[2], now=server_now())
    assert 'value="withdraw"' in text_of(as_ann)
    assert as_ann.post(DO, {"act": "withdraw", "challenge": challenge.pk}).status_code == 302
    assert renewed(challenge).outcome == "withdrawn"


def test_results_are_a_click_away(client, seven):
    challenge = play(seven[6], seven[2], now=server_now(), loser=seven[2])
    page = text_of(client)
    assert f'<a href="{reverse("game", args=[challenge.game_id])}">the challenger won</a>' in page


def test_a_page_of_a_big_ladder_costs_seven_queries(as_ann, seven, django_assert_max_num_queries):
    as_ann.get(LADDER)  # the first request of a session writes that
    with django_assert_max_num_queries(7):
        as_ann.get(LADDER)
    now = server_now()
    ladder = ladder_of()
    people = [PersonFactory(username=f"many{number}") for number in range(120)]
    LadderPlace.objects.bulk_create(
        LadderPlace(
            ladder=ladder,
            user=person,
            place=8 + number,
            joined_at=now,
            idle_from=now,
            sinks_at=now + IDLE_TIME,
        )
        for number, person in enumerate(people)
    )
    for number in range(0, 100, 4):
        challenge = call(people[number + 1], people[number], now=now)
        if number % 8:
            accept_challenge(challenge_id=challenge.pk, user=people[number], now=now)
        else:
            decline_challenge(challenge_id=challenge.pk, user=people[number], now=now)
    for page in ("", "?page=2", "?page=3", "?page=99"):
        with django_assert_max_num_queries(7):
            text = text_of(as_ann, LADDER + page)
        assert text.count('class="person" id="place-') == (
            27 if page in ("?page=3", "?page=99") else 50
        )
    assert 'href="?page=2"' in text


def test_a_moderator_removes_a_player_with_a_reason(client, seven, moderator):
    client.force_login(moderator)
    assert "Moderate this ladder" in text_of(client)
    own = own_place(seven[2])
    url = f"{LADDER}moderate/"
    assert client.post(url, {"place": own.pk, "why": " "}).status_code == 422
    assert client.post(url, {"place": own.pk, "why": "cheated"}).status_code == 302
    own.refresh_from_db()
    assert (own.left_because, own.removed_because, own.left_place) == ("removed", "cheated", None)
    assert ModerationLogEntry.objects.filter(person=seven[2]).get().what == "remove-from-ladder"
    assert client.post(url, {"place": own.pk, "why": "again"}).status_code == 409
    client.force_login(seven[1])
    assert client.post(url, {"place": own_place(seven[3]).pk, "why": "x"}).status_code == 403
    assert "Moderate this ladder" not in text_of(client)


def test_a_moderator_removes_nobody_from_their_own_ladder(client, seven, moderator):
    join_ladder(rules_slug=SLUG, user=moderator, now=server_now())
    client.force_login(moderator)
    own = own_place(seven[2])
    assert client.post(f"{LADDER}moderate/", {"place": own.pk, "why": "x"}).status_code == 403


def test_whoever_was_removed_begins_at_the_last_place(client, seven, moderator):
    client.force_login(moderator)
    client.post(f"{LADDER}moderate/", {"place": own_place(seven[2]).pk, "why": "cheated"})
    assert join_ladder(rules_slug=SLUG, user=seven[2], now=server_now()).place == 7
