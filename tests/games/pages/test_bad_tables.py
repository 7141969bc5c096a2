"""Bad input about tables, links and names over HTTP: refused, the database as before."""

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from games.services.invitations import challenge, invite, link_token
from tests.factories import PersonFactory
from tests.games.browsing import assert_refused
from tests.games.play import begin, database, play_all, table

pytestmark = pytest.mark.django_db


# Tables ----------------------------------------------------------------------------------------


GOOD = {"game": "morpion", "whom": "anybody", "name": "", "creator_seat": "0", "days": "3"}


def test_the_good_form_makes_a_table(as_ann):
    assert as_ann.post(reverse("new_table"), GOOD).status_code == 302
    assert Game.objects.get().is_public


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"game": "chess"}, 422),
        ({"game": "\0"}, 422),
        ({"game": "<script>alert(1)</script>"}, 422),
        ({"whom": "everybody"}, 422),
        ({"whom": ""}, 422),
        ({"whom": "player", "name": ""}, 422),
        ({"whom": "player", "name": "nobody-here"}, 422),
        ({"whom": "player", "name": "ann"}, 409),
        ({"whom": "player", "name": "bob\0"}, 422),
        ({"whom": "player", "name": "x" * 5000}, 422),
        ({"whom": "player", "name": "<script>alert(1)</script>"}, 422),
        ({"whom": "address", "name": "not an address"}, 422),
        ({"whom": "address", "name": "a@b.c\nBcc: x@example.org"}, 422),
        ({"creator_seat": "2"}, 422),
        ({"creator_seat": "-1"}, 422),
        ({"creator_seat": "9" * 5000}, 422),
        ({"days": "4"}, 422),
        ({"days": ""}, 422),
        ({"days": "NaN"}, 422),
        ({"days": "-3"}, 422),
    ],
)
def test_a_bad_choice_makes_no_table(as_ann, bob, change, status):
    before = database()
    response = as_ann.post(reverse("new_table"), GOOD | change)
    assert response.status_code == status
    assert "<script>alert" not in response.content.decode()
    assert database() == before


@pytest.mark.parametrize("slug", ["chess", "morpion\0", "<b>", "x" * 5000])
def test_a_game_that_is_not_installed_on_this_house_has_no_form(as_ann, slug):
    response = as_ann.get(reverse("new_table"), {"game": slug})
    assert_refused(response, 422, "This game is not installed here.")


@pytest.mark.parametrize(
    "data", [{}, {"whom": "anybody"}, {"whom": "player"}, {"whom": "x", "name": "\0"}]
)
def test_asking_nobody_asks_nobody(as_ann, ann, data):
    waiting = table(ann, now=timezone.now())
    before = database()
    response = as_ann.post(reverse("table_ask", args=[waiting.pk]), data, follow=True)
    assert "Choose whom you want to play against." in response.content.decode()
    assert database() == before


def test_unknown_rules_have_no_page(client):
    assert client.get("/rules/chess/").status_code in (404, 422)


# Links -----------------------------------------------------------------------------------------


@pytest.fixture
def token(ann):
    waiting = table(ann, now=timezone.now(), is_public=False)
    return link_token(
        invite(game_id=waiting.pk, by=ann, email="zoe@example.org", now=timezone.now())
    )


@pytest.mark.parametrize(
    "tamper",
    [
        lambda token: token[:-1],
        lambda token: token + "A",
        lambda token: "A" + token,
        lambda token: token.swapcase(),
        lambda token: token.replace(":", "%3A%00", 1),
        lambda token: "x" * 5000,
        lambda token: "%F0%9F%98%80",
        lambda token: "%ED%A0%80",
    ],
)
def test_a_tampered_link_does_nothing(as_ann, token, tamper):
    before = database()
    for path in (f"/invitations/{tamper(token)}/", f"/invitations/{tamper(token)}/answer/"):
        ask = as_ann.post if path.endswith("answer/") else as_ann.get
        response = ask(path, {"answer": "accept"})
        assert_refused(response, 404, "It is incomplete, was changed, or is too old")
    assert database() == before


def test_an_expired_link_does_nothing(client, cat, token, monkeypatch):
    client.force_login(cat)
    import time

    today = time.time()
    monkeypatch.setattr("django.core.signing.time.time", lambda: today + 14 * 86400 + 5)
    before = database()
    assert_refused(client.get(f"/invitations/{token}/"), 404, "too old")
    response = client.post(f"/invitations/{token}/answer/", {"answer": "accept"})
    assert_refused(response, 404, "too old")
    assert database() == before


def test_the_link_of_an_answered_invitation_says_so(client, cat, token):
    client.force_login(cat)
    client.post(f"/invitations/{token}/answer/", {"answer": "decline"})
    before = database()
    assert_refused(client.get(f"/invitations/{token}/"), 409, "This invitation is no longer open")
    response = client.post(f"/invitations/{token}/answer/", {"answer": "accept"})
    assert_refused(response, 409, "This invitation is no longer open")
    assert database() == before


# Names -----------------------------------------------------------------------------------------


def test_html_in_names_stays_text_on_every_page(client):
    now = timezone.now()
    nasty = "<script>alert(1)</script>\"'>"
    one = PersonFactory(username="one", display_name=nasty)
    other = PersonFactory(username="other", display_name="<img src=x onerror=alert(2)>")
    game = play_all(begin(one, other, now=now), ["5", "1"], now=now)
    waiting = table(one, now=now)
    asked = challenge(game_id=waiting.pk, by=one, user=other, now=now)
    free = table(other, now=now)
    pages = [
        "/",
        reverse("lobby"),
        game.get_absolute_url(),
        reverse("game_turn", args=[game.pk, 1]),
        waiting.get_absolute_url(),
        free.get_absolute_url(),
        reverse("invitation", args=[link_token(asked)]),
        one.get_absolute_url(),
        other.get_absolute_url(),
    ]
    for person in (None, one, other):
        client.logout()
        if person:
            client.force_login(person)
        for page in pages:
            html = client.get(page).content.decode()
            assert "<script>alert" not in html
            assert "<img src=x" not in html
            assert "alert(" not in html or "&lt;" in html
