"""Workers that run the same tournament at the same moment, and ones that are killed."""

from collections import Counter

import pytest

from games.models import Entrant, Game, ModerationLogEntry, TournamentGame
from tests.factories import PersonFactory
from tests.games.moderating import a_moderator
from tests.games.parallel import at_once, run_until_killed
from tests.games.tournaments.simulation import join_all, open_one

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS = 7
FORMS = {
    "round-robin": (21, 1),
    "swiss": (3, 1),
    "knockout": (3, 1),
    "groups": (6 + 3, 1),
}
"""How many games the first round of seven players has, and how many rounds there are then."""


@pytest.fixture
def opened(now, request):
    form = getattr(request, "param", "swiss")
    people = [PersonFactory(username=f"racer{number}") for number in range(PLAYERS)]
    tournament = open_one(people[0], now, form, swiss_rounds=3)
    join_all(tournament, people, now)
    return tournament


def chore(now):
    return [("tournaments", {"now": now})]


def check_first_round(tournament):
    """The first round is there once, with each of its games."""
    games, rounds = FORMS[tournament.form]
    assert tournament.rounds.count() == rounds
    rows = TournamentGame.objects.exclude(second=None)
    assert rows.count() == rows.exclude(game=None).count() == Game.objects.count() == games
    check_pairs()


def check_pairs():
    """Nobody meets twice in a round, nor is on two boards of one in which they play one game."""
    rows = TournamentGame.objects.exclude(second=None)
    pairs = Counter(
        (row.round_id, frozenset((row.first_id, row.second_id)), row.leg) for row in rows
    )
    assert set(pairs.values()) == {1}


@pytest.mark.postgresql
@pytest.mark.parametrize("opened", sorted(FORMS), indirect=True)
def test_workers_that_start_a_tournament_together_begin_each_game_once(opened):
    at_once(*[chore(opened.starts_at) for _ in range(4)])
    at_once(chore(opened.starts_at))  # what was locked is left to the next run
    check_first_round(opened)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("opened", "point", "count"),
    [
        ("round-robin", "all_pairs", 1),
        ("round-robin", "_make_round", 1),
        ("round-robin", "create_table", 1),
        ("round-robin", "start_full_table", 9),
        ("swiss", "drawn_order", 1),
        ("swiss", "swiss_round", 1),
        ("swiss", "_make_round", 1),
        ("swiss", "create_table", 2),
        ("knockout", "bracket", 1),
        ("knockout", "begin_between", 3),
        ("groups", "groups_of", 1),
        ("groups", "create_table", 5),
    ],
    indirect=["opened"],
)
def test_a_worker_that_is_killed_at_the_start_pairs_nobody_twice(opened, point, count):
    run_until_killed("tournaments", opened.starts_at, point, count)
    at_once(*[chore(opened.starts_at) for _ in range(2)])
    at_once(chore(opened.starts_at))
    check_first_round(opened)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("opened", "point", "count"),
    [
        ("swiss", "finish_game", 2),
        ("swiss", "leave_entrant", 1),
        ("swiss", "swiss_round", 1),
        ("swiss", "create_table", 1),
        ("knockout", "finish_game", 1),
        ("knockout", "_make_round", 1),
        ("groups", "seeds_after_groups", 1),
        ("round-robin", "finish_game", 21),
    ],
    indirect=["opened"],
)
def test_a_worker_that_is_killed_between_rounds_makes_the_next_one_once(opened, point, count):
    at_once(chore(opened.starts_at))
    Game.objects.update(
        deadline=None,
        stop_reason="moderator",
        clock_started_at=None,
        stopped_at=opened.starts_at,
        reminder_at=None,
    )
    if point == "leave_entrant":
        # Somebody lost on time who never played a turn.
        row = TournamentGame.objects.exclude(second=None).first()
        row.game.seats.filter(number=0).update(place=2)
        row.game.seats.filter(number=1).update(place=1)
        Game.objects.filter(pk=row.game_id).update(
            status="finished",
            ending="timeout",
            ended_at=opened.starts_at,
            stop_reason="",
            stopped_at=None,
            seat_to_move=None,
        )
    end = opened.rounds.get().final_at
    run_until_killed("tournaments", end, point, count)
    at_once(*[chore(end) for _ in range(3)])
    at_once(chore(end))
    opened.refresh_from_db()
    if opened.form == "round-robin":
        assert opened.ended_at == end
        assert opened.rounds.count() == 1
        return
    assert opened.rounds.get(number=1).ended_at == end
    second = opened.rounds.get(number=2)
    theirs = second.games.exclude(second=None)
    assert theirs.count() == {"swiss": 3, "knockout": 2, "groups": 2}[opened.form]
    assert not theirs.filter(game=None).exists()
    seated = Counter(key for row in theirs for key in (row.first_id, row.second_id))
    assert set(seated.values()) == {1}
    check_pairs()


@pytest.mark.postgresql
def test_one_place_that_two_take_at_once_is_given_once(now):
    people = [PersonFactory(username=f"racer{number}") for number in range(4)]
    tournament = open_one(people[0], now, most_players=3)
    join_all(tournament, people[:2], now)
    join = [
        [("join_tournament", {"tournament_id": tournament.pk, "user": name, "now": now})]
        for name in ("racer2", "racer3")
    ]
    answers = sorted(answer for (answer,) in at_once(*join))
    assert answers == ["TournamentIsFull", "joined"]
    assert tournament.entrants.count() == 3


@pytest.mark.postgresql
def test_who_joins_or_leaves_as_it_starts_is_in_it_or_too_late(opened):
    PersonFactory(username="late")
    at = {"tournament_id": opened.pk, "now": opened.starts_at}
    join = [("join_tournament", {**at, "user": "late"})]
    leave = [("leave_tournament", {**at, "user": "racer3"})]
    (answer,), (left,), _ = at_once(join, leave, chore(opened.starts_at))
    assert (answer, left) == ("TournamentHasStarted", "left")
    at_once(chore(opened.starts_at))
    entrant = Entrant.objects.filter(user__username="racer3").first()
    if entrant is not None:  # after the start: the games are lost
        assert entrant.left_because == "asked"
        active = TournamentGame.objects.filter(game__status="active")
        assert not active.filter(first=entrant).exists()
        assert not active.filter(second=entrant).exists()
    else:
        assert Entrant.objects.exclude(number=None).count() == PLAYERS - 1


@pytest.mark.postgresql
def test_who_is_removed_as_a_round_is_made_loses_their_game_or_has_none(opened):
    """Two moderators remove the same player while workers make the first round."""
    a_moderator("mo")
    at = {"tournament_id": opened.pk, "now": opened.starts_at}
    expel = [("expel", {**at, "user": "racer3"})]
    start = chore(opened.starts_at)
    (one,), (other,), *_ = at_once(expel, expel, start, start)
    assert sorted([one, other]) == ["AlreadyLeftTournament", "removed"]
    at_once(chore(opened.starts_at))
    entrant = Entrant.objects.get(user__username="racer3")
    assert entrant.left_because == "removed"
    assert ModerationLogEntry.objects.count() == 1
    theirs = Game.objects.filter(seats__user=entrant.user)
    assert set(theirs.values_list("status", flat=True)) <= {"finished"}
    check_pairs()


@pytest.mark.postgresql
def test_one_that_is_cancelled_as_its_round_is_made_has_no_game_that_runs(opened):
    a_moderator("mo")
    cancel = [("cancel", {"tournament_id": opened.pk, "now": opened.starts_at})]
    start = chore(opened.starts_at)
    (one,), (other,), *_ = at_once(cancel, cancel, start, start)
    assert sorted([one, other]) == ["TournamentIsOver", "cancelled"]
    at_once(chore(opened.starts_at))
    opened.refresh_from_db()
    assert opened.is_cancelled
    assert not Game.objects.filter(status="active").exists()
    waiting = TournamentGame.objects.filter(game=None, annulled_at=None, second__isnull=False)
    assert not waiting.exists()
