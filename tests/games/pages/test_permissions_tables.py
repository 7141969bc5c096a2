"""Who may do what at open tables, and who sees which in the lists."""

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from games.services.invitations import challenge, invite, link_token
from tests.factories import PersonFactory
from tests.games.permission_tables import ACTING, DONE, LOGIN, SENT, WHO, rows
from tests.games.play import begin, database, fresh, table, undone

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


# Open tables -----------------------------------------------------------------------------------


#                                nobody  ann  bob  cat  moderator
AT_TABLES = {
    ("game", "get", "public"): (200, 200, 200, 200, 200),
    ("game", "get", "private"): (404, 200, 200, 404, 200),
    ("game_turn", "get", "public"): (404, 404, 404, 404, 404),
    ("game_replay", "get", "public"): (404, 404, 404, 404, 404),
    ("game_preview", "get", "public"): (LOGIN, 409, 409, 409, 409),
    ("table_join", "post", "public"): (LOGIN, 409, DONE, DONE, DONE),
    ("table_join", "post", "private"): (LOGIN, 403, DONE, 404, 403),
    ("table_leave", "post", "public"): (LOGIN, 409, 403, 403, 403),
    ("table_leave", "post", "private"): (LOGIN, 409, 403, 404, 403),
    ("table_withdraw", "post", "public"): (LOGIN, DONE, 403, 403, 403),
    ("table_withdraw", "post", "private"): (LOGIN, DONE, 403, 404, 403),
    ("table_ask", "post", "public"): (LOGIN, DONE, 403, 403, 403),
    ("table_ask", "post", "private"): (LOGIN, 409, 403, 404, 403),
    ("game_play", "post", "public"): (LOGIN, 409, 403, 403, 403),
    ("game_resign", "post", "public"): (LOGIN, 409, 403, 403, 403),
    ("game_rematch", "post", "public"): (LOGIN, 409, 403, 403, 403),
}


@pytest.mark.parametrize(("name", "method", "openness", "expected"), rows(AT_TABLES))
def test_who_may_do_what_at_an_open_table(everybody, ask_all, name, method, openness, expected):
    """At the private table bob is challenged: its free seat is kept for him."""
    now = timezone.now()
    game = table(everybody["ann"], now=now, is_public=openness == "public")
    if openness == "private":
        challenge(game_id=game.pk, by=everybody["ann"], user=everybody["bob"], now=now)
    more = [0] if name == "game_turn" else []
    assert ask_all(method, reverse(name, args=[game.pk, *more]), SENT) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    rows(
        {
            ("accept",): (LOGIN, 409, DONE, 409, 409),
            ("decline",): (LOGIN, 409, DONE, 409, 409),
            ("",): (LOGIN, 409, 422, 409, 409),
        }
    ),
)
def test_only_who_is_challenged_answers(everybody, ask_all, answer, expected):
    now = timezone.now()
    game = table(everybody["ann"], now=now)
    asked = challenge(game_id=game.pk, by=everybody["ann"], user=everybody["bob"], now=now)
    path = reverse("challenge_answer", args=[asked.pk])
    assert ask_all("post", path, {"answer": answer}) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    rows(
        {
            ("accept",): (LOGIN, 409, DONE, DONE, DONE),
            ("decline",): (200, 200, 200, 200, 200),
            ("",): (422, 422, 422, 422, 422),
        }
    ),
)
def test_anybody_with_the_link_answers(everybody, client, answer, expected):
    now = timezone.now()
    game = table(everybody["ann"], now=now, is_public=False)
    token = link_token(
        invite(game_id=game.pk, by=everybody["ann"], email="zoe@example.org", now=now)
    )
    for who, outcome in expected.items():
        client.logout()
        if who != "nobody":
            client.force_login(everybody[who])
        before = database()
        assert client.get(reverse("invitation", args=[token])).status_code == 200
        assert database() == before
        with undone():
            response = client.post(reverse("invitation_answer", args=[token]), {"answer": answer})
            if outcome == LOGIN:
                assert response["Location"].startswith("/accounts/login/")
            else:
                assert response.status_code == (302 if outcome == DONE else outcome), who
            begun = fresh(game).status == Game.Status.ACTIVE
            assert begun == (outcome == DONE), who
            assert (fresh(game).status == Game.Status.CLOSED) == (answer == "decline"), who


@pytest.mark.parametrize("who", ["nobody", "cat", "moderator"])
def test_the_link_of_a_challenge_seats_nobody_else(everybody, client, who):
    now = timezone.now()
    game = table(everybody["ann"], now=now, is_public=False)
    token = link_token(
        challenge(game_id=game.pk, by=everybody["ann"], user=everybody["bob"], now=now)
    )
    if who != "nobody":
        client.force_login(everybody[who])
    before = database()
    response = client.post(reverse("invitation_answer", args=[token]), {"answer": "accept"})
    assert response.status_code == (302 if who == "nobody" else 403)
    assert database() == before


def test_who_is_invited_by_a_verified_address_can_accept_at_the_private_table(everybody, client):
    now = timezone.now()
    game = table(everybody["ann"], now=now, is_public=False)
    asked = invite(game_id=game.pk, by=everybody["ann"], email="cat@example.org", now=now)
    client.force_login(everybody["cat"])
    page = client.get(game.get_absolute_url())
    assert page.status_code == 200
    assert reverse("challenge_answer", args=[asked.pk]) in page.text


def test_an_address_that_was_never_verified_opens_nothing(everybody, ask):
    from allauth.account.models import EmailAddress

    now = timezone.now()
    game = table(everybody["ann"], now=now, is_public=False)
    invite(game_id=game.pk, by=everybody["ann"], email="cat@example.org", now=now)
    EmailAddress.objects.filter(email="cat@example.org").update(verified=False)
    assert ask("cat", "get", game.get_absolute_url()) == 404


# Lists -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", WHO)
def test_private_games_stand_on_nobody_elses_pages(everybody, client, who):
    ann, bob = everybody["ann"], everybody["bob"]
    game = begin(ann, bob, now=timezone.now(), is_public=False)
    if who != "nobody":
        client.force_login(everybody[who])
    link = game.get_absolute_url()
    profile = client.get(ann.get_absolute_url()).content.decode()
    home = client.get("/").content.decode()
    assert (link in profile) == (who == "ann")
    assert (link in home) == (who in ("ann", "bob"))
    assert link not in client.get(reverse("lobby")).content.decode()


@pytest.mark.parametrize(
    ("who", "expected"), list(zip(WHO, (LOGIN, 200, 200, 200, 200), strict=True))
)
def test_only_people_make_tables(everybody, ask, who, expected):
    assert ask(who, "get", reverse("new_table")) == expected
    made = ask(who, "post", reverse("new_table"), {"game": "morpion"})
    assert made == (LOGIN if who == "nobody" else 422)


@pytest.mark.parametrize("who", WHO)
def test_the_rules_are_for_everybody(everybody, ask, who):
    assert ask(who, "get", reverse("rules_index")) == 200
    for slug in ("morpion", "super-morpion", "taquet"):
        assert ask(who, "get", reverse("rules_page", args=[slug])) == 200


def test_a_post_without_the_forms_secret_is_refused(everybody):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    game = begin(everybody["ann"], everybody["bob"], now=timezone.now())
    strict.force_login(everybody["ann"])
    before = database()
    for name, _ in ACTING:
        answer = strict.post(reverse(name, args=[game.pk]), SENT)
        assert answer.status_code == 403
    assert database() == before


def test_nobody_sees_anything_of_somebody_who_does_not_exist(client):
    PersonFactory(username="zoe")
    assert client.get("/people/zoe/").status_code == 200
    assert client.get("/people/zoé/").status_code == 404
