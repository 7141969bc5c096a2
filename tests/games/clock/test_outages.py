"""When the service was down, nobody's time ran: at each edge, and only once."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from games import errors
from games.models import Event, Game, Heartbeat, Outage
from games.moderation.site import declare_outage
from games.services.clock import outages
from games.services.clock.outages import record_gap, record_heartbeat, recount_after_outage
from games.services.deadlines import time_out_due
from games.services.reminders import remind_due
from tests.games.play import DAY, SECOND, begin, fresh, play, refused, unchanged

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def recount(now):
    """Let the chore do all it finds; return how many games were looked at or outages closed."""
    return sum(iter(lambda: recount_after_outage(now=now), 0))


def spans():
    return list(Outage.objects.order_by("pk").values_list("kind", "began_at", "ended_at"))


# Noting ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("silence", "noted"), [(90 * SECOND, 0), (91 * SECOND, 1)])
def test_a_silence_of_more_than_ninety_seconds_is_an_outage(db, now, silence, noted):
    assert record_heartbeat(now=now) == 0
    assert record_heartbeat(now=now + silence) == noted
    assert record_heartbeat(now=now + silence) == 0
    assert spans() == [("gap", now, now + silence)] * noted
    assert Heartbeat.objects.get().at == now + silence


def test_the_first_sign_of_life_of_a_new_house_ends_no_outage(db, now):
    record_heartbeat(now=now)
    assert spans() == []


def test_a_process_whose_time_lags_behind_takes_no_sign_of_life_back(db, now):
    record_heartbeat(now=now)
    record_heartbeat(now=now - HOUR)
    assert Heartbeat.objects.get().at == now
    assert spans() == []


# What it means for a turn ----------------------------------------------------------------------


@pytest.fixture
def down(game, now):
    """The service was up until a day after the turn began, and is silent since."""
    Heartbeat.objects.create(pk=1, at=now + DAY)
    return now + DAY


@pytest.mark.parametrize("late", [timedelta(0), SECOND])
def test_the_first_sweep_after_a_restart_notes_the_gap_before_anybody_loses(game, down, now, late):
    """Down from a day before the deadline until ten days after it."""
    back = now + 12 * DAY
    assert time_out_due(now=back) == 0
    assert fresh(game).status == "active"
    assert spans() == [("gap", down, back)]
    recount(back)
    deadline = back + DAY
    assert fresh(game).deadline == deadline
    record_heartbeat(now=deadline)  # another silence, which counts too
    deadline += DAY
    Heartbeat.objects.update(at=deadline + late)
    assert time_out_due(now=deadline + late) == (1 if late else 0)


def test_a_turn_in_the_first_second_after_a_restart_is_in_time(game, ann, down, now):
    play(game, ann, "5", now=now + 12 * DAY)
    assert fresh(game).turn_number == 1


def test_what_was_late_before_the_silence_stays_late(game, ann, now):
    Heartbeat.objects.create(pk=1, at=now + 2 * DAY + SECOND)
    with refused(errors.TooLate, "Your time for this turn has run out", status=409):
        play(game, ann, "5", now=now + 12 * DAY)
    assert time_out_due(now=now + 12 * DAY) == 0  # just back
    Heartbeat.objects.update(at=now + 12 * DAY + 5 * MINUTE)
    assert time_out_due(now=now + 12 * DAY + 5 * MINUTE) == 1


def test_a_task_that_works_for_long_is_no_silence(game, now):
    record_heartbeat(now=now)
    for seconds in range(0, 600, 60):
        record_gap(now=now + seconds * SECOND)
    assert spans() == []
    assert Heartbeat.objects.get().at == now + 540 * SECOND


def test_a_short_silence_gives_nobody_time(game, ann, now):
    Heartbeat.objects.create(pk=1, at=now + 2 * DAY - MINUTE)
    with refused(errors.TooLate, "Your time for this turn has run out", status=409):
        play(game, ann, "5", now=now + 2 * DAY + SECOND)


# Counting anew ---------------------------------------------------------------------------------


def test_every_running_deadline_moves_by_the_outage_exactly_once(ann, bob, now, monkeypatch):
    monkeypatch.setattr(outages, "BATCH", 2)
    games = [begin(ann, bob, now=now, days=days) for days in (1, 2, 3, 4, 5)]
    record_heartbeat(now=now + HOUR)
    back = now + 3 * HOUR
    assert record_heartbeat(now=back) == 1
    recount(back)
    for days, game in enumerate(games, start=1):
        assert fresh(game).deadline == now + days * DAY + 2 * HOUR
        assert fresh(game).reminder_at == now + 0.75 * days * DAY + 2 * HOUR
    assert Outage.objects.get().counted_up_to is None
    with unchanged():
        assert recount(back) == 0


def test_a_killed_count_goes_on_where_it_was(ann, bob, now, monkeypatch):
    monkeypatch.setattr(outages, "BATCH", 2)
    games = [begin(ann, bob, now=now) for _ in range(5)]
    record_heartbeat(now=now + HOUR)
    record_heartbeat(now=now + 3 * HOUR)
    assert recount_after_outage(now=now + 3 * HOUR) == 2
    assert Outage.objects.get().counted_up_to == games[1].pk
    moved = [fresh(game).deadline == now + 2 * DAY + 2 * HOUR for game in games]
    assert moved == [True, True, False, False, False]
    recount(now + 3 * HOUR)
    assert {fresh(game).deadline for game in games} == {now + 2 * DAY + 2 * HOUR}


def test_a_game_whose_turn_began_after_the_outage_gets_nothing(ann, bob, now):
    record_heartbeat(now=now - DAY)
    record_heartbeat(now=now)
    game = begin(ann, bob, now=now)
    recount(now)
    assert fresh(game).deadline == now + 2 * DAY


def test_outages_that_overlap_count_once(game, moderator, now):
    for began, ended in ((1, 4), (2, 3), (3, 6)):
        declare_outage(
            began_at=now + began * HOUR,
            ended_at=now + ended * HOUR,
            note="",
            by=moderator,
            why="so",
            now=now + DAY,
        )
    recount(now + DAY)
    assert fresh(game).deadline == now + 2 * DAY + 5 * HOUR


def test_a_clock_that_stands_is_not_counted(game, now):
    record_heartbeat(now=now)
    record_heartbeat(now=now + HOUR)
    Game.objects.filter(pk=game.pk).update(
        deadline=None,
        reminder_at=None,
        clock_started_at=None,
        stop_reason="moderator",
        stopped_at=now,
    )
    before = Game.objects.values().get(pk=game.pk)
    recount(now + HOUR)
    assert Game.objects.values().get(pk=game.pk) == before


# Reminders -------------------------------------------------------------------------------------


def test_a_reminder_is_not_sent_early_because_of_an_outage(game, now):
    """It was due within the outage: now it comes a quarter of the time before the deadline."""
    record_heartbeat(now=now + 1.25 * DAY)
    back = now + 2.25 * DAY
    assert remind_due(now=back) == 0
    assert fresh(game).reminder_at == fresh(game).deadline - DAY / 2
    assert game.events.filter(kind=Event.Kind.REMINDER_DUE).count() == 0


@pytest.mark.parametrize("counted_first", [True, False])
def test_a_reminder_that_was_due_before_the_outage_comes_before_the_new_deadline(
    game, now, counted_first
):
    record_heartbeat(now=now + 1.5 * DAY + SECOND)
    back = now + 3 * DAY
    record_heartbeat(now=back)
    if counted_first:
        recount(back)
    assert remind_due(now=back) == 0
    later = fresh(game).reminder_at
    assert back < later <= fresh(game).deadline - DAY / 2
    Heartbeat.objects.update(at=later)  # it beat all the time
    assert remind_due(now=later) == 1
    assert remind_due(now=later) == 0


# Declaring -------------------------------------------------------------------------------------


def test_only_a_host_declares_an_outage(game, ann, now):
    with refused(errors.NotAnAdministrator, "Only an administrator can do that", status=403):
        declare_outage(began_at=now, ended_at=now + HOUR, note="", by=ann, why="so", now=now + DAY)


@pytest.mark.parametrize(
    ("began", "ended", "note"),
    [
        (HOUR, HOUR, ""),
        (2 * HOUR, HOUR, ""),
        (DAY, DAY + HOUR + SECOND, ""),
        (-30 * DAY, SECOND, ""),
        (HOUR, 2 * HOUR, "x" * 201),
        (HOUR, 2 * HOUR, "a\0b"),
    ],
)
def test_an_outage_that_cannot_have_been_is_refused(game, moderator, now, began, ended, note):
    with refused(errors.BadOutage, "at most 30 days", status=422):
        declare_outage(
            began_at=now + began,
            ended_at=now + ended,
            note=note,
            by=moderator,
            why="so",
            now=now + DAY + HOUR,
        )


def test_an_outage_ends_after_it_began_in_the_database_too(db, now):
    with pytest.raises(IntegrityError), transaction.atomic():
        Outage.objects.create(kind="gap", began_at=now, ended_at=now, noted_at=now)
