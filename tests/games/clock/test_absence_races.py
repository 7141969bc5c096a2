"""Vacations announced by several processes at the same moment, and by one that is killed."""

from collections import Counter
from signal import SIGKILL

import pytest

from accounts.models import Vacation
from games.services.clock.recalculation import recount_due
from tests.games.parallel import at_once
from tests.games.play import DAY, begin, fresh
from tests.games.vacations import die_announcing

pytestmark = pytest.mark.django_db(transaction=True)

ATTEMPTS = 5


def announcing(begins_at, days, *, now):
    """Return the work of a process that announces one vacation of ann's."""
    times = {"begins_at": begins_at, "ends_at": begins_at + days * DAY, "now": now}
    return [("announce", {"user": "ann", **times})]


@pytest.mark.parametrize("after", [0, 2])
def test_what_a_killed_process_has_announced_counts_from_the_next_round(ann, bob, now, after):
    games = [begin(ann, bob, now=now) for _ in range(4)]
    before = games[0].deadline
    assert die_announcing(ann, now, now + 3 * DAY, now=now, after=after) == -SIGKILL
    assert Vacation.objects.get().user == ann
    assert Counter(fresh(game).deadline for game in games)[before] == len(games) - after
    assert recount_due(now=now) == 1
    assert {fresh(game).deadline for game in games} == {before + 3 * DAY}
    assert recount_due(now=now) == 0


def test_of_vacations_that_overlap_one_is_announced(ann, bob, now):
    jobs = [announcing(now + number * DAY, 6, now=now) for number in range(ATTEMPTS)]
    answers = Counter(answer for (answer,) in at_once(*jobs))
    assert answers == {"announced": 1, "VacationOverlaps": ATTEMPTS - 1}
    assert Vacation.objects.count() == 1


def test_vacations_announced_at_once_never_overdraw_the_year(ann, bob, now):
    """Of thirty days a year twelve and twelve can be taken, and no twelve more."""
    jobs = [announcing(now + 13 * number * DAY, 12, now=now) for number in range(ATTEMPTS)]
    answers = Counter(answer for (answer,) in at_once(*jobs))
    assert answers == {"announced": 2, "VacationOverdrawn": ATTEMPTS - 2}
    assert Vacation.objects.count() == 2


def test_a_turn_that_begins_while_its_player_goes_away_counts_the_vacation(ann, bob, now):
    """Whatever comes first: bob's turn that makes it ann's, or the vacation."""
    games = [begin(bob, ann, now=now) for _ in range(ATTEMPTS)]
    turn = {"user": "bob", "text": "5", "expected": 0, "now": now}
    turns = [[("turn", {"game_id": game.pk, **turn})] for game in games]
    answers = at_once(announcing(now, 3, now=now), *turns)
    assert answers == [["announced"], *[["played"]] * ATTEMPTS]
    recount_due(now=now)
    assert {fresh(game).deadline for game in games} == {now + 5 * DAY}
