"""No delivery, no clock: a turn nobody was told of, and the first sign of its player."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games import errors
from games.clock.time_control import PaceKind, TimeControl
from games.models import Event, Game, Terms
from games.moderation.site import declare_outage
from games.services.clock import undelivered_turns
from games.services.clock.added_time import grant_time
from games.services.clock.stops import end_pause, end_stops
from games.services.clock.undelivered_turns import freeze_undelivered, record_contact
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.offers import accept_offer, offer_end, offer_pause
from games.services.reminders import remind_due
from tests.factories import PersonFactory
from tests.games.multiplayer import gather
from tests.games.play import DAY, SECOND, begin, fresh, play, refused, unchanged

pytestmark = pytest.mark.django_db

WAIT = 60 * DAY


def freeze(game, user, now):
    return freeze_undelivered(
        game_id=game.pk, turn_number=fresh(game).turn_number, user=user, now=now
    )


@pytest.fixture
def frozen(game, ann, now):
    """Ann is to move, and a day after the turn began her mail came back."""
    assert freeze(game, ann, now + DAY)
    return fresh(game)


def reread(user):
    return User.objects.get(pk=user.pk)


def test_the_clock_stands_with_a_named_reason_and_an_end(frozen, ann, now):
    assert (frozen.stop_reason, frozen.stopped_at) == ("undelivered", now + DAY)
    assert (frozen.deadline, frozen.reminder_at) == (None, None)
    assert frozen.stopped_until == now + DAY + WAIT
    assert reread(ann).unreachable_since == now + DAY
    event = frozen.events.get(kind=Event.Kind.CLOCK_STOPPED)
    assert event.details == {"why": "undelivered", "user": ann.pk}


def test_nobody_runs_out_of_time_and_nobody_is_reminded_meanwhile(frozen, now):
    with unchanged():
        assert time_out_due(now=now + 59 * DAY) == 0
        assert remind_due(now=now + 59 * DAY) == 0
        assert end_stops(now=now + DAY + WAIT - SECOND) == 0


def test_what_came_too_late_or_is_not_theirs_stops_nothing(game, ann, bob, cat, now):
    for user, number in ((bob, 0), (cat, 0), (ann, 1), (ann, -1)):
        with unchanged():
            assert not freeze_undelivered(game_id=game.pk, turn_number=number, user=user, now=now)
    play(game, ann, "5", now=now)
    with unchanged():
        assert not freeze_undelivered(game_id=game.pk, turn_number=0, user=ann, now=now)


def test_a_clock_is_stopped_once(frozen, ann, now):
    with unchanged():
        assert not freeze(frozen, ann, now + 2 * DAY)


def test_a_game_that_is_over_is_not_stopped(game, ann, bob, now):
    resign(game_id=game.pk, user=bob, now=now)
    with unchanged():
        assert not freeze(game, ann, now)


def test_a_mail_that_comes_back_after_the_deadline_but_before_a_sweep_saves_the_turn(
    game, ann, now
):
    assert freeze(game, ann, now + 2 * DAY + SECOND)
    assert time_out_due(now=now + 3 * DAY) == 0


# Contact ---------------------------------------------------------------------------------------


def test_the_first_contact_gives_back_what_was_left(frozen, ann, now):
    back = now + 30 * DAY
    assert record_contact(reread(ann), now=back) == 1
    game = fresh(frozen)
    assert (game.stop_reason, game.deadline) == ("", back + DAY)
    assert game.reminder_at == back + DAY * 3 / 4
    assert reread(ann).unreachable_since is None
    event = game.events.get(kind=Event.Kind.CLOCK_STARTED)
    assert (event.actor, event.details) == (ann, {"why": "undelivered"})
    assert time_out_due(now=back + DAY) == 0
    assert time_out_due(now=back + DAY + SECOND) == 1


def test_with_a_bank_the_turn_gets_back_what_was_left(ann, bob, now):
    pace = TimeControl(PaceKind.FISCHER, allowance=DAY, bank=3 * DAY, cap=5 * DAY)
    game = begin(ann, bob, now=now, terms=Terms(pace))
    play(game, ann, "5", now=now + 2 * DAY)
    play(game, bob, "1", now=now + 2 * DAY)
    assert freeze(game, ann, now + 3 * DAY)
    record_contact(reread(ann), now=now + 9 * DAY)
    assert fresh(game).deadline == now + 10 * DAY


def test_all_frozen_turns_of_a_person_begin_anew_and_only_theirs(ann, bob, cat, now):
    mine = [begin(ann, bob, now=now), begin(ann, cat, now=now)]
    other = begin(cat, ann, now=now)
    for game, user in [(mine[0], ann), (mine[1], ann), (other, cat)]:
        assert freeze(game, user, now)
    assert record_contact(reread(ann), now=now + DAY) == 2
    assert [fresh(game).stop_reason for game in (*mine, other)] == ["", "", "undelivered"]
    assert reread(cat).unreachable_since is not None


def test_a_contact_that_was_killed_halfway_is_finished_by_the_next(frozen, ann, bob, now):
    more = begin(ann, bob, now=now)
    assert freeze(more, ann, now + DAY)
    record_contact(reread(ann), now=now + DAY)
    User.objects.filter(pk=ann.pk).update(unreachable_since=now)  # the mark is taken away last
    assert record_contact(reread(ann), now=now + 2 * DAY) == 0
    assert reread(ann).unreachable_since is None


def test_a_game_that_is_stopped_during_the_contact_goes_on_too(frozen, ann, bob, now, monkeypatch):
    more = begin(ann, bob, now=now)
    resume_clock = undelivered_turns.resume_clock

    def meanwhile(game, **how):
        freeze(more, ann, now)
        resume_clock(game, **how)

    monkeypatch.setattr(undelivered_turns, "resume_clock", meanwhile)
    assert record_contact(reread(ann), now=now + DAY) == 2
    assert fresh(more).stop_reason == ""


def test_who_could_be_reached_costs_no_query(ann, now, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert record_contact(ann, now=now) == 0


def test_playing_is_enough(frozen, ann, bob, now):
    play(frozen, ann, "5", now=now + 9 * DAY)
    game = fresh(frozen)
    assert (game.stop_reason, game.deadline) == ("", now + 11 * DAY)


def test_while_it_stands_the_opponent_can_offer_an_end_and_resign_but_no_pause(frozen, bob, now):
    with refused(errors.ClockStands, "The clock of this game is already stopped", status=409):
        offer_pause(game_id=frozen.pk, user=bob, days=3, now=now + 2 * DAY)
    offer_end(game_id=frozen.pk, user=bob, now=now + 2 * DAY)
    resign(game_id=frozen.pk, user=bob, now=now + 2 * DAY)
    assert fresh(frozen).stop_reason == ""


def test_a_pause_offered_before_cannot_be_accepted_while_it_stands(game, ann, bob, now):
    offer_pause(game_id=game.pk, user=bob, days=3, now=now)
    assert freeze(game, ann, now)
    with refused(errors.ClockStands, "The clock of this game is already stopped", status=409):
        accept_offer(game_id=game.pk, user=ann, now=now)


@pytest.fixture
def unreached(game, ann, bob, now):
    """During a pause of three days Ann's mail of her turn came back."""
    offer_pause(game_id=game.pk, user=ann, days=3, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now)
    assert not freeze(game, ann, now + DAY)
    return fresh(game)


def test_a_mail_that_comes_back_during_a_pause_leaves_the_pause_alone(unreached, now):
    assert (unreached.stop_reason, unreached.stopped_until) == ("paused", now + 3 * DAY)


@pytest.mark.parametrize("ended", ["by-time", "by-bob"])
def test_after_the_pause_the_clock_stands_for_who_was_not_heard_of(unreached, bob, now, ended):
    when = now + 3 * DAY
    if ended == "by-time":
        assert end_stops(now=when) == 1
    else:
        end_pause(game_id=unreached.pk, user=bob, now=when)
    game = fresh(unreached)
    assert (game.stop_reason, game.stopped_until) == ("undelivered", when + WAIT)
    assert game.events.last().kind == Event.Kind.CLOCK_STOPPED
    assert end_stops(now=when) == 0


def test_who_came_by_during_the_pause_goes_on_with_what_was_left(unreached, ann, now):
    record_contact(reread(ann), now=now + 2 * DAY)
    assert end_stops(now=now + 3 * DAY) == 1
    assert fresh(unreached).deadline == now + 5 * DAY


def test_time_given_before_or_after_is_part_of_the_turn_that_begins_anew(game, ann, bob, now):
    grant_time(game_id=game.pk, user=bob, now=now)
    assert freeze(game, ann, now)
    grant_time(game_id=game.pk, user=bob, now=now)
    record_contact(reread(ann), now=now + DAY)
    assert fresh(game).deadline == now + 5 * DAY


# Any signed-in page ----------------------------------------------------------------------------


@pytest.fixture
def person(db):
    return PersonFactory(username="eve")


@pytest.mark.parametrize("path", ["/", "/rules/", "/outages/"])
def test_any_page_that_is_asked_for_signed_in_is_contact(client, frozen, ann, path):
    client.get(path)
    assert fresh(frozen).stop_reason == "undelivered"
    client.force_login(ann)
    client.get(path)
    assert fresh(frozen).stop_reason == ""


def test_a_page_that_nobody_looks_at_is_no_contact(client, frozen, ann):
    client.force_login(ann)
    client.get(reverse("game_news", args=[frozen.pk]), {"turn": 0, "looking": "0"})
    assert fresh(frozen).stop_reason == "undelivered"


def test_a_visit_of_somebody_whom_mail_reaches_asks_the_database_nothing_more(client, person):
    client.force_login(person)
    with CaptureQueriesContext(connection) as asked:
        client.get("/rules/")
    # How many games wait for them is counted on every page.
    others = [query["sql"] for query in asked if "games_game AS waits" not in query["sql"]]
    assert not [sql for sql in others if "games_game" in sql]


def test_both_see_on_the_page_and_in_the_list_why_the_clock_stands(client, frozen, ann, bob):
    client.force_login(bob)
    page = client.get(frozen.get_absolute_url()).text
    assert "Aucun e-mail n’atteint" in page or "No mail reaches" in page
    assert str(ann) in page
    lists = client.get("/").text
    assert "arrêtée" in lists or "the clock is stopped" in lists


# The end of the wait ---------------------------------------------------------------------------


def test_after_sixty_days_a_game_of_two_is_aborted(frozen, ann, now):
    assert end_stops(now=now + DAY + WAIT) == 1
    game = fresh(frozen)
    assert (game.status, game.ending) == ("aborted", "unreachable")
    assert list(game.seats.values_list("place", flat=True)) == [None, None]
    assert record_contact(reread(ann), now=now + DAY + WAIT) == 0
    assert reread(ann).unreachable_since is None


def test_of_several_the_seat_departs_and_the_others_play_on(ann, bob, cat, dan, now):
    game = gather([ann, bob, cat, dan], now=now)
    mover = game.seats.get(number=fresh(game).seat_to_move)
    assert freeze(game, mover.user, now)
    assert end_stops(now=now + WAIT) == 1
    game = fresh(game)
    assert game.seats.get(pk=mover.pk).left_because == "unreachable"
    assert (game.status, game.stop_reason) == ("active", "")
    assert game.deadline is not None


def test_a_time_in_which_the_house_was_closed_does_not_count_for_the_wait(
    frozen, moderator, now, ann
):
    declare_outage(
        began_at=now + 2 * DAY,
        ended_at=now + 12 * DAY,
        note="",
        by=moderator,
        why="so",
        now=now + 13 * DAY,
    )
    assert end_stops(now=now + DAY + WAIT) == 0
    assert fresh(frozen).stopped_until == now + DAY + WAIT + 10 * DAY
    assert end_stops(now=now + DAY + WAIT + 10 * DAY - SECOND) == 0
    assert end_stops(now=now + DAY + WAIT + 10 * DAY) == 1


def test_a_stopped_game_has_no_deadline_in_the_database(frozen):
    assert Game.objects.get(deadline=None, stop_reason="undelivered").pk == frozen.pk
