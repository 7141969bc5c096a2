"""Many plans at once, and a server that is killed while it plays them: none is lost or doubled."""

import pytest

from accounts.server_time import server_now
from games.models import PlannedTurn, Turn
from games.plan_text import parse_plan
from games.services.plans import lay_plans
from games.services.record import faults_of
from tests.games.parallel import at_once, play_until_killed, turn
from tests.games.play import begin, fresh
from tests.lanes import long

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = 20


@pytest.fixture
def planned(ann, bob):
    """Return games in which the player who waits has planned an answer to 5, and when.

    In every second game bob plans and ann is to move, in the others it is the other way round.
    """
    now = server_now()
    pairs = [(ann, bob) if number % 2 else (bob, ann) for number in range(GAMES)]
    games = []
    for mover, waiting in pairs:
        game = begin(mover, waiting, now=now)
        lines = [parse_plan("if 5 then 1, if 9 then 3")]
        lay_plans(game_id=game.pk, user=waiting, lines=lines, expected_turn=0, now=now)
        games.append((game, mover))
    return games, now


def whole(game):
    """Return whether a planned answer was played; fail if anything is halfway."""
    game = fresh(game)
    assert faults_of(game) == []
    notations = list(game.turns.order_by("number").values_list("notation", flat=True))
    left = list(PlannedTurn.objects.filter(game=game).values_list("notation", flat=True))
    events = game.events.filter(kind="turn-played").count()
    assert (notations, sorted(left), events) in (([], ["1", "3"], 0), (["5", "1"], ["3"], 2))
    return bool(notations)


def test_twenty_plans_that_come_about_at_once_are_all_played(planned):
    games, now = planned
    jobs = [turn(game, mover, "5", now=now) for game, mover in games]
    answers = at_once(*[jobs[start::5] for start in range(5)])
    assert [answer for some in answers for answer in some] == ["played"] * GAMES
    assert all(whole(game) for game, _ in games)


def test_the_same_turn_sent_many_times_at_once_is_answered_once(planned):
    games, now = planned
    game, mover = games[0]
    answers = at_once(*[[turn(game, mover, "5", now=now)] for _ in range(8)])
    assert sorted(answer for (answer,) in answers) == ["already"] * 7 + ["played"]
    assert whole(game)


@pytest.mark.parametrize("point", ["append_entry", "planned_turn", "advance_game", "play_turn"])
@pytest.mark.parametrize("count", [2, *long(1, 8, 13)])
def test_a_server_that_is_killed_has_played_both_turns_or_none(planned, point, count):
    games, now = planned
    jobs = [turn(game, mover, "5", now=now) for game, mover in games]
    play_until_killed(jobs, point, count)
    done = [whole(game) for game, _ in games]
    assert done == sorted(done, reverse=True)
    assert not all(done)
    answers = at_once(jobs)[0]
    assert answers == ["already" if one else "played" for one in done]
    assert all(whole(game) for game, _ in games)
    assert Turn.objects.filter(via=Turn.Via.PLAN).count() == GAMES
