"""Players of three and four who leave at the same moment, in processes of their own."""

from collections import Counter
from datetime import timedelta

import pytest

from games.services.record import faults_of
from tests.games.multiplayer import gather, mover, places, play_on, points, some_turn
from tests.games.parallel import at_once, resign, sweep, turn
from tests.games.play import DAY, SECOND, fresh

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 10
REASONS = ("resigned", "timeout")


def begun(people, *, now, variant="four"):
    """Return as many games as there are rounds; in each, seat 1 is to move and seat 0 has played.

    Their deadlines lie ten seconds apart: each round's time-out touches its own game alone.
    """
    moments = [now + timedelta(seconds=10 * number) for number in range(ROUNDS)]
    return [play_on(gather(people, now=at, variant=variant), 1, now=at) for at in moments]


def left(game):
    """Return the seats in the order in which they left, as the record has it.

    The record, the seats, the events and the hashes must tell the same story.
    """
    entries = [entry for entry in game.turns.all() if entry.via == "left"]
    order = [entry.seat for entry in entries]
    assert [entry.notation for entry in entries] == [f"withdraw {seat}" for seat in order]
    assert list(game.turns.values_list("number", flat=True)) == [*range(1, game.turn_number + 1)]
    events = game.events.filter(kind="departed").order_by("pk")
    assert [event.details["seat"] for event in events] == order
    gone = game.seats.exclude(left_at=None)
    assert sorted(gone.values_list("number", flat=True)) == sorted(order)
    assert set(gone.values_list("left_because", flat=True)) <= set(REASONS)
    assert game.events.filter(kind="ended").count() == game.is_over
    assert faults_of(game) == []
    return order


def because(game, seat):
    return game.seats.get(number=seat).left_because


def test_two_of_three_who_resign_at_once_leave_the_third_the_winner(people, now):
    ann, bob, cat = people[:3]
    games = begun([ann, bob, cat], now=now, variant="three")
    answers = at_once(
        [resign(game, ann, now=now) for game in games],
        [resign(game, bob, now=now) for game in games],
    )
    assert answers == [["left"] * ROUNDS] * 2
    for game in map(fresh, games):
        order = left(game)
        assert sorted(order) == [0, 1]
        assert (game.status, game.ending) == ("finished", "left")
        assert [places(game)[seat] for seat in (*order, 2)] == [3, 2, 1]
        assert points(game) == [0, 0, 30]


def test_two_of_four_who_resign_at_once_leave_two_who_play_on(people, now):
    games = begun(people, now=now)
    answers = at_once(
        [resign(game, people[1], now=now) for game in games],
        [resign(game, people[3], now=now) for game in games],
    )
    assert answers == [["left"] * ROUNDS] * 2
    for game in map(fresh, games):
        order = left(game)
        assert sorted(order) == [1, 3]
        assert (game.status, game.seat_to_move, game.turn_number) == ("active", 2, 3)
        assert left(play_on(game, 3, now=now)) == order


def test_when_all_four_resign_at_once_the_last_stays_and_wins(people, now):
    games = begun(people, now=now)
    answers = at_once(*[[resign(game, person, now=now) for game in games] for person in people])
    for game, said in zip(map(fresh, games), zip(*answers, strict=True), strict=True):
        assert Counter(said) == {"left": 3, "GameNotRunning": 1}
        stayed = said.index("GameNotRunning")
        order = left(game)
        assert {*order, stayed} == {0, 1, 2, 3}
        assert game.ending == "left"
        assert [places(game)[seat] for seat in (*order, stayed)] == [4, 3, 2, 1]
        assert points(game) == [30 if seat == stayed else 0 for seat in range(4)]


def test_one_who_resigns_from_five_browsers_at_once_leaves_once(people, now):
    games = begun(people, now=now)
    answers = at_once(*[[resign(game, people[2], now=now) for game in games] for _ in range(5)])
    for game, said in zip(map(fresh, games), zip(*answers, strict=True), strict=True):
        assert Counter(said) == {"left": 1, "HasLeft": 4}
        assert left(game) == [2]


def test_who_resigns_as_their_time_runs_out_leaves_for_one_of_the_two_reasons(people, now):
    games = begun(people, now=now)
    answers, swept = at_once(
        [resign(game, mover(game), now=game.deadline) for game in games],
        [sweep(now=game.deadline + SECOND) for game in games],
    )
    for raced, answer in zip(games, answers, strict=True):
        game = fresh(raced)
        assert left(game) == [1]
        assert because(game, 1) == {"left": "resigned", "HasLeft": "timeout"}[answer]
        assert (game.status, game.seat_to_move) == ("active", 2)
        ended = raced.deadline + (SECOND if answer == "HasLeft" else 0 * SECOND)
        assert (game.turn_began_at, game.deadline) == (ended, ended + 2 * DAY)
    assert sum(swept) == Counter(answers)["HasLeft"]


def test_who_resigns_as_anothers_time_runs_out_leaves_beside_them(people, now):
    ann, bob, cat = people[:3]
    games = begun([ann, bob, cat], now=now, variant="three")
    answers, _ = at_once(
        [resign(game, cat, now=game.deadline) for game in games],
        [sweep(now=game.deadline + SECOND) for game in games],
    )
    at_once([sweep(now=games[-1].deadline + SECOND)])  # one it found in others' hands
    assert answers == ["left"] * ROUNDS
    for game in map(fresh, games):
        order = left(game)
        assert sorted(order) == [1, 2]
        assert (because(game, 1), because(game, 2)) == ("timeout", "resigned")
        assert [places(game)[seat] for seat in (*order, 0)] == [3, 2, 1]
        assert points(game) == [30, 0, 0]


def test_a_turn_and_another_players_resignation_at_once_never_both_have_the_same_number(
    people, now
):
    games = begun(people, now=now)
    played, resigned = at_once(
        [turn(game, people[1], some_turn(game), now=now, expected=1) for game in games],
        [resign(game, people[3], now=now) for game in games],
    )
    assert resigned == ["left"] * ROUNDS
    for raced, answer in zip(games, played, strict=True):
        game = fresh(raced)
        assert left(game) == [3]
        numbers = {"played": (3, 2), "StaleTurn": (2, 1)}[answer]
        assert (game.turn_number, game.seat_to_move) == numbers
