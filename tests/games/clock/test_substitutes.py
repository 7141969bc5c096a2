"""A seat that ran out of time and for which somebody else is sought."""

from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.server_time import server_now
from games import errors
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.models import Game, Offer, Substitution, Terms, Turn
from games.moderation.game_actions import pause_game, remove_player, resume_game, take_back
from games.moderation.site import declare_outage
from games.queries.home import home_page
from games.queries.lists import games_of, vacant_seats
from games.services.clock.added_time import grant_time
from games.services.clock.stops import end_stops
from games.services.clock.timeouts import claim_seat
from games.services.conduct.blocks import block, unblock
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.offers import offer_end
from games.services.record import faults_of
from tests.factories import PersonFactory
from tests.games.moderating import WHY
from tests.games.multiplayer import gather, names, places, play_on, play_out, some_turn
from tests.games.play import (
    DAY,
    SECOND,
    begin,
    fresh,
    kinds,
    play,
    play_all,
    refused,
    table,
    unchanged,
)

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
WEEK = 7 * DAY
SUBSTITUTE = Terms(per_turn(2 * DAY), on_timeout="substitute")


@pytest.fixture
def eve(db):
    """Somebody who is not at the game."""
    return PersonFactory(username="eve")


@pytest.fixture
def sought(people, now):
    """Four play; ann has played and bob ran out of time: his seat is sought since `.stopped_at`."""
    game = play_on(gather(people, now=now, terms=SUBSTITUTE), 1, now=now)
    return run_out(game)


def run_out(game):
    """Let the seat to move run out of time."""
    assert time_out_due(now=game.deadline + SECOND) == 1
    return fresh(game)


# Somebody is sought ------------------------------------------------------------------------------


def test_while_somebody_is_sought_the_clock_stands_for_a_week(sought, bob):
    assert (sought.status, sought.deadline, sought.stop_reason) == ("active", None, "substitute")
    assert sought.stopped_until == sought.stopped_at + WEEK
    assert (sought.seat_to_move, sought.turn_number) == (1, 1)
    seat = sought.seats.get(number=1)
    assert (seat.user, seat.left_at, seat.left_because) == (bob, sought.stopped_at, "timeout")
    event = sought.events.get(kind="seat-sought")
    assert (event.actor, event.at) == (bob, sought.stopped_at)
    assert event.details == {"seat": 1, "because": "timeout"}
    assert time_out_due(now=sought.stopped_at + 300 * DAY) == 0


def test_nobody_takes_over_where_who_plays_on_has_blocked_them(sought, eve, ann, bob):
    when = sought.stopped_at
    block(by=bob, of=eve, now=when)  # he has lost the seat: it is not his to say
    assert list(vacant_seats(eve, now=when)) == [sought]
    block(by=ann, of=eve, now=when)
    assert list(vacant_seats(eve, now=when)) == []
    with refused(errors.NotWelcome, "You cannot join this game", status=403):
        claim_seat(game_id=sought.pk, user=eve, now=when)
    unblock(by=ann, of=eve, now=sought.stopped_at)
    claim_seat(game_id=sought.pk, user=eve, now=when)


def test_who_comes_takes_the_position_and_a_turns_time(sought, eve, bob):
    when = sought.stopped_at + 3 * DAY
    position = sought.position
    game = claim_seat(game_id=sought.pk, user=eve, now=when)
    game = fresh(game)
    assert (game.position, game.turn_number, game.seat_to_move) == (position, 1, 1)
    assert (game.stop_reason, game.deadline, game.turn_began_at) == ("", when + 2 * DAY, when)
    seat = game.seats.get(number=1)
    assert (seat.user, seat.left_at, seat.left_because) == (eve, None, "")
    taken = Substitution.objects.get()
    assert (taken.seat, taken.former, taken.by, taken.at) == (seat, bob, eve, when)
    assert game.events.get(kind="seat-taken-over").details == {"seat": 1, "former": bob.pk}
    assert play(game, eve, some_turn(game), now=when + 2 * DAY).turn.player == eve


def test_turns_stay_with_who_played_them_and_the_result_goes_to_who_came(people, eve, now):
    _, bob, *_ = people
    game = play_on(gather(people, now=now, terms=SUBSTITUTE), 5, now=now)
    game = run_out(game)
    claim_seat(game_id=game.pk, user=eve, now=game.stopped_at)
    game = play_out(fresh(game), now=game.stopped_at)
    assert set(game.turns.filter(seat=1, number__lte=5).values_list("player", flat=True)) == {
        bob.pk
    }
    assert game.turns.filter(player=eve).exists()
    assert names(game) == ["ann", "eve", "cat", "dan"]
    assert None not in places(game)
    assert not game.seats.filter(user=bob).exists()
    assert games_of(bob, bob) == [game] == games_of(eve, eve)
    assert faults_of(game) == []


@pytest.mark.parametrize(
    ("pace", "time"),
    [
        (TimeControl(PaceKind.FISCHER, HOUR, 7 * DAY, 14 * DAY), DAY),
        (TimeControl(PaceKind.FISCHER, 2 * DAY, 7 * DAY, 14 * DAY), 2 * DAY),
        (TimeControl(PaceKind.TOTAL, bank=30 * DAY), DAY),
        (TimeControl(PaceKind.TOTAL, bank=HOUR), HOUR),
    ],
)
def test_from_a_bank_who_comes_has_a_day_or_an_increment(people, eve, now, pace, time):
    game = gather(people, now=now, terms=Terms(pace, on_timeout="substitute"))
    game = run_out(play_on(game, 1, now=now))
    claim_seat(game_id=game.pk, user=eve, now=game.stopped_at)
    assert fresh(game).deadline == game.stopped_at + time


def test_of_two_who_come_one_gets_the_seat(sought, eve):
    late = PersonFactory(username="fay")
    claim_seat(game_id=sought.pk, user=eve, now=sought.stopped_at)
    with refused(errors.NoSeatSought, "This game is no longer looking for a", status=409):
        claim_seat(game_id=sought.pk, user=late, now=sought.stopped_at)


def test_who_sits_there_already_or_sat_there_cannot_take_the_seat(sought, ann, bob, eve):
    for person in (ann, bob):
        with refused(errors.SeatedAlready, "You are already at this table", status=409):
            claim_seat(game_id=sought.pk, user=person, now=sought.stopped_at)
    claim_seat(game_id=sought.pk, user=eve, now=sought.stopped_at)
    game = run_out(fresh(sought))
    with refused(errors.SeatWasYours, "You have already played in this game", status=403):
        claim_seat(game_id=game.pk, user=bob, now=game.stopped_at)


def test_nobody_can_take_a_seat_that_is_not_sought(people, eve, now):
    game = gather(people, now=now, terms=SUBSTITUTE)
    with refused(errors.NoSeatSought, "", status=409):
        claim_seat(game_id=game.pk, user=eve, now=now)
    over = table(people[0], now=now)
    with refused(errors.GameNotRunning, "", status=409):
        claim_seat(game_id=over.pk, user=eve, now=now)


def test_the_search_lasts_to_its_last_instant(sought, eve):
    until = sought.stopped_until
    with unchanged():
        assert end_stops(now=until - SECOND) == 0
        assert end_stops(now=until) == 0
    with refused(errors.NoSeatSought, "", status=409):
        claim_seat(game_id=sought.pk, user=eve, now=until + SECOND)
    assert claim_seat(game_id=sought.pk, user=eve, now=until).seats.filter(user=eve).exists()


def test_a_seat_for_which_nobody_came_leaves_and_the_others_play_on(sought, cat):
    late = sought.stopped_until + SECOND
    assert end_stops(now=late) == 1
    game = fresh(sought)
    assert (game.status, game.seat_to_move, game.stop_reason) == ("active", 2, "")
    assert (game.deadline, game.turn_number) == (late + 2 * DAY, 2)
    entry = game.turns.get(number=2)
    assert (entry.notation, entry.via) == ("withdraw 1", Turn.Via.LEFT)
    assert kinds(game)[-1] == "departed"
    assert end_stops(now=late) == 0
    assert faults_of(game) == []
    play(game, cat, some_turn(game), now=late)


def test_a_time_in_which_nobody_could_come_is_added_to_the_search(sought, moderator, eve):
    closed, until = sought.stopped_at + DAY, sought.stopped_until
    declare_outage(
        began_at=closed, ended_at=closed + 2 * DAY, note="", by=moderator, why=WHY, now=until
    )
    assert end_stops(now=until + SECOND) == 0
    claim_seat(game_id=sought.pk, user=eve, now=until + 2 * DAY)
    assert fresh(sought).stop_reason == ""


def held(game, mo, *, since, until):
    """Let a moderator stop the game for a while."""
    pause_game(game_id=game.pk, by=mo, why=WHY, now=since)
    resume_game(game_id=game.pk, by=mo, why=WHY, now=until)
    return fresh(game)


@pytest.mark.parametrize("days", [3, 7])
def test_after_a_moderators_hold_the_search_goes_on_with_what_was_left(sought, mo, days):
    """Also where nothing was left: nobody plays that seat, so that its clock never runs."""
    began = sought.stopped_at
    back = began + 30 * DAY
    game = held(sought, mo, since=began + days * DAY, until=back)
    until = back + (7 - days) * DAY
    assert (game.stop_reason, game.stopped_until) == ("substitute", until)
    assert end_stops(now=until) == 0
    assert end_stops(now=until + SECOND) == 1
    assert fresh(game).turns.get(number=2).notation == "withdraw 1"


def test_a_held_search_outlives_that_another_seat_is_taken_out(sought, mo, people):
    when = sought.stopped_at
    pause_game(game_id=sought.pk, by=mo, why=WHY, now=when)
    with refused(errors.SeatIsEmpty, "This game is looking for a substitute", status=409):
        take_back(game_id=sought.pk, by=mo, turn=0, why=WHY, now=when)
    remove_player(game_id=sought.pk, by=mo, seat=2, why=WHY, now=when)
    assert fresh(sought).stop_reason == "moderator"
    resume_game(game_id=sought.pk, by=mo, why=WHY, now=when + DAY)
    game = fresh(sought)
    assert (game.stop_reason, game.stopped_until) == ("substitute", when + DAY + WEEK)


def test_a_held_search_ends_when_only_one_would_wait_for_it(sought, mo):
    when = sought.stopped_at
    remove_player(game_id=sought.pk, by=mo, seat=0, why=WHY, now=when)
    pause_game(game_id=sought.pk, by=mo, why=WHY, now=when)
    remove_player(game_id=sought.pk, by=mo, seat=2, why=WHY, now=when)
    game = fresh(sought)
    assert (game.status, game.ending, places(game)) == ("finished", "left", [4, 3, 2, 1])


def test_who_ran_out_of_time_does_nothing_more_there(sought, bob, eve):
    when = sought.stopped_at
    with refused(errors.HasLeft, "", status=409):
        play(sought, bob, some_turn(sought), now=when)
    assert not home_page(bob).awaiting
    assert not home_page(bob).waiting
    claim_seat(game_id=sought.pk, user=eve, now=when)
    with refused(errors.NotAPlayer, "", status=403):
        play(sought, bob, some_turn(sought), now=when)
    assert [one.pk for one in home_page(eve).awaiting] == [sought.pk]


def test_the_others_wait_meanwhile_and_agree_on_nothing(sought, ann, cat):
    when = sought.stopped_at
    with refused(errors.SeatIsSought, "", status=409):
        grant_time(game_id=sought.pk, user=ann, now=when)
    with refused(errors.NotYourTurn, "", status=409):
        play(sought, cat, some_turn(sought), now=when)
    with refused(errors.SeatIsSought, "This game is looking for a substitute", status=409):
        offer_end(game_id=sought.pk, user=ann, now=when)


def test_an_offer_lapses_when_somebody_is_sought(people, now):
    game = play_on(gather(people, now=now, terms=SUBSTITUTE), 1, now=now)
    offer = offer_end(game_id=game.pk, user=people[0], now=now)
    run_out(game)
    offer.refresh_from_db()
    assert offer.state == Offer.State.LAPSED


def test_a_search_ends_when_only_one_would_wait_for_it(sought, ann, cat, people):
    when = sought.stopped_at
    resign(game_id=sought.pk, user=ann, now=when)
    resign(game_id=sought.pk, user=cat, now=when)
    game = fresh(sought)
    assert (game.status, game.ending, places(game)) == ("finished", "left", [4, 3, 2, 1])
    assert faults_of(game) == []


def test_who_came_may_run_out_of_time_too(sought, eve, bob):
    claim_seat(game_id=sought.pk, user=eve, now=sought.stopped_at)
    game = run_out(fresh(sought))
    assert (game.stop_reason, game.seats.get(number=1).user) == ("substitute", eve)
    fay = PersonFactory(username="fay")
    claim_seat(game_id=game.pk, user=fay, now=game.stopped_at)
    formers = Substitution.objects.order_by("pk").values_list("former__username", flat=True)
    assert list(formers) == ["bob", "eve"]


def test_the_page_of_tables_lists_what_is_sought_for_whom_it_is(sought, ann, bob, eve):
    when = sought.stopped_at
    assert list(vacant_seats(eve, now=when)) == [sought]
    assert list(vacant_seats(eve, now=sought.stopped_until)) == [sought]
    assert list(vacant_seats(eve, now=sought.stopped_until + SECOND)) == []
    for person in (ann, bob):
        assert list(vacant_seats(person, now=when)) == []


def test_nobody_is_sought_for_a_private_game(people, now):
    """A moderator may have closed it to others since."""
    game = play_on(gather(people, now=now, terms=SUBSTITUTE), 1, now=now)
    Game.objects.filter(pk=game.pk).update(is_public=False)
    game = run_out(game)
    assert (game.stop_reason, game.turns.get(number=2).notation) == ("", "withdraw 1")
    with refused(
        errors.StrangersAtPrivateTable, "A private game cannot look for a substitute", status=422
    ):
        table(people[0], now=now, slug="superpion", terms=SUBSTITUTE, is_public=False)


def test_before_the_first_turn_a_game_is_aborted_and_nobody_sought(people, now):
    game = run_out(gather(people, now=now, terms=SUBSTITUTE))
    assert (game.status, game.ending, game.stop_reason) == ("aborted", "never-begun", "")


def test_of_two_the_other_wins_whatever_was_chosen(ann, bob, now):
    game = begin(ann, bob, now=now, terms=SUBSTITUTE)
    game = run_out(play_all(game, ["5", "1", "2"], now=now))
    assert (game.status, game.ending, places(game)) == ("finished", "timeout", [1, 2])


# How often -------------------------------------------------------------------------------------


def test_a_seat_is_taken_over_twice_and_then_leaves(sought, eve):
    fay = PersonFactory(username="fay")
    game = sought
    for substitute in (eve, fay):
        claim_seat(game_id=game.pk, user=substitute, now=game.stopped_at)
        game = fresh(game)
        if substitute == eve:
            game = run_out(game)
            assert game.stop_reason == "substitute"
    game = run_out(game)
    assert (game.stop_reason, game.status) == ("", "active")
    seat = game.seats.get(number=1)
    assert (seat.user, seat.left_because) == (fay, "timeout")
    assert game.turns.filter(via=Turn.Via.LEFT, seat=1).exists()


def test_nobody_is_the_substitute_in_more_than_three_games(people, eve, now):
    games = [
        run_out(play_on(gather(people, now=now, terms=SUBSTITUTE), 1, now=now)) for _ in range(4)
    ]
    *taken, fourth = games
    when = fourth.stopped_at
    for game in taken:
        claim_seat(game_id=game.pk, user=eve, now=when)
    with refused(errors.SubstituteEnough, "You already play 3 games as a substitute.", status=429):
        claim_seat(game_id=fourth.pk, user=eve, now=when)
    resign(game_id=taken[0].pk, user=eve, now=when)
    assert claim_seat(game_id=fourth.pk, user=eve, now=when).seats.filter(user=eve).exists()


def test_the_page_offers_no_seat_to_who_is_a_substitute_in_three_games(people, eve, client):
    now = server_now()
    *taken, fourth = [
        play_on(gather(people, now=now - 3 * DAY, terms=SUBSTITUTE), 1, now=now - 3 * DAY)
        for _ in range(4)
    ]
    time_out_due(now=now)
    client.force_login(eve)
    button = f'action="{reverse("seat_claim", args=[fourth.pk])}"'
    assert button in client.get(fourth.get_absolute_url()).content.decode()
    for game in taken:
        claim_seat(game_id=game.pk, user=eve, now=now)
    assert button not in client.get(fourth.get_absolute_url()).content.decode()
