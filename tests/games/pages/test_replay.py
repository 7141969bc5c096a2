"""Looking back at a game: the page of each position, and the answer that has all of them."""

import gzip
import random
import re
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from games.models import Turn
from games.queries.positions import board_of, moment_at, words_of_moment
from games.render.layout import measure
from games.render.svg import board_svg
from games.render.text import board_text
from games.rules.registry import all_rules
from games.services.endings import resign
from tests.games.browsing import html_of
from tests.games.multiplayer import gather, play_on
from tests.games.play import begin, fresh, play_all

pytestmark = pytest.mark.django_db

MOST_BYTES = 60_000
"""The most bytes of the answer for a game of 300 turns, compressed."""


def replay(client, game):
    answer = client.get(reverse("game_replay", args=[game.pk]))
    assert answer.status_code == 200
    return answer.json()


def put_together(answer):
    """Return the elements and the size of each position's drawing."""
    now, size, found = [], None, []
    for edits, new_size in zip(answer["edits"], answer["sizes"], strict=True):
        for start, gone, *come in edits:
            now[start : start + gone] = come
        size = new_size or size
        found.append(([answer["parts"][place] for place in now], size))
    return found


def shown_by(board):
    """Return what is visible of each element of a board's drawing on its own page."""
    source = board_svg(board, title="", description="", translate=gettext)
    _title, _description, *elements = ElementTree.fromstring(source)  # noqa: S314  (our own)
    return [seen(ElementTree.tostring(one, encoding="unicode")) for one in elements]


def seen(source):
    """Return an element of a drawing without what only a board that is played on needs."""
    element = ElementTree.fromstring(source)  # noqa: S314  (our own drawing)
    for inside in element.findall("*"):
        if inside.get("class") == "edge":
            element.remove(inside)
    for name in ("data-x", "data-y", "data-label"):
        element.attrib.pop(name, None)
    bare = ElementTree.tostring(element, encoding="unicode")
    # The prefix is "svg" once qrcode has been loaded, else "ns0".
    return re.sub(r'( xmlns:(?:ns0|svg)="[^"]*")|(?:ns0|svg):', "", bare)


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.slug)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_position_is_there_as_its_own_page_shows_it(client, people, rules, language):
    now, bob = timezone.now(), people[1]
    if rules.seats(rules.check_options({})) > 2:
        game = gather(people, now=now)
    else:
        game = begin(*people[:2], now=now, slug=rules.slug)
    game = play_on(game, 5, now=now)
    if len(game.all_seats) > 2:  # a player who leaves is an entry of the record too
        resign(game_id=game.pk, user=bob, now=now)
        game = fresh(game)
    bob.language = language
    bob.save()
    client.force_login(bob)
    answer = replay(client, game)
    drawings = put_together(answer)
    assert len(drawings) == len(answer["words"]) == len(answer["texts"]) == game.turn_number + 1
    assert answer["words"][0] == ""
    with translation.override(language):
        for number, (elements, size) in enumerate(drawings):
            board = board_of(game, bob, number)
            layout = measure(board)
            assert size == [layout.width, layout.height]
            assert [seen(one) for one in elements] == shown_by(board)
            assert answer["texts"][number] == board_text(board, translate=gettext)
            if number:
                player = game.turns.get(number=number).player
                words = words_of_moment(game, moment_at(game, number))
                assert answer["words"][number] == f"{player} {words}"


def fill(game, count):
    """Give a game a record of so many turns: random games, each taken back when it is over."""
    rules, chance = game.rules, random.Random(1)
    seats = {seat.number: seat.user for seat in game.all_seats}
    start = rules.initial(game.options)
    position, notations = start, []
    while len(notations) < count:
        seat = rules.to_move(position)
        if seat is None:
            notations.append((0, "takeback 0"))
            position = start
            continue
        begun, actions = position, []
        while rules.turn(position) == rules.turn(begun) and rules.to_move(position) is not None:
            actions.append(chance.choice(rules.legal_actions(position)))
            position = rules.play(position, actions[-1])
        notations.append((seat, rules.format_turn(begun, actions)))
    played = {"game": game, "played_at": timezone.now(), "via": "web", "hash": "0" * 64}
    Turn.objects.bulk_create(
        Turn(number=number, seat=seat, player=seats[seat], notation=notation, **played)
        for number, (seat, notation) in enumerate(notations, start=1)
    )
    game.turn_number = count
    game.position = rules.dump(position)
    game.save(update_fields=["turn_number", "position"])
    return fresh(game)


@pytest.mark.parametrize("variant", ["two", "four"])
@pytest.mark.slow
def test_a_game_of_300_turns_is_a_small_answer(as_ann, people, variant):
    now = timezone.now()
    game = fill(gather(people[: {"two": 2, "four": 4}[variant]], now=now, variant=variant), 300)
    answer = as_ann.get(reverse("game_replay", args=[game.pk]))
    drawings = put_together(answer.json())
    assert len(drawings) == 301
    for number in (100, 200, 300):  # what is told wrongly once is wrong from there on
        board = board_of(game, people[0], number)
        assert [seen(one) for one in drawings[number][0]] == shown_by(board)
    assert len(gzip.compress(answer.content, 6)) < MOST_BYTES


def test_a_longer_game_asks_no_more_of_the_database(as_ann, ann, bob):
    now = timezone.now()
    turns = ["11", "12", "22", "23", "33", "31", "14", "41", "15", "51", "16", "61"]
    html_of(as_ann, "/rules/")  # writes that ann was here
    counts = []
    for count in (2, 12):
        game = play_all(begin(ann, bob, now=now, slug="super-morpion"), turns[:count], now=now)
        with CaptureQueriesContext(connection) as asked:
            replay(as_ann, game)
        counts.append(len(asked))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("number", "said"), [(0, "The start of the game"), (2, "Turn 2 of 3"), (3, "Turn 3 of 3")]
)
def test_an_old_position_says_what_is_shown(as_ann, game, number, said):
    play_all(game, ["5", "1", "9"], now=timezone.now())
    html = html_of(as_ann, reverse("game_turn", args=[game.pk, number]))
    assert said in html
    assert "turn.</p>" not in html  # "It is bob’s turn."
    assert "game-verdict" not in html
    steps = html.partition('class="turn-steps"')[2].partition("</nav>")[0]
    assert steps.count("<a ") == 4  # all of them, wherever one is: none jumps
    assert f"{game.get_absolute_url()}turns/{max(number - 1, 0)}/" in steps
    assert f"{game.get_absolute_url()}turns/{min(number + 1, 3)}/" in steps


def test_an_open_old_position_gets_the_game_from_the_news(as_ann, game):
    game = play_all(game, ["5", "1"], now=timezone.now())
    html = html_of(as_ann, reverse("game_turn", args=[game.pk, 1]))
    assert '<div id="game-play"></div>' in html
    news = reverse("game_news", args=[game.pk]) + "?shows=&amp;board="
    assert f'data-news-url="{news}"' in html
    changes = html_of(as_ann, news.replace("&amp;", "&"))
    assert "It is your turn." in changes
    assert "data-board-form" in changes
    assert "game-announcement" not in changes  # nothing has happened


def test_a_board_that_the_reader_has_turned_is_replayed_turned(as_ann, ann, bob):
    game = play_on(begin(ann, bob, now=timezone.now(), slug="taquet"), 2, now=timezone.now())
    as_ann.get(f"{game.get_absolute_url()}?side=1")
    for number, (elements, _size) in enumerate(put_together(replay(as_ann, game))):
        board = board_of(game, ann, number).turned(2)
        assert [seen(one) for one in elements] == shown_by(board)
