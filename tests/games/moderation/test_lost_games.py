"""After an outage is declared, administrators find what was lost because of it, and reopen it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import errors
from games.clock.time_control import per_turn
from games.models import ModerationLogEntry, Terms
from games.moderation.game_actions import adjudicate
from games.moderation.lost_games import games_lost_in, reopen_lost
from games.moderation.site import declare_outage
from games.services.clock.undelivered_turns import freeze_undelivered
from games.services.endings import resign, win_unreached
from games.services.record import faults_of
from tests.games.moderating import WHY, lose_on_time
from tests.games.multiplayer import gather, play_on
from tests.games.play import DAY, SECOND, begin, fresh, play_all, refused
from tests.games.vacations import go_away

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def declare(moderator, now):
    """Return a function that declares an outage ten days later."""

    def outage(began, ended):
        declared = {"began_at": began, "ended_at": ended, "note": "", "by": moderator}
        return declare_outage(why=WHY, now=now + 10 * DAY, **declared)

    return outage


@pytest.fixture
def lost_in(declare, now):
    """Return a function that tells which games an outage cost, ten days later."""

    def found(began, ended):
        return [lost.game for lost in games_lost_in(declare(began, ended), now=now + 10 * DAY)]

    return found


def run_out(game):
    """Let the seat to move run out of time."""
    return lose_on_time(game, now=fresh(game).deadline + SECOND)


def test_a_game_that_ended_during_it_or_because_of_it_is_listed(game, now, lost_in):
    lost = run_out(play_all(game, ["5", "1"], now=now))
    end = lost.ended_at
    assert end == now + 2 * DAY + SECOND
    assert lost_in(now + DAY, now + DAY + HOUR) == [game]
    assert lost_in(end - SECOND / 2, end + HOUR) == [game]


@pytest.mark.parametrize(
    ("began", "ended"), [(-2 * DAY, timedelta(0)), (2 * DAY + 2 * SECOND, 5 * DAY)]
)
def test_an_outage_before_the_turn_or_after_the_end_cost_nothing(game, now, lost_in, began, ended):
    run_out(play_all(game, ["5", "1"], now=now))
    assert lost_in(now + began, now + ended) == []


def test_an_outage_while_the_player_was_away_cost_nothing(ann, bob, now, lost_in):
    game = play_all(begin(ann, bob, now=now, days=4), ["5", "1"], now=now)
    go_away(ann, now + HOUR, days=2, now=now)
    lost = run_out(game)
    assert lost.ended_at == now + 6 * DAY + SECOND
    assert lost_in(now + DAY, now + DAY + HOUR) == []
    assert lost_in(now + 4 * DAY, now + 4 * DAY + HOUR) == [game]


def test_a_game_that_never_began_and_one_that_mail_did_not_reach_are_listed(
    ann, bob, game, now, lost_in
):
    run_out(game)
    other = begin(ann, bob, now=now)
    freeze_undelivered(game_id=other.pk, turn_number=0, user=ann, now=now + HOUR)
    win_unreached(game_id=other.pk, user=bob, now=now + 20 * DAY)
    assert lost_in(now + DAY, now + DAY + HOUR) == [game, other]
    assert lost_in(now - DAY, now - HOUR) == []


def test_a_game_that_ended_otherwise_is_not_listed(game, ann, now, lost_in):
    resign(game_id=game.pk, user=ann, now=now + 2 * HOUR)
    assert lost_in(now + HOUR, now + DAY) == []


def test_who_left_a_game_of_several_is_found_while_they_can_come_back(four, mo, now, lost_in):
    left = run_out(play_on(four, 5, now=now))
    assert lost_in(now + HOUR, now + 2 * HOUR) == [four]
    assert lost_in(now - 2 * HOUR, now - HOUR) == []
    assert lost_in(now + 3 * DAY, now + 4 * DAY) == []
    adjudicate(game_id=four.pk, by=mo, places=[1, 2, 3, 4], why=WHY, now=left.turn_began_at)
    assert lost_in(now + HOUR, now + 2 * HOUR) == []


def test_once_others_played_on_a_game_of_several_is_not_listed(four, now, lost_in):
    left = run_out(play_on(four, 5, now=now))
    play_on(four, 1, now=left.turn_began_at)
    assert lost_in(now + HOUR, now + 2 * HOUR) == []


def test_a_seat_that_looks_for_a_substitute_is_found(people, now, lost_in):
    terms = Terms(per_turn(2 * DAY), on_timeout="substitute")
    game = run_out(play_on(gather(people, now=now, terms=terms), 1, now=now))
    assert lost_in(now + HOUR, now + 2 * HOUR) == [game]


def test_what_cannot_be_reopened_any_more_is_not_listed(game, now, declare):
    ended = run_out(game).ended_at
    outage = declare(now + HOUR, now + DAY)
    assert games_lost_in(outage, now=ended + 60 * DAY)
    assert not games_lost_in(outage, now=ended + 60 * DAY + SECOND)


def test_the_list_needs_as_many_queries_for_many_games(ann, bob, people, now, declare):
    def some(count):
        for _ in range(count):
            two = play_all(begin(ann, bob, now=now), ["5", "1"], now=now)
            for game in (two, play_on(gather(people, now=now), 5, now=now)):
                lose_on_time(game, now=now + 2 * DAY + SECOND)

    outage = declare(now + HOUR, now + DAY)
    asked = []
    for count in (1, 3):
        some(count)
        with CaptureQueriesContext(connection) as queries:
            found = games_lost_in(outage, now=now + 10 * DAY)
        asked.append(len(queries))
    assert (len(found), asked[0]) == (8, asked[1])


# Reopening them ----------------------------------------------------------------------------------


def test_an_administrator_reopens_all_or_some_in_one_act(ann, bob, four, moderator, now, declare):
    games = [play_all(begin(ann, bob, now=now), ["5", "1"], now=now) for _ in range(3)]
    games.append(play_on(four, 5, now=now))
    for game in games:
        run_out(game)
    outage, later = declare(now + HOUR, now + DAY), now + 10 * DAY
    assert {lost.game for lost in games_lost_in(outage, now=later)} == set(games)
    chosen = [game.pk for game in games[1:]]
    done = reopen_lost(game_ids=chosen, by=moderator, why=WHY, now=later)
    assert done == (chosen, {})
    assert [lost.game for lost in games_lost_in(outage, now=later)] == games[:1]
    for game in map(fresh, games[1:]):
        assert (game.status, game.deadline) == ("active", later + 2 * DAY)
        assert game.log_entries.get().what == "reopen"
        assert faults_of(game) == []


def test_what_cannot_be_reopened_keeps_no_other_game_closed(game, ann, bob, moderator, now):
    other = begin(ann, bob, now=now)
    run_out(game)
    done, not_done = reopen_lost(
        game_ids=[other.pk, 10**9, game.pk], by=moderator, why=WHY, now=now + 3 * DAY
    )
    assert done == [game.pk]
    assert {key: error.code for key, error in not_done.items()} == {
        other.pk: "NobodyLeftOnTime",
        10**9: "NoSuchGame",
    }


def test_only_administrators_reopen_many_and_with_a_reason(game, mo, moderator, now):
    run_out(game)
    with refused(errors.NotAnAdministrator, "Only an administrator can do that", status=403):
        reopen_lost(game_ids=[game.pk], by=mo, why=WHY, now=now + 3 * DAY)
    with refused(errors.NoReason, "It appears in the log", status=422):
        reopen_lost(game_ids=[game.pk], by=moderator, why=" ", now=now + 3 * DAY)
    assert not ModerationLogEntry.objects.exists()
