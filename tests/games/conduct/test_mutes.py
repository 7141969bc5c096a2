"""Who mutes a seat reads nothing of what it says, at that game alone."""

import pytest
from django.urls import reverse
from django.utils import timezone

from games import errors
from games.models import Message, Mute
from games.queries.conversations import messages_to, said_at
from games.services.conduct.messages import say
from games.services.conduct.mutes import mute, unmute
from games.services.endings import hand_over
from tests.games.browsing import assert_refused, post
from tests.games.play import DAY, begin, fresh, play, refused
from tests.notifications.outgoing_mail import told

pytestmark = pytest.mark.django_db


def speak(game, user, text, now):
    return say(game_id=game.pk, user=user, text=text, via=Message.Via.WEB, now=now)


def silence(game, user, seat, now):
    return mute(game_id=game.pk, user=user, seat_number=seat, now=now)


def test_what_a_muted_seat_says_is_neither_shown_nor_mailed(four, people, now):
    ann, bob, cat, _ = people
    silence(four, ann, 1, now)
    told(now)
    muted, heard = speak(four, bob, "Hush", now), speak(four, cat, "Hello", now)
    assert ("message", "ann") in told(now)
    assert list(said_at(four, ann)) == messages_to(ann, four, after=0) == [heard]
    assert list(said_at(four, cat)) == [muted, heard]


def test_of_a_muted_seat_alone_no_mail_is_written(game, ann, bob, now):
    silence(game, ann, 1, now)
    told(now)
    speak(game, bob, "Hush", now)
    assert told(now) == []


def test_at_another_game_the_same_person_is_heard(game, ann, bob, now):
    other = begin(ann, bob, now=now)
    silence(game, ann, 1, now)
    heard = speak(other, bob, "Hello", now)
    speak(game, bob, "Hush", now)
    assert list(said_at(other, ann)) == [heard]
    assert list(said_at(game, ann)) == []


def test_a_seat_stays_muted_with_the_player_who_sat_there(game, ann, bob, cat, now):
    speak(game, bob, "Hush", now)
    silence(game, ann, 1, now)
    play(game, ann, "5", now=now)
    seat = game.seats.select_related("user").get(number=1)
    hand_over(fresh(game), seat, cat, now, time=DAY)
    speak(game, cat, "Hello", now)
    assert list(said_at(fresh(game), ann)) == []


def test_unmuting_brings_everything_back(game, ann, bob, now):
    silence(game, ann, 1, now)
    said = speak(game, bob, "Hello", now)
    assert unmute(game_id=game.pk, user=ann, seat_number=1, now=now)
    assert not unmute(game_id=game.pk, user=ann, seat_number=1, now=now)
    assert list(said_at(game, ann)) == [said]


def test_twice_is_once(game, ann, now):
    assert silence(game, ann, 1, now) == silence(game, ann, 1, now)


def test_only_others_seats_of_ones_own_game_are_muted(game, ann, cat, now):
    with refused(errors.NotAPlayer, "do not play", status=403):
        silence(game, cat, 1, now)
    with refused(errors.OwnSeat, "your own seat", status=422):
        silence(game, ann, 0, now)
    with refused(errors.BadSeat, "no such seat", status=422):
        silence(game, ann, 2, now)
    with refused(errors.NoSuchGame, "no such game", status=404):
        mute(game_id=game.pk + 1, user=ann, seat_number=1, now=now)


def test_the_conversation_has_the_button(as_ann, ann, bob):
    game = begin(ann, bob, now=timezone.now())
    speak(game, bob, "Hush now", timezone.now())
    assert "Hush now" in as_ann.get(game.get_absolute_url()).text
    path = reverse("game_mute", args=[game.pk])
    answer = as_ann.post(path, {"seat": "1", "do": "mute"}, headers={"HX-Request": "true"})
    assert "Hush now" not in answer.text
    assert "Unmute" in answer.text
    assert "Hush now" not in as_ann.get(game.get_absolute_url()).text
    assert as_ann.post(path, {"seat": "1", "do": "end"}).status_code == 302
    assert not Mute.objects.exists()


@pytest.mark.parametrize("seat", ["", "x", "-1", "²", "9" * 30, "7"])
def test_a_seat_that_there_is_not(as_ann, ann, bob, seat):
    game = begin(ann, bob, now=timezone.now())
    assert_refused(post(as_ann, "game_mute", game.pk, seat=seat), 422, "no such seat")
