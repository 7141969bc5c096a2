"""What other sites show of a link to a page: Open Graph, and the picture it names."""

import re
import struct
from html import unescape

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from games.services.endings import resign
from tests.games.browsing import html_of
from tests.games.multiplayer import gather, play_on
from tests.games.play import begin, fresh, play_all, table

pytestmark = pytest.mark.django_db


def preview_on(path, client=None, status=200):
    """Return the properties of a page's preview by name, for somebody without a session."""
    html = html_of(client or Client(), path, status)
    found = re.findall(
        r'<meta (?:property|name)="((?:og|twitter):[^"]+)"\s+content="([^"]*)"', html
    )
    assert len(found) == len(dict(found)), "a property is given twice"
    return {name: unescape(value) for name, value in found}


def picture_of(preview, client=None, **headers):
    address = preview["og:image"]
    assert address.startswith(settings.SITE_URL + "/boards/")
    return (client or Client()).get(address.removeprefix(settings.SITE_URL), headers=headers)


def size_of(png):
    """Return the width and height that the header of a PNG file tells."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">2L", png[16:24])


def test_a_public_game_tells_who_plays_and_what_was_played(game):
    play_all(game, ["5", "1"], now=timezone.now())
    preview = preview_on(game.get_absolute_url())
    assert preview["og:title"] == f"Morpion #{game.pk}: ann – bob"
    assert preview["og:description"].startswith("ann – bob. bob ")
    assert preview["og:url"] == settings.SITE_URL + game.get_absolute_url()
    assert preview["og:image:alt"] == "The board after turn 2"
    html = html_of(Client(), game.get_absolute_url())
    assert html.count('<svg xmlns="http://www.w3.org/2000/svg" class="board"') == 1
    assert preview["twitter:card"] == "summary_large_image"
    assert (preview["og:image:width"], preview["og:image:height"]) == ("1200", "630")
    picture = picture_of(preview)
    assert picture["Content-Type"] == "image/png"
    assert size_of(picture.content) == (1200, 630)
    assert len(picture.content) < 100_000


def test_each_position_has_a_picture_of_its_own(game):
    play_all(game, ["5", "1", "9"], now=timezone.now())
    paths = [reverse("game_turn", args=[game.pk, number]) for number in range(4)]
    previews = [preview_on(path) for path in paths]
    assert [one["og:url"] for one in previews[:3]] == [
        settings.SITE_URL + path for path in paths[:3]
    ]
    assert previews[3]["og:image"] == preview_on(game.get_absolute_url())["og:image"]
    pictures = {picture_of(one).content for one in previews}
    assert len(pictures) == 4
    assert previews[0]["og:image:alt"] == "The board at the start"


def test_a_game_that_is_over_tells_how_it_ended(game, bob):
    now = timezone.now()
    play_all(game, ["5", "1"], now=now)
    running = preview_on(game.get_absolute_url())
    resign(game_id=game.pk, user=bob, now=now)
    preview = preview_on(game.get_absolute_url())
    assert "ann won. A player resigned." in preview["og:description"]
    assert preview["og:image"] != running["og:image"]
    # Whoever kept the address of the picture before is led to that of the newest one.
    old = picture_of(running)
    assert old.status_code == 302
    assert old["Location"] == preview["og:image"].removeprefix(settings.SITE_URL)
    earlier = preview_on(reverse("game_turn", args=[game.pk, 1]))
    assert "won" not in earlier["og:description"]


def test_a_picture_is_kept_for_a_year_and_is_not_drawn_again_for_who_has_it(game, monkeypatch):
    preview = preview_on(game.get_absolute_url())
    picture = picture_of(preview)
    assert picture["Cache-Control"] == "public, max-age=31536000, immutable"
    assert not picture.cookies
    monkeypatch.setattr("games.views.link_previews.draw_card", None)
    again = picture_of(preview, **{"if-none-match": picture["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_another_name_is_another_picture(game, bob):
    before = preview_on(game.get_absolute_url())
    bob.display_name = "Robert"
    bob.save()
    after = preview_on(game.get_absolute_url())
    assert "Robert" in after["og:title"]
    assert after["og:image"] != before["og:image"]


def test_the_language_of_the_page_is_that_of_its_picture(game):
    play_all(game, ["5"], now=timezone.now())
    french = preview_on(game.get_absolute_url(), Client(headers={"accept-language": "fr"}))
    assert "-fr-" in french["og:image"]
    assert french["og:image:alt"] == "Le plateau après le coup 1"
    english = picture_of(preview_on(game.get_absolute_url()))
    assert picture_of(french).content != english.content


def test_a_private_game_has_no_preview_even_for_its_players(as_ann, game):
    public = preview_on(game.get_absolute_url())
    Game.objects.filter(pk=game.pk).update(is_public=False)
    preview = preview_on(game.get_absolute_url(), as_ann)
    assert "/boards/site-en-" in preview["og:image"]
    assert "og:title" not in preview
    for client in (Client(), as_ann):
        assert picture_of(public, client).status_code == 404
    assert "bob" not in str(preview_on(game.get_absolute_url(), status=404))


@pytest.mark.parametrize(
    ("old", "new"), [("-0-en-", "-1-en-"), ("-0-en-", "-0-xx-"), ("-0-en-", f"-{10**30}-en-")]
)
def test_a_picture_of_what_is_not_there_is_not_found(game, old, new):
    preview = preview_on(game.get_absolute_url())
    wrong = {"og:image": preview["og:image"].replace(old, new)}
    assert wrong != {"og:image": preview["og:image"]}
    assert picture_of(wrong).status_code == 404


def test_no_game_of_a_wrong_number_has_a_picture(game):
    address = preview_on(game.get_absolute_url())["og:image"]
    for number in (game.pk + 1, 2**63):
        wrong = address.replace(f"game-{game.pk}-", f"game-{number}-")
        assert picture_of({"og:image": wrong}).status_code == 404


def test_a_wrong_digest_leads_to_the_right_one(game):
    right = preview_on(game.get_absolute_url())["og:image"].removeprefix(settings.SITE_URL)
    wrong = re.sub(r"[0-9a-f]{20}\.png", f"{'0' * 20}.png", right)
    answer = Client().get(wrong)
    assert (answer.status_code, answer["Location"]) == (302, right)
    assert "immutable" not in answer.get("Cache-Control", "")


def test_an_open_table_tells_its_pace_and_its_free_seats(ann, now):
    game = table(ann, now=now)
    preview = preview_on(game.get_absolute_url())
    assert "1 seat is free. Pace: 2 days for each turn." in preview["og:description"]
    assert size_of(picture_of(preview).content) == (1200, 630)


def test_a_rulebook_shows_its_board_and_other_pages_that_of_the_site(ann):
    rules = preview_on(reverse("rules_page", args=["taquet"]))
    assert rules["og:title"] == "Taquet"
    assert "/boards/taquet-en-" in rules["og:image"]
    pages = [preview_on(path) for path in ("/", ann.get_absolute_url(), reverse("lobby"))]
    assert len({page["og:image"] for page in pages}) == 1
    for preview in (rules, pages[0]):
        picture = picture_of(preview)
        assert size_of(picture.content) == (1200, 630)
        assert picture["Cache-Control"] == "public, max-age=31536000, immutable"
        again = {"og:image": preview["og:image"].replace("-en-", "-fr-")}
        assert picture_of(again).status_code == 404  # the digest is of the English words


def test_a_withdrawal_and_an_empty_seat_do_not_stop_a_preview(people, now):
    game = play_on(gather(people, now=now), 3, now=now)
    resign(game_id=game.pk, user=people[3], now=now)
    game = fresh(game)
    preview = preview_on(game.get_absolute_url())
    assert "dan leaves the game" in preview["og:description"]
    assert size_of(picture_of(preview).content) == (1200, 630)


def test_a_preview_reads_nothing_more(as_ann, ann, bob, django_assert_num_queries, monkeypatch):
    """The budget of a page of a game has no room for it."""
    game = begin(ann, bob, now=timezone.now())
    path = game.get_absolute_url()
    as_ann.get(path)
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as with_preview:
        as_ann.get(path)
    monkeypatch.setattr("games.views.games.preview_of", lambda *given: None)
    with CaptureQueriesContext(connection) as without:
        as_ann.get(path)
    assert len(with_preview) == len(without)
