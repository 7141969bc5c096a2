"""Plans on the page of a game."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.server_time import server_now
from games.models import PlannedTurn
from tests.games.browsing import assert_refused, html_of, post
from tests.games.multiplayer import play_on
from tests.games.play import fresh, play, play_all, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_bob(client, bob):
    bob.language = "en"
    bob.save()
    client.force_login(bob)
    return client


def lay(client, game, text, **more):
    return post(client, "game_plan", game.pk, text=text, expected_turn=0, **more)


def test_a_plan_is_laid_shown_and_played(as_bob, game, ann, now):
    assert lay(as_bob, game, "if 5 then 1, if 9 then 3\n\nif 9 then 5\n").status_code == 302
    html = html_of(as_bob, game.get_absolute_url())
    assert "Your turns are planned." in html
    for step in ("if 5 then 1", "if 9 then 3", "if 9 then 5"):
        assert f">{step}</span>" in html
    play(game, ann, "5", now=now)
    html = html_of(as_bob, game.get_absolute_url())
    assert "As you planned, turn 2 was played for you: 1, after 5." in html
    assert ">if 9 then 3</span>" in html
    assert "if 9 then 5" not in html


def test_who_plays_is_told_that_the_answer_was_planned(as_ann, game, bob, now, client):
    client.force_login(bob)
    lay(client, game, "if 5 then 1")
    client.force_login(game.seats.get(number=0).user)
    post(client, "game_play", game.pk, text="5", expected_turn=0)
    html = html_of(client, game.get_absolute_url())
    assert "bob had planned the answer 1, which was played at once." in html
    assert "It is your turn." in html


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("", 422, "A plan is written"),
        ("hello", 422, "A plan is written"),
        ("if 5 then 5", 422, "taken"),
        ("if 5 then 1\nif 7 then", 422, "A plan is written"),
    ],
)
def test_a_refused_plan_is_shown_again_as_it_was_typed(as_bob, game, text, status, said):
    answer = lay(as_bob, game, text)
    assert_refused(answer, status, said)
    assert f">{text}</textarea>" in answer.content.decode()
    assert not PlannedTurn.objects.exists()


def test_a_stale_page_plans_nothing(as_bob, game):
    play_all(game, ["5", "1"], now=server_now())
    assert_refused(lay(as_bob, game, "if 9 then 2"), 409, "meant for another position")
    answer = post(as_bob, "game_plan", game.pk, text="if 9 then 2", expected_turn="x")
    assert_refused(answer, 409, "meant for another position")


def test_htmx_is_answered_with_the_plans_alone(as_bob, game):
    htmx = {"headers": {"HX-Request": "true"}}
    data = {"text": "if 5 then 1", "expected_turn": "0"}
    answer = as_bob.post(f"/games/{game.pk}/plan/", data, **htmx)
    html = answer.content.decode()
    assert html.strip().startswith("<details")
    assert "Your turn is planned." in html
    refused = as_bob.post(f"/games/{game.pk}/plan/", data | {"text": "if 5"}, **htmx)
    assert refused.status_code == 200
    assert "A plan is written" in refused.content.decode()
    dropped = as_bob.post(f"/games/{game.pk}/plan/drop/", {}, **htmx).content.decode()
    assert "Your plan is dropped." in dropped
    assert "if 5 then 1" not in dropped


def test_one_plan_or_all_are_dropped(as_bob, game):
    lay(as_bob, game, "if 5 then 1\nif 9 then 5\nif 1 then 5")
    first = PlannedTurn.objects.first()
    post(as_bob, "game_drop_plan", game.pk, plan=first.pk)
    assert PlannedTurn.objects.count() == 2
    assert_refused(post(as_bob, "game_drop_plan", game.pk, plan=first.pk), 404, "planned nothing")
    assert_refused(post(as_bob, "game_drop_plan", game.pk, plan="x"), 404, "planned nothing")
    post(as_bob, "game_drop_plan", game.pk)
    assert not PlannedTurn.objects.exists()


def test_who_watches_or_looks_back_cannot_plan(as_bob, game, cat, client, now):
    play_on(game, 2, now=now)
    assert 'id="game-plans"' in html_of(as_bob, game.get_absolute_url())
    assert 'id="game-plans"' not in html_of(as_bob, f"{game.get_absolute_url()}turns/1/")
    client.force_login(cat)
    assert 'id="game-plans"' not in html_of(client, game.get_absolute_url())


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "htmx"])
def test_at_a_table_that_waits_nothing_is_planned(as_ann, ann, now, headers):
    """The page that shows a refused plan again has a board, which is not there yet."""
    waiting = table(ann, now=now)
    for name in ("game_plan", "game_drop_plan"):
        sent = {"text": "if 5 then 1", "expected_turn": 0}
        answer = as_ann.post(reverse(name, args=[waiting.pk]), sent, headers=headers)
        assert_refused(answer, 409, "This game has not started yet, or it is over.")
    assert not PlannedTurn.objects.exists()


def test_the_page_asks_one_query_more_however_much_is_planned(as_bob, game, bob, now):
    def queries():
        with CaptureQueriesContext(
            connection,
        ) as asked:
            html_of(as_bob, fresh(game).get_absolute_url())
        return len(asked)

    queries()
    without = queries()
    lay(as_bob, game, "if 5 then 1")
    few = queries()
    lay(as_bob, game, "if 5 then 1, if 2 then 3\nif 9 then 5, if 1 then 2\nif 2 then 4")
    assert (few, queries()) == (without + 1, without + 1)
