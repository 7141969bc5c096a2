"""What somebody who is kept out finds on the pages: why, the way out, and nothing else."""

from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from accounts.models import User
from games.models import Game
from games.services import invitations
from tests.accounts.account_mails import code_to, letters_to
from tests.factories import StaffFactory
from tests.games.permission_tables import SENT
from tests.games.play import begin, database, table
from tests.suspensions import KEPT_OUT, WHY, closed

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

STAYS = {"account_logout", "choose_language", "outages"}
STAYS |= {"board_image", "shown_image", "example_image", "game_picture", "preview_picture"}
STAYS |= {"certificate"}
STAYS |= {"about", "privacy", "contact"}
STAYS |= {"service_worker", "offline", "web_manifest"}
"""Where who is kept out may go still."""


def pages():
    """Return name and arguments of every page but the admin's, mail doors and the API."""
    return sorted(_pages(get_resolver().url_patterns), key=lambda page: page[0])


def _pages(patterns, above=()):
    for pattern in patterns:
        found = {*above, *pattern.pattern.converters, *pattern.pattern.regex.groupindex}
        if not isinstance(pattern, URLPattern):
            if pattern.app_name not in ("admin", "ninja"):
                yield from _pages(pattern.url_patterns, found)
        elif pattern.name:
            yield pattern.name, found


VALUES = {"number": 0, "node": 1, "slug": "taquet", "what": "game", "mark": "x", "username": "bob"}
VALUES |= {"kind": "svg", "shape": "wide", "day": "2026-11-25", "game": "taquet"}
VALUES |= {"token": "x", "key": "x", "uidb36": "1", "code": "x", "name": "x"}


@pytest.fixture
def now(db):
    StaffFactory(username="host", role="Hosts")
    return timezone.now()


@pytest.fixture
def game(ann, bob, now):
    """A game in which ann is to move, a table of hers, and one to which she is asked."""
    table(ann, now=now)
    asked = table(bob, now=now)
    invitations.challenge(game_id=asked.pk, by=bob, user=ann, now=now)
    return begin(ann, bob, now=now)


def sign_in(client, person):
    client.force_login(User.objects.get(pk=person.pk))


def address(name, arguments, game):
    values = {"pk": game.pk} | VALUES
    return reverse(name, kwargs={key: values[key] for key in arguments})


@pytest.mark.parametrize("kept_out", KEPT_OUT)
def test_no_form_of_any_page_does_anything(client, game, ann, now, kept_out):
    kept_out(ann, now)
    sign_in(client, ann)
    before, asked = database(), 0
    for name, arguments in pages():
        if name in STAYS:
            continue
        asked += 1
        sent = SENT | {"email": "new@example.org", "action_add": "", "display_name": "Other"}
        path = address(name, arguments, game)
        for answer in (client.get(path), client.post(path, sent)):
            if kept_out is closed:
                assert answer.wsgi_request.user.is_anonymous, name
            else:
                assert (answer.status_code, WHY in answer.text) == (403, True), name
    assert asked > 80
    assert rows(database()) == rows(before)


def rows(everything):
    """Leave out letters about accounts: anybody may have one sent to an address."""
    letters = {"notifications_notice", "notifications_accountmailcount"}
    return [row for row in everything if row[0] not in letters]


@pytest.mark.parametrize("kept_out", [one for one in KEPT_OUT if one is not closed])
def test_a_suspended_user_can_read_whom_to_write_to_and_sign_out(client, ann, now, kept_out):
    kept_out(ann, now)
    sign_in(client, ann)
    for name in ("outages", "about", "privacy", "contact"):
        assert client.get(reverse(name)).status_code == 200, name
    assert client.post(reverse("account_logout")).status_code == 302
    assert "_auth_user_id" not in client.session


# Signing in --------------------------------------------------------------------------------------


def by_password(client, ann):
    client.post(reverse("account_login"), {"login": "ann", "password": "secret"})


def by_address(client, ann):
    client.post(reverse("account_login"), {"login": ann.email, "password": "secret"})


def by_code(client, ann):
    answer = client.post(reverse("account_request_login_code"), {"email": ann.email})
    if "code" in letters_to(ann.email)[-1]:
        client.post(answer.url, {"code": code_to(ann.email)})


def by_reset(client, ann):
    client.post(reverse("account_reset_password"), {"email": ann.email})
    found = [line for line in letters_to(ann.email)[-1].split() if "/reset/key/" in line]
    if not found:
        return
    new = {"password1": "a long walk home", "password2": "a long walk home"}
    page = client.get(urlsplit(found[0]).path)
    client.post(page.url, new)
    client.post(reverse("account_login"), {"login": "ann", "password": "a long walk home"})


@pytest.mark.parametrize("way", [by_password, by_address, by_code, by_reset])
@pytest.mark.parametrize("kept_out", KEPT_OUT)
def test_signing_in_leads_to_the_reason_and_no_further(client, game, ann, now, kept_out, way):
    kept_out(ann, now)
    way(client, ann)
    page = client.get(reverse("home"))
    if kept_out is closed:
        assert "_auth_user_id" not in client.session
        assert page.wsgi_request.user.is_anonymous
        return
    assert client.session["_auth_user_id"] == str(ann.pk)
    assert (page.status_code, WHY in page.text) == (403, True)
    assert client.post(reverse("game_play", args=[game.pk]), SENT).status_code == 403
    assert Game.objects.get(pk=game.pk).turn_number == 0


def test_a_session_from_before_ends_with_the_account(client, game, ann, now):
    sign_in(client, ann)
    assert client.get(reverse("profile_edit")).status_code == 200
    closed(ann, now)
    assert client.get(reverse("profile_edit")).status_code == 302
    assert client.post(reverse("game_play", args=[game.pk]), SENT).status_code == 302
    assert Game.objects.get(pk=game.pk).turn_number == 0
    assert EmailAddress.objects.get(user=ann).verified
