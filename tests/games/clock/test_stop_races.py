"""Many processes at outages and stopped clocks at the same moment, and one that is killed."""

import os
import signal
import subprocess
import sys

import pytest
from django.db import connection

from games.models import Event, Heartbeat, Outage
from games.services.clock import outages
from games.services.clock.outages import record_heartbeat, recount_after_outage
from games.services.clock.undelivered_turns import freeze_undelivered
from games.services.offers import accept_offer, offer_pause
from tests.games.parallel import at_once
from tests.games.play import DAY, SECOND, begin, fresh
from tests.notifications.outgoing_mail import environment

pytestmark = pytest.mark.django_db(transaction=True)

CROWD = 5
HOUR = DAY / 24


def alone(answers):
    """Return what each process answered to its only job."""
    return [answer for (answer,) in answers]


def test_of_five_signs_of_life_one_notes_the_gap(ann, bob, now):
    record_heartbeat(now=now)
    back = [now + HOUR + number * SECOND for number in range(CROWD)]
    answers = alone(at_once(*[[("beat", {"now": when})] for when in back]))
    assert sum(answers) == 1
    gap = Outage.objects.get()
    assert gap.began_at == now
    assert gap.ended_at in back
    assert Heartbeat.objects.get().at >= gap.ended_at


def test_the_first_sign_of_life_is_given_by_any_number_at_once(ann, now):
    answers = alone(at_once(*[[("beat", {"now": now})] for _ in range(CROWD)]))
    assert sum(answers) == 0
    assert Heartbeat.objects.count() == 1


def test_sweeps_after_a_restart_end_nobody_and_note_one_gap(ann, bob, now):
    games = [begin(ann, bob, now=now) for _ in range(5)]
    record_heartbeat(now=now + DAY)
    back = now + 30 * DAY
    jobs = ["sweep", "sweep", "remind", "beat", "end_stops"]
    at_once(*[[(job, {"now": back})] for job in jobs])
    assert {fresh(game).status for game in games} == {"active"}
    assert Outage.objects.count() == 1


def test_five_rounds_at_once_remind_a_player_of_all_games_in_one_mail(ann, bob, now):
    games = [fresh(begin(ann, bob, now=now, days=4)) for _ in range(8)]
    due = games[0].reminder_at
    for _ in range(3):
        at_once(*[[("remind", {"now": due})] for _ in range(CROWD)])
    reminders = Event.objects.filter(kind=Event.Kind.REMINDER_DUE)
    assert reminders.filter(details__told_with__isnull=True).count() == 1
    told = reminders.count()
    # What was locked by another round is told when the hour of peace is over.
    at_once([("remind", {"now": due + HOUR})])
    assert reminders.count() == len(games)
    assert reminders.filter(details__told_with__isnull=True).count() == (
        1 if told == len(games) else 2
    )


def test_several_counts_at_once_move_each_deadline_once(ann, bob, now):
    games = [begin(ann, bob, now=now) for _ in range(12)]
    record_heartbeat(now=now + HOUR)
    record_heartbeat(now=now + 3 * HOUR)
    at_once(*[[("recount", {"now": now + 3 * HOUR})] for _ in range(3)])
    assert {fresh(game).deadline for game in games} == {now + 2 * DAY + 2 * HOUR}
    assert Outage.objects.get().counted_up_to is None


def test_five_rounds_at_once_end_each_pause_once(ann, bob, now):
    games = [begin(ann, bob, now=now) for _ in range(8)]
    for game in games:
        offer_pause(game_id=game.pk, user=ann, days=3, now=now)
        accept_offer(game_id=game.pk, user=bob, now=now)
    over = now + 3 * DAY
    answers = alone(at_once(*[[("end_stops", {"now": over})] for _ in range(CROWD)]))
    alone(at_once([("end_stops", {"now": over})]))
    assert sum(answers) <= len(games)
    for game in games:
        assert fresh(game).deadline == over + 2 * DAY
        assert game.events.filter(kind=Event.Kind.CLOCK_STARTED).count() == 1


def test_a_contact_and_the_end_of_the_wait_never_both_have_their_way(ann, bob, now):
    games = [begin(ann, bob, now=now) for _ in range(10)]
    for game in games:
        freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now)
    over = now + 60 * DAY
    at_once(
        [("contact", {"user": "ann", "now": over})],
        [("end_stops", {"now": over})],
        [("end_stops", {"now": over})],
    )
    for game in games:
        stands = fresh(game)
        kinds = set(game.events.values_list("kind", flat=True))
        if stands.status == "active":
            assert (stands.stop_reason, stands.deadline) == ("", over + 2 * DAY)
            assert "ended" not in kinds
        else:
            assert stands.ending == "unreachable"
            assert "clock-started" not in kinds


def test_a_game_frozen_during_a_contact_is_never_forgotten(ann, bob, now):
    """Whatever comes first: it has begun anew, or the mark stands for the next contact."""
    visits, bounces = [], []
    look = ("forgotten", {"user": "ann"})
    for _ in range(10):
        first, second = (
            ("freeze", {"game_id": game.pk, "user": "ann", "turn_number": 0, "now": now})
            for game in (begin(ann, bob, now=now), begin(ann, bob, now=now))
        )
        visits += [look, ("contact", {"user": "ann", "now": now}), look]
        bounces += [first, second, look]
    seen, _ = at_once(visits, bounces)
    assert seen[2::3] == [False] * 10


_COUNTER = """
import sys
import django
from django.utils.dateparse import parse_datetime
django.setup()
from games.services.clock import outages
real = outages.recompute_after_outage
done = 0
def slowly(*args, **how):
    global done
    if done == 3:
        print("in the middle", flush=True)
        sys.stdin.readline()
    done += 1
    real(*args, **how)
outages.recompute_after_outage = slowly
outages.BATCH = 2
while outages.recount_after_outage(now=parse_datetime(sys.argv[1])):
    pass
"""


def test_a_count_that_is_killed_in_the_middle_of_a_game_is_finished_by_another(
    ann, bob, now, monkeypatch
):
    games = [begin(ann, bob, now=now) for _ in range(6)]
    record_heartbeat(now=now + HOUR)
    back = now + 3 * HOUR
    record_heartbeat(now=back)
    connection.close()
    command = [sys.executable, "-c", _COUNTER, back.isoformat()]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment(), stdin=pipe, stdout=pipe) as counter:
        assert counter.stdout.readline() == b"in the middle\n"
        os.kill(counter.pid, signal.SIGKILL)
        counter.wait()
    assert Outage.objects.get().counted_up_to == games[1].pk
    monkeypatch.setattr(outages, "BATCH", 2)
    while recount_after_outage(now=back):
        pass
    assert {fresh(game).deadline for game in games} == {now + 2 * DAY + 2 * HOUR}
    assert Outage.objects.get().counted_up_to is None
