"""What a game's page says of what moderators did."""

import pytest
from django.urls import reverse

from games.moderation.game_actions import (
    give_time,
    pause_game,
    resume_game,
    set_conversation,
    take_back,
)
from tests.games.moderating import WHY
from tests.games.play import DAY, begin, play, play_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def read(client):
    def html_of(game, user=None, number=None):
        client.logout()
        if user:
            client.force_login(user)
        name, where = ("game", [game.pk]) if number is None else ("game_turn", [game.pk, number])
        answer = client.get(reverse(name, args=where))
        assert answer.status_code == 200
        return answer.content.decode()

    return html_of


def test_players_read_that_a_moderator_paused_and_why(game, ann, bob, cat, mo, now, read):
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    bob.language = "en"
    bob.save()
    for player in (ann, bob):
        html = read(game, player)
        assert "your time does not run" in html
        assert WHY in html
    for other in (cat, None):
        html = read(game, other)
        assert "A moderator has paused this game." in html
        assert WHY not in html


def test_a_paused_game_offers_nothing_to_do(game, ann, mo, now, read):
    door = reverse("game_play", args=[game.pk])
    assert door in read(game, ann)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    assert door not in read(game, ann)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=now)
    assert door in read(game, ann)


def test_what_a_moderator_did_is_said_until_somebody_plays(game, ann, mo, now, read):
    give_time(game_id=game.pk, by=mo, more=DAY, why=WHY, now=now)
    assert WHY in read(game, ann)
    play(game, ann, "5", now=now)
    assert WHY not in read(game, ann)


def test_a_closed_conversation_is_said_to_players(game, ann, cat, mo, now, read):
    set_conversation(game_id=game.pk, by=mo, is_open=False, why=WHY, now=now)
    assert "closed the conversation" in read(game, ann)
    assert "closed the conversation" not in read(game, cat)


def test_the_list_of_turns_shows_what_was_taken_back(game, ann, mo, now, read):
    play_all(game, ["5", "1", "3"], now=now)
    take_back(game_id=game.pk, by=mo, turn=1, why=WHY, now=now)
    play_all(game, ["2"], now=now)
    html = read(game, ann)
    turns = html.partition('class="turn-list')[2].partition("</ol>")[0]
    items = turns.split("<li ")[1:]
    assert ["taken-back" in item for item in items] == [False, True, True, False, False]
    assert "back to 1" in items[3]
    assert "takeback" not in turns
    assert "mo takes the game back to turn 1" in read(game, ann, 4)


def test_each_turn_of_such_a_game_has_a_page(ann, bob, mo, now, read):
    game = play_all(begin(ann, bob, now=now, slug="taquet"), ["a3", "c3"], now=now)
    take_back(game_id=game.pk, by=mo, turn=0, why=WHY, now=now)
    for number in range(4):
        assert "<svg" in read(game, ann, number)
