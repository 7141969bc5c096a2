"""A reply address is for the board that its letter shows, whatever the letter tells of."""

import re
from datetime import timedelta

import pytest
from django.core import mail

from games.services import endings
from games.services.conduct.messages import say
from notifications.models import Notice
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.services import replies
from tests.factories import PersonFactory
from tests.games.multiplayer import gather, play_on
from tests.games.play import fresh
from tests.notifications.outgoing_mail import after_hold, play, tell

TOKEN = re.compile(r"^reply-([a-z2-7]{26})@")
LATER = timedelta(minutes=1)


@pytest.fixture
def said(told, bob, now):
    """Bob says something before anybody has played; ann's mail of it waits."""
    say(game_id=told.pk, user=bob, text="Good luck", via="web", now=now)
    make_notices(now=now)
    return told


def address_in(message):
    return replies.found(TOKEN.match(message.message()["Reply-To"])[1])


def letter_to(user, kind):
    (letter,) = [m for m in mail.outbox if m.to == [user.email]]
    assert letter.extra_headers["X-Pli-Kind"] == kind
    return letter


def test_a_message_that_waited_is_answered_at_the_board_it_shows(said, ann, now):
    play(said, ann, "5", now)
    tell(now)
    letter = letter_to(ann, "message")
    assert address_in(letter).turn_number == 1


def test_a_departure_that_waited_is_answered_at_the_board_it_shows(ann, bob, cat, now):
    dan = PersonFactory(username="dan")
    game = gather([ann, bob, cat, dan], now=now)
    tell(now)
    mail.outbox.clear()
    endings.resign(game_id=game.pk, user=dan, now=now)
    make_notices(now=now)
    left = fresh(game).turn_number
    play_on(game, 1, now=now)
    tell(now)
    assert address_in(letter_to(cat, "player-left")).turn_number == left + 1


def server_is_down(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1


def server_is_back(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def test_a_second_try_with_a_newer_board_has_an_address_of_its_own(said, ann, settings, now):
    server_is_down(settings)
    send_due(now=after_hold(now))
    first = Notice.objects.get(kind="message").content["token"]
    server_is_back(settings)
    play(said, ann, "5", now)
    send_due(now=after_hold(now) + LATER)
    second = address_in(letter_to(ann, "message"))
    assert second.turn_number == 1
    assert second.token_hash != replies.hash_of(first)
    assert replies.found(first).turn_number == 0, "the first try may have arrived after all"


def test_a_second_try_with_the_same_board_has_the_same_address(said, ann, settings, now):
    server_is_down(settings)
    send_due(now=after_hold(now))
    first = Notice.objects.get(kind="message").content["token"]
    server_is_back(settings)
    send_due(now=after_hold(now) + LATER)
    assert address_in(letter_to(ann, "message")).token_hash == replies.hash_of(first)
