"""What happens twice or at once on a ladder: it moves once, and the places stay exact."""

import pytest

from games.models import Game, LadderChallenge
from games.services.endings import resign
from tests.factories import PersonFactory
from tests.games.ladders.climbing import DAY, begin, call, climbers, order, states
from tests.games.parallel import at_once, run_until_killed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

PLAYERS = 7


@pytest.fixture
def seven(now):
    """Seven players of a ladder, the first on top."""
    return climbers(PLAYERS, now)


def job(name, **arguments):
    return [(name, arguments)]


def answers(*work):
    return [answer for (answer,) in at_once(*work)]


def test_four_who_join_at_once_have_four_places(now):
    names = [f"racer{number}" for number in range(4)]
    for name in names:
        PersonFactory(username=name)
    work = [job("join_ladder", user=name, now=now) for name in names]
    assert answers(*work) == ["joined"] * 4
    assert sorted(order()) == names


def test_who_joins_twice_at_once_has_one_place(now):
    PersonFactory(username="racer")
    work = [job("join_ladder", user="racer", now=now)] * 3
    assert sorted(answers(*work)) == ["AlreadyOnLadder", "AlreadyOnLadder", "joined"]
    assert order() == ["racer"]


def test_of_four_challenges_at_the_same_place_two_are_made(seven, now):
    work = [
        job("call", user=f"climber{number}", opponent="climber3", now=now)
        for number in (4, 5, 6, 7)
    ]
    found = answers(*work)
    assert sorted(found) == ["TooManyReceived"] * 2 + ["challenged"] * 2
    assert LadderChallenge.objects.filter(challenged=seven[2]).count() == 2


def test_a_challenge_made_twice_at_once_is_one(seven, now):
    work = [job("call", user="climber7", opponent="climber3", now=now)] * 3
    assert sorted(answers(*work)) == ["AlreadyMeeting", "AlreadyMeeting", "challenged"]


@pytest.mark.parametrize("how", ["accept", "decline"])
def test_an_answer_against_expiry_is_one_or_the_other(seven, now, how):
    """The chore believes that it is an hour later: the answer may come before or after it."""
    challenge = call(seven[6], seven[2], now=now)
    in_time, late = now + 5 * DAY, now + 5 * DAY + DAY / 24
    settle = {"challenge_id": challenge.pk, "user": "climber3", "how": how, "now": in_time}
    answered, *_ = answers(
        job("settle_call", **settle), job("ladders", now=late), job("ladders", now=late)
    )
    if answered == how:
        outcome = {"accept": ("playing", ""), "decline": ("over", "spared")}[how]
        assert order() == ["1", "2", "3", "4", "5", "6", "7"]
    else:
        assert answered == "ChallengeIsAnswered"
        outcome = ("over", "unanswered")
        assert order() == ["1", "2", "7", "3", "4", "5", "6"]
    assert states() == [outcome]
    assert Game.objects.count() == (1 if outcome[0] == "playing" else 0)


@pytest.mark.parametrize("how", ["accept", "decline"])
def test_of_an_answer_and_a_withdrawal_one_counts(seven, now, how):
    challenge = call(seven[6], seven[2], now=now)
    one = {"challenge_id": challenge.pk, "user": "climber3", "how": how, "now": now}
    other = {**one, "user": "climber7", "how": "withdraw"}
    found = answers(job("settle_call", **one), job("settle_call", **other))
    assert "ChallengeIsAnswered" in found
    done = next(answer for answer in found if answer != "ChallengeIsAnswered")
    outcomes = {"accept": ("playing", ""), "decline": ("over", "spared")}
    assert states() == [outcomes.get(done, ("over", "withdrawn"))]
    assert Game.objects.count() == (1 if done == "accept" else 0)


def test_an_acceptance_twice_at_once_begins_one_game(seven, now):
    challenge = call(seven[6], seven[2], now=now)
    one = {"challenge_id": challenge.pk, "user": "climber3", "how": "accept", "now": now}
    found = answers(*[job("settle_call", **one)] * 3)
    assert sorted(found) == ["ChallengeIsAnswered"] * 2 + ["accept"]
    assert Game.objects.count() == 1


@pytest.fixture
def three_wins(seven, now):
    """Three games that are over, whose challengers take places that overlap, and a late answer."""
    pairs = [(7, 3), (6, 3), (5, 2)]
    begun = [begin(seven[who - 1], seven[whom - 1], now=now) for who, whom in pairs]
    call(seven[3], seven[0], now=now - 10 * DAY)
    for challenge in begun:
        resign(game_id=challenge.game_id, user=challenge.challenged, now=now)
    return seven


AFTER = ["4", "1", "5", "2", "7", "6", "3"]
"""The ladder after all of it: first the challenge that was not answered, then the wins in order."""


def check_has_moved_once():
    assert order() == AFTER
    assert states() == [("over", "won")] * 3 + [("over", "unanswered")]


def test_workers_that_settle_the_same_games_at_once_move_each_player_once(three_wins, now):
    later = now + DAY / 24
    for _ in range(3):  # a game that another worker holds is left to the next run
        at_once(*[job("ladders", now=later)] * 4)
    assert sorted(order()) == ["1", "2", "3", "4", "5", "6", "7"]
    assert states() == [("over", "won")] * 3 + [("over", "unanswered")]
    assert all(LadderChallenge.objects.values_list("has_moved", flat=True))


@pytest.mark.parametrize(
    ("point", "count"),
    [
        ("lock_ladder", 1),
        ("end_challenge", 1),
        ("take_place", 1),
        ("end_unanswered", 1),
        ("apply_result", 1),
        ("apply_result", 3),
        ("note_activity", 2),
        ("apply_ended_game", 2),
    ],
)
def test_a_worker_that_is_killed_never_moves_anybody_twice(three_wins, now, point, count):
    later = now + DAY / 24
    run_until_killed("ladders", later, point, count)
    assert sorted(order()) == ["1", "2", "3", "4", "5", "6", "7"]
    at_once(job("ladders", now=later))
    at_once(job("ladders", now=later))
    check_has_moved_once()


@pytest.mark.parametrize(("point", "count"), [("move_to", 1), ("sink", 1), ("sink", 2)])
def test_a_worker_that_is_killed_lets_nobody_sink_twice(seven, now, point, count):
    for person in (seven[3], seven[4]):
        person.ladder_places.update(sinks_at=now + DAY, idle_from=now - 27 * DAY)
    run_until_killed("ladders", now + DAY, point, count)
    at_once(job("ladders", now=now + DAY))
    at_once(job("ladders", now=now + DAY))
    assert order() == ["1", "2", "3", "6", "5", "4", "7"]


def test_a_player_who_leaves_while_their_games_end_leaves_the_places_exact(three_wins, now):
    later = now + DAY / 24
    at_once(
        job("leave_ladder", user="climber3", now=later),
        job("ladders", now=later),
        job("leave_ladder", user="climber5", now=later),
        job("call", user="climber2", opponent="climber1", now=later),
    )
    at_once(job("ladders", now=later))
    assert sorted(order()) == ["1", "2", "4", "6", "7"]
    assert not LadderChallenge.objects.filter(state="playing").exists()
