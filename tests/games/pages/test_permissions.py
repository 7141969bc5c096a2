"""Who may do what: every address, asked by everybody, at public and at private games."""

import pytest
from django.urls import reverse
from django.utils import timezone

from games.services.offers import offer_end
from tests.games.permission_tables import ACTING, DONE, LOGIN, SENT, rows
from tests.games.play import begin

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


# Looking ---------------------------------------------------------------------------------------


#                                  nobody  ann  bob  cat  moderator
LOOKING = {
    ("game", "public", ""): (200, 200, 200, 200, 200),
    ("game", "private", ""): (404, 200, 200, 404, 200),
    ("game_news", "public", "?shows=less"): (200, 200, 200, 200, 200),
    ("game_news", "private", "?shows=less"): (404, 200, 200, 404, 200),
    ("game_preview", "public", "?turn=5&expected_turn=0"): (LOGIN, 200, 409, 409, 409),
    ("game_preview", "private", "?turn=5&expected_turn=0"): (LOGIN, 200, 409, 404, 409),
    ("game_preview", "private", "?square=5&expected_turn=0"): (LOGIN, 200, 409, 404, 409),
}


@pytest.mark.parametrize(("name", "openness", "query", "expected"), rows(LOOKING))
def test_who_may_look_at_a_running_game(everybody, ask_all, name, openness, query, expected):
    game = begin(
        everybody["ann"], everybody["bob"], now=timezone.now(), is_public=openness == "public"
    )
    answer = ask_all("get", reverse(name, args=[game.pk]) + query)
    assert answer == expected


@pytest.mark.parametrize(
    ("openness", "expected"),
    rows({("public",): (200, 200, 200, 200, 200), ("private",): (404, 200, 200, 404, 200)}),
)
def test_who_may_look_back(everybody, ask_all, openness, expected):
    game = begin(
        everybody["ann"], everybody["bob"], now=timezone.now(), is_public=openness == "public"
    )
    assert ask_all("get", reverse("game_turn", args=[game.pk, 0])) == expected


# Acting at a running game ----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "openness", "expected"), rows(ACTING))
def test_who_may_act_at_a_running_game(everybody, ask_all, name, openness, expected):
    game = begin(
        everybody["ann"], everybody["bob"], now=timezone.now(), is_public=openness == "public"
    )
    assert ask_all("post", reverse(name, args=[game.pk]), SENT) == expected


@pytest.mark.parametrize(
    ("answer", "openness", "expected"),
    rows(
        {
            ("accept", "public"): (LOGIN, 409, DONE, 403, 403),
            ("accept", "private"): (LOGIN, 409, DONE, 404, 403),
            ("decline", "public"): (LOGIN, 409, DONE, 403, 403),
            ("withdraw", "public"): (LOGIN, DONE, 409, 403, 403),
            ("withdraw", "private"): (LOGIN, DONE, 409, 404, 403),
            ("perhaps", "public"): (LOGIN, 422, 422, 422, 422),
        }
    ),
)
def test_who_may_answer_an_offer(everybody, ask_all, answer, openness, expected):
    now = timezone.now()
    game = begin(everybody["ann"], everybody["bob"], now=now, is_public=openness == "public")
    offer_end(game_id=game.pk, user=everybody["ann"], now=now)
    path = reverse("game_answer_offer", args=[game.pk])
    assert ask_all("post", path, {"answer": answer}) == expected


@pytest.mark.parametrize("name", sorted({name for name, _ in ACTING} | {"game_answer_offer"}))
def test_a_link_that_is_followed_does_nothing(everybody, ask, name):
    game = begin(everybody["ann"], everybody["bob"], now=timezone.now())
    for who in ("ann", "bob", "cat", "moderator"):
        assert ask(who, "get", reverse(name, args=[game.pk])) == 405
