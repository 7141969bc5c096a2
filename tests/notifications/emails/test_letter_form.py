"""What a letter is besides its words: preview, lines, the picture's text."""

import re

import pytest

from games.render.text import board_words
from notifications.emails.base import WRAPPED_AT, wrap_prose
from tests.games.play import begin, play
from tests.notifications.outgoing_mail import html_of, tell
from tests.notifications.replies.every_mail import letters_to

pytestmark = pytest.mark.django_db

WORD = re.compile(r"[^\W\d_]{2,}")


@pytest.fixture
def letter(ann, bob, now, mailoutbox):
    """Return bob's letter after ann's first turn, in English."""
    bob.language = "en"
    bob.save()
    game = begin(ann, bob, now=now)
    play(game, ann, "5", now=now)
    tell(now)
    return next(sent for sent in mailoutbox if sent.to == [bob.email])


def test_an_inbox_shows_the_news_first(letter):
    body = html_of(letter).partition("<body")[2]
    shown = re.sub(r"<[^>]+>", " ", body.partition(">")[2])
    assert re.sub(r"\s+", " ", shown).strip().startswith("ann plays in the centre. You have until ")


def test_the_picture_reads_the_position(letter):
    alt = re.search(r'alt="([^"]+)"', html_of(letter))
    assert alt is not None
    assert alt[1] == "just played: 5. cross: 5."


def test_a_long_position_is_cut_off_between_its_parts(ann, bob, now):
    rules = begin(ann, bob, now=now, slug="superpion", options={"variant": "two"}).rules
    board = rules.board(rules.initial(rules.check_options({"variant": "two"})), 0, ())
    words = board_words(board, 120)
    assert len(words) <= 120 + len(", …")
    assert words.endswith(", …")


def test_no_line_of_prose_is_longer_than_a_terminal_likes(people, now):
    lines = [line for one in letters_to(people, now).values() for line in one.text.split("\n")]
    prose = [line for line in lines if len(WORD.findall(line)) > 2 and "://" not in line]
    assert len(prose) > 100
    assert max(map(len, prose)) <= WRAPPED_AT


def test_boards_and_addresses_stay_whole():
    board = ". " * 50
    address = "No more mail: https://example.org/" + "x" * 80
    assert wrap_prose(f"{board}\n{address}", {board}) == f"{board}\n{address}"
    assert wrap_prose("word " * 20) == "\n".join(
        ["word " * 13 + "word", "word word word word word word"]
    )
