"""What players say to each other at a game."""

from datetime import timedelta

import pytest

from games import errors
from games.models import Event, GamePresence, Message
from games.models.message import LONGEST_MESSAGE
from games.queries.conversations import messages_to, said_at
from games.services import endings, tables
from games.services.conduct.messages import (
    NOTED_EVERY,
    TALK_LASTS,
    hide,
    note_presence,
    say,
    show_again,
)
from tests.games.multiplayer import gather
from tests.games.play import SECOND, begin, fresh, play, refused, table

MINUTE = timedelta(minutes=1)


def speak(game, user, text, now, via=Message.Via.WEB):
    return say(game_id=game.pk, user=user, text=text, via=via, now=now)


def test_what_a_player_says_is_kept_with_its_time_its_turn_and_its_way(game, ann, bob, now):
    play(game, ann, "5", now=now)
    message = speak(game, bob, "Bien joué !", now + SECOND, via=Message.Via.MAIL)
    kept = Message.objects.get()
    assert kept == message
    assert (kept.author, kept.text, kept.turn_number) == (bob, "Bien joué !", 1)
    assert (kept.said_at, kept.via, kept.hidden_at) == (now + SECOND, "mail", None)


def test_the_event_names_the_message(game, ann, now):
    message = speak(game, ann, "Hello", now)
    event = game.events.get(kind=Event.Kind.MESSAGE_SAID)
    assert (event.actor, event.at, event.details) == (ann, now, {"message": message.pk})


def test_talking_changes_nothing_of_the_game(game, ann, now):
    before = fresh(game)
    speak(game, ann, "Hello", now)
    after = fresh(game)
    for field in game._meta.concrete_fields:
        assert getattr(before, field.attname) == getattr(after, field.attname)


# Whose it is -----------------------------------------------------------------------------------


def test_a_stranger_says_nothing(game, cat, now):
    with refused(errors.NotAPlayer, "You do not play", status=403):
        speak(game, cat, "Hello", now)


def test_at_a_game_that_there_is_not_nothing_is_said(ann, now):
    with refused(errors.NoSuchGame, "no such game", status=404):
        say(game_id=999, user=ann, text="Hello", via=Message.Via.WEB, now=now)


def test_at_an_open_table_nothing_is_said_yet(ann, now):
    open_table = table(ann, now=now)
    with refused(errors.GameNotRunning, "This game has not started yet, or it is over", status=409):
        speak(open_table, ann, "Hello", now)


def test_at_a_table_that_closed_nothing_is_said(ann, now):
    closed = table(ann, now=now)
    tables.withdraw_table(game_id=closed.pk, user=ann, now=now)
    with refused(errors.GameNotRunning, "This game has not started yet, or it is over", status=409):
        speak(closed, ann, "Hello", now)


def test_who_has_left_says_nothing_until_the_game_is_over(ann, bob, cat, dan, now):
    game = gather([ann, bob, cat, dan], now=now)
    endings.resign(game_id=game.pk, user=bob, now=now)
    with refused(errors.HasLeft, "You have left", status=409):
        speak(game, bob, "Hello", now)
    for person in (cat, dan):
        endings.resign(game_id=game.pk, user=person, now=now)
    assert fresh(game).is_over
    speak(game, bob, "Well done", now)


@pytest.mark.parametrize("late", [-SECOND, 0 * SECOND])
def test_players_may_talk_for_a_while_after_the_end(game, ann, bob, now, late):
    endings.resign(game_id=game.pk, user=ann, now=now)
    speak(game, bob, "Thank you", now + TALK_LASTS + late)
    assert Message.objects.count() == 1


def test_after_that_while_the_conversation_is_closed(game, ann, bob, now):
    endings.resign(game_id=game.pk, user=ann, now=now)
    with refused(errors.TalkIsOver, "more than 14 days ago", status=409):
        speak(game, bob, "Thank you", now + TALK_LASTS + SECOND)


# What is said ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Hello \r\n\r\n\r\n\r\nthere \t!  \n", "Hello\n\nthere  !"),
        ("one\rtwo\u2028three\x0bfour\x85five", "one\ntwo\nthree\nfour\nfive"),
        ("a\x00b\x07c\x1b[31md\x7fe", "abc[31mde"),
        ("<b>1 < 2</b> & http://example.org", "<b>1 < 2</b> & http://example.org"),
        ("\u202eevil\u2066\u2069", "evil"),
        ("👨\u200d👩\u200d👧 נחמד", "👨\u200d👩\u200d👧 נחמד"),
        ("a\ud800b", "ab"),
        ("Non\xa0?", "Non\xa0?"),
    ],
)
def test_control_characters_are_stripped_and_nothing_else(game, ann, now, typed, kept):
    speak(game, ann, typed, now)
    assert Message.objects.get().text == kept


@pytest.mark.parametrize("typed", ["", " \n\t ", "\x00\x01", "\u202e"])
def test_nothing_is_not_said(game, ann, now, typed):
    with refused(errors.NothingSaid, "Your message is empty", status=422):
        speak(game, ann, typed, now)


def test_two_thousand_characters_are_taken_whole(game, ann, now):
    speak(game, ann, " " + "é" * LONGEST_MESSAGE + "\n", now)
    assert Message.objects.get().text == "é" * 2000


def test_one_more_is_refused(game, ann, now):
    with refused(errors.MessageTooLong, "at most 2000 characters. This one has 2001", status=422):
        speak(game, ann, "é" * (LONGEST_MESSAGE + 1), now)


def test_the_same_words_again_within_a_minute_are_one_message(game, ann, bob, now):
    first = speak(game, ann, "Hello", now)
    assert speak(game, ann, " Hello ", now + MINUTE) == first
    assert speak(game, bob, "Hello", now + MINUTE) != first
    assert speak(game, ann, "Hello", now + MINUTE) != first
    assert Message.objects.count() == game.events.filter(kind="message-said").count() == 3


def test_the_same_words_after_a_minute_are_said_again(game, ann, now):
    speak(game, ann, "Hello", now)
    speak(game, ann, "Hello", now + MINUTE + SECOND)
    assert Message.objects.count() == 2


# How often -------------------------------------------------------------------------------------


def test_nobody_says_too_much_in_an_hour_at_all_games_together(ann, bob, now, settings):
    settings.MESSAGES_AN_HOUR = 3
    games = [begin(ann, bob, now=now) for _ in range(2)]
    for number in range(3):
        speak(games[number % 2], ann, f"Hello {number}", now)
    late = now + timedelta(hours=1)
    with refused(errors.TooManyMessages, "3 messages within an hour", status=429):
        speak(games[0], ann, "Hello again", late - SECOND)
    speak(games[0], bob, "Hello", now)
    speak(games[0], ann, "Hello again", late)


# Reading ---------------------------------------------------------------------------------------


def test_only_players_and_staff_read_the_conversation(game, ann, bob, cat, moderator, now):
    message = speak(game, ann, "Hello", now)
    assert list(said_at(game, ann)) == list(said_at(game, bob)) == [message]
    assert list(said_at(game, moderator)) == [message]
    assert list(said_at(game, cat)) == []


def test_what_the_others_said_since_is_found(game, ann, bob, now):
    first = speak(game, ann, "One", now)
    speak(game, bob, "Mine", now)
    second = speak(game, ann, "Two", now)
    hidden = speak(game, ann, "Three", now)
    hide(hidden, now=now)
    assert messages_to(bob, game, after=0) == [first, second]
    assert messages_to(bob, game, after=first.pk) == [second]
    assert messages_to(bob, game, after=second.pk) == []


def test_a_moderator_hides_and_shows_again(game, ann, now):
    message = speak(game, ann, "Hello", now)
    assert hide(message, now=now)
    assert not hide(message, now=now + SECOND)
    message.refresh_from_db()
    assert message.hidden_at == now
    assert show_again(message)
    assert not show_again(message)
    message.refresh_from_db()
    assert message.hidden_at is None


# Presence --------------------------------------------------------------------------------------


def test_who_looks_is_noted_at_most_every_half_minute(game, ann, bob, now):
    note_presence(game.pk, ann.pk, now=now)
    note_presence(game.pk, ann.pk, now=now + NOTED_EVERY - SECOND, seen_at=now)
    assert GamePresence.objects.get().seen_at == now
    note_presence(game.pk, ann.pk, now=now + NOTED_EVERY, seen_at=now)
    assert GamePresence.objects.get().seen_at == now + timedelta(seconds=30)
    note_presence(game.pk, bob.pk, now=now)
    assert GamePresence.objects.count() == 2
