"""Connect Four from outside, in the whole service: pages, mails, rulebook, programs.

Run by test_connect_four.py in a process of its own, where PLI_GAMES names the game.
"""

import json
import re

import pytest
from django.template.loader import get_template
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config import demo
from games.models import Game
from games.services.invitations import ask_partner
from games.services.record import faults_of
from games.services.thinking import play_for_bots
from tests.factories import BotFactory
from tests.games.play import begin, fresh, play_all, table
from tests.notifications.conftest import sink
from tests.notifications.mail_commands.players_by_mail import players_by_mail, text_of

__all__ = ["sink"]

COLUMNS = ["d", "e", "d", "e", "d", "e", "d"]

FIRST_BOARD = """\
6  . . . . . . .
5  . . . . . . .
4  . . . . . . .
3  . . . . . . .
2  . . . . . . .
1  . . .[X]. . .
   a b c d e f g
"""

LAST_BOARD = """\
6  . . . . . . .
5  . . . . . . .
4  . . .[X]. . .
3  . . . X O . .
2  . . . X O . .
1  . . . X O . .
   a b c d e f g
Alignement gagnant\N{NO-BREAK SPACE}: de d4 à d1
"""


@pytest.fixture
def office(transactional_db, sink):
    with players_by_mail(sink, timezone.now()) as office:
        yield office


@pytest.fixture
def as_ann(ann):
    client = Client()
    client.force_login(ann)
    return client


def html_of(client, address, language="en"):
    answer = client.get(address, headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def lines_of(mail):
    return "\n".join(text_of(mail).splitlines())


def test_two_people_play_to_the_end_by_page_and_by_mail(office, as_ann, ann, bob):
    game = begin(ann, bob, now=office.now, slug="connect-four")
    address = game.get_absolute_url()
    for number, column in enumerate(COLUMNS):
        if number % 2 == 0:
            assert html_of(as_ann, address).count("data-square=") == 42
            sent = {"text": column, "expected_turn": number}
            assert as_ann.post(reverse("game_play", args=[game.pk]), sent).status_code == 302
        else:
            office.hand_in(bob.email, column)
        office.now = max(office.now, timezone.now())
        office.carry()
        assert fresh(game).turn_number == number + 1
        if number == 0:
            assert FIRST_BOARD in lines_of(office.newest(bob.email))
            assert "ann lâche un pion en d1." in lines_of(office.newest(bob.email))
    game = fresh(game)
    assert game.status == Game.Status.FINISHED
    assert [turn.notation for turn in game.turns.order_by("number")] == COLUMNS
    assert [turn.via for turn in game.turns.order_by("number")] == ["web", "mail"] * 3 + ["web"]
    assert faults_of(game) == []
    assert "Four in a row." in html_of(as_ann, address)
    over = office.newest(bob.email)
    assert over["X-Pli-Kind"] == "game-over"
    assert LAST_BOARD in lines_of(over)
    assert "Quatre pions alignés." in lines_of(over)


def test_a_click_on_a_cell_is_a_column(as_ann, ann, bob):
    game = begin(ann, bob, now=timezone.now(), slug="connect-four")
    game = play_all(game, ["d", "d"], now=timezone.now())
    found = re.search(
        r"<div hidden data-board-actions><script[^>]*>(.*?)</script>",
        html_of(as_ann, game.get_absolute_url()),
        re.DOTALL,
    )
    squares = {choice["text"]: choice["squares"] for choice in json.loads(found[1])["actions"]}
    assert squares == {column: [f"{column}{3 if column == 'd' else 1}"] for column in "abcdefg"}


def test_a_full_column_is_refused_with_the_games_own_sentence(as_ann, ann, bob):
    game = begin(ann, bob, now=timezone.now(), slug="connect-four")
    play_all(game, ["d"] * 6, now=timezone.now())
    asked = {"turn": "d", "expected_turn": 6}
    answer = as_ann.get(reverse("game_preview", args=[game.pk]), asked)
    assert (answer.status_code, answer.json()["error"]) == (422, "Column d is full.")


def test_the_practice_partner_plays_it(ann, now, settings):
    BotFactory(username=settings.PRACTICE_PARTNER_USERNAME)
    game = table(ann, now=now, slug="connect-four")
    ask_partner(game_id=game.pk, by=ann, now=now)
    play_for_bots(now=now)
    play_all(game, ["d"], now=now)
    play_for_bots(now=now)
    assert fresh(game).turn_number == 2


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Connect Four"), ("fr", "Puissance quatre")]
)
def test_the_rulebook_has_its_drawing_and_its_picture(client, db, language, title):
    html = html_of(client, reverse("rules_page", args=["connect-four"]), language)
    assert f"<h1>{title}</h1>" in html
    assert re.search(r'<figure class="board-figure"[^>]*>.*<svg', html, re.DOTALL)
    (picture,) = re.findall(r'<img src="([^"]+)"', html)
    answer = client.get(picture)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")


def test_the_new_table_page_offers_it_in_the_readers_language(as_ann):
    assert "?game=connect-four" in html_of(as_ann, reverse("new_table"))


def test_a_template_of_the_game_is_found():
    assert get_template("connect_four/note.txt").render() == "Four in a row."


def test_the_demonstration_shows_it_as_far_as_the_game_says(db, now, settings):
    settings.DEVELOPMENT = True
    assert demo.seed(now=now)
    running = Game.objects.filter(rules_slug="connect-four", status=Game.Status.ACTIVE)
    played = running.exclude(seats__user__is_bot=True)
    assert set(played.values_list("turn_number", flat=True)) == {8}
