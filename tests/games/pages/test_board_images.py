"""Drawings of boards with an address of their own: who made the address, and that it lasts."""

import re
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from games.models import Game
from games.queries.board_images import board_image_url
from games.queries.seats import game_for
from tests.games.browsing import html_of
from tests.games.play import play, play_all, table

pytestmark = pytest.mark.django_db


def image_of(game, viewer):
    return board_image_url(game_for(game.pk, viewer), viewer)


def test_a_list_shows_each_game_with_one_small_element(as_ann, ann, game):
    html = html_of(as_ann, "/")
    address = image_of(game, ann)
    assert re.findall(r'<img class="board" src="([^"]+)" alt="" loading="lazy">', html) == [address]


def test_an_image_is_kept_for_a_year_by_everybody_and_is_nobodys(client, ann, game):
    client.force_login(ann)
    answer = client.get(image_of(game, ann))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert not answer.cookies
    assert "Vary" not in answer or "Cookie" not in answer["Vary"]
    ElementTree.fromstring(answer.content)  # noqa: S314  (our own drawing)


def test_a_turn_changes_the_address_and_the_old_one_still_shows_the_old_board(
    client, ann, bob, game
):
    before = image_of(game, ann)
    empty = client.get(before).content
    play_all(game, ["5", "1"], now=timezone.now())
    after = image_of(game, ann)
    assert after != before
    assert client.get(before).content == empty
    assert client.get(after).content != empty


def test_an_address_says_a_seat_and_a_language_and_not_who_looks(ann, bob, cat, game):
    seats = [image_of(game, user).split("-")[2] for user in (ann, bob, cat)]
    assert seats == ["0", "1", "x"]
    assert image_of(game, cat) == image_of(game, AnonymousUser())
    with override("fr"):
        assert "-x-fr-" in image_of(game, cat)


@pytest.mark.parametrize(
    ("place", "other"), [(0, "2"), (1, "1"), (2, "1"), (3, "fr"), (4, "0" * 20)]
)
def test_an_address_that_this_service_did_not_make_shows_nothing(
    client, ann, game, place, other, django_assert_num_queries
):
    Game.objects.filter(pk=game.pk).update(is_public=False)
    parts = re.fullmatch(r"/boards/(\d+)-(\d+)-(\w+)-(\w+)-(\w+)\.svg", image_of(game, ann))
    parts = list(parts.groups())
    assert parts[place] != other
    parts[place] = other
    with django_assert_num_queries(0):
        answer = client.get(f"/boards/{'-'.join(parts)}.svg")
    assert answer.status_code == 404


def test_an_address_names_no_other_method_and_no_lost_game(client, ann, game):
    address = image_of(game, ann)
    assert client.post(address).status_code == 405
    Game.objects.filter(pk=game.pk).update(rules_slug="gone")
    assert client.get(address).status_code == 404


def test_an_image_knows_the_colours_of_day_and_night(client, ann, game):
    play(game, ann, "5", now=timezone.now())
    source = client.get(image_of(game, ann)).content.decode()
    used = set(re.findall(r"var\(--([\w-]+)\)", source))
    day, night = re.search(
        r"<style>:root{(.*?)}@media\(prefers-color-scheme:dark\){:root{(.*?)}}</style>", source
    ).groups()
    for colours in (day, night):
        assert {one.split(":")[0] for one in colours.split(";")} == {f"--{name}" for name in used}
    assert day != night


def test_a_table_that_waits_has_an_image_too(client, ann, bob):
    waiting = table(bob, now=timezone.now())
    client.force_login(ann)
    html = html_of(client, reverse("lobby"))
    address = image_of(waiting, ann)
    assert address in html
    assert client.get(address).status_code == 200
