"""The landing page: a game that plays itself, the mail about it, games to watch, open tables."""

import html
import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from games.queries.lists import games_to_watch
from games.queries.shown_game import shown_turns
from games.rules.entries import positions
from games.rules.registry import app_with_example
from notifications.kinds.your_turn.kind import KIND
from notifications.services.shared_reads import sharing
from notifications.templatetags.letters import sample_letter, sample_notice
from tests.games.play import begin, play, table

pytestmark = pytest.mark.django_db

EXAMPLE = app_with_example()
TURNS = EXAMPLE.example_game


@pytest.fixture(autouse=True)
def _forget():
    cache.clear()


def landing(language="en"):
    answer = Client().get("/", headers={"Accept-Language": language})
    assert answer.status_code == 200
    return html.unescape(answer.text)


def words_of(markup):
    """Return the words of a piece of HTML, with single spaces."""
    bare = re.sub(r"<(style|title).*?</\1>|<[^>]+>", " ", html.unescape(markup), flags=re.DOTALL)
    return " ".join(bare.split())


def test_the_shown_game_is_whole_and_its_last_turn_wins():
    rules = EXAMPLE.rules
    *_, end = positions(rules, rules.check_options({}), TURNS)
    assert rules.outcome(end).winners == (0,)


@pytest.mark.parametrize(
    ("language", "first"), [("en", "Ann places a man on a1."), ("fr", "Ann place un pion en a1.")]
)
def test_every_turn_has_its_words_and_a_drawing_that_is_kept(language, first):
    page = landing(language)
    drawings = re.findall(r'data-image="([^"]+)"', page)
    assert len(set(drawings)) == len(TURNS)
    assert first in page
    for address in drawings:
        answer = Client().get(address)
        assert answer.status_code == 200
        assert answer["Content-Type"] == "image/svg+xml"
        assert "immutable" in answer["Cache-Control"]


def test_without_scripts_the_end_is_shown_with_all_turns():
    page = landing()
    (shown,) = re.findall(r'class="living-board-sheet"\s+src="([^"]+)"', page)
    assert shown == shown_turns()[-1].image
    turns = page.partition('<ol class="living-board-turns">')[2].partition("</ol>")[0]
    assert turns.count("<li") == len(TURNS)


@pytest.mark.parametrize("name", ["shown_image", "example_image"])
def test_a_drawing_needs_an_address_of_ours(name):
    what = 1 if name == "shown_image" else EXAMPLE.rules.slug
    assert Client().get(reverse(name, args=[what, "en", "0" * 20])).status_code == 404


def test_every_game_has_a_drawing():
    drawings = re.findall(r'class="game-card-board"\s+src="([^"]+)"', landing())
    assert len(set(drawings)) == 5
    assert {Client().get(address).status_code for address in drawings} == {200}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_letter_says_what_the_mail_says(monkeypatch, language, now):
    monkeypatch.setattr("notifications.templatetags.letters.server_now", lambda: now)
    with translation.override(language):
        letter = sample_letter()
        notice, reads = sample_notice(EXAMPLE, now)
        with sharing(reads):
            mail = KIND.compose(notice, (), now=now)
    assert letter.subject == mail.subject
    in_mail = words_of(mail.alternatives[0][0])
    _airmail, _, body = str(letter.body).partition("</time>")
    paragraphs = re.findall(r"<p[^>]*>(.*?)</p>", body.partition("</p>")[2], flags=re.DOTALL)
    assert len(paragraphs) >= 7
    for paragraph in paragraphs:
        assert words_of(paragraph) in in_mail
    assert words_of(str(letter.body)) in words_of(landing(language))


def test_the_letter_reads_and_writes_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert sample_letter() is not None


def test_the_reply_plays_the_turn_that_wins():
    reply = sample_letter().reply
    assert reply == TURNS[-1]
    assert f'<p class="notation">{reply}</p>' in landing()


def test_the_page_does_without_an_example_game(monkeypatch):
    monkeypatch.setattr("notifications.templatetags.letters.app_with_example", lambda: None)
    monkeypatch.setattr("games.views.my_games.app_with_example", lambda: None)
    monkeypatch.setattr("games.queries.shown_game._turns", lambda language: ())
    page = landing()
    assert "data-living-board" not in page.replace("data-living-board-", "")
    assert 'class="sample-letter"' not in page
    assert 'name="game"' in page


def test_public_games_with_new_turns_are_shown_newest_first(ann, bob, cat):
    now = timezone.now()
    older, newer = begin(ann, bob, now=now), begin(ann, cat, now=now)
    play(older, ann, "5", now=now)
    play(newer, ann, "5", now=now)
    untouched = begin(bob, cat, now=now)
    private = begin(ann, bob, now=now, is_public=False)
    play(private, ann, "5", now=now)
    assert [game.pk for game in games_to_watch()] == [newer.pk, older.pk]
    page = landing()
    assert f'href="/games/{newer.pk}/"' in page
    assert f'href="/games/{untouched.pk}/"' not in page
    assert f'href="/games/{private.pk}/"' not in page


def test_open_tables_are_listed(ann):
    open_table = table(ann, now=timezone.now())
    assert open_table.get_absolute_url() in landing()


def test_the_lists_are_read_once_in_a_while(ann, bob, django_assert_max_num_queries):
    now = timezone.now()
    play(begin(ann, bob, now=now), ann, "5", now=now)
    table(ann, now=now)
    landing()
    with django_assert_max_num_queries(1):  # what every page asks: whether the site is closed
        landing()
