"""One reminder for all turns that are due soon, peace after it, and none at night by default."""

from datetime import UTC, datetime, time, timedelta
from itertools import pairwise

import pytest

from accounts.models import User
from games.clock.time_control import per_turn
from games.models import Event, Game, Terms
from games.services import reminders as reminders_service
from games.services.clock.availability import announce_vacation, set_reminders, set_schedule
from games.services.clock.recalculation import recount_due
from games.services.reminders import APART, TOGETHER, USEFUL, remind_due, snooze
from tests.games.play import DAY, SECOND, begin, fresh

pytestmark = pytest.mark.django_db

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
EVENING = datetime(2026, 3, 13, 21, 15, tzinfo=UTC)


@pytest.fixture(autouse=True)
def quiet_nights(ann):
    """Ann's nights are quiet, as those of new accounts are."""
    ann.reminders_at_night = False
    ann.save()


def game_of(ann, bob, now, allowance=4 * DAY):
    """Begin a game in which ann is to move; she is reminded when a quarter of the time is left."""
    return fresh(begin(ann, bob, now=now, terms=Terms(per_turn(allowance))))


def reminders(game):
    """Return what was written of a game's reminders."""
    events = game.events.filter(kind=Event.Kind.REMINDER_DUE).order_by("pk")
    return list(events.values_list("details", flat=True))


# Together --------------------------------------------------------------------------------------


def test_turns_that_are_due_within_six_hours_are_told_in_one_mail(ann, bob, now):
    first, second = game_of(ann, bob, now), game_of(ann, bob, now + TOGETHER)
    due = first.reminder_at
    assert second.reminder_at == due + TOGETHER
    assert remind_due(now=due - SECOND) == 0
    assert remind_due(now=due) == 1
    assert reminders(first) == [{"user": ann.pk, "games": [[1, first.pk, 0], [2, second.pk, 0]]}]
    assert reminders(second) == [{"user": ann.pk, "told_with": first.pk}]
    assert fresh(second).reminder_at is None
    assert remind_due(now=second.reminder_at) == 0


def test_the_game_with_the_least_time_is_the_first(ann, bob, now):
    first = game_of(ann, bob, now)
    sooner = game_of(ann, bob, first.reminder_at - 3 * HOUR + MINUTE, allowance=4 * HOUR)
    assert first.reminder_at < sooner.reminder_at < first.reminder_at + HOUR
    remind_due(now=first.reminder_at)
    (details,) = reminders(sooner)
    assert details["games"] == [[1, sooner.pk, 0], [2, first.pk, 0]]
    assert reminders(first) == [{"user": ann.pk, "told_with": sooner.pk}]


def test_what_is_due_later_than_that_has_a_mail_of_its_own(ann, bob, now):
    first, second = game_of(ann, bob, now), game_of(ann, bob, now + TOGETHER + MINUTE)
    assert remind_due(now=first.reminder_at) == 1
    assert reminders(first) == [{"user": ann.pk}]
    assert fresh(second).reminder_at == second.reminder_at
    assert remind_due(now=second.reminder_at) == 1


def test_nobody_is_told_of_the_turns_of_others(ann, bob, now):
    own, others = game_of(ann, bob, now), game_of(bob, ann, now)
    assert remind_due(now=own.reminder_at) == 2
    assert reminders(own)[0]["user"] == ann.pk
    assert reminders(others)[0]["user"] == bob.pk


def test_the_last_hour_is_told_of_at_most_an_hour_earlier(ann, bob, now):
    set_reminders(user=ann, marks=["1h"], at_night=False, now=now)
    first, soon, later = (
        game_of(ann, bob, now + delay) for delay in (timedelta(0), 50 * MINUTE, 3 * HOUR)
    )
    assert remind_due(now=first.reminder_at) == 1
    assert "told_with" in reminders(soon)[0]
    assert reminders(later) == []
    assert remind_due(now=later.reminder_at) == 1


def test_a_moment_that_a_player_chose_is_not_brought_forward(ann, bob, now):
    first, second = game_of(ann, bob, now), game_of(ann, bob, now)
    due = first.reminder_at
    snooze(game_id=second.pk, user=ann, delay=2 * HOUR, now=due - SECOND)
    assert remind_due(now=due) == 1
    assert reminders(second) == []
    assert remind_due(now=due + 2 * HOUR) == 1


# Peace -----------------------------------------------------------------------------------------


def test_for_an_hour_after_a_reminder_there_is_no_other(ann, bob, now):
    first = game_of(ann, bob, now)
    told = first.reminder_at
    remind_due(now=told)
    second = game_of(ann, bob, told, allowance=76 * MINUTE)
    assert second.reminder_at < told + APART < second.deadline
    assert remind_due(now=second.reminder_at) == 0
    assert remind_due(now=told + APART - SECOND) == 0
    assert reminders(second) == []
    assert remind_due(now=told + APART) == 1
    assert len(reminders(second)) == 1


@pytest.mark.parametrize("allowance", [40 * MINUTE, APART + USEFUL - MINUTE])
def test_unless_it_would_come_too_late(ann, bob, now, allowance):
    first = game_of(ann, bob, now)
    told = first.reminder_at
    remind_due(now=told)
    second = game_of(ann, bob, told, allowance=allowance)
    assert second.reminder_at < told + APART
    assert remind_due(now=second.reminder_at) == 1


def test_who_goes_away_in_that_hour_is_reminded_after_the_vacation(ann, bob, now):
    first = game_of(ann, bob, now)
    told = first.reminder_at
    remind_due(now=told)
    second = game_of(ann, bob, told, allowance=76 * MINUTE)
    announce_vacation(user=ann, begins_at=told + 58 * MINUTE, ends_at=told + 5 * DAY, now=told)
    recount_due(now=told)
    assert remind_due(now=told + APART) == 0
    assert remind_due(now=told + 4 * DAY) == 0
    assert fresh(second).reminder_at >= told + 5 * DAY


def test_a_mail_that_cannot_wait_tells_of_what_waits_too(ann, bob, now):
    first = game_of(ann, bob, now)
    told = first.reminder_at
    remind_due(now=told)
    waits = game_of(ann, bob, told, allowance=76 * MINUTE)
    assert remind_due(now=waits.reminder_at) == 0
    pressing = game_of(ann, bob, waits.reminder_at - 9 * MINUTE, allowance=12 * MINUTE)
    assert remind_due(now=waits.reminder_at) == 1
    assert reminders(waits) == [{"user": ann.pk, "told_with": pressing.pk}]


def test_what_waits_into_the_night_waits_until_the_morning(ann, bob):
    first = game_of(ann, bob, EVENING - 3 * DAY)
    assert first.reminder_at == EVENING
    remind_due(now=EVENING)
    second = game_of(ann, bob, EVENING, allowance=12 * HOUR)
    before_night, morning = EVENING + 30 * MINUTE, EVENING.replace(day=14, hour=8, minute=0)
    assert second.reminder_at == before_night
    for minutes in range(0, 600, 15):
        assert remind_due(now=before_night + minutes * MINUTE) == 0
    assert fresh(second).reminder_at == morning
    assert remind_due(now=morning) == 1


def test_but_comes_before_the_night_where_the_morning_is_too_late(ann, bob):
    remind_due(now=game_of(ann, bob, EVENING - 3 * DAY).reminder_at)
    second = game_of(ann, bob, EVENING, allowance=8 * HOUR)
    assert remind_due(now=second.reminder_at) == 1
    assert second.reminder_at == EVENING + 30 * MINUTE


def test_what_is_too_much_for_one_mail_comes_an_hour_later(ann, bob, now, monkeypatch):
    monkeypatch.setattr(reminders_service, "MOST_TOGETHER", 2)
    first, second, third = (game_of(ann, bob, now + n * MINUTE) for n in range(3))
    due = third.reminder_at
    assert remind_due(now=due) == 1
    assert reminders(second) == [{"user": ann.pk, "told_with": first.pk}]
    assert reminders(third) == []
    assert remind_due(now=due + APART) == 1
    assert reminders(third) == [{"user": ann.pk}]


# What goes wrong -------------------------------------------------------------------------------


def test_a_broken_game_does_not_keep_the_others_from_being_told(ann, bob, now):
    first, broken, third = (game_of(ann, bob, now + n * MINUTE) for n in range(3))
    Game.objects.filter(pk=broken.pk).update(weekly_schedule={"zone": "Nowhere"})
    assert remind_due(now=first.reminder_at) == 1
    assert [number[1] for number in reminders(first)[0]["games"]] == [first.pk, third.pk]
    assert reminders(broken) == []


# At night --------------------------------------------------------------------------------------


def test_new_accounts_are_not_reminded_at_night(db):
    assert User.objects.create_user("new").reminders_at_night is False


@pytest.mark.parametrize("hours", [None, (20, 6)])
def test_no_reminder_comes_at_night_and_none_soon_after_another(ann, bob, now, hours):
    """Of seven games with different times, every quarter of an hour for five days."""
    if hours is not None:
        quiet = [time(hour) for hour in hours]
        set_schedule(user=ann, days_off=[], quiet_from=quiet[0], quiet_until=quiet[1], now=now)
        recount_due(now=now)
    set_reminders(user=ann, marks=["quarter", "24h", "6h", "1h"], at_night=False, now=now)
    recount_due(now=now)
    ann.refresh_from_db()
    waits = (9, 14, 31, 45, 52, 70, 77)
    games = [game_of(ann, bob, now + n * 7 * MINUTE, wait * HOUR) for n, wait in enumerate(waits)]
    deadlines = {game.pk: game.deadline for game in games}
    start, end = hours or (22, 8)
    moment, mails = now, []
    while moment < now + 5 * DAY:
        remind_due(now=moment)
        moment += 15 * MINUTE
    leads = Event.objects.filter(kind=Event.Kind.REMINDER_DUE, details__told_with__isnull=True)
    for event in leads.order_by("pk"):
        at = event.at.astimezone(ann.zone)
        assert end <= at.hour < start, at
        mails.append((event.at, deadlines[event.game_id]))
    assert len(mails) >= 5
    for (before, _), (after, deadline) in pairwise(mails):
        free_again = before + APART
        local = free_again.astimezone(ann.zone)
        if not end <= local.hour < start:
            free_again += (end - local.hour) % 24 * HOUR - local.minute * MINUTE
        assert after - before >= APART or deadline < free_again + USEFUL
