"""Nobody loses less by leaving than by playing to the end: each way to leave, and its rating."""

from collections import defaultdict
from dataclasses import replace
from itertools import permutations

import pytest

from games.clock.time_control import per_turn
from games.models import Game, RatingChange, Terms
from games.moderation.game_actions import adjudicate, substitute
from games.moderation.people import Running, ban_user
from games.services.clock.timeouts import claim_seat
from games.services.departures import leave_games
from games.services.endings import resign
from games.services.leagues.entries import leave_season
from games.services.ratings import _Former, _Seat, strengths_after
from tests.factories import PersonFactory
from tests.games.leagues.simulation import started
from tests.games.moderating import WHY, a_moderator, lose_on_time
from tests.games.multiplayer import gather, mover, play_on, some_turn
from tests.games.play import DAY, begin, fresh, play, play_all
from tests.games.test_ratings import rated

pytestmark = pytest.mark.django_db

SEATS = range(4)


def gains():
    """Rate what is due, see that a rebuild gives the same, and return what each player gained."""
    rated()
    return {one.player_id: one.mu - one.mu_before for one in RatingChange.objects.all()}


def terms_with(on_timeout):
    """Return terms by which this happens to the seat of a player who runs out of time."""
    program = {"substitute_level": 1} if on_timeout == Game.OnTimeout.PROGRAM else {}
    return Terms(per_turn(2 * DAY), on_timeout=on_timeout, **program)


def end(game, first, boss, now):
    """Let a moderator decide a game: a seat is first, and the others share the second place."""
    places = [1 if number == first else 2 for number in SEATS]
    return adjudicate(game_id=game.pk, by=boss, places=places, why=WHY, now=now)


@pytest.fixture
def last_of_four(people, now):
    """Return what the last of four equal players loses who stays, in a game of its own."""
    whole = [_Seat((n, "4", 0), n, n + 1, 1.0, has_left=False) for n in SEATS]
    return strengths_after(whole, {}, 1.0)[3, "4", 0][0] - 1500


def test_who_leaves_a_game_from_a_good_place_is_rated_as_the_last(people, now, last_of_four):
    boss = a_moderator("boss")
    game = play_on(gather(people, now=now), 8, now=now)
    leaver = mover(game)
    seat = game.seats.get(user=leaver).number
    resign(game_id=game.pk, user=leaver, now=now)
    end(game, seat, boss, now)
    gained = gains()
    assert gained.pop(leaver.pk) == pytest.approx(last_of_four)
    assert all(value > 0 for value in gained.values())


@pytest.mark.parametrize("how", ["person", "program"])
def test_whose_seat_is_taken_over_is_rated_as_the_last_even_if_it_wins(
    how, people, partner, now, last_of_four
):
    boss, eve = a_moderator("boss"), PersonFactory(username="eve")
    then = Game.OnTimeout.SUBSTITUTE if how == "person" else Game.OnTimeout.PROGRAM
    game = play_on(gather(people, now=now, terms=terms_with(then)), 8, now=now)
    leaver = mover(game)
    seat = game.seats.get(user=leaver).number
    lose_on_time(game, now=now)
    if how == "person":
        claim_seat(game_id=game.pk, user=eve, now=now)
    taken = game.seats.get(number=seat).user
    assert taken != leaver
    play_on(game, 8, now=now)
    end(game, seat, boss, now)
    gained = gains()
    assert gained[leaver.pk] == pytest.approx(last_of_four, rel=0.3)
    assert gained[leaver.pk] < 0.7 * last_of_four
    if how == "person":
        assert gained[eve.pk] > 0  # half of the turns were hers


def test_who_leaves_it_to_a_partner_is_rated_as_having_lost(people, now):
    boss = a_moderator("boss")
    game = gather(people, now=now, variant="teams", terms=terms_with(Game.OnTimeout.PARTNER))
    game = play_on(game, 8, now=now)
    leaver = mover(game)
    seat = game.seats.get(user=leaver)
    game = lose_on_time(game, now=now)
    for _ in range(4):  # the partner plays both seats
        player = game.seats.get(number=game.seat_to_move).player
        play(game, player, some_turn(game), now=now)
        game = fresh(game)
    sides = game.rules.sides(game.options)
    places = [1 if side == sides[seat.number] else 2 for side in sides]
    adjudicate(game_id=game.pk, by=boss, places=places, why=WHY, now=now)
    gained = gains()
    partner = next(
        one.user
        for one in game.seats.all()
        if sides[one.number] == sides[seat.number] and one.pk != seat.pk
    )
    assert gained[partner.pk] > 0
    assert gained[leaver.pk] == pytest.approx(-gained[partner.pk])


def test_whom_a_moderator_replaces_counts_by_their_share_unless_they_had_left(people, now):
    boss = a_moderator("boss")
    for vacant in (False, True):
        eve = PersonFactory(username=f"eve{vacant}")
        choices = {"terms": terms_with(Game.OnTimeout.SUBSTITUTE)} if vacant else {}
        game = play_on(gather(people, now=now, **choices), 8, now=now)
        former = mover(game)
        seat = game.seats.get(user=former).number
        if vacant:
            lose_on_time(game, now=now)
        substitute(game_id=game.pk, by=boss, seat=seat, user=eve, why=WHY, now=now)
        play_on(game, 8, now=now)
        end(game, seat, boss, now)
        gained = gains()
        change = RatingChange.objects.get(game=game, player=former)
        assert gained[eve.pk] > 0
        assert (change.mu < change.mu_before) is vacant
        assert change.mu <= change.mu_before


def test_in_a_game_of_two_every_way_to_leave_loses_as_resigning_does(ann, bob, now):
    boss = a_moderator("boss")
    lost = []
    for number, leave in enumerate(("resign", "time", "ban", "delete")):
        one, other = (PersonFactory(username=f"{leave}{who}") for who in "ab")
        game = play_all(begin(one, other, now=now), ["5", "1"], now=now)
        at = now + number * DAY / 24
        if leave == "resign":
            resign(game_id=game.pk, user=one, now=at)
        elif leave == "time":
            lose_on_time(game, now=at)
        elif leave == "ban":
            ban_user(person_id=one.pk, by=boss, why=WHY, running=Running.WITHDRAW, now=at)
        else:
            leave_games(one, now=at)  # as the deletion of an account does
        gained = gains()
        lost.append(gained[one.pk])
        assert gained[other.pk] == pytest.approx(-gained[one.pk])
    assert lost == pytest.approx([lost[0]] * 4)
    assert lost[0] < 0


def test_who_leaves_a_competition_loses_every_game_that_was_being_played(people, now):
    season, start = started(people, now)
    leaver = people[0]
    games = Game.objects.filter(league_game__division__season=season, seats__user=leaver)
    for game in games:
        play_all(game, ["5", "1"], now=start)
    leave_season(rules_slug="morpion", user=leaver, now=start + DAY)
    gained = gains()
    assert RatingChange.objects.filter(player=leaver).count() == 3
    assert all((value < 0) is (pk == leaver.pk) for pk, value in gained.items())


def test_leaving_is_never_better_than_any_place_at_the_end():
    """Of all places that who stays can have, and whatever place the seat has after one has left."""
    before = {(number, "4", 0): (1500.0 + 150 * number, 90.0, 9) for number in range(5)}
    substitute_of_seat = (4, "4", 0)
    for who in SEATS:
        key = (who, "4", 0)
        staying, leaving = defaultdict(list), defaultdict(list)
        for places in permutations((1, 2, 3, 4)):

            def change(own, places=places, key=key, who=who):
                seats = [
                    _Seat((n, "4", 0), n, places[n], 1.0, has_left=False) for n in SEATS if n != who
                ]
                return strengths_after([*seats, own], before, 1.0)[key][0]

            stays = _Seat(key, who, places[who], 1.0, has_left=False)
            taken_over = _Seat(
                substitute_of_seat, who, places[who], 0.3, False, (_Former(key, 1.0, False),)
            )
            order = tuple(sorted((n for n in SEATS if n != who), key=lambda n: places[n]))
            staying[order].append(change(stays))
            leaving[order] += [change(replace(stays, has_left=True)), change(taken_over)]
        for order, found in leaving.items():
            assert max(found) <= min(staying[order]) + 1e-9
            assert max(found) < before[key][0]
