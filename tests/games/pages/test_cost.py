"""How much pages cost: queries, with session and user, and bytes. docs/performance.md has times."""

import gzip
import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Event, GamePresence
from games.services.clock.added_time import grant_time
from games.services.conduct.messages import say
from games.services.endings import resign
from games.services.invitations import challenge
from games.services.offers import offer_pause
from tests.games.play import begin, play, play_all, table
from tests.games.vacations import go_away

pytestmark = pytest.mark.django_db

TURN, HOME, GAME, NEWS = 11, 7, 9, 2
"""The most queries of a turn that is played by POST, of the home page, of a game's page, and of the
answer to an open page that there is nothing new."""

HOME_BYTES = 60_000
"""The most bytes of the home page of a player of 50 games, before they are compressed."""

MANY, MANY_BYTES, MANY_BYTES_SENT = 200, 200_000, 20_000
"""The same of a player of 200 games, before and after."""


def queries(ask):
    """Return the statements that a request makes, after one that wrote the list of visits."""
    with CaptureQueriesContext(connection) as captured:
        ask()
    made = [query["sql"] for query in captured]
    return [sql for sql in made if "SAVEPOINT" not in sql]


@pytest.fixture
def visit(as_ann):
    """Get a page as ann, who has visited the site just now; return what it asks and its HTML."""
    as_ann.get(reverse("rules_index"))

    def get(path):
        answers = []
        made = queries(lambda: answers.append(as_ann.get(path)))
        assert answers[0].status_code == 200
        return made, answers[0].content.decode()

    return get


def test_a_turn_by_post(as_ann, visit, game):
    def play_it():
        sent = {"text": "5", "expected_turn": 0}
        answer = as_ann.post(reverse("game_play", args=[game.pk]), sent)
        assert answer.status_code == 302

    made = queries(play_it)
    assert len(made) <= TURN, made


def test_a_turn_that_answers_an_offer(as_ann, ann, bob, visit, game):
    offer_pause(game_id=game.pk, user=bob, days=3, now=timezone.now())
    test_a_turn_by_post(as_ann, visit, game)
    assert not game.offers.open().exists()


def test_home_with_every_kind_of_row(visit, ann, bob, cat):
    now = timezone.now()
    begin(ann, bob, now=now)
    play(begin(ann, bob, now=now), ann, "5", now=now)
    resign(game_id=begin(ann, bob, now=now).pk, user=bob, now=now)
    table(ann, now=now)
    challenge(game_id=table(bob, now=now).pk, by=bob, user=ann, now=now)
    go_away(bob, now, now=now)
    # The first look at an end ends its undo: one write, and the games are read again.
    first, _ = visit("/")
    assert len(first) <= HOME + 2, first
    made, html = visit("/")
    assert html.count('class="game-row') >= 5
    assert "is away until" in html
    assert "invites you to play" in html
    assert len(made) <= HOME, made


def test_home_of_fifty_games(visit, ann, bob, settings):
    settings.TABLES_A_DAY = 100
    now = timezone.now()
    for _ in range(50):
        begin(ann, bob, now=now, slug="super-morpion")
    made, html = visit("/")
    assert html.count("due in") == 50
    assert len(made) <= HOME, made
    assert len(html.encode()) <= HOME_BYTES


def test_home_of_two_hundred_games(visit, ann, bob, settings):
    settings.TABLES_A_DAY = 1000
    now = timezone.now()
    for number in range(MANY):
        begin(*((ann, bob) if number % 2 else (bob, ann)), now=now, slug="super-morpion")
    made, html = visit("/")
    assert html.count("due in") == html.count('loading="lazy"') == MANY
    assert len(made) <= HOME, made
    assert len(html.encode()) <= MANY_BYTES
    assert len(gzip.compress(html.encode(), 6)) <= MANY_BYTES_SENT


def test_a_game_with_messages_offers_and_gifts(visit, ann, bob, game):
    now = timezone.now()
    play_all(game, ["5", "1", "9"], now=now)
    say(game_id=game.pk, user=bob, text="Hello", via="web", now=now)
    offer_pause(game_id=game.pk, user=bob, days=3, now=now)
    grant_time(game_id=game.pk, user=ann, now=now)
    assert Event.objects.filter(game=game, kind=Event.Kind.TIME_GRANTED).exists()
    visit(game.get_absolute_url())  # writes that ann looks at it: once in half a minute
    made, html = visit(game.get_absolute_url())
    assert "Hello" in html
    assert "a pause of" in html
    assert "gave 1 day" in html
    assert len(made) <= GAME, made


def test_a_game_in_which_nobody_has_played(visit, game):
    made, html = visit(game.get_absolute_url())
    assert "Yes, abort the game" in html
    assert len(made) <= GAME, made


def test_nothing_new(as_ann, visit, game):
    _, html = visit(game.get_absolute_url())
    path = unescape(re.search(r'data-news-url="([^"]+)"', html)[1])
    GamePresence.objects.update(seen_at=timezone.now() - timedelta(minutes=1))
    for most in (NEWS, NEWS - 1):  # that ann still looks is written once in half a minute
        answers = []
        made = queries(lambda: answers.append(as_ann.get(path)))  # noqa: B023
        assert answers[0].status_code == 204
        assert len(made) <= most, made
