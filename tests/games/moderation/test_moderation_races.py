"""Moderators and players at the same game at the same moment."""

from collections import Counter
from datetime import timedelta

import pytest

from games import errors
from games.models import Event, ModerationLogEntry
from games.moderation import log
from games.moderation.game_actions import (
    abort_as_moderator,
    adjudicate,
    give_time,
    pause_game,
    substitute,
    take_back,
)
from games.services.record import faults_of
from tests.factories import PersonFactory
from tests.games.moderating import WHY
from tests.games.play import DAY, begin, fresh, play
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 6


def answers(*works):
    """Do each work at the same moment, several times each; return what came of them."""
    turns = iter(list(works) * (TIMES // len(works)))

    def one():
        try:
            next(turns)()
        except errors.Refusal as refusal:
            return refusal.code
        return "done"

    return Counter(at_once(one, times=TIMES))


def test_of_many_moderators_who_saw_the_same_one_acts(game, mo, meg, now):
    def give(by):
        return lambda: give_time(game_id=game.pk, by=by, more=DAY, why=WHY, now=now, seen=0)

    assert answers(give(mo), give(meg)) == {"done": 1, "ActedMeanwhile": TIMES - 1}
    assert fresh(game).deadline == now + 3 * DAY
    assert (
        ModerationLogEntry.objects.count()
        == game.events.filter(kind=Event.Kind.MODERATED).count()
        == 1
    )


def test_a_game_is_ended_once(game, mo, meg, now):
    ends = answers(
        lambda: abort_as_moderator(game_id=game.pk, by=mo, why=WHY, now=now),
        lambda: adjudicate(game_id=game.pk, by=meg, places=[1, 2], why=WHY, now=now),
    )
    assert ends == {"done": 1, "GameNotRunning": TIMES - 1}
    assert game.events.filter(kind=Event.Kind.ENDED).count() == 1
    assert ModerationLogEntry.objects.get().what == (
        "abort" if fresh(game).status == "aborted" else "adjudicate"
    )


def test_a_takeback_and_a_turn_make_one_record(game, ann, bob, mo, now):
    play(game, ann, "5", now=now)
    done = answers(
        lambda: take_back(game_id=game.pk, by=mo, turn=0, why=WHY, now=now, seen=0),
        lambda: play(game, bob, "1", now=now, expected=1),
    )
    assert done["done"] >= 1
    assert game.turns.filter(via="takeback").count() == 1
    assert faults_of(fresh(game)) == []


def test_a_seat_is_given_to_one(game, mo, meg, now):
    guests = [PersonFactory(username=name) for name in ("yve", "zoe")]

    def seat(by, user):
        about = {"game_id": game.pk, "seat": 1, "why": WHY, "now": now, "seen": 0}
        return lambda: substitute(by=by, user=user, **about)

    assert answers(seat(mo, guests[0]), seat(meg, guests[1]))["done"] == 1
    assert game.seats.get(number=1).user in guests


def test_acts_on_different_games_at_once_make_one_log(ann, bob, mo, now):
    games = iter([begin(ann, bob, now=now) for _ in range(TIMES)])
    log.write_entry(by=mo, what="begin", why="the first of all", now=now)
    numbers = at_once(
        lambda: pause_game(game_id=next(games).pk, by=mo, why=WHY, now=now + timedelta(hours=1)).pk,
        times=TIMES,
    )
    assert len(set(numbers)) == TIMES
    assert list(
        ModerationLogEntry.objects.order_by("number").values_list("number", flat=True)
    ) == list(range(1, TIMES + 2))
    assert list(log.faults()) == []
