"""What mails say of messages, and the last mail of a game."""

from email import message_from_bytes, policy

import pytest
from django.core import mail
from django.utils import translation

from games.models import Message
from games.record_text import entries_of, record_text
from games.services import endings
from games.services.conduct.messages import say
from notifications.emails import game_context
from notifications.models import MailedMessages
from notifications.outbox.delivery import remember_messages, send_due
from notifications.outbox.recipients import make_notices
from notifications.outbox.scheduling import TURN_IS_NEAR
from tests.games.play import fresh
from tests.notifications.outgoing_mail import html_of, play, tell

pytestmark = pytest.mark.django_db


@pytest.fixture
def quiet(game, bob, now):
    """The game; its beginning is told, and both read English."""
    bob.language = "en"
    bob.save()
    tell(now)
    mail.outbox.clear()
    return game


def speak(game, user, text, now):
    return say(game_id=game.pk, user=user, text=text, via=Message.Via.WEB, now=now)


def only(address):
    (found,) = [m for m in mail.outbox if m.to == [address]]
    return message_from_bytes(found.message().as_bytes(), policy=policy.default)


def text_of(message):
    return message.get_body(("plain",)).get_content()


def test_a_message_is_quoted_with_author_time_and_turn(quiet, ann, bob, now):
    speak(quiet, ann, "Good luck\n\n& have <fun>", now)
    play(quiet, ann, "5", now)
    speak(quiet, ann, "That was easy", now)
    tell(now)
    message = only(bob.email)
    text = text_of(message)
    assert (
        "ann before the first turn, 10 March, 13:00:\n    Good luck\n    \n    & have <fun>" in text
    )
    assert "ann after turn 1, 10 March, 13:00:\n    That was easy" in text
    html = html_of(message)
    assert "Good luck<br><br>&amp; have &lt;fun&gt;" in html


def test_a_mail_about_a_message_names_its_author_and_links_to_the_conversation(
    quiet, ann, bob, now
):
    speak(quiet, bob, "Hello", now)
    tell(now)
    message = only(ann.email)
    assert message["Subject"] == f"Morpion with bob (game {quiet.pk})"
    assert "A message from bob." in text_of(message)
    assert "    Hello" in text_of(message)
    assert "[" not in text_of(message).split("Hello")[1].split("Your time")[0]
    assert "Your time for this turn ends on" in text_of(message)


def test_a_waiting_player_is_led_to_the_conversation(quiet, ann, bob, now):
    speak(quiet, ann, "Let me think", now)
    make_notices(now=now)
    send_due(now=now + TURN_IS_NEAR)
    url = f"http://localhost:8000/games/{quiet.pk}/#conversation"
    assert f"Answer:\n{url}" in text_of(only(bob.email))


def test_links_in_messages_are_not_made_clickable(quiet, ann, bob, now):
    speak(quiet, bob, "http://example.org/x", now)
    tell(now)
    assert 'href="http://example.org' not in html_of(only(ann.email))


def test_of_many_messages_the_newest_come_and_the_others_are_counted(
    quiet, ann, bob, now, monkeypatch
):
    assert game_context.MOST_MESSAGES == 20
    monkeypatch.setattr("notifications.emails.game_context.MOST_MESSAGES", 2)
    for number in range(5):
        speak(quiet, bob, f"Number {number}", now)
    tell(now)
    text = text_of(only(ann.email))
    assert "3 older messages are on the page of the game." in text
    assert [n for n in range(5) if f"Number {n}" in text] == [3, 4]
    assert MailedMessages.objects.get().newest == Message.objects.latest("pk").pk


def test_the_newest_mailed_message_never_goes_back(quiet, ann):
    remember_messages(ann, {quiet.pk: 7})
    remember_messages(ann, {quiet.pk: 5})
    assert MailedMessages.objects.get().newest == 7
    remember_messages(ann, {quiet.pk: 9})
    assert MailedMessages.objects.get().newest == 9


# The last letter -------------------------------------------------------------------------------


@pytest.fixture
def last(quiet, ann, bob, now):
    """The mail that tells ann that bob has resigned after two turns."""
    play(quiet, ann, "5", now)
    play(quiet, bob, "1", now)
    speak(quiet, bob, "Thank you for the game", now)
    endings.resign(game_id=quiet.pk, user=bob, now=now)
    tell(now)
    return only(ann.email)


def test_the_last_mail_has_result_record_board_and_replay(last, quiet):
    text = text_of(last)
    order = [
        "You have won.",
        "bob resigned.",
        "    Thank you for the game",
        "[O]2 3",
        "1. 5  ann plays in the centre",
        "2. 1  bob plays in the top left corner",
        f"Replay the game:\nhttp://localhost:8000/games/{quiet.pk}/",
    ]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    html = html_of(last)
    assert "ann plays in the centre" in html
    assert 'class="notation"' in html
    assert ">Replay the game</a>" in html


def test_the_record_is_attached_as_a_text_file(last, quiet):
    assert last.get_content_type() == "multipart/mixed"
    letter, record = last.iter_parts()
    assert letter.get_content_type() == "multipart/related"
    assert [part.get_content_type() for part in letter.iter_parts()] == [
        "multipart/alternative",
        "image/png",
    ]
    assert record.get_content_type() == "text/plain"
    assert record.get_content_disposition() == "attachment"
    assert record.get_filename() == f"morpion-{quiet.pk}.txt"
    game = fresh(quiet)
    url = f"http://localhost:8000/games/{quiet.pk}/"
    with translation.override("en"):
        assert record.get_content() == record_text(game, entries_of(game), url=url)


def test_a_game_that_nobody_played_has_no_record_to_keep(quiet, ann, bob, now):
    endings.abort(game_id=quiet.pk, user=bob, now=now)
    tell(now)
    message = only(ann.email)
    assert message.get_content_type() == "multipart/related"
    assert "The whole game" not in text_of(message)


def test_other_mails_have_nothing_attached(quiet, ann, bob, now):
    play(quiet, ann, "5", now)
    tell(now)
    assert only(bob.email).get_content_type() == "multipart/related"
