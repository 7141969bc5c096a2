"""Why a deadline is when it is: the parts make it up exactly, and every change has a line."""

import re
from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine
from django.utils import timezone, translation
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.clock.clock import Availability, Clock
from games.clock.durations import exactly_in_words
from games.clock.explanation import AddedTime, ClockPart, Why, explain
from games.clock.spans import NOTHING, Span, merge_spans, running_time
from games.clock.time_control import per_turn
from games.clock.weekly_schedule import WeeklySchedule
from games.models import Game
from games.moderation.game_actions import give_time, pause_game, resume_game
from games.queries.deadline_explanation import explain_deadline
from games.services.clock.added_time import grant_time
from games.services.clock.availability import end_vacation_early, set_automatic_vacation
from games.services.clock.outages import record_heartbeat, recount_after_outage
from games.services.clock.recalculation import recount_due
from games.services.clock.stops import end_pause, end_stops
from games.services.clock.undelivered_turns import freeze_undelivered, record_contact
from games.services.deadlines import time_out_due
from games.services.offers import accept_offer, offer_pace, offer_pause
from tests.factories import ModeratorFactory
from tests.games.play import DAY, SECOND, fresh, play
from tests.games.vacations import go_away, off_on

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
BEGAN = datetime(2026, 3, 9, tzinfo=UTC)
NIGHTS = WeeklySchedule("Europe/Paris", frozenset(), time(22), time(8))

lengths = st.timedeltas(NOTHING, 20 * DAY) | st.integers(0, 40).map(lambda hours: hours * HOUR)
spans = st.builds(
    lambda start, length: Span(BEGAN + start - 3 * DAY, BEGAN + start - 3 * DAY + length),
    lengths,
    lengths.filter(bool),
)
apart = st.lists(spans, max_size=4).map(lambda found: tuple(merge_spans(*[[one] for one in found])))
schedules = st.builds(
    lambda zone, days, quiet: WeeklySchedule(zone, days, *quiet),
    st.sampled_from(["UTC", "Europe/Paris", "Asia/Kathmandu", "America/New_York"]),
    st.frozensets(st.integers(0, 6), max_size=3),
    st.sampled_from([(None, None), (time(22), time(8)), (time(0), time(12)), (time(1), time(3))]),
)
gifts = st.lists(
    st.builds(
        lambda at, hours: AddedTime(BEGAN + at, hours * HOUR, "bob"), lengths, st.integers(1, 24)
    ),
    max_size=3,
)


# The parts ---------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(lengths, schedules, apart, apart, gifts, st.booleans())
@example(DAY, WeeklySchedule("UTC", frozenset({0, 1, 2})), (), (), [], True)
def test_the_parts_make_up_the_deadline(left, schedule, vacations, outages, given, protected):
    """To the microsecond, whatever the clock's time, week, absences, gifts and grace are."""
    availability = Availability(vacations, outages, nights=NIGHTS)
    clock = Clock(0, left, schedule, turn_began_at=BEGAN - DAY)
    later = [gift for gift in given if gift.at > BEGAN]
    clock = clock.resumed(availability, now=BEGAN, protected=protected)
    for gift in later:
        clock = clock.with_more_time(gift.time, availability, now=gift.at)
    parts = explain(clock, availability, given)
    assert BEGAN + sum((part.time for part in parts), NOTHING) == clock.deadline
    assert parts[0] == ClockPart(Why.TIME, left)
    assert [part.time for part in parts if part.why == Why.GIVEN] == [one.time for one in later]
    assert all((part.time < NOTHING) == (part.why == Why.LIMIT) for part in parts)


@settings(max_examples=100, deadline=None)
@given(lengths, schedules, apart, apart)
def test_each_kind_of_absence_has_its_own_time(left, schedule, vacations, outages):
    """What is two things at once is counted for the first of them: never twice."""
    availability = Availability(vacations, outages)
    clock = Clock(0, left, schedule).resumed(availability, now=BEGAN)
    parts = explain(clock, availability)
    end = clock.instant_with(NOTHING, availability)
    for why, found in ((Why.OUTAGE, outages), (Why.VACATION, merge_spans(outages, vacations))):
        away = end - BEGAN - running_time(BEGAN, end, found)
        kinds = {Why.OUTAGE} if why == Why.OUTAGE else {Why.OUTAGE, Why.VACATION}
        assert sum((part.time for part in parts if part.why in kinds), NOTHING) == away


def test_a_turn_with_days_off_quiet_hours_and_a_vacation():
    schedule = WeeklySchedule("UTC", frozenset({5, 6}), time(20), time(8))
    vacation = Span(BEGAN + DAY, BEGAN + 3 * DAY)
    availability = Availability(vacations=(vacation,))
    clock = Clock.for_turn(0, 2 * DAY, schedule, availability, now=BEGAN)
    assert clock.deadline == BEGAN + 6 * DAY
    assert explain(clock, availability) == [
        ClockPart(Why.TIME, 2 * DAY),
        ClockPart(Why.VACATION, 2 * DAY, vacation),
        ClockPart(Why.DAYS_OFF, DAY),
        ClockPart(Why.QUIET_HOURS, 1.5 * DAY),
        ClockPart(Why.LIMIT, -DAY / 2),
    ]


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (3 * DAY + 2 * HOUR + 4 * MINUTE + 5 * SECOND, "3 days, 2 hours, 4 minutes, 5 seconds"),
        (DAY + SECOND, "1 day, 1 second"),
        (timedelta(0), "no time"),
        (timedelta(milliseconds=3), "less than a minute"),
    ],
)
def test_parts_are_told_to_the_second(span, said):
    with translation.override("en"):
        assert exactly_in_words(span) == said


# Every change has its line -----------------------------------------------------------------------


def lines(game, now):
    found = Game.objects.with_players().get(pk=game.pk)
    with timezone.override("UTC"), translation.override("en"):
        return explain_deadline(found, now=now)


def agree(offer, game, ann, bob, now, **what):
    offer(game_id=game.pk, user=ann, now=now, **what)
    accept_offer(game_id=game.pk, user=bob, now=now)


@pytest.mark.django_db
def test_a_turn_that_nothing_has_changed(game, now):
    assert lines(game, now) == [
        "Tuesday 10 March 2026, 12:00: the turn began.",
        "Since Tuesday 10 March 2026, 12:00 the clock runs, with 2 days.",
        "So the deadline is Thursday 12 March 2026, 12:00 (UTC).",
    ]


@pytest.mark.django_db
def test_a_pause_says_who_ended_it_and_what_there_is_in_any_case(game, ann, bob, now):
    late = now + 2 * DAY - HOUR
    agree(offer_pause, game, ann, bob, late, days=3)
    assert lines(game, late + HOUR)[1:] == [
        "Thursday 12 March 2026, 11:00: the players agreed on a pause, and the clock was stopped.",
        "The clock is stopped since Thursday 12 March 2026, 11:00; 1 hour is left. "
        "The players agreed on a pause.",
    ]
    end_pause(game_id=game.pk, user=bob, now=late + DAY)
    assert lines(game, late + DAY)[2:] == [
        "Friday 13 March 2026, 11:00: bob ended the pause.",
        "Since Friday 13 March 2026, 11:00 the clock runs, with 1 hour.",
        "+ 23 hours: after a vacation, an outage or a stop that ended on "
        "Friday 13 March 2026, 11:00 there is some time in any case, "
        "here until Saturday 14 March 2026, 11:00.",
        "So the deadline is Saturday 14 March 2026, 11:00 (UTC).",
    ]


def pause_that_is_over(game, ann, bob, now):
    agree(offer_pause, game, ann, bob, now, days=3)
    assert end_stops(now=now + 3 * DAY) == 1
    return now + 3 * DAY


def another_pace(game, ann, bob, now):
    agree(offer_pace, game, ann, bob, now + HOUR, pace=per_turn(3 * DAY))
    return now + HOUR


def time_given(game, ann, bob, now):
    grant_time(game_id=game.pk, user=bob, now=now + HOUR)
    return now + HOUR


def moderators_time(game, ann, bob, now):
    mo = ModeratorFactory()
    give_time(game_id=game.pk, by=mo, more=DAY, why="so", now=now + HOUR)
    return now + HOUR


def moderators_stop(game, ann, bob, now):
    mo = ModeratorFactory()
    pause_game(game_id=game.pk, by=mo, why="so", now=now)
    resume_game(game_id=game.pk, by=mo, why="so", now=now + HOUR)
    return now + HOUR


def mail_that_failed(game, ann, bob, now):
    freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now)
    ann.refresh_from_db()
    assert record_contact(ann, now=now + DAY) == 1
    return now + DAY


def announced_vacation(game, ann, bob, now):
    go_away(ann, now + DAY, now=now)
    return now


def vacation_ended_early(game, ann, bob, now):
    vacation = go_away(ann, now + HOUR, now=now)
    end_vacation_early(user=ann, vacation_id=vacation.pk, now=now + DAY)
    return now + DAY


def automatic_vacation(game, ann, bob, now):
    set_automatic_vacation(user=ann, automatic=True, now=now)
    record_heartbeat(now=now + 2 * DAY)
    time_out_due(now=now + 2 * DAY + SECOND)
    return now + 2 * DAY + SECOND


def outage(game, ann, bob, now):
    record_heartbeat(now=now)
    record_heartbeat(now=now + 5 * HOUR)
    time_out_due(now=now + 5 * HOUR)
    return now + 5 * HOUR


def week_off(game, ann, bob, now):
    off_on(ann, days_off=[5, 6], quiet_from=time(22), quiet_until=time(6), time_zone="UTC")
    play(game, ann, "5", now=now)
    play(game, bob, "1", now=now)
    return now


WAYS = {
    pause_that_is_over: ["the days of the pause were over"],
    another_pace: ["the players agreed on another pace", "with 3 days"],
    time_given: ["+ 1 day: given by bob."],
    moderators_time: ["+ 1 day: given by a moderator."],
    moderators_stop: ["a moderator stopped the clock", "a moderator let the game go on"],
    mail_that_failed: ["no mail reached its player", "ann could be reached again"],
    announced_vacation: [
        "+ 3 days: vacation from Wednesday 11 March 2026, 12:00 until Saturday 14 March 2026, 12:00"
    ],
    vacation_ended_early: ["+ 23 hours: vacation from Tuesday 10 March 2026, 13:00"],
    automatic_vacation: [
        "a vacation began automatically",
        "+ 7 days: vacation from Thursday 12 March",
    ],
    outage: ["+ 5 hours: the service was down or closed from Tuesday 10 March 2026, 12:00"],
    week_off: ["+ 1 day: quiet hours."],
}


@pytest.mark.django_db
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_whatever_moves_a_clock_has_a_line(way, game, ann, bob, now, settings):
    """And the last line has the deadline that the game has."""
    settings.VACATION_DAYS_A_YEAR = 30
    moment = way(game, ann, bob, now)
    recount_due(now=moment)
    recount_after_outage(now=moment)
    said = lines(game, moment)
    for sentence in WAYS[way]:
        assert any(sentence in line for line in said), said
    deadline = fresh(game).deadline
    assert f"{deadline:%A} {deadline.day} {deadline:%B %Y}, {deadline:%H:%M}" in said[-1]


# Where it is read --------------------------------------------------------------------------------


def page(client, game, language="en"):
    html = client.get(game.get_absolute_url(), headers={"accept-language": language})
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.content.decode()))


@pytest.mark.django_db
def test_players_read_it_on_the_page_and_others_do_not(client, game, ann, bob, cat, now):
    with time_machine.travel(now, tick=False):
        assert "Why then?" not in page(client, game)
        client.force_login(cat)
        assert "Why then?" not in page(client, game)
        for player in (ann, bob):
            client.force_login(player)
            player.language = "en"
            player.save()
            found = page(client, game)
            assert "Why then?" in found
            assert "the turn began." in found


@pytest.mark.django_db
def test_the_page_says_it_in_french(client, game, ann, now):
    ann.language = "fr"
    ann.save()
    client.force_login(ann)
    with time_machine.travel(now, tick=False):
        found = page(client, game, "fr")
    assert "Pourquoi à ce moment ?" in found
    assert "le tour a commencé." in found
