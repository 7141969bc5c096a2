"""Pages that show something of somebody are kept by no browser and no proxy."""

import re

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.sessions.middleware import SessionMiddleware
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse
from django.utils import timezone

from accounts.middleware import PrivatePagesMiddleware
from games.services import invitations
from notifications.services import addresses, feeds
from notifications.services.unsubscribe import unsubscribe_url
from tests.games.play import begin, table

pytestmark = pytest.mark.django_db

SAMPLES = ("1", "morpion", "ann", "a-b", "games")


def is_private(answer):
    directives = {part.strip() for part in answer.get("Cache-Control", "").split(",")}
    return {"no-store", "private"} <= directives


PART = re.compile(r"\(\?P<\w+>[^)]*\)\$?|<[^>]+>")


def paths(patterns=None, route="", space="", outer=frozenset()):
    """Yield the name and a path of each address of the resolver."""
    for entry in get_resolver().url_patterns if patterns is None else patterns:
        parts = outer | set(entry.pattern.regex.groupindex)
        whole = route + str(entry.pattern)
        if hasattr(entry, "url_patterns"):
            inner = f"{space}{entry.namespace}:" if entry.namespace else space
            yield from paths(entry.url_patterns, whole, inner, parts)
        elif entry.name:
            yield space + entry.name, path_of(space + entry.name, parts)
        else:
            yield whole, "/" + PART.sub("1", whole)


def path_of(name, parts):
    """Return a path of this name: with the first sample that its parts take."""
    for sample in SAMPLES:
        try:
            return reverse(name, kwargs=dict.fromkeys(parts, sample))
        except NoReverseMatch:
            continue
    raise AssertionError(f"no sample fits {name}")


@pytest.fixture
def game(ann, bob):
    """A private game between ann and bob."""
    return begin(ann, bob, now=timezone.now(), is_public=False)


SAME_FOR_EVERYBODY = (
    *("board_image", "shown_image", "example_image"),
    *("game_picture", "preview_picture", "certificate"),
    "service_worker",
)
"""Pictures with an address of their own, and a script."""


@pytest.mark.slow
def test_every_address_of_the_resolver_is_private_to_somebody_signed_in(game, moderator):
    walked = list(paths())
    assert len(walked) > 200
    assert {"home", "game_turn", "account_email", "admin:games_game_changelist"} <= {
        name for name, _ in walked
    }
    statuses = []
    client = Client(raise_request_exception=False)
    for name, path in walked:
        if SESSION_KEY not in client.session:  # the page before signed out
            client.force_login(moderator)
        if name in SAME_FOR_EVERYBODY:
            continue  # the same for everybody: they never reach the session
        for method in (client.get, client.post):
            answer = method(path)
            statuses.append(answer.status_code)
            assert is_private(answer), (name, path, answer.status_code)
    assert statuses.count(200) > 80
    assert statuses.count(500) == 0


def test_a_fragment_and_an_error_are_private_too(client, ann, game):
    client.force_login(ann)
    game_path = game.get_absolute_url()
    for path in (reverse("game_news", args=[game.pk]), game_path):
        assert is_private(client.get(path, headers={"HX-Request": "true"}))
    assert is_private(client.get("/no-such-page/"))
    assert is_private(client.get(reverse("game_play", args=[game.pk])))
    packed = client.get("/", headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert is_private(packed)


def test_an_error_of_ours_is_private_too(ann, monkeypatch):
    from games.views import site

    monkeypatch.setattr(site, "render", None)
    client = Client(raise_request_exception=False)
    client.force_login(ann)
    answer = client.get(reverse("outages"))
    assert answer.status_code == 500
    assert is_private(answer)


def test_pages_between_password_and_second_factor_are_private(client, ann):
    TOTP.activate(ann, "JBSWY3DPEHPK3PXP")
    answer = client.post(reverse("account_login"), {"login": "ann", "password": "secret"})
    assert answer.url == reverse("mfa_authenticate")
    assert is_private(answer)
    page = client.get(answer.url)
    assert page.status_code == 200
    assert is_private(page)


def test_pages_on_which_a_code_is_entered_are_private(client, ann):
    page = client.post(reverse("account_request_login_code"), {"email": ann.email}, follow=True)
    assert ann.email in page.text
    assert is_private(page)


def test_links_that_are_proof_by_themselves_are_private_to_strangers(ann, bob, game):
    now = timezone.now()
    invited = invitations.invite(
        game_id=table(ann, now=now).pk, email="eve@example.org", by=ann, now=now
    )
    token = invitations.link_token(invited)
    feeds.renew(user=ann, now=now)
    addresses.suspend_address(address=ann.email, diagnostic="550", notice=None, now=now)
    paths = [
        reverse("invitation", args=[token]),
        feeds.feed_url(ann).removeprefix(settings.SITE_URL),
        unsubscribe_url(ann, "your-turn").removeprefix(settings.SITE_URL),
    ]
    for path in paths:
        answer = Client().get(path)
        assert answer.status_code == 200, path
        assert is_private(answer), path
    declined = Client().post(reverse("invitation_answer", args=[token]), {"answer": "decline"})
    assert declined.status_code == 200
    assert is_private(declined)


def test_a_calendar_that_did_not_change_is_private_and_not_sent_again(client, ann):
    feeds.renew(user=ann, now=timezone.now())
    path = feeds.feed_url(ann).removeprefix(settings.SITE_URL)
    again = client.get(path, headers={"If-None-Match": client.get(path)["ETag"]})
    assert again.status_code == 304
    assert is_private(again)


@pytest.mark.parametrize("path", ["/rules/", "/rules/morpion/", "/tables/", "/people/ann/"])
def test_public_pages_stay_as_they_are_for_strangers(client, ann, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert "Cache-Control" not in answer


def test_static_files_stay_as_they_are_for_everybody(client, ann):
    client.force_login(ann)
    answer = client.get("/static/css/pli.css")
    assert answer.status_code == 200
    assert not is_private(answer)
    assert "max-age" in answer["Cache-Control"]


def test_signing_out_has_the_browser_forget_what_it_kept_but_not_its_cookies(client, ann):
    client.force_login(ann)
    client.post(reverse("choose_language"), {"language": "fr"})
    assert "Clear-Site-Data" not in client.get("/")
    answer = client.post(reverse("account_logout"))
    assert answer["Clear-Site-Data"] == '"cache", "storage"'
    assert is_private(answer)
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "fr"
    assert "Clear-Site-Data" not in client.get("/")


def test_a_browser_that_was_signed_out_from_elsewhere_forgets_too(client, ann):
    client.force_login(ann)
    assert "Clear-Site-Data" not in client.get("/")
    Session.objects.all().delete()
    answer = client.get("/")
    assert answer["Clear-Site-Data"] == '"cache", "storage"'
    assert is_private(answer)


def test_a_session_that_begins_as_another_ends_has_the_browser_forget_too(rf, ann):
    def sign_out(request):
        request.session["why"] = "over"  # keeps a session, and so a cookie
        logout(request)
        request.session["why"] = "over"
        return HttpResponse("signed out")

    request = rf.get("/")
    request.COOKIES[settings.SESSION_COOKIE_NAME] = "abc"
    request.user = ann
    answer = PrivatePagesMiddleware(SessionMiddleware(sign_out))(request)
    assert answer.cookies[settings.SESSION_COOKIE_NAME].value
    assert answer["Clear-Site-Data"] == '"cache", "storage"'
    assert is_private(answer)
