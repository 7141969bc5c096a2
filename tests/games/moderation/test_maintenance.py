"""Closed for maintenance: everything can be read, nothing can be changed, all clocks stand."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import errors
from games.models import Outage, Terms
from games.moderation.site import begin_maintenance, end_maintenance
from games.services import bots, endings, invitations, offers, tables, thinking
from games.services.clock import added_time, stops
from games.services.clock.outages import recount_after_outage
from games.services.clock.stops import end_stops
from games.services.conduct.messages import say
from games.services.deadlines import time_out_due
from games.services.reminders import remind_due
from tests.games.play import DAY, SECOND, fresh, play, refused, table, unchanged

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed(game, moderator, now):
    """Closed for a day from a day before the deadline on."""
    return begin_maintenance(note="a bigger disk", by=moderator, why="so", now=now + DAY)


def test_turns_and_everything_else_players_do_are_refused_with_the_note(
    game, closed, ann, bob, now
):
    when = now + DAY + SECOND
    with refused(errors.ClosedForMaintenance, "(a bigger disk)", status=503):
        play(game, ann, "5", now=when)
    for service in (
        endings.resign,
        endings.abort,
        offers.offer_end,
        offers.accept_offer,
        stops.end_pause,
    ):
        with refused(
            errors.ClosedForMaintenance, "You can read everything, but nothing can be", status=503
        ):
            service(game_id=game.pk, user=ann, now=when)
    with refused(errors.ClosedForMaintenance, "closed", status=503):
        added_time.grant_time(game_id=game.pk, user=bob, now=when)
    with refused(errors.ClosedForMaintenance, "closed", status=503):
        table(ann, now=when)
    with refused(errors.ClosedForMaintenance, "closed", status=503):
        say(game_id=game.pk, user=ann, text="Hello", via="web", now=when)


def test_nobody_sits_down_gets_up_is_asked_or_answers_while_it_is_closed(
    ann, bob, cat, moderator, now
):
    waiting = table(ann, now=now)
    asked = invitations.challenge(game_id=waiting.pk, by=ann, user=bob, now=now)
    begin_maintenance(note="", by=moderator, why="so", now=now)
    for service, who in (
        (tables.join_table, bob),
        (tables.leave_table, cat),
        (tables.withdraw_table, ann),
    ):
        with refused(
            errors.ClosedForMaintenance, "You can read everything, but nothing can be", status=503
        ):
            service(game_id=waiting.pk, user=who, now=now)
    for answer in (invitations.accept, invitations.decline):
        with refused(errors.ClosedForMaintenance, "closed", status=503):
            answer(invitation_id=asked.pk, user=bob, now=now)
    with refused(errors.ClosedForMaintenance, "closed", status=503):
        invitations.challenge(game_id=waiting.pk, by=ann, user=cat, now=now)
    with unchanged():
        assert tables.expire_due(now=now + 30 * DAY) == 0


def test_no_rematch_begins_while_it_is_closed(game, ann, moderator, now):
    endings.resign(game_id=game.pk, user=ann, now=now)
    begin_maintenance(note="", by=moderator, why="so", now=now)
    with refused(errors.ClosedForMaintenance, "closed", status=503):
        invitations.ask_rematch(game_id=game.pk, user=ann, now=now)


def test_during_maintenance_the_periodic_tasks_do_nothing(game, closed, now):
    with unchanged():
        programs = (bots.answer_for_bots, thinking.play_for_bots)
        for chore in (time_out_due, remind_due, end_stops, *programs):
            assert chore(now=now + 300 * DAY) == 0


@pytest.mark.parametrize("late", [False, True])
def test_after_it_everybody_has_what_was_left_to_the_second(
    game, closed, ann, moderator, now, late
):
    end_maintenance(by=moderator, why="so", now=now + 8 * DAY)
    deadline = now + 9 * DAY
    assert time_out_due(now=deadline) == 0
    assert time_out_due(now=deadline + SECOND) == 1 if late else play(game, ann, "5", now=deadline)


def test_the_deadlines_on_the_pages_are_counted_anew_after_it(game, closed, moderator, now):
    with unchanged():
        assert recount_after_outage(now=now + 2 * DAY) == 0
    end_maintenance(by=moderator, why="so", now=now + 8 * DAY)
    recount_after_outage(now=now + 8 * DAY)
    assert fresh(game).deadline == now + 9 * DAY


def test_it_begins_once_and_ends_once(closed, ann, moderator, now):
    with refused(errors.ClosedAlready, "Maintenance has already started", status=409):
        begin_maintenance(note="", by=moderator, why="so", now=now + 2 * DAY)
    with refused(errors.NotAnAdministrator, "Only an administrator can do that", status=403):
        end_maintenance(by=ann, why="so", now=now + 2 * DAY)
    end_maintenance(by=moderator, why="so", now=now + 2 * DAY)
    with refused(errors.NotClosed, "There is no maintenance to end", status=409):
        end_maintenance(by=moderator, why="so", now=now + 3 * DAY)
    assert Outage.objects.get().ended_at == now + 2 * DAY


def test_only_an_administrator_closes_the_site(game, ann, now):
    with refused(errors.NotAnAdministrator, "Only an administrator can do that", status=403):
        begin_maintenance(note="", by=ann, why="so", now=now)


def test_maintenance_that_took_no_time_leaves_no_entry(closed, moderator, now):
    end_maintenance(by=moderator, why="so", now=closed.began_at)
    assert not Outage.objects.exists()


def test_pages_are_read_as_before_and_a_turn_is_refused_kindly(client, game, closed, ann):
    client.force_login(ann)
    for path in ("/", reverse("lobby"), game.get_absolute_url(), reverse("outages")):
        assert client.get(path).status_code == 200
    sent = {"turn": "5", "expected_turn": 0}
    answer = client.post(reverse("game_play", args=[game.pk]), sent)
    assert answer.status_code == 503
    assert "a bigger disk" in answer.text


def test_reading_a_game_does_not_ask_whether_it_is_closed(client, game, ann):
    client.force_login(ann)
    client.get(game.get_absolute_url())  # that the site is open is known for some seconds
    with CaptureQueriesContext(connection) as asked:
        client.get(game.get_absolute_url())
    assert asked.captured_queries
    assert not [query for query in asked.captured_queries if "maintenance" in query["sql"]]


def test_terms_are_not_looked_at_first(ann, moderator, now):
    """Opening a table during maintenance is refused because of that, not of other errors."""
    begin_maintenance(note="", by=moderator, why="so", now=now)
    with refused(errors.ClosedForMaintenance, "closed", status=503):
        tables.open_table(creator=ann, rules_slug="no-such", options={}, terms=Terms(None), now=now)
