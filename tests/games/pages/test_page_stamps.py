"""The early answer that there is nothing new: only while that is true, and only to its reader."""

import re
from html import unescape

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.middleware import EarlyAnswersMiddleware
from games.models import Game, GamePresence
from games.services.clock.added_time import grant_time
from games.services.conduct.messages import say
from games.services.offers import accept_offer, offer_pause
from tests.games.browsing import html_of
from tests.games.play import DAY, play
from tests.games.vacations import go_away

pytestmark = pytest.mark.django_db


@pytest.fixture
def early(monkeypatch, rf, as_ann, settings):
    """Return the status of an early answer to ann's browser, None if the view has to look."""
    middleware = EarlyAnswersMiddleware(lambda request: None)

    def ask(path, client=as_ann):
        request = rf.get(path)
        name = settings.SESSION_COOKIE_NAME
        if name in client.cookies:
            request.COOKIES[name] = client.cookies[name].value
        answer = middleware(request)
        return answer and answer.status_code

    return ask


def client_of(user):
    """Return another browser in which a user is signed in."""
    client = Client()
    client.force_login(user)
    return client


def news_of(client, game):
    """Return the address that the page of a game asks for news."""
    html = html_of(client, game.get_absolute_url())
    return unescape(re.search(r'data-news-url="([^"]+)"', html)[1])


CHANGES = {
    "a turn": lambda game, ann, bob, now: play(game, ann, "5", now=now),
    "more time": lambda game, ann, bob, now: grant_time(game_id=game.pk, user=bob, now=now),
    "an offer": lambda game, ann, bob, now: offer_pause(game_id=game.pk, user=bob, days=3, now=now),
    "a message": lambda game, ann, bob, now: say(
        game_id=game.pk, user=bob, text="Hello", via="web", now=now
    ),
    "who waits goes away": lambda game, ann, bob, now: go_away(bob, now, now=now),
    "the deadline": lambda game, ann, bob, now: Game.objects.update(deadline=now + 9 * DAY),
}


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_changes_is_left_to_the_view(early, as_ann, ann, bob, game, what):
    path = news_of(as_ann, game)
    assert early(path) == early(path) == 204
    CHANGES[what](game, ann, bob, timezone.now())
    assert early(path) is None


def test_a_pause_that_is_accepted_is_left_to_the_view(early, as_ann, ann, bob, game):
    offer_pause(game_id=game.pk, user=bob, days=3, now=timezone.now())
    path = news_of(as_ann, game)
    assert early(path) == 204
    accept_offer(game_id=game.pk, user=ann, now=timezone.now())
    assert early(path) is None


def test_a_stamp_is_good_for_its_game_its_reader_and_its_session(
    early, as_ann, ann, bob, cat, game
):
    path = news_of(as_ann, game)
    assert early(path, client_of(bob)) is None
    assert early(path.replace(f"stamp={ann.pk}-", f"stamp={bob.pk}-"), client_of(bob)) is None
    assert early(path.replace(f"/{game.pk}/", f"/{game.pk + 1}/")) is None
    assert early(path[:-1] + ("0" if path[-1] != "0" else "1")) is None
    assert early(path.replace("stamp=", "stamp=x")) is None
    again = client_of(ann)
    assert early(path, again) is None
    assert early(news_of(again, game), again) == 204


def test_who_is_signed_out_is_told_nothing(early, as_ann, game):
    path = news_of(as_ann, game)
    Session.objects.all().delete()
    assert early(path) is None


@pytest.mark.parametrize(
    "change",
    [
        {"unreachable_since": timezone.now()},
        {"barred_until": timezone.now() + DAY},
        {"is_active": False},
    ],
    ids=["nobody reached", "suspended", "closed"],
)
def test_a_visit_that_means_more_is_left_to_the_view(early, as_ann, ann, game, change):
    path = news_of(as_ann, game)
    User.objects.filter(pk=ann.pk).update(**change)
    assert early(path) is None


def test_a_stranger_who_watches_is_answered_early_too(early, game, cat):
    for watcher in (Client(), client_of(cat)):
        path = news_of(watcher, game)
        assert early(path, watcher) == 204
    assert not GamePresence.objects.exists()


def test_that_a_player_still_looks_is_remembered(early, as_ann, ann, game):
    path = news_of(as_ann, game)
    before = timezone.now() - DAY
    GamePresence.objects.update(seen_at=before)
    assert early(f"{path}&looking=0") == 204
    assert GamePresence.objects.get().seen_at == before
    assert early(f"{path}&looking=1") == 204
    assert GamePresence.objects.get().seen_at > before
