"""The card of a game that is over: who sees it, what it says, its pictures."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from games.models import Game
from games.services.endings import resign
from tests.games.browsing import html_of
from tests.games.multiplayer import gather, play_out
from tests.games.pages.test_link_previews import preview_on
from tests.games.play import fresh, play_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(game):
    """A game that ann has won."""
    return play_all(game, ["5", "1", "9", "2", "3", "4", "7"], now=timezone.now())


def card_of(client, game, status=200):
    return html_of(client, reverse("game_card", args=[game.pk]), status)


def picture_of(client, game, shape="wide"):
    answer = client.get(reverse("game_card_picture", args=[game.pk, shape]))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/png"
    return answer


def alt_of(page):
    return re.search(r'<img class="result-card"[^>]*\salt="([^"]*)"', page, re.DOTALL)[1]


def test_a_card_tells_who_won_why_and_when(over):
    page = card_of(Client(), over)
    said = alt_of(page)
    assert said.startswith("ann won. ")
    day = over.ended_at.strftime("%B")
    assert re.search(rf"7 turns\. On .*{day}", said)
    assert f'value="{settings.SITE_URL}{reverse("game_card", args=[over.pk])}"' in page


@pytest.mark.parametrize(("shape", "size"), [("wide", (1200, 630)), ("tall", (1080, 1350))])
def test_the_picture_has_the_size_that_sites_want(over, shape, size):
    picture = picture_of(Client(), over, shape)
    with Image.open(BytesIO(picture.content), formats=["PNG"]) as opened:
        assert opened.size == size
        opened.load()
    assert len(picture.content) < 150_000
    name = f'inline; filename="morpion-{over.pk}-{shape}.png"'
    assert picture["Content-Disposition"] == name


def test_no_other_shape_is_found(client, over):
    where = reverse("game_card_picture", args=[over.pk, "round"])
    assert client.get(where).status_code == 404


def test_a_link_to_the_card_has_the_picture_of_the_card(over):
    preview = preview_on(reverse("game_card", args=[over.pk]))
    assert preview == preview_on(over.get_absolute_url())
    picture = Client().get(preview["og:image"].removeprefix(settings.SITE_URL))
    assert picture.content == picture_of(Client(), over).content


def test_a_game_without_a_result_has_no_card(as_ann, game, now):
    for status in (Game.Status.ACTIVE, Game.Status.ABORTED):
        if status == Game.Status.ABORTED:
            changed = {"status": status, "ending": "aborted", "ended_at": now}
            stopped = {"seat_to_move": None, "deadline": None, "reminder_at": None}
            Game.objects.filter(pk=game.pk).update(**changed, **stopped)
        card_of(as_ann, game, 404)
        where = reverse("game_card_picture", args=[game.pk, "wide"])
        assert as_ann.get(where).status_code == 404


def test_a_private_game_shows_its_card_to_its_players_without_a_link(as_ann, over):
    Game.objects.filter(pk=over.pk).update(is_public=False)
    page = card_of(as_ann, over)
    assert "data-share-link" not in page
    assert "This game is private" in page
    picture_of(as_ann, over)
    card_of(Client(), over, 404)
    where = reverse("game_card_picture", args=[over.pk, "wide"])
    assert Client().get(where).status_code == 404


def test_players_are_offered_their_card_at_the_end(as_ann, cat, game):
    where = reverse("game_card", args=[game.pk])
    assert where not in html_of(as_ann, game.get_absolute_url())
    over = play_all(game, ["5", "1", "9", "2", "3", "4", "7"], now=timezone.now())
    assert where in html_of(as_ann, over.get_absolute_url())


def test_a_draw_and_a_game_of_four_have_cards(as_ann, game, people):
    drawn = play_all(game, ["5", "1", "2", "8", "3", "7", "4", "6", "9"], now=timezone.now())
    assert alt_of(card_of(as_ann, drawn)).startswith("A draw. ")
    picture_of(as_ann, drawn)
    four = play_out(gather(people, now=timezone.now()), now=timezone.now())
    assert " won. " in alt_of(card_of(as_ann, four))
    for shape in ("wide", "tall"):
        picture_of(as_ann, four, shape)


def test_a_game_of_several_days_tells_both(as_ann, game, bob):
    begun = timezone.now() - timedelta(days=40)
    Game.objects.filter(pk=game.pk).update(started_at=begun)
    play_all(game, ["5", "1"], now=timezone.now())
    resign(game_id=game.pk, user=bob, now=timezone.now())
    said = alt_of(card_of(as_ann, fresh(game)))
    assert re.search(r"2 turns\. From .+ to .+", said)


def test_a_card_is_french_for_the_french(over):
    french = Client(headers={"accept-language": "fr"})
    page = card_of(french, over)
    assert alt_of(page).startswith("ann a gagné. ")
    assert "7 coups. Le " in alt_of(page)
    assert picture_of(french, over).content != picture_of(Client(), over).content


def test_a_name_that_the_picture_cannot_write_is_the_user_name_there(game, ann, bob, monkeypatch):
    drawn = []
    draw = "games.views.link_previews.draw_card"
    monkeypatch.setattr(draw, lambda card, *more: drawn.append(card) or b"")
    ann.display_name = "安娜"
    ann.save()
    over = play_all(game, ["5", "1", "9", "2", "3", "4", "7"], now=timezone.now())
    assert "安娜 won." in card_of(Client(), over)
    picture_of(Client(), over)
    assert drawn[0].title == "ann won."
    assert [player.name for player in drawn[0].players] == ["ann", "bob"]
