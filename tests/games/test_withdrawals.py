"""Players who leave a game of three or four, which the others play on."""

from datetime import timedelta

import pytest

from games import errors
from games.models import Offer
from games.queries.home import home_page
from games.services.deadlines import time_out_due
from games.services.endings import abort, can_abort, resign
from games.services.offers import accept_offer, decline_offer, offer_end, withdraw_offer
from games.services.record import faults_of
from games.services.thinking import play_for_bots
from tests.factories import BotFactory
from tests.games.multiplayer import gather, mover, places, play_on, play_out, points, some_turn
from tests.games.play import DAY, SECOND, begin, fresh, kinds, play, refused
from tests.games.resigning import HOUR, give_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def three(people, now):
    """Ann, bob and cat play; ann is to move."""
    return gather(people[:3], now=now, variant="three")


# Leaving -----------------------------------------------------------------------------------------


def test_who_resigns_out_of_turn_leaves_and_the_others_play_on(four, cat, now):
    game = give_up(four, cat, now=now + HOUR)
    seat = game.seats.get(user=cat)
    assert (game.status, game.turn_number, game.seat_to_move) == ("active", 1, 0)
    assert (seat.left_at, seat.left_because, seat.place) == (now + HOUR, "resigned", None)
    assert game.seats.filter(left_at=None, left_because="").count() == 3
    entry = game.turns.get()
    assert (entry.number, entry.seat, entry.player) == (1, 2, cat)
    assert (entry.notation, entry.via, entry.played_at) == ("withdraw 2", "left", now + HOUR)


def test_a_departure_is_an_event_of_who_left(four, cat, now):
    give_up(four, cat, now=now)
    event = four.events.get(kind="departed")
    assert (event.actor, event.turn_number) == (cat, 1)
    assert event.details == {"seat": 2, "because": "resigned"}
    assert "ended" not in kinds(four)


def test_who_resigns_in_turn_passes_the_turn_to_the_next(four, ann, bob, now):
    game = give_up(four, ann, now=now + HOUR)
    assert (game.status, game.seat_to_move, mover(game)) == ("active", 1, bob)


def test_the_turns_of_who_left_are_passed_over(four, bob, now):
    give_up(four, bob, now=now)
    movers = []
    for _ in range(6):
        game = fresh(four)
        movers.append(mover(game).username)
        play_on(game, 1, now=now)
    assert movers == ["ann", "cat", "dan"] * 2


def test_who_runs_out_of_time_leaves_and_the_others_play_on(four, bob, cat, now):
    game = play_on(four, 1, now=now)
    late = game.deadline + SECOND
    assert time_out_due(now=late) == 1
    game = fresh(game)
    seat = game.seats.get(user=bob)
    assert (game.status, mover(game)) == ("active", cat)
    assert (seat.left_at, seat.left_because) == (late, "timeout")
    event = game.events.get(kind="departed")
    assert (event.actor, event.details) == (bob, {"seat": 1, "because": "timeout"})
    assert time_out_due(now=late) == 0


def test_one_after_another_runs_out_of_time_until_one_is_left(four, now):
    game = play_on(four, 1, now=now)
    for ending in ("active", "active", "finished"):
        time_out_due(now=game.deadline + SECOND)
        game = fresh(game)
        assert game.status == ending
    assert (game.ending, places(game)) == ("left", [1, 4, 3, 2])


def test_a_game_that_nobody_ever_played_is_aborted_and_nobody_has_left(four, now):
    time_out_due(now=four.deadline + SECOND)
    game = fresh(four)
    assert (game.status, game.ending, places(game)) == ("aborted", "never-begun", [None] * 4)
    assert not game.seats.exclude(left_at=None).exists()


# Who left ----------------------------------------------------------------------------------------


def test_who_left_does_nothing_more(four, ann, now):
    give_up(four, ann, now=now)
    for late in (now, now + 9 * DAY):
        for act_again in (resign, abort, offer_end, accept_offer, decline_offer, withdraw_offer):
            with refused(errors.HasLeft, "", status=409):
                act_again(game_id=four.pk, user=ann, now=late)
        with refused(errors.HasLeft, "", status=409):
            play(four, ann, some_turn(fresh(four)), now=late)


def test_who_left_does_not_play_when_their_partner_plays_their_colour(teams, ann, cat, now):
    game = give_up(teams, ann, now=now)
    with refused(errors.HasLeft, "", status=409):
        play(game, ann, some_turn(game), now=now)
    assert play(game, cat, some_turn(game), now=now).turn.seat == 2


@pytest.mark.parametrize("leaver", [0, 1, 2, 3])
def test_an_offer_lapses_when_anybody_leaves(four, people, ann, cat, now, leaver):
    """Ann offers, cat accepts, and nobody agreed to the game without whoever leaves then."""
    offer = offer_end(game_id=four.pk, user=ann, now=now)
    accept_offer(game_id=four.pk, user=cat, now=now)
    game = give_up(four, people[leaver], now=now + HOUR)
    offer.refresh_from_db()
    assert (offer.state, offer.closed_at) == (Offer.State.LAPSED, now + HOUR)
    assert game.status == "active"


def test_a_bot_that_left_is_asked_nothing_more(people, caplog, now):
    ann, bob, cat, _ = people
    game = gather([ann, BotFactory(), bob, cat], now=now)
    game = play_on(game, 1, now=now)
    time_out_due(now=game.deadline + SECOND)
    late = game.deadline + SECOND
    assert fresh(game).seats.get(number=1).left_at == late
    offer_end(game_id=game.pk, user=ann, now=late)
    with caplog.at_level("INFO", logger="games.services.thinking"):
        assert play_for_bots(now=late) == 0
    assert caplog.messages == []


def test_an_end_is_agreed_by_those_who_are_left(four, people, now):
    ann, bob, cat, dan = people
    give_up(four, bob, now=now)
    offer_end(game_id=four.pk, user=ann, now=now)
    accept_offer(game_id=four.pk, user=dan, now=now)
    assert fresh(four).status == "active"
    accept_offer(game_id=four.pk, user=cat, now=now)
    game = fresh(four)
    assert (game.status, game.ending) == ("finished", "agreed")
    assert (places(game), points(game)) == ([1, 4, 1, 1], [30, 0, 30, 30])


def test_a_game_counts_when_the_last_who_never_played_has_left(four, people, now):
    game = play_on(four, 3, now=now)
    game = give_up(game, people[3], now=now)
    with refused(errors.CannotAbort, "", status=409):
        abort(game_id=game.pk, user=people[0], now=now)


# How it ends -------------------------------------------------------------------------------------


def test_of_three_the_last_who_stays_wins_and_the_first_to_leave_is_last(three, ann, bob, now):
    game = give_up(three, bob, now=now)
    assert game.status == "active"
    game = give_up(game, ann, now=now)
    assert (game.status, game.ending, places(game)) == ("finished", "left", [2, 3, 1])
    assert points(game) == [0, 0, 30]
    assert game.events.get(kind="ended").actor == ann
    assert faults_of(game) == []


def test_who_left_comes_behind_those_who_played_to_the_end(three, bob, now):
    game = play_on(three, 30, now=now)
    game = play_out(give_up(game, bob, now=now), now=now)
    assert game.status == "finished"
    assert places(game)[1] == 3
    assert {places(game)[0], places(game)[2]} <= {1, 2}
    assert faults_of(game) == []


def test_of_four_places_go_by_who_stayed_longest(four, people, now):
    ann, _, cat, dan = people
    game = give_up(four, dan, ann, cat, now=now)
    assert (game.status, places(game)) == ("finished", [3, 1, 2, 4])


def test_in_teams_the_partner_plays_both_colours(teams, people, now):
    ann, bob, cat, dan = people
    give_up(teams, cat, now=now)
    movers = []
    for _ in range(8):
        game = fresh(teams)
        movers.append(mover(game))
        play_on(game, 1, now=now)
    assert movers == [ann, bob, ann, dan] * 2
    assert faults_of(fresh(teams)) == []


def test_in_teams_the_others_win_when_both_partners_are_gone(teams, people, now):
    ann, bob, cat, _ = people
    game = give_up(teams, ann, bob, now=now)
    assert game.status == "active"
    game = give_up(game, cat, now=now)
    assert (game.status, game.ending, places(game)) == ("finished", "left", [2, 1, 2, 1])


def test_in_teams_who_left_shares_the_place_of_the_partner_who_stayed(teams, people, now):
    ann, _, cat, dan = people
    game = give_up(teams, dan, ann, cat, now=now)
    assert places(game) == [2, 1, 2, 1]


@pytest.mark.parametrize("variant", ["two", "superduel"])
def test_of_two_the_other_wins_at_once_and_nobody_has_left(ann, bob, now, variant):
    game = gather([ann, bob], now=now, variant=variant)
    game = give_up(game, bob, now=now)
    assert (game.status, game.ending) == ("finished", "resigned")
    assert (places(game), game.turn_number) == ([1, 2], 0)
    assert not game.seats.exclude(left_at=None).exists()
    assert "departed" not in kinds(game)


def test_of_two_who_runs_out_of_time_loses(ann, bob, now):
    game = play_on(gather([ann, bob], now=now, variant="two"), 3, now=now)
    time_out_due(now=game.deadline + SECOND)
    game = fresh(game)
    assert (game.ending, places(game)) == ("timeout", [1, 2])


def test_one_departure_leaves_other_games_alone(four, people, now):
    ann, bob, *_ = people
    other, small = gather(people, now=now), begin(ann, bob, now=now)
    give_up(four, bob, now=now)
    assert fresh(other).turn_number == 0
    assert not other.seats.exclude(left_at=None).exists()
    assert fresh(small).status == "active"


def test_who_has_left_sees_the_game_no_more_among_those_that_wait(people, now):
    game = play_on(gather(people, now=now), 4, now=now)
    leaver = next(user for user in people if user != mover(game))
    assert game.pk in [one.pk for one in home_page(leaver).waiting]
    resign(game_id=game.pk, user=leaver, now=now)
    assert not home_page(leaver).waiting
    assert not home_page(leaver).awaiting


def test_leaving_is_not_playing_where_nobody_has_played(people, now):
    game = gather(people, now=now)
    leaver = next(user for user in people if user != mover(game))
    resign(game_id=game.pk, user=leaver, now=now)
    assert can_abort(fresh(game))
    time_out_due(now=now + timedelta(days=400))
    assert (fresh(game).status, fresh(game).ending) == ("aborted", "never-begun")
