"""The conversation on the page of a game, with JavaScript and without."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.clock.time_control import per_turn
from games.models import GamePresence, Message, Terms
from games.queries.conversations import page_fingerprint
from games.services import endings
from games.services.conduct.messages import TALK_LASTS, hide, say
from games.services.invitations import Opponent, propose
from tests.games.play import begin, fresh, play, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ann, bob):
    return begin(ann, bob, now=timezone.now())


def speak(game, user, text, now=None):
    return say(
        game_id=game.pk, user=user, text=text, via=Message.Via.WEB, now=now or timezone.now()
    )


def post(client, game, text, **headers):
    return client.post(reverse("game_say", args=[game.pk]), {"text": text}, headers=headers)


def page(client, game):
    response = client.get(game.get_absolute_url())
    assert response.status_code == 200
    return response.content.decode()


def is_conversation_hidden(shown):
    (attributes,) = re.findall(r'<section id="conversation"([^>]*)>', shown)
    return attributes.split()[-1] == "hidden"


def news(client, game, **shown):
    state = page_fingerprint(fresh(game), offers=[], away={}, can_undo=False)
    known = {"shows": state, "said": 0} | shown
    return client.get(reverse("game_news", args=[game.pk]), known)


# Saying ----------------------------------------------------------------------------------------


def test_saying_leads_back_to_the_conversation(as_ann, game, ann):
    response = post(as_ann, game, "Hello\r\nthere")
    assert response.status_code == 302
    assert response["Location"] == game.get_absolute_url() + "#conversation"
    assert Message.objects.get().text == "Hello\nthere"
    assert "Hello\nthere" in page(as_ann, game)


def test_with_htmx_only_the_conversation_comes_back(as_ann, game):
    response = post(as_ann, game, "Hello", HX_Request="true")
    assert response.status_code == 200
    answer = response.content.decode()
    assert answer.strip().startswith('<section id="conversation"')
    assert "Hello" in answer
    assert "<html" not in answer


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "Your message is empty."), ("é" * 2001, "A message can have at most 2000")],
)
def test_a_refused_message_stands_in_the_field_again(as_ann, game, text, said):
    response = post(as_ann, game, text)
    assert response.status_code == 422
    shown = response.content.decode()
    assert said in shown
    assert 'aria-invalid="true"' in shown
    assert f">{text}</textarea>" in shown
    with_htmx = post(as_ann, game, text, HX_Request="true")
    assert with_htmx.status_code == 200
    assert said in with_htmx.content.decode()
    assert not Message.objects.exists()


def test_too_much_is_refused_with_429(as_ann, game, settings):
    settings.MESSAGES_AN_HOUR = 1
    post(as_ann, game, "One")
    assert post(as_ann, game, "Two").status_code == 429
    assert Message.objects.count() == 1


def test_a_stranger_cannot_speak_even_with_htmx(client, game, cat):
    client.force_login(cat)
    assert post(client, game, "Hello").status_code == 403
    assert post(client, game, "Hello", HX_Request="true").status_code == 403
    assert not Message.objects.exists()


def test_at_an_open_table_nothing_can_be_said(as_ann, ann):
    waiting = table(ann, now=timezone.now())
    assert post(as_ann, waiting, "Hello").status_code == 409
    assert "conversation" not in page(as_ann, waiting)


# Reading ---------------------------------------------------------------------------------------

HOSTILE = '<script>alert(1)</script> <a href="http://example.org">x</a> http://example.org/?a=1&b=2'


def test_a_message_is_text_whatever_it_holds(as_ann, game, bob):
    speak(game, bob, HOSTILE)
    shown = page(as_ann, game)
    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    assert not re.search(r'<a[^>]*href="http://example.org', shown)
    assert "http://example.org/?a=1&amp;b=2" in shown


def test_a_message_stands_with_the_turn_it_was_said_at(as_ann, game, ann, bob):
    speak(game, bob, "Good luck")
    play(game, ann, "5", now=timezone.now())
    speak(game, ann, "In the middle")
    speak(game, bob, "I see")
    turns, _, talk = page(as_ann, game).partition('id="said"')
    said = ["before the first turn", "Good luck", "after turn 1", "In the middle", "I see"]
    order = [talk.index(words) for words in said]
    assert order == sorted(order)
    assert 'id="said-1"' in talk
    assert 'href="#said-1"' in turns
    assert "2 messages after turn 1" in " ".join(turns.split())


def test_only_players_and_staff_see_the_conversation(client, game, ann, bob, cat, moderator):
    speak(game, ann, "Between us")
    for person in (ann, bob, moderator):
        client.force_login(person)
        assert "Between us" in page(client, game)
    for person in (cat, None):
        client.logout()
        if person:
            client.force_login(person)
        shown = page(client, game)
        assert "Between us" not in shown
        assert 'id="conversation"' not in shown
        assert "Between us" not in news(client, game).content.decode()


def test_only_players_have_a_field_to_speak(client, game, ann, moderator):
    speak(game, ann, "Hello")
    client.force_login(moderator)
    assert 'id="message-text"' not in page(client, game)
    client.force_login(ann)
    assert 'id="message-text"' in page(client, game)


def test_against_a_program_of_this_site_there_is_nobody_to_talk_to(as_ann, ann, partner):
    game = propose(
        creator=ann,
        rules_slug="morpion",
        options={},
        terms=Terms(per_turn(timedelta(days=3))),
        opponent=Opponent("partner", level=1),
        is_public=False,
        creator_seat=0,
        now=timezone.now(),
    )
    assert is_conversation_hidden(page(as_ann, game))
    speak(game, ann, "Hello")
    shown = page(as_ann, game)
    assert not is_conversation_hidden(shown)
    assert "Hello" in shown
    assert 'id="message-text"' not in shown


def test_a_hidden_message_says_only_that(as_ann, game, bob):
    hide(speak(game, bob, "Rude words"), now=timezone.now())
    shown = page(as_ann, game)
    assert "Rude words" not in shown
    assert "A moderator has hidden this message." in shown


def test_after_the_end_one_may_talk_for_a_while(as_ann, game, ann, bob):
    endings.resign(game_id=game.pk, user=bob, now=timezone.now())
    assert 'id="message-text"' in page(as_ann, game)
    type(game).objects.update(ended_at=timezone.now() - TALK_LASTS - timedelta(minutes=1))
    shown = page(as_ann, game)
    assert 'id="message-text"' not in shown
    assert "data-news-url" not in shown


# News ------------------------------------------------------------------------------------------


def test_a_page_that_shows_everything_hears_nothing(as_ann, game, bob):
    assert news(as_ann, game).status_code == 204
    message = speak(game, bob, "Hello")
    assert news(as_ann, game, said=message.pk).status_code == 204


def test_a_new_message_comes_into_the_page_in_its_place(as_ann, game, bob):
    message = speak(game, bob, "Hello")
    answer = news(as_ann, game).content.decode()
    assert 'hx-swap-oob="true"' in answer
    assert "Hello" in answer
    assert f'name="said" value="{message.pk}"' in answer
    assert 'id="game-play"' not in answer


def test_a_turn_and_a_message_come_together(as_ann, game, ann, bob):
    seen = {"shows": "the start", "said": 0}
    play(game, ann, "5", now=timezone.now())
    speak(game, bob, "Hello")
    answer = news(as_ann, game, **seen).content.decode()
    assert "It is bob’s turn." in answer
    assert "Hello" in answer


def test_looking_is_noted_for_players_alone(client, game, ann, cat):
    client.get(game.get_absolute_url())
    client.force_login(cat)
    client.get(game.get_absolute_url())
    news(client, game)
    assert not GamePresence.objects.exists()
    client.force_login(ann)
    client.get(game.get_absolute_url())
    assert [p.user for p in GamePresence.objects.all()] == [ann]


def test_a_page_that_nobody_sees_is_not_looked_at(as_ann, game):
    news(as_ann, game, looking="0")
    assert not GamePresence.objects.exists()
    news(as_ann, game, looking="1")
    assert GamePresence.objects.count() == 1


# A long one --------------------------------------------------------------------------------------


def test_a_long_conversation_is_shown_a_stretch_at_a_time(as_ann, game, bob, monkeypatch):
    monkeypatch.setattr("games.queries.conversations.MESSAGES_SHOWN", 2)
    for word in ("aspen", "birch", "cedar"):
        speak(game, bob, word)
    newest = page(as_ann, game)
    assert ["aspen" in newest, "birch" in newest, "cedar" in newest] == [False, True, True]
    earlier = re.search(r'href="([^"]+\?before=\d+)#conversation"', newest)[1]
    looked_back = as_ann.get(earlier).text
    assert "aspen" in looked_back
    assert "birch" not in looked_back
    assert "Earlier messages" not in looked_back
    assert 'name="said" value=""' in looked_back  # nothing new replaces what is being read


def test_what_is_no_message_to_look_back_from_shows_the_newest(as_ann, game, bob):
    speak(game, bob, "aspen")
    for nonsense in ("x", "-1", "9" * 30, "\0"):
        assert "aspen" in as_ann.get(game.get_absolute_url(), {"before": nonsense}).text
