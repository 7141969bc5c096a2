"""Snoozing a turn: until when, what ends it, and where it counts."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games import errors
from games.clock.snoozes import LITTLE_TIME, Snooze, active_snooze, snooze_ends
from games.clock.time_control import per_turn
from games.models import Game, Seat, Terms
from games.queries.home import home_page
from games.queries.seats import count_awaiting, game_for
from games.services.deadlines import time_out_due
from games.services.endings import hand_over
from games.services.offers import accept_offer, offer_pause
from games.services.snoozes import end_snooze, snooze_turn
from tests.games.multiplayer import gather, play_on
from tests.games.play import DAY, SECOND, begin, fresh, play, refused

HOUR = timedelta(hours=1)
PARIS = ZoneInfo("Europe/Paris")
NOON = datetime(2026, 11, 23, 12, 20, tzinfo=UTC)
"""13:20 in Paris."""


def end_of(choice, *, now=NOON, deadline=None, reminder_at=None):
    return snooze_ends(deadline, reminder_at, PARIS, now=now).get(choice)


def paris(day, hour, minute=0):
    return datetime(2026, 11, day, hour, minute, tzinfo=PARIS)


def test_a_snooze_ends_some_hours_later_or_in_the_morning():
    assert end_of(Snooze.LATER) == paris(23, 17)
    assert end_of(Snooze.TOMORROW) == paris(24, 9)
    assert end_of(Snooze.TOMORROW, now=paris(23, 23, 59)) == paris(24, 9)
    assert end_of(Snooze.LATER, now=paris(23, 19, 59)) == paris(23, 23)
    assert end_of(Snooze.LATER, now=paris(23, 20)) is None


@pytest.mark.parametrize("choice", Snooze)
def test_a_snooze_ends_before_little_time_is_left_and_at_a_reminder(choice):
    deadline = NOON + LITTLE_TIME + HOUR
    assert end_of(choice, deadline=deadline) == NOON + HOUR
    assert end_of(choice, deadline=deadline, reminder_at=NOON + HOUR / 2) == NOON + HOUR / 2
    assert end_of(choice, deadline=NOON + LITTLE_TIME) is None
    assert end_of(choice, reminder_at=NOON) is None


def test_a_deadline_that_comes_closer_ends_a_snooze():
    until = NOON + HOUR
    assert active_snooze(until, None, now=NOON) == until
    assert active_snooze(until, NOON + LITTLE_TIME, now=NOON) == until
    assert active_snooze(until, NOON + LITTLE_TIME - SECOND, now=NOON) is None
    assert active_snooze(until, None, now=until) is None
    assert active_snooze(None, None, now=NOON) is None


pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch, now):
    """What the whole service takes for the present; returns a function that sets it."""
    times = [now]
    monkeypatch.setattr("games.queries.seats.server_now", lambda: times[-1])
    return times.append


def counted(user, game, now):
    """Return whether a game counts for a user; every place that counts must agree."""
    of_pages = count_awaiting(user)
    assert game_for(game.pk, user).awaiting_count == of_pages
    listed = home_page(user).awaiting
    assert len([one for one in listed if one.snoozed_until(now) is None]) == of_pages
    return of_pages == 1


def test_a_snoozed_turn_does_not_count_until_it_ends(ann, bob, now, clock):
    game = begin(ann, bob, now=now, days=7)
    before = fresh(game)
    until = snooze_turn(game_id=game.pk, user=ann, choice=Snooze.TOMORROW, now=now)
    assert not counted(ann, game, now)
    clock(until)
    assert counted(ann, game, until)
    after = fresh(game)
    assert (after.deadline, after.reminder_at) == (before.deadline, before.reminder_at)


def test_little_time_ends_a_snooze(ann, bob, now, clock):
    game = begin(ann, bob, now=now, days=7)
    snooze_turn(game_id=game.pk, user=ann, choice=Snooze.TOMORROW, now=now)
    Game.objects.filter(pk=game.pk).update(deadline=now + LITTLE_TIME)
    assert not counted(ann, game, now)
    Game.objects.filter(pk=game.pk).update(deadline=now + LITTLE_TIME - SECOND)
    assert counted(ann, game, now)


def test_waking_and_playing_end_a_snooze(ann, bob, now, clock):
    game = begin(ann, bob, now=now, days=7)
    snooze_turn(game_id=game.pk, user=ann, choice=Snooze.TOMORROW, now=now)
    end_snooze(game_id=game.pk, user=ann, now=now)
    assert counted(ann, game, now)
    snooze_turn(game_id=game.pk, user=ann, choice=Snooze.TOMORROW, now=now)
    play(game, ann, "5", now=now)
    play(game, bob, "1", now=now)
    assert counted(ann, game, now)


def test_a_substitute_does_not_inherit_a_snooze(ann, bob, cat, now, clock):
    game = begin(ann, bob, now=now, days=7)
    snooze_turn(game_id=game.pk, user=ann, choice=Snooze.TOMORROW, now=now)
    seat = game.seats.select_related("user").get(number=0)
    hand_over(fresh(game), seat, cat, now, time=7 * DAY)
    assert counted(cat, game, now)


def test_a_partner_snoozes_the_seat_that_they_play(people, now, clock):
    terms = Terms(per_turn(7 * DAY), on_timeout="partner")
    game = play_on(gather(people, now=now, variant="teams", terms=terms), 1, now=now)
    late = game.deadline + SECOND
    time_out_due(now=late)
    assert Seat.objects.get(game=game, number=1).played_by_partner == people[3]
    snooze_turn(game_id=game.pk, user=people[3], choice=Snooze.TOMORROW, now=late)
    clock(late)
    assert not counted(people[3], game, late)
    assert Seat.objects.get(game=game, number=1).snoozed_until is not None


def test_a_turn_of_a_stopped_clock_can_be_snoozed(ann, bob, now, clock):
    game = begin(ann, bob, now=now, days=7)
    offer_pause(game_id=game.pk, user=ann, days=3, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now)
    snooze_turn(game_id=game.pk, user=ann, choice=Snooze.TOMORROW, now=now)
    assert not counted(ann, game, now)


def test_only_the_player_to_move_snoozes_and_wakes(ann, bob, cat, now):
    game = begin(ann, bob, now=now, days=7)
    with refused(errors.NotYourTurn, "not your turn", status=409):
        snooze_turn(game_id=game.pk, user=bob, choice=Snooze.LATER, now=now)
    with refused(errors.NotYourTurn, "not your turn", status=409):
        end_snooze(game_id=game.pk, user=bob, now=now)
    with refused(errors.NotAPlayer, "do not play", status=403):
        snooze_turn(game_id=game.pk, user=cat, choice=Snooze.LATER, now=now)


def test_with_little_time_there_is_no_snooze(ann, bob, now):
    game = begin(ann, bob, now=now, days=1)
    with refused(errors.NoTimeToSnooze, "too little time", status=409):
        snooze_turn(game_id=game.pk, user=ann, choice=Snooze.TOMORROW, now=now)
