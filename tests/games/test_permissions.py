"""Who may do what: every address, asked by everybody, at public and at private games."""

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from games.services.invitations import challenge, invite, link_token
from games.services.offers import offer_end
from tests.factories import PersonFactory
from tests.games.play import begin, database, fresh, table

pytestmark = pytest.mark.django_db

WHO = ("nobody", "ann", "bob", "cat", "moderator")
"""Somebody signed out, the player to move, the opponent, a stranger, and staff."""

LOGIN, DONE = "login", "done"


@pytest.fixture
def people(ann, bob, cat, moderator):
    return {"ann": ann, "bob": bob, "cat": cat, "moderator": moderator}


@pytest.fixture
def ask(client, people):
    """Return what sends a request as somebody and tells how it was answered."""

    def send(who, method, path, data=None):
        client.logout()
        if who != "nobody":
            client.force_login(people[who])
        before = database()
        answer = getattr(client, method)(path, data or {})
        outcome = answer.status_code
        if outcome == 302:
            outcome = LOGIN if answer["Location"].startswith("/accounts/login/") else DONE
        if outcome != DONE:
            assert database() == before
        return outcome

    return send


def rows(table, *, also=()):
    """Return the cases of a table whose columns are the people."""
    return [
        pytest.param(*key, who, expected, id=" ".join(map(str, (*key, who))))
        for key, columns in table.items()
        for who, expected in zip(WHO, columns, strict=True)
    ]


# Looking ---------------------------------------------------------------------------------------

#                                  nobody  ann  bob  cat  moderator
LOOKING = {
    ("game", "public", ""): (200, 200, 200, 200, 200),
    ("game", "private", ""): (404, 200, 200, 404, 200),
    ("game_news", "public", "?turn=0&status=active"): (204, 204, 204, 204, 204),
    ("game_news", "private", "?turn=0&status=active"): (404, 204, 204, 404, 204),
    ("game_preview", "public", "?turn=5&expected_turn=0"): (LOGIN, 200, 409, 409, 409),
    ("game_preview", "private", "?turn=5&expected_turn=0"): (LOGIN, 200, 409, 404, 409),
    ("game_preview", "private", "?square=5&expected_turn=0"): (LOGIN, 200, 409, 404, 409),
}


@pytest.mark.parametrize(("name", "openness", "query", "who", "expected"), rows(LOOKING))
def test_who_may_look_at_a_running_game(people, ask, name, openness, query, who, expected):
    game = begin(people["ann"], people["bob"], now=timezone.now(), is_public=openness == "public")
    answer = ask(who, "get", reverse(name, args=[game.pk]) + query)
    assert answer == expected


@pytest.mark.parametrize(
    ("openness", "who", "expected"),
    rows({("public",): (200, 200, 200, 200, 200), ("private",): (404, 200, 200, 404, 200)}),
)
def test_who_may_look_back(people, ask, openness, who, expected):
    game = begin(people["ann"], people["bob"], now=timezone.now(), is_public=openness == "public")
    assert ask(who, "get", reverse("game_turn", args=[game.pk, 0])) == expected


# Acting at a running game ----------------------------------------------------------------------

#                            nobody  ann  bob  cat  moderator
ACTING = {
    ("game_play", "public"): (LOGIN, DONE, 409, 403, 403),
    ("game_play", "private"): (LOGIN, DONE, 409, 404, 403),
    ("game_resign", "public"): (LOGIN, DONE, DONE, 403, 403),
    ("game_resign", "private"): (LOGIN, DONE, DONE, 404, 403),
    ("game_abort", "public"): (LOGIN, DONE, DONE, 403, 403),
    ("game_abort", "private"): (LOGIN, DONE, DONE, 404, 403),
    ("game_offer", "public"): (LOGIN, DONE, DONE, 403, 403),
    ("game_offer", "private"): (LOGIN, DONE, DONE, 404, 403),
    ("game_rematch", "public"): (LOGIN, 409, 409, 403, 403),
    ("game_rematch", "private"): (LOGIN, 409, 409, 404, 403),
    ("table_join", "public"): (LOGIN, 409, 409, 409, 409),
    ("table_join", "private"): (LOGIN, 409, 409, 404, 409),
    ("table_leave", "public"): (LOGIN, 409, 409, 409, 409),
    ("table_leave", "private"): (LOGIN, 409, 409, 404, 409),
    ("table_withdraw", "public"): (LOGIN, 409, 403, 403, 403),
    ("table_withdraw", "private"): (LOGIN, 409, 403, 404, 403),
    ("table_ask", "public"): (LOGIN, 409, 409, 409, 409),
    ("table_ask", "private"): (LOGIN, 409, 409, 404, 409),
}
SENT = {
    "text": "5",
    "expected_turn": "0",
    "answer": "accept",
    "whom": "player",
    "name": "moderator",
}


@pytest.mark.parametrize(("name", "openness", "who", "expected"), rows(ACTING))
def test_who_may_act_at_a_running_game(people, ask, name, openness, who, expected):
    game = begin(people["ann"], people["bob"], now=timezone.now(), is_public=openness == "public")
    assert ask(who, "post", reverse(name, args=[game.pk]), SENT) == expected


@pytest.mark.parametrize(
    ("answer", "openness", "who", "expected"),
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
def test_who_may_answer_an_offer(people, ask, answer, openness, who, expected):
    now = timezone.now()
    game = begin(people["ann"], people["bob"], now=now, is_public=openness == "public")
    offer_end(game_id=game.pk, user=people["ann"], now=now)
    path = reverse("game_answer_offer", args=[game.pk])
    assert ask(who, "post", path, {"answer": answer}) == expected


@pytest.mark.parametrize("name", sorted({name for name, _ in ACTING} | {"game_answer_offer"}))
def test_a_link_that_is_followed_does_nothing(people, ask, name):
    game = begin(people["ann"], people["bob"], now=timezone.now())
    for who in ("ann", "bob", "cat", "moderator"):
        assert ask(who, "get", reverse(name, args=[game.pk])) == 405


# Open tables -----------------------------------------------------------------------------------

#                                nobody  ann  bob  cat  moderator
AT_TABLES = {
    ("game", "get", "public"): (200, 200, 200, 200, 200),
    ("game", "get", "private"): (404, 200, 200, 404, 200),
    ("game_turn", "get", "public"): (404, 404, 404, 404, 404),
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


@pytest.mark.parametrize(("name", "method", "openness", "who", "expected"), rows(AT_TABLES))
def test_who_may_do_what_at_an_open_table(people, ask, name, method, openness, who, expected):
    """At the private table bob is challenged: its free seat is kept for him."""
    now = timezone.now()
    game = table(people["ann"], now=now, is_public=openness == "public")
    if openness == "private":
        challenge(game_id=game.pk, by=people["ann"], user=people["bob"], now=now)
    more = [0] if name == "game_turn" else []
    assert ask(who, method, reverse(name, args=[game.pk, *more]), SENT) == expected


@pytest.mark.parametrize(
    ("answer", "who", "expected"),
    rows(
        {
            ("accept",): (LOGIN, 409, DONE, 409, 409),
            ("decline",): (LOGIN, 409, DONE, 409, 409),
            ("",): (LOGIN, 409, 422, 409, 409),
        }
    ),
)
def test_only_who_is_challenged_answers(people, ask, answer, who, expected):
    now = timezone.now()
    game = table(people["ann"], now=now)
    asked = challenge(game_id=game.pk, by=people["ann"], user=people["bob"], now=now)
    path = reverse("challenge_answer", args=[asked.pk])
    assert ask(who, "post", path, {"answer": answer}) == expected


@pytest.mark.parametrize(
    ("answer", "who", "expected"),
    rows(
        {
            ("accept",): (LOGIN, 409, DONE, DONE, DONE),
            ("decline",): (200, 200, 200, 200, 200),
            ("",): (422, 422, 422, 422, 422),
        }
    ),
)
def test_whoever_holds_the_link_answers(people, client, answer, who, expected):
    now = timezone.now()
    game = table(people["ann"], now=now, is_public=False)
    token = link_token(invite(game_id=game.pk, by=people["ann"], email="zoe@example.org", now=now))
    if who != "nobody":
        client.force_login(people[who])
    before = database()
    assert client.get(reverse("invitation", args=[token])).status_code == 200
    assert database() == before
    response = client.post(reverse("invitation_answer", args=[token]), {"answer": answer})
    if expected == LOGIN:
        assert response["Location"].startswith("/accounts/login/")
    else:
        assert response.status_code == (302 if expected == DONE else expected)
    begun = fresh(game).status == Game.Status.ACTIVE
    assert begun == (expected == DONE)
    assert (fresh(game).status == Game.Status.CLOSED) == (answer == "decline")


@pytest.mark.parametrize("who", ["nobody", "cat", "moderator"])
def test_the_link_of_a_challenge_seats_nobody_else(people, client, who):
    now = timezone.now()
    game = table(people["ann"], now=now, is_public=False)
    token = link_token(challenge(game_id=game.pk, by=people["ann"], user=people["bob"], now=now))
    if who != "nobody":
        client.force_login(people[who])
    before = database()
    response = client.post(reverse("invitation_answer", args=[token]), {"answer": "accept"})
    assert response.status_code == (302 if who == "nobody" else 403)
    assert database() == before


def test_who_is_invited_by_a_verified_address_sees_the_private_table(people, ask):
    now = timezone.now()
    game = table(people["ann"], now=now, is_public=False)
    invite(game_id=game.pk, by=people["ann"], email="cat@example.org", now=now)
    assert ask("cat", "get", game.get_absolute_url()) == 200


def test_an_address_that_was_never_verified_opens_nothing(people, ask):
    from allauth.account.models import EmailAddress

    now = timezone.now()
    game = table(people["ann"], now=now, is_public=False)
    invite(game_id=game.pk, by=people["ann"], email="cat@example.org", now=now)
    EmailAddress.objects.filter(email="cat@example.org").update(verified=False)
    assert ask("cat", "get", game.get_absolute_url()) == 404


# Lists -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", WHO)
def test_private_games_stand_on_nobody_elses_pages(people, client, who):
    ann, bob = people["ann"], people["bob"]
    game = begin(ann, bob, now=timezone.now(), is_public=False)
    if who != "nobody":
        client.force_login(people[who])
    link = game.get_absolute_url()
    profile = client.get(ann.get_absolute_url()).content.decode()
    home = client.get("/").content.decode()
    assert (link in profile) == (who == "ann")
    assert (link in home) == (who in ("ann", "bob"))
    assert link not in client.get(reverse("lobby")).content.decode()


@pytest.mark.parametrize(
    ("who", "expected"), list(zip(WHO, (LOGIN, 200, 200, 200, 200), strict=True))
)
def test_only_people_make_tables(people, ask, who, expected):
    assert ask(who, "get", reverse("new_table")) == expected
    made = ask(who, "post", reverse("new_table"), {"game": "morpion"})
    assert made == (LOGIN if who == "nobody" else 422)


@pytest.mark.parametrize("who", WHO)
def test_the_rules_are_for_everybody(people, ask, who):
    assert ask(who, "get", reverse("rules_index")) == 200
    for slug in ("morpion", "super-morpion", "taquet"):
        assert ask(who, "get", reverse("rules_page", args=[slug])) == 200


def test_a_post_without_the_forms_secret_is_refused(people):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    game = begin(people["ann"], people["bob"], now=timezone.now())
    strict.force_login(people["ann"])
    before = database()
    for name, _ in ACTING:
        answer = strict.post(reverse(name, args=[game.pk]), SENT)
        assert answer.status_code == 403
    assert database() == before


def test_nobody_sees_anything_of_somebody_who_does_not_exist(client):
    PersonFactory(username="zoe")
    assert client.get("/people/zoe/").status_code == 200
    assert client.get("/people/zoé/").status_code == 404
