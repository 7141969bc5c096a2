"""Undoing a turn and offering a takeback on the game's page, with scripts and without."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.queries.seats import game_for
from games.services.endings import resign
from games.services.offers import offer_end, offer_takeback
from tests.games.browsing import assert_refused, html_of, post
from tests.games.multiplayer import gather, play_on
from tests.games.play import begin, fresh, play, play_all

pytestmark = pytest.mark.django_db

OVER = "Your turn can no longer be undone"


def undo_of(game):
    return f'action="/games/{game.pk}/undo/"'


def news_of(html):
    """Return the address at which the page asks for news, as its script completes it."""
    return unescape(re.search(r'data-news-url="([^"]+)"', html)[1]) + "&looking=1&said="


@pytest.fixture
def as_bob(bob):
    client = Client()
    client.force_login(bob)
    return client


@pytest.fixture
def as_cat(cat):
    client = Client()
    client.force_login(cat)
    return client


@pytest.fixture
def played(game, ann):
    """Ann has just played."""
    play(game, ann, "5", now=timezone.now())
    return fresh(game)


def test_the_player_undoes_their_turn_without_scripts(as_ann, game):
    page = game.get_absolute_url()
    assert undo_of(game) not in html_of(as_ann, page)
    answer = as_ann.post(f"{page}play/", {"text": "5", "expected_turn": 0}, follow=True)
    html = answer.content.decode()
    assert "Your turn is played." in html
    assert undo_of(game) in html
    until = timezone.localtime(fresh(game).undo_until).strftime("%H:%M:%S")
    assert f"until {until}, unless an opponent sees your turn earlier" in html
    answer = as_ann.post(f"{page}undo/", follow=True)
    assert answer.redirect_chain == [(page, 302)]
    html = answer.content.decode()
    assert "Your turn is undone. It is your turn again." in html
    assert undo_of(game) not in html
    assert fresh(game).position == "........."


def test_with_scripts_the_parts_of_the_page_change(as_ann, played):
    answer = as_ann.post(f"{played.get_absolute_url()}undo/", headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert answer.status_code == 200
    assert 'id="game-play"' in html
    assert "It is your turn." in html
    assert 'name="expected_turn" value="2"' in html


def test_nobody_else_is_offered_to_undo(played, as_bob, as_cat):
    for client in (as_bob, as_cat, Client()):
        assert undo_of(played) not in html_of(client, played.get_absolute_url())


def test_looking_back_does_not_offer_it(as_ann, played):
    assert undo_of(played) not in html_of(as_ann, f"{played.get_absolute_url()}turns/1/")


@pytest.mark.parametrize("path", ["", "turns/1/", "news/?shows=&looking=1"])
def test_it_is_refused_once_the_opponent_has_looked(as_ann, as_bob, played, path):
    assert as_bob.get(f"{played.get_absolute_url()}{path}").status_code == 200
    answer = post(as_ann, "game_undo", played.pk)
    assert_refused(answer, 409, OVER)
    assert undo_of(played) not in answer.content.decode()
    assert fresh(played).turn_number == 1


def test_the_opponents_open_page_ends_it(as_ann, as_bob, ann, game):
    open_page = html_of(as_bob, game.get_absolute_url())
    play(game, ann, "5", now=timezone.now())
    assert as_bob.get(news_of(open_page)).status_code == 200
    assert_refused(post(as_ann, "game_undo", game.pk), 409, OVER)


def test_an_open_page_that_was_told_of_nothing_new_ends_nothing(as_ann, as_bob, ann, game):
    open_page = html_of(as_bob, game.get_absolute_url())
    assert as_bob.get(news_of(open_page)).status_code == 204
    play(game, ann, "5", now=timezone.now())
    assert post(as_ann, "game_undo", game.pk).status_code == 302


def test_the_button_goes_from_the_players_open_page_when_the_opponent_looks(as_ann, bob, played):
    open_page = html_of(as_ann, played.get_absolute_url())
    assert as_ann.get(news_of(open_page)).status_code == 204
    game_for(played.pk, bob)
    answer = as_ann.get(news_of(open_page))
    assert answer.status_code == 200
    html = answer.content.decode()
    assert 'id="game-state"' in html
    assert undo_of(played) not in html
    assert 'id="game-play"' not in html
    assert as_ann.get(news_of(html)).status_code == 204


def test_a_stranger_is_refused_and_a_guest_signs_in(as_cat, played):
    assert_refused(post(as_cat, "game_undo", played.pk), 403, "You do not play in this game")
    assert post(Client(), "game_undo", played.pk).url.startswith("/accounts/login/")


# The end ------------------------------------------------------------------------------------------


def undo_end_of(game):
    return f'action="/games/{game.pk}/end/undo/"'


@pytest.mark.parametrize("name", ["game_resign", "game_abort"])
def test_who_ended_the_game_undoes_that_on_its_page(name, as_ann, ann, bob):
    game = begin(ann, bob, now=timezone.now())
    page = game.get_absolute_url()
    assert undo_end_of(game) not in html_of(as_ann, page)
    html = as_ann.post(reverse(name, args=[game.pk]), follow=True).content.decode()
    assert undo_end_of(game) in html
    assert undo_of(game) not in html
    until = timezone.localtime(fresh(game).undo_until).strftime("%H:%M:%S")
    assert f"until {until}, unless an opponent sees the end of the game earlier" in html
    answer = as_ann.post(f"{page}end/undo/", follow=True)
    assert answer.redirect_chain == [(page, 302)]
    html = answer.content.decode()
    assert "The game goes on as before." in html
    assert "It is your turn." in html
    assert undo_end_of(game) not in html


def test_who_agreed_to_the_end_undoes_that_and_can_decline(as_bob, ann, bob):
    game = begin(ann, bob, now=timezone.now())
    offer_end(game_id=game.pk, user=ann, now=timezone.now())
    page = game.get_absolute_url()
    answer = as_bob.post(f"{page}offer/answer/", {"answer": "accept"}, follow=True)
    html = answer.content.decode()
    assert undo_end_of(game) in html
    assert "sauf si un adversaire voit la fin de la partie avant" in html
    html = as_bob.post(f"{page}end/undo/", follow=True).content.decode()
    assert "La partie continue comme avant." in html
    assert "ann propose de finir la partie d’un commun accord" in html


def test_an_end_is_undone_by_nobody_else_and_not_after_the_opponent_has_seen_it(
    as_ann, as_bob, as_cat, ann, bob
):
    game = begin(ann, bob, now=timezone.now())
    resign(game_id=game.pk, user=ann, now=timezone.now())
    page = game.get_absolute_url()
    assert undo_end_of(game) in html_of(as_ann, page)
    assert undo_end_of(game) not in html_of(as_ann, f"{page}turns/0/")
    assert undo_end_of(game) not in html_of(as_cat, page)
    assert undo_end_of(game) not in html_of(as_bob, page)
    assert undo_end_of(game) not in html_of(as_ann, page)
    over = "The end of this game can no longer be undone"
    assert_refused(post(as_ann, "game_undo_end", game.pk), 409, over)
    assert fresh(game).is_over


def test_the_button_goes_from_an_open_page_when_the_opponent_looks_at_the_end(as_ann, ann, bob):
    game = begin(ann, bob, now=timezone.now())
    resign(game_id=game.pk, user=ann, now=timezone.now())
    open_page = html_of(as_ann, game.get_absolute_url())
    assert as_ann.get(news_of(open_page)).status_code == 204
    game_for(game.pk, bob)
    html = as_ann.get(news_of(open_page)).content.decode()
    assert 'id="game-state"' in html
    assert undo_end_of(game) not in html


def test_who_left_a_game_of_several_comes_back_on_its_page(as_ann, ann, bob, cat):
    game = gather([ann, bob, cat], now=timezone.now(), variant="three")
    page = game.get_absolute_url()
    html = as_ann.post(reverse("game_resign", args=[game.pk]), follow=True).content.decode()
    assert undo_end_of(game) in html
    assert undo_of(game) not in html
    until = timezone.localtime(fresh(game).undo_until).strftime("%H:%M:%S")
    assert f"until {until}, unless another player sees earlier that you left" in html
    assert undo_end_of(game) not in html_of(as_ann, f"{page}turns/0/")
    answer = as_ann.post(f"{page}end/undo/", follow=True)
    assert answer.redirect_chain == [(page, 302)]
    html = answer.content.decode()
    assert "The game goes on as before." in html
    assert "It is your turn." in html
    assert undo_end_of(game) not in html


def test_a_player_who_was_seen_to_have_left_stays_away(as_ann, as_bob, ann, bob, cat):
    game = gather([ann, bob, cat], now=timezone.now(), variant="three")
    resign(game_id=game.pk, user=bob, now=timezone.now())
    html = html_of(as_bob, game.get_absolute_url())
    assert undo_end_of(game) in html
    assert "sauf si quelqu’un d’autre voit votre départ avant" in html
    assert undo_end_of(game) not in html_of(as_ann, game.get_absolute_url())
    answer = post(as_bob, "game_undo_end", game.pk)
    assert_refused(answer, 409, "Vous ne pouvez plus revenir")
    assert undo_end_of(game) not in answer.content.decode()


def test_strangers_and_feeds_are_told_of_a_departure_when_it_is_final(ann, bob, cat):
    game = gather([ann, bob, cat], now=timezone.now(), variant="three")
    game = play_on(game, 3, now=timezone.now())
    game_for(game.pk, ann)

    def entries():
        return Client().get(reverse("game_feed", args=[game.pk])).content.decode().count("<entry>")

    assert entries() == 3
    resign(game_id=game.pk, user=bob, now=timezone.now())
    assert entries() == 3
    game_for(game.pk, ann)
    assert entries() == 4


# Takebacks ----------------------------------------------------------------------------------------


def test_a_takeback_is_offered_and_accepted_on_the_page(as_ann, as_bob, ann, bob):
    game = begin(ann, bob, now=timezone.now())
    page = game.get_absolute_url()
    assert "offer/takeback/" not in html_of(as_ann, page)
    play_all(game, ["5", "1"], now=timezone.now())
    html = html_of(as_ann, page)
    assert "the game goes on from before your turn 1 (5)" in html
    answer = as_ann.post(f"{page}offer/takeback/", follow=True)
    html = answer.content.decode()
    assert "You have offered to take back your turn 1 (5) and what followed it." in html
    assert f'action="{page}offer/takeback/"' not in html
    html = html_of(as_bob, page)
    assert "ann propose de reprendre le coup 1 (5) et ce qui l’a suivi" in html
    post(as_bob, "game_answer_offer", game.pk, answer="accept")
    assert fresh(game).position == "........."


def test_an_offer_of_a_takeback_is_declined(as_ann, as_bob, ann, played):
    offer_takeback(game_id=played.pk, user=ann, now=timezone.now())
    post(as_bob, "game_answer_offer", played.pk, answer="decline")
    assert fresh(played).turn_number == 1
    assert "offer/takeback/" not in html_of(as_ann, played.get_absolute_url())
