"""A position as text, SVG and PNG, and a game as an animation: each file read by somebody else."""

import re
from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from games.models import Game
from games.render import animation
from games.rules.registry import all_rules
from tests.games.browsing import html_of
from tests.games.multiplayer import gather, play_on, play_out
from tests.games.play import begin, play_all, table

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"


def download(client, game, number, kind):
    answer = client.get(reverse("download_position", args=[game.pk, number, kind]))
    assert answer.status_code == 200
    name = f"{game.rules_slug}-{game.pk}-{number}.{kind}"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    return answer


def gif_of(client, game):
    answer = client.post(reverse("download_animation", args=[game.pk]))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/gif"
    name = f'attachment; filename="{game.rules_slug}-{game.pk}.gif"'
    assert answer["Content-Disposition"] == name
    return answer.content


def frames_of(gif):
    """Return the pictures of an animation, and for how many milliseconds each is shown."""
    with Image.open(BytesIO(gif), formats=["GIF"]) as opened:
        frames, durations = [], []
        for number in range(opened.n_frames):
            opened.seek(number)
            frames.append(opened.convert("RGB").tobytes())
            durations.append(opened.info["duration"])
    return frames, durations


@pytest.mark.parametrize("slug", [rules.slug for rules in all_rules()])
def test_a_position_of_every_game_is_a_picture_a_drawing_and_a_text(as_ann, people, slug):
    now = timezone.now()
    several = slug == "superpion"
    begun = gather(people, now=now) if several else begin(*people[:2], now=now, slug=slug)
    game = play_on(begun, 4, now=now)

    png = download(as_ann, game, 4, "png")
    assert png["Content-Type"] == "image/png"
    with Image.open(BytesIO(png.content), formats=["PNG"]) as picture:
        assert picture.width == 1200
        picture.load()

    svg = download(as_ann, game, 4, "svg")
    assert svg["Content-Type"] == "image/svg+xml"
    drawing = ElementTree.fromstring(svg.content)  # noqa: S314  (our own drawing)
    assert drawing.tag == f"{SVG}svg"
    assert "var(" not in svg.text  # nothing of a stylesheet

    text = download(as_ann, game, 4, "txt")
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    lines = text.text.splitlines()
    for number, turn in enumerate(game.turns.order_by("number"), start=1):
        (line,) = [line for line in lines if line.startswith(f"{number}. ")]
        assert f" {turn.notation}  {turn.player} " in line

    frames, durations = frames_of(gif_of(as_ann, game))
    assert len(frames) == len(set(frames)) == 5
    assert durations == [900] * 4 + [4000]


def test_an_earlier_position_has_only_the_turns_until_then(as_ann, game):
    game = play_all(game, ["5", "1", "9"], now=timezone.now())
    text = download(as_ann, game, 1, "txt").text
    assert "Turn 1 of 3" in text
    assert "1. 5  ann" in text
    assert "bob " not in text.partition("1. 5")[2]
    boards = {download(as_ann, game, number, "png").content for number in range(4)}
    assert len(boards) == 4
    assert "The start of the game" in download(as_ann, game, 0, "txt").text


def test_the_text_tells_who_played_when_and_how_it_ended(as_ann, game):
    game = play_all(game, ["5", "1", "9", "2", "3", "4", "7"], now=timezone.now())
    assert game.status == Game.Status.FINISHED
    text = download(as_ann, game, 7, "txt").text
    assert text.startswith(f"Morpion #{game.pk}\nhttp")
    assert re.search(r"^Players: ann \(.+\), bob \(.+\)$", text, re.MULTILINE)
    assert re.search(r"^Begun: .+\nEnded: .+\nResult: ann won\. .+$", text, re.MULTILINE)


def test_the_text_is_in_the_language_of_its_reader(game):
    game = play_all(game, ["5"], now=timezone.now())
    text = download(Client(headers={"accept-language": "fr"}), game, 1, "txt").text
    assert "Coup 1 sur 1" in text
    assert re.search("^Joueurs\N{NO-BREAK SPACE}: ann", text, re.MULTILINE)


def test_who_turned_the_board_downloads_it_turned(as_ann, game):
    game = play_all(game, ["1"], now=timezone.now())
    before = download(as_ann, game, 1, "png").content
    as_ann.get(game.get_absolute_url(), {"side": "1"})
    turned = download(as_ann, game, 1, "png").content
    assert turned != before


@pytest.mark.parametrize(("number", "kind"), [(1, "png"), (10**30, "png"), (0, "pdf"), (0, "exe")])
def test_what_is_not_there_is_not_found(as_ann, game, number, kind):
    where = reverse("download_position", args=[game.pk, number, kind])
    assert as_ann.get(where).status_code == 404


def test_a_private_game_is_for_its_players(as_ann, cat, game):
    Game.objects.filter(pk=game.pk).update(is_public=False)
    as_cat = Client()
    as_cat.force_login(cat)
    text = reverse("download_position", args=[game.pk, 0, "txt"])
    assert as_ann.get(text).status_code == 200
    assert as_cat.get(text).status_code == Client().get(text).status_code == 404
    gif = reverse("download_animation", args=[game.pk])
    assert as_ann.post(gif).status_code == 200
    assert as_cat.post(gif).status_code == Client().post(gif).status_code == 404


def test_a_table_that_has_not_begun_has_no_files(as_ann, ann, now):
    waiting = table(ann, now=now)
    assert as_ann.post(reverse("download_animation", args=[waiting.pk])).status_code == 404
    where = reverse("download_position", args=[waiting.pk, 0, "png"])
    assert as_ann.get(where).status_code == 404


def test_of_a_long_game_some_positions_are_left_out(as_ann, game, monkeypatch):
    game = play_all(game, ["5", "1", "9", "2", "3", "4", "7"], now=timezone.now())
    monkeypatch.setattr(animation, "MOST_PICTURES", 4)
    frames, durations = frames_of(gif_of(as_ann, game))
    assert durations == [900] * 4 + [4000]  # every second of eight, and the last
    assert len(frames) == 5


def test_the_pictures_of_a_long_game_are_smaller(as_ann, game, monkeypatch):
    game = play_all(game, ["5", "1"], now=timezone.now())
    monkeypatch.setattr(animation, "MOST_PIXELS", 3 * 300 * 450)
    with Image.open(BytesIO(gif_of(as_ann, game)), formats=["GIF"]) as opened:
        assert opened.width == 300


def test_nobody_has_animations_made_without_end(as_ann, game, settings):
    where = reverse("download_animation", args=[game.pk])
    answers = [as_ann.post(where).status_code for _ in range(12)]
    assert answers == [200] * 10 + [429] * 2


@pytest.mark.slow
def test_a_long_game_of_four_is_small_and_quick_enough(as_ann, people):
    game = play_out(gather(people, now=timezone.now()), now=timezone.now())
    gif = gif_of(as_ann, game)
    assert len(gif) < 5_000_000


def test_the_page_of_a_game_links_to_all_of_them(as_ann, game, settings):
    game = play_all(game, ["5", "1"], now=timezone.now())
    newest, earlier = game.get_absolute_url(), reverse("game_turn", args=[game.pk, 1])
    for path, number in ((newest, 2), (earlier, 1)):
        page = html_of(as_ann, path)
        for kind in ("png", "svg", "txt"):
            assert reverse("download_position", args=[game.pk, number, kind]) in page
        assert reverse("download_animation", args=[game.pk]) in page
        link = settings.SITE_URL + reverse("game_turn", args=[game.pk, number])
        assert f'value="{link}"' in page
    Game.objects.filter(pk=game.pk).update(is_public=False)
    assert "data-share-link" not in html_of(as_ann, newest)
