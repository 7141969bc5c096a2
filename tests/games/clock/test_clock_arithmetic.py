"""The arithmetic of clocks: properties that hold whatever the times are, exact to a microsecond."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from games.clock.spans import (
    NOTHING,
    Span,
    instant_after,
    is_late,
    merge_spans,
    remaining_time,
    running_time,
)
from games.clock.time_control import PaceKind, TimeControl, per_turn

TINY = timedelta(microseconds=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
START = datetime(2026, 3, 10, 12, tzinfo=UTC)

lengths = st.timedeltas(NOTHING, 30 * DAY) | st.sampled_from([NOTHING, TINY, HOUR, DAY])
moments = lengths.map(lambda length: START + length)
spans = st.builds(lambda start, length: Span(start, start + length), moments, lengths)
sources = st.lists(st.lists(spans, max_size=5).map(sorted), max_size=3)
absences = sources.map(lambda found: list(merge_spans(*found)))

allowances = st.timedeltas(timedelta(minutes=1), 60 * DAY)
per_turns = allowances.map(per_turn)
totals = allowances.map(lambda bank: TimeControl(PaceKind.TOTAL, bank=bank))
growing = st.builds(
    lambda more, bank, room: TimeControl(PaceKind.FISCHER, more, bank, max(more, bank) + room),
    allowances,
    allowances,
    st.timedeltas(NOTHING, 30 * DAY),
)
paces = per_turns | totals | growing


def in_any(moment, away):
    return any(span.start <= moment < span.end for span in away)


# Spans -------------------------------------------------------------------------------------------


@given(sources, moments)
def test_joining_covers_exactly_the_instants_that_some_span_covers(found, moment):
    assert in_any(moment, merge_spans(*found)) == any(in_any(moment, source) for source in found)


@given(sources)
def test_joined_spans_are_in_order_apart_and_not_empty(found):
    together = list(merge_spans(*found))
    assert all(span.start < span.end for span in together)
    assert all(before.end < after.start for before, after in pairwise(together))


@given(sources, st.randoms())
def test_the_order_in_which_people_are_away_changes_nothing(found, chance):
    every = [span for source in found for span in source]
    chance.shuffle(every)
    assert list(merge_spans(sorted(every))) == list(merge_spans(*found))
    assert list(merge_spans(*[[span] for span in every])) == list(merge_spans(*found))


# What runs ---------------------------------------------------------------------------------------


@given(moments, lengths, absences)
def test_what_runs_is_never_negative_nor_more_than_real_time(start, length, away):
    assert NOTHING <= running_time(start, start + length, away) <= length


@given(moments, lengths, lengths, absences)
def test_what_runs_adds_up_over_the_parts(start, first, second, away):
    middle, end = start + first, start + first + second
    parts = running_time(start, middle, away) + running_time(middle, end, away)
    assert parts == running_time(start, end, away)


@given(moments, lengths, absences)
def test_to_the_microsecond_time_runs_exactly_outside_of_absences(start, length, away):
    moment = start + length
    assert running_time(moment, moment + TINY, away) == (NOTHING if in_any(moment, away) else TINY)


@given(moments, lengths, spans, absences)
def test_one_more_absence_never_takes_time_away(start, time, more, away):
    longer = list(merge_spans(away, [more]))
    assert instant_after(start, time, longer) >= instant_after(start, time, away)
    assert running_time(start, start + time, longer) <= running_time(start, start + time, away)


@given(moments, lengths, st.lists(spans, max_size=4), st.randoms())
def test_pauses_count_the_same_in_whatever_order_they_come(start, time, pauses, chance):
    """The deadline moved by one pause after another is the deadline with all of them."""
    ready, known = list(pauses), []
    chance.shuffle(ready)
    for pause in ready:
        known = list(merge_spans(known, [pause]))
    assert instant_after(start, time, known) == instant_after(
        start, time, merge_spans(sorted(pauses))
    )


# Deadlines ---------------------------------------------------------------------------------------


@given(moments, lengths, absences)
@example(START, HOUR, [Span(START + HOUR, START + DAY)])
@example(START, NOTHING, [Span(START, START + DAY)])
@example(START, HOUR, [Span(START - DAY, START + HOUR), Span(START + DAY, START + 2 * DAY)])
def test_a_deadline_is_the_last_instant_at_which_no_more_than_the_time_has_run(start, time, away):
    deadline = instant_after(start, time, away)
    assert deadline >= start
    assert running_time(start, deadline, away) == time
    assert running_time(start, deadline + TINY, away) == time + TINY
    if time:
        assert running_time(start, deadline - TINY, away) in (time, time - TINY)


@given(moments, lengths, absences)
def test_at_each_edge_of_an_absence_a_deadline_is_the_inverse_of_what_runs(start, time, away):
    for span in away:
        for edge in (span.start, span.end):
            for moment in (edge - TINY, edge, edge + TINY):
                if moment < start:
                    continue
                ran = running_time(start, moment, away)
                found = instant_after(start, ran, away)
                assert found >= moment
                assert found == moment or in_any(moment, away) or moment == span.start
                assert running_time(start, found, away) == ran


@given(moments, lengths, lengths, absences)
def test_a_deadline_counted_anew_on_the_way_stays_where_it_was(start, time, on_the_way, away):
    now = start + on_the_way
    deadline = instant_after(start, time, away)
    assume(now <= deadline)
    assert instant_after(now, remaining_time(time, start, now, away), away) == deadline


@given(moments, lengths, lengths, absences)
def test_nobody_is_late_who_has_time_left(start, time, length, away):
    now = start + length
    left = remaining_time(time, start, now, away)
    assert NOTHING <= left <= time
    if is_late(instant_after(start, time, away), now):
        assert left == NOTHING
    elif left == NOTHING:
        assert running_time(start, now, away) == time


def test_before_a_turn_begins_all_of_its_time_is_left():
    assert remaining_time(DAY, START, START - HOUR, []) == DAY
    assert remaining_time(DAY, START, START, []) == DAY


# Paces -------------------------------------------------------------------------------------------


@given(paces, st.lists(st.timedeltas(NOTHING, 20 * DAY), max_size=8))
def test_a_late_mover_never_gains_time(pace, thinking):
    """Whoever takes longer over one turn never has more for any later one."""
    assert pace.is_possible
    quick = slow = pace.first
    for spent in thinking:
        quick = pace.after_turn(max(NOTHING, quick - spent / 2))
        slow = pace.after_turn(max(NOTHING, slow - spent))
        assert NOTHING <= slow <= quick


@given(paces, st.lists(st.timedeltas(NOTHING, 20 * DAY), max_size=8))
def test_no_pace_gives_more_than_it_says(pace, thinking):
    most = {
        PaceKind.TURN: pace.allowance,
        PaceKind.FISCHER: pace.cap,
        PaceKind.TOTAL: pace.bank,
    }[pace.kind]
    left, spent_in_all = pace.first, NOTHING
    for turns, wanted in enumerate(thinking, start=1):
        spent = min(wanted, left)
        spent_in_all += spent
        left = pace.after_turn(left - spent)
        assert left <= most
        if pace.kind == PaceKind.TOTAL:
            assert left + spent_in_all == pace.bank
        if pace.kind == PaceKind.FISCHER:
            assert left + spent_in_all <= pace.bank + turns * pace.allowance


@pytest.mark.parametrize(
    ("left", "then"),
    [
        (13 * DAY - TINY, 14 * DAY - TINY),
        (13 * DAY, 14 * DAY),
        (13 * DAY + TINY, 14 * DAY),
        (14 * DAY, 14 * DAY),
        (20 * DAY, 20 * DAY),  # granted by the opponent: the cap stops growth only
        (NOTHING, DAY),
    ],
)
def test_a_bank_grows_up_to_its_cap(left, then):
    assert TimeControl(PaceKind.FISCHER, DAY, 7 * DAY, 14 * DAY).after_turn(left) == then


@given(paces)
def test_who_takes_a_seat_over_has_a_turns_worth_and_no_more_than_anybody_at_the_start(pace):
    given_then = pace.for_another
    assert given_then > NOTHING
    assert given_then <= max(pace.first, pace.allowance)
    if pace.kind != PaceKind.TURN and pace.bank >= DAY:
        assert given_then >= DAY


@pytest.mark.parametrize(
    "pace",
    [
        per_turn(NOTHING),
        per_turn(-DAY),
        per_turn(timedelta(seconds=59)),
        per_turn(timedelta(days=366) + TINY),
        TimeControl(PaceKind.TURN, DAY, bank=DAY),
        TimeControl(PaceKind.TOTAL, bank=NOTHING),
        TimeControl(PaceKind.TOTAL, DAY, bank=DAY),
        TimeControl(PaceKind.TOTAL, bank=DAY, cap=DAY),
        TimeControl(PaceKind.FISCHER, NOTHING, DAY, DAY),
        TimeControl(PaceKind.FISCHER, DAY, 3 * DAY, 2 * DAY),
        TimeControl(PaceKind.FISCHER, 3 * DAY, DAY, 2 * DAY),
        TimeControl(PaceKind.FISCHER, -DAY, DAY, 2 * DAY),
        TimeControl(PaceKind.FISCHER, DAY, DAY, timedelta(days=367)),
        per_turn(timedelta.max),
        per_turn(timedelta.min),
    ],
)
def test_times_in_which_nobody_could_play_are_no_pace(pace):
    assert not pace.is_possible
