"""Another pace by agreement, and more time for the opponent by one click."""

import pytest
from django.urls import reverse

from accounts.server_time import server_now
from games import errors
from games.clock.time_control import LONGEST_ALLOWANCE, PaceKind, TimeControl, per_turn
from games.models import Event, Game, Terms
from games.services.clock.added_time import MOST_GRANTS, grant_time
from games.services.clock.stops import end_pause
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.offers import accept_offer, offer_pace, offer_pause
from games.services.thinking import play_for_bots
from tests.games.multiplayer import gather, play_on
from tests.games.play import DAY, NOT_RATED, SECOND, begin, fresh, play, refused

pytestmark = pytest.mark.django_db

HOUR = DAY / 24
FISCHER = TimeControl(PaceKind.FISCHER, allowance=DAY, bank=5 * DAY, cap=9 * DAY)
TOTAL = TimeControl(PaceKind.TOTAL, bank=30 * DAY)


def agree(game, ann, bob, pace, now):
    offer_pace(game_id=game.pk, user=ann, pace=pace, now=now)
    return accept_offer(game_id=game.pk, user=bob, now=now)


@pytest.mark.parametrize(
    ("pace", "first", "next_time"),
    [(per_turn(7 * DAY), 7, 7), (FISCHER, 5, 5), (TOTAL, 30, 29)],
    ids=["turn", "fischer", "total"],
)
def test_the_turn_that_stands_and_every_seat_begin_anew_at_the_new_pace(
    game, ann, bob, now, pace, first, next_time
):
    agree(game, ann, bob, pace, now + DAY)
    changed = fresh(game)
    assert changed.terms.pace == pace
    assert changed.deadline == now + (1 + first) * DAY
    play(game, ann, "5", now=now + 2 * DAY)
    assert fresh(game).deadline == now + (2 + first) * DAY
    play(game, bob, "1", now=now + 2 * DAY)
    assert fresh(game).deadline == now + (2 + next_time) * DAY


def test_until_everybody_has_accepted_nothing_changes(ann, bob, cat, dan, now):
    game = gather([ann, bob, cat, dan], now=now)
    offer_pace(game_id=game.pk, user=ann, pace=TOTAL, now=now)
    for user in (bob, cat):
        accept_offer(game_id=game.pk, user=user, now=now)
        assert fresh(game).terms == game.terms
    accept_offer(game_id=game.pk, user=dan, now=now)
    assert fresh(game).terms.pace == TOTAL
    assert set(game.seats.values_list("time_left", flat=True)) == {30 * DAY}


def test_what_else_was_agreed_stays(ann, bob, now):
    more = {"allows_vacations": False, "allows_days_off": False, "is_rated": False}
    game = begin(ann, bob, now=now, terms=Terms(per_turn(DAY), **more))
    agree(game, ann, bob, FISCHER, now)
    assert fresh(game).terms == Terms(FISCHER, **more)


def test_in_a_pause_the_new_time_waits_for_its_end(game, ann, bob, now):
    offer_pause(game_id=game.pk, user=ann, days=7, now=now)
    accept_offer(game_id=game.pk, user=bob, now=now)
    agree(game, ann, bob, FISCHER, now + DAY)
    assert (fresh(game).stop_reason, fresh(game).time_left) == ("paused", 5 * DAY)
    end_pause(game_id=game.pk, user=bob, now=now + 2 * DAY)
    assert fresh(game).deadline == now + 7 * DAY


@pytest.mark.parametrize(
    "pace",
    [
        per_turn(SECOND),
        per_turn(LONGEST_ALLOWANCE + SECOND),
        per_turn(-DAY),
        TimeControl(PaceKind.FISCHER, allowance=DAY, bank=9 * DAY, cap=5 * DAY),
        TimeControl(PaceKind.TOTAL),
    ],
)
def test_a_pace_that_nobody_could_play_is_refused(game, ann, now, pace):
    with refused(errors.BadPace, "Nobody could play at this pace", status=422):
        offer_pace(game_id=game.pk, user=ann, pace=pace, now=now)


def test_a_duration_to_the_microsecond_survives_the_offer(game, ann, bob, now):
    odd = per_turn(3 * DAY + SECOND / 7)
    agree(game, ann, bob, odd, now)
    assert fresh(game).terms.pace == odd


def test_a_bot_accepts_another_pace(ann, partner, now):
    game = begin(ann, partner, now=now, terms=NOT_RATED)
    offer_pace(game_id=game.pk, user=ann, pace=TOTAL, now=now)
    play_for_bots(now=now)
    assert fresh(game).terms.pace == TOTAL


# More time -------------------------------------------------------------------------------------


def test_one_click_gives_the_opponent_a_day(game, ann, bob, now):
    assert grant_time(game_id=game.pk, user=bob, now=now + DAY) == DAY
    given = fresh(game)
    assert given.deadline == now + 3 * DAY
    event = game.events.get(kind=Event.Kind.TIME_GRANTED)
    assert (event.actor, event.details) == (bob, {"seconds": 86400, "seat": 0})
    assert time_out_due(now=now + 3 * DAY) == 0
    assert time_out_due(now=now + 3 * DAY + SECOND) == 1


@pytest.mark.parametrize(
    ("pace", "more"),
    [
        (per_turn(6 * HOUR), 6 * HOUR),
        (per_turn(DAY), DAY),
        (TimeControl(PaceKind.FISCHER, allowance=2 * HOUR, bank=9 * HOUR, cap=9 * HOUR), 2 * HOUR),
        (TimeControl(PaceKind.TOTAL, bank=9 * HOUR), 9 * HOUR),
        (TOTAL, DAY),
    ],
)
def test_it_is_a_turns_time_where_that_is_less_than_a_day(ann, bob, now, pace, more):
    game = begin(ann, bob, now=now, terms=Terms(pace))
    assert grant_time(game_id=game.pk, user=bob, now=now) == more
    assert fresh(game).deadline == now + pace.first + more


def test_the_reminder_moves_with_the_deadline(game, bob, now):
    grant_time(game_id=game.pk, user=bob, now=now)
    assert fresh(game).reminder_at == now + 3 * DAY - 0.75 * DAY


def test_nobody_gives_time_to_themselves(game, ann, now):
    with refused(
        errors.OnlyForOpponents, "You can only give time to an opponent whose", status=403
    ):
        grant_time(game_id=game.pk, user=ann, now=now)


def test_nobody_gives_time_to_their_own_side(ann, bob, cat, dan, now):
    game = gather([ann, bob, cat, dan], variant="teams", now=now)
    sides = game.rules.sides(game.options)
    assert sides[0] == sides[2] != sides[1]
    for user, seat in [(ann, 0), (cat, 2)]:
        assert game.seats.get(number=seat).user == user
        with refused(
            errors.OnlyForOpponents, "You can only give time to an opponent whose", status=403
        ):
            grant_time(game_id=game.pk, user=user, now=now)
    assert grant_time(game_id=game.pk, user=dan, now=now) == DAY


def test_a_stranger_gives_nothing(game, cat, now):
    with refused(errors.NotAPlayer, "You do not play", status=403):
        grant_time(game_id=game.pk, user=cat, now=now)


def test_after_the_deadline_it_is_too_late(game, bob, now):
    with refused(errors.TooLate, "Your time for this turn has run out", status=409):
        grant_time(game_id=game.pk, user=bob, now=now + 2 * DAY + SECOND)


def test_not_before_the_game_nor_after_it(game, ann, bob, now):
    Game.objects.filter(pk=game.pk).update(deadline=now - DAY)
    time_out_due(now=now + 9 * DAY)
    with refused(errors.GameNotRunning, "This game has not started yet, or it is over", status=409):
        grant_time(game_id=game.pk, user=bob, now=now)


@pytest.mark.parametrize("over", [False, True])
def test_nobody_has_more_than_a_year_for_a_turn(ann, bob, now, over):
    game = begin(ann, bob, now=now, terms=Terms(per_turn(LONGEST_ALLOWANCE)))
    when = now + DAY - (SECOND if over else 0 * SECOND)
    if over:
        with refused(errors.TimeEnough, "enough time", status=409):
            grant_time(game_id=game.pk, user=bob, now=when)
    else:
        assert grant_time(game_id=game.pk, user=bob, now=when) == DAY


def test_a_player_gives_time_so_often_for_one_turn(game, ann, bob, now):
    for _ in range(MOST_GRANTS):
        grant_time(game_id=game.pk, user=bob, now=now)
    with refused(errors.TimeEnough, "enough time", status=409):
        grant_time(game_id=game.pk, user=bob, now=now)
    play(game, ann, "5", now=now)
    play(game, bob, "1", now=now)
    assert grant_time(game_id=game.pk, user=bob, now=now) == DAY


def test_with_three_sides_all_gifts_for_a_turn_are_no_more_than_a_turns_time(people, now):
    ann, bob, cat, dan = people
    game = gather(people, now=now, terms=Terms(per_turn(3 * DAY)))
    for giver in (bob, cat, bob):
        assert grant_time(game_id=game.pk, user=giver, now=now) == DAY
    for giver in (bob, cat, dan):
        with refused(errors.TimeEnough, "enough time for this turn", status=409):
            grant_time(game_id=game.pk, user=giver, now=now)
    assert fresh(game).deadline == now + 6 * DAY
    game = play_on(game, 1, now=now)
    assert grant_time(game_id=game.pk, user=ann, now=now) == DAY


def test_a_departure_out_of_turn_begins_no_new_count_of_gifts(people, now):
    _, bob, cat, dan = people
    game = gather(people, now=now, terms=Terms(per_turn(DAY)))
    grant_time(game_id=game.pk, user=bob, now=now)
    resign(game_id=game.pk, user=dan, now=now)
    with refused(errors.TimeEnough, "enough time for this turn", status=409):
        grant_time(game_id=game.pk, user=cat, now=now)


def test_between_two_teams_as_much_time_can_be_given_as_ever(people, now):
    _, bob, *_ = people
    game = gather(people, now=now, variant="teams", terms=Terms(per_turn(DAY)))
    for _ in range(MOST_GRANTS):
        assert grant_time(game_id=game.pk, user=bob, now=now) == DAY


def test_the_page_offers_no_time_that_cannot_be_given(people, client):
    _, bob, *_ = people
    now = server_now()
    game = gather(people, now=now, terms=Terms(per_turn(DAY)))
    client.force_login(bob)
    button = f'action="{reverse("game_grant_time", args=[game.pk])}"'
    assert button in client.get(game.get_absolute_url()).content.decode()
    grant_time(game_id=game.pk, user=bob, now=now)
    assert button not in client.get(game.get_absolute_url()).content.decode()
