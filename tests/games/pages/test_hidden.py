"""Where seeing the lines is the game, nothing that is sent shows where they can be drawn."""

import json
import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from games.queries.positions import load_position
from games.rules.morpiae.rules import Morpiae
from games.rules.morpiae.sheet import PASS
from notifications.kinds.base import compose
from notifications.models import Notice
from notifications.outbox.recipients import make_notices
from tests.games.multiplayer import some_turn
from tests.games.play import begin, fresh, play

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

TURNS = 6
"""How far the game has gone: an even number, so that ann is to move."""

NOT_THE_SAME_TWICE = re.compile(
    r'(name="csrfmiddlewaretoken" value=|"x-csrftoken": |nonce=)"[^"]*"', re.IGNORECASE
)


def begun(ann, bob, **options):
    """Return a game of Morpiae with some lines drawn, ann to move."""
    game = begin(ann, bob, now=timezone.now(), slug="morpiae", options=options)
    for turn in range(TURNS):
        game = fresh(game)
        play(game, (ann, bob)[turn % 2], _line(game), now=timezone.now())
    return fresh(game)


def _line(game):
    """Return a line that can be drawn now."""
    text = some_turn(game)
    return next(iter(lines(game))) if text == "pass" else text


def lines(game):
    """Return every line that can be drawn now, by its text, with the squares to click."""
    position = game.rules.load(game.position)
    legal = game.rules.legal_actions(position)
    return {
        game.rules.format(position, a): game.rules.squares(position, a) for a in legal if a != PASS
    }


@pytest.fixture
def game(ann, bob):
    """A game with hints off, as it is unless one asks for them."""
    return begun(ann, bob)


@pytest.fixture
def shown(ann, bob):
    """The same with hints."""
    return begun(ann, bob, hints=True)


def page(client, game):
    response = client.get(game.get_absolute_url())
    assert response.status_code == 200
    return response.content.decode()


def page_actions(html):
    found = re.search(r"<div hidden data-board-actions><script[^>]*>(.*?)</script>", html, re.S)
    return json.loads(found[1])


def ask(client, game, **question):
    question.setdefault("expected_turn", game.turn_number)
    response = client.get(reverse("game_preview", args=[game.pk]), question)
    return response.status_code, response.json()


@pytest.fixture
def without_lines(monkeypatch):
    """From then on almost no line can be drawn: only those that were drawn already."""
    load = Morpiae.load

    def fewer(self, text):
        position = load(self, text)
        played = {word for entry in Game.objects.all() for word in entry.position.split()}
        kept = [a for a in position.legal if a == PASS or self.format(position, a) in played]
        return position._replace(legal=tuple(kept))

    def patch():
        monkeypatch.setattr(Morpiae, "load", fewer)
        load_position.cache_clear()

    yield patch
    load_position.cache_clear()


# The page ----------------------------------------------------------------------------------------


def test_the_page_knows_the_pass_alone(as_ann, game):
    data = page_actions(page(as_ann, game))
    assert data["hidden"] is True
    assert [(choice["text"], choice["squares"]) for choice in data["actions"]] == [("pass", [])]


def test_with_hints_the_page_knows_every_line(as_ann, shown):
    data = page_actions(page(as_ann, shown))
    assert data["hidden"] is False
    known = {choice["text"]: tuple(choice["squares"]) for choice in data["actions"]}
    assert len(known) > TURNS
    assert known == lines(shown) | {"pass": ()}


def test_the_list_to_choose_from_has_the_lines_with_hints_alone(as_ann, game, shown):
    for found, expected in ((game, {"", "pass"}), (shown, {"", "pass", *lines(shown)})):
        choices = re.search(r'<select id="turn-choice".*?</select>', page(as_ann, found), re.S)[0]
        assert set(re.findall(r'<option value="(.*?)"', choices)) == expected


def test_no_line_is_written_anywhere_on_the_page(as_ann, client, game, shown, bob):
    assert all(line in page(as_ann, shown) for line in lines(shown))
    html = page(as_ann, game)
    assert not [line for line in lines(game) if line in html]


@pytest.mark.parametrize("who", ["ann", "bob", "cat", "nobody"])
def test_the_page_is_the_same_whatever_can_be_drawn(
    client, game, ann, bob, cat, without_lines, who
):
    if who != "nobody":
        client.force_login({"ann": ann, "bob": bob, "cat": cat}[who])
    before = NOT_THE_SAME_TWICE.sub("", page(client, game))
    many = len(lines(game))
    without_lines()
    assert len(lines(game)) < many
    assert NOT_THE_SAME_TWICE.sub("", page(client, game)) == before


def test_with_hints_the_page_is_not_the_same(as_ann, shown, without_lines):
    before = NOT_THE_SAME_TWICE.sub("", page(as_ann, shown))
    without_lines()
    assert NOT_THE_SAME_TWICE.sub("", page(as_ann, shown)) != before


def test_every_point_of_the_drawing_looks_alike_but_for_what_is_drawn(game):
    """Hints are no part of the drawing: it is the same with them."""
    position = game.rules.load(game.position)
    drawn = game.rules.board(position, 0, ())
    assert {(cell.shade, cell.label) for cell in drawn.cells} == {("point", "")}
    taken = {piece.square for piece in drawn.pieces}
    free = {cell.square for cell in drawn.cells} - taken
    new = {squares[0] for squares in lines(game).values()}
    assert new < free
    assert not new & set(drawn.last)
    hinted = game.rules.board(position._replace(hints=True), 0, ())
    assert hinted == drawn


# Asking ------------------------------------------------------------------------------------------


def test_a_square_is_answered_for_itself_alone(as_ann, game):
    expected = lines(game)
    board = game.rules.board(game.rules.load(game.position), 0, ())
    answered = {}
    for cell in board.cells:
        status, answer = ask(as_ann, game, square=cell.square)
        assert (status, set(answer)) == (200, {"actions"})
        for choice in answer["actions"]:
            assert choice["squares"][0] == cell.square
            answered[choice["text"]] = tuple(choice["squares"])
    assert answered == expected


@pytest.mark.parametrize("square", ["", "zz", "*", "pass", "a1-e1", "%"])
def test_no_square_at_all_is_answered_with_nothing(as_ann, game, square):
    assert ask(as_ann, game, square=square) == (200, {"actions": []})


@pytest.mark.parametrize("text", ["", " ", ",", "zz", "pass,", "pass, pass", "a1-b7"])
def test_a_preview_that_is_refused_names_no_line(as_ann, game, text):
    status, answer = ask(as_ann, game, turn=text)
    assert (status, set(answer)) == (422, {"error"})
    assert not [line for line in lines(game) if line in answer["error"]]


def test_a_preview_of_a_line_shows_nothing_of_the_lines_after_it(as_ann, game):
    line = _line(game)
    status, answer = ask(as_ann, game, turn=line)
    assert (status, answer["notation"], answer["actions"]) == (200, line, [])
    position = game.rules.load(game.position)
    after = game.rules.play_turn(position, game.rules.parse_turn(position, line))
    others = {game.rules.format(after, a) for a in after.legal if a != PASS} - {line}
    assert others
    assert not [other for other in others if other in json.dumps(answer)]


def test_a_square_is_not_answered_for_the_opponents_turn_after_ones_own(as_ann, game):
    position = game.rules.load(game.position)
    for line in lines(game):
        after = game.rules.play_turn(position, game.rules.parse_turn(position, line))
        for square in {game.rules.squares(after, a)[0] for a in after.legal if a != PASS}:
            assert ask(as_ann, game, square=square, turn=line) == (200, {"actions": []})


@pytest.mark.parametrize("who", ["bob", "cat"])
def test_nobody_but_who_is_to_move_is_answered(client, game, bob, cat, who):
    client.force_login({"bob": bob, "cat": cat}[who])
    for square in {squares[0] for squares in lines(game).values()}:
        status, answer = ask(client, game, square=square)
        assert (status, set(answer)) == (409, {"error"})


# Refusals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["", "preview"])
@pytest.mark.parametrize("text", ["zzz", "a1-e1", "pass, pass", "a1", "l12"])
def test_a_refused_turn_names_no_line(as_ann, game, text, step):
    sent = {"text": text, "expected_turn": str(game.turn_number), "step": step}
    response = as_ann.post(reverse("game_play", args=[game.pk]), sent)
    html = unescape(response.content.decode())
    assert response.status_code == 422
    assert "Possible here:" not in html
    assert not [line for line in lines(game) if line in html]
    assert [choice["text"] for choice in page_actions(html)["actions"]] == ["pass"]


# The mails ---------------------------------------------------------------------------------------


def letter_about(game, now):
    """Return the newest mail about the game: its words, its HTML and its picture."""
    make_notices(now=now)
    notice = Notice.objects.filter(game=game).select_related("game", "event", "user").last()
    assert notice.kind == "your-turn"
    message = compose(notice, now=now)
    parts = [p.get_payload(decode=True) for p in message.message().walk() if not p.is_multipart()]
    assert [bool(part) for part in parts] == [True] * 3
    return message.subject, parts


def test_a_mail_is_the_same_whatever_can_be_drawn(game, without_lines):
    now = timezone.now()
    before = letter_about(game, now)
    assert before[1][2].startswith(b"\x89PNG")
    without_lines()
    assert letter_about(game, now) == before


def test_a_mail_names_no_line_that_can_be_drawn(game):
    subject, (text, html, _picture) = letter_about(game, timezone.now())
    for line in lines(game):
        assert line not in subject
        assert line.encode() not in text + html
