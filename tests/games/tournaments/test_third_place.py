"""The match for the third place of a knock-out: who plays it, when, and what it decides."""

import pytest

from games.models import TournamentGame
from games.queries.tournaments import TournamentState
from games.services.endings import resign
from games.services.tournaments.entries import leave_tournament
from games.services.tournaments.rounds import run_tournaments
from tests.factories import PersonFactory
from tests.games.parallel import at_once, run_until_killed
from tests.games.tournaments.simulation import DAY, join_all, open_one, started


def four():
    return [PersonFactory(username=f"p{number}") for number in range(4)]


def lose_all(now, boards=(1, 2)):
    """Let the second player of each running game on these boards resign."""
    rows = TournamentGame.objects.filter(game__status="active", board__in=boards)
    for row in rows.select_related("second__user"):
        resign(game_id=row.game_id, user=row.second.user, now=now)


def losers_of(state, number=1):
    """Return who is out after a round, by name."""
    matches = state.matches(state.rounds[number - 1])
    return {one.loser.user.username for one in matches}


@pytest.mark.django_db
@pytest.mark.parametrize("best_of", [1, 3])
def test_the_losers_of_the_semi_finals_play_it_in_the_round_of_the_final(now, best_of):
    tournament, start = started(
        four(), now, "knockout", has_third_place=True, most_players=4, best_of=best_of
    )
    promised = tournament.last_possible_day
    while tournament.rounds.count() == 1:
        state = TournamentState(tournament)
        loser = {one.first.pk for one in state.matches(state.rounds[0])}
        for row in TournamentGame.objects.filter(game__status="active"):
            side = row.first if row.first_id in loser else row.second
            resign(game_id=row.game_id, user=side.user, now=start + DAY)
        run_tournaments(now=start + DAY)
    state = TournamentState(tournament)
    final, third = state.matches(state.rounds[1])
    assert [final.for_third_place, third.for_third_place] == [False, True]
    assert {third.first.user.username, third.second.user.username} == losers_of(state)
    assert state.rounds[1].final_at <= promised == tournament.last_possible_day
    assert state.third_place is None
    run_tournaments(now=start + DAY)
    best, fourth = third.first, third.second
    champion = final.first
    while not tournament.ended_at:
        beaten = {final.second.pk, fourth.pk}
        for row in TournamentGame.objects.filter(game__status="active"):
            side = row.first if row.first_id in beaten else row.second
            resign(game_id=row.game_id, user=side.user, now=start + 2 * DAY)
        run_tournaments(now=start + 2 * DAY)
        tournament.refresh_from_db()
    assert tournament.rounds.count() == 2
    state = TournamentState(tournament)
    order = [(one.user.username, won) for one, won in state.final_order()]
    expected = [(champion, 2), (final.second, 1), (best, 0), (fourth, 0)]
    assert order == [(one.user.username, won) for one, won in expected]
    assert state.winner == champion
    games = TournamentGame.objects.filter(for_third_place=True)
    assert games.count() == best_of // 2 + 1


@pytest.mark.django_db
def test_the_tournament_is_over_only_after_both_matches(now):
    tournament, start = started(four(), now, "knockout", has_third_place=True)
    lose_all(start)
    run_tournaments(now=start)
    lose_all(start, [1])
    run_tournaments(now=start)
    tournament.refresh_from_db()
    assert tournament.ended_at is None
    lose_all(start)
    run_tournaments(now=start)
    tournament.refresh_from_db()
    assert tournament.ended_at == start


@pytest.mark.django_db
def test_without_the_option_there_is_none(now):
    tournament, start = started(four(), now, "knockout")
    lose_all(start)
    run_tournaments(now=start)
    assert tournament.rounds.get(number=2).games.count() == 1
    assert TournamentState(tournament).third_place is None


@pytest.mark.django_db
def test_who_has_left_leaves_the_third_place_to_the_other(now):
    tournament, start = started(four(), now, "knockout", has_third_place=True)
    left = TournamentGame.objects.get(board=1).second
    leave_tournament(tournament_id=tournament.pk, user=left.user, now=start)
    lose_all(start)
    run_tournaments(now=start)
    assert tournament.rounds.get(number=2).games.count() == 1
    third = TournamentState(tournament).third_place
    assert third == TournamentGame.objects.get(round__number=1, board=2).second
    lose_all(start)
    run_tournaments(now=start)
    tournament.refresh_from_db()
    order = [one.pk for one, _won in TournamentState(tournament).final_order()]
    assert order[2:] == [third.pk, left.pk]


@pytest.mark.django_db
def test_with_a_free_place_the_only_loser_is_third(now):
    tournament, start = started(four()[:3], now, "knockout", has_third_place=True)
    loser = TournamentGame.objects.exclude(second=None).get().second
    lose_all(start)
    run_tournaments(now=start)
    assert tournament.rounds.get(number=2).games.count() == 1
    assert TournamentState(tournament).third_place == loser


@pytest.mark.slow
@pytest.mark.django_db
def test_groups_have_it_behind_their_knock_out_and_pages_show_it(now, client):
    people = [*four(), *(PersonFactory(username=f"q{number}") for number in range(2))]
    tournament, start = started(people, now, "groups", has_third_place=True, group_size=3)
    for _ in range(3):
        run_tournaments(now=start)
        rows = TournamentGame.objects.filter(game__status="active")
        for row in rows.order_by("first__number").select_related("second__user"):
            resign(game_id=row.game_id, user=row.second.user, now=start)
    run_tournaments(now=start)
    tournament.refresh_from_db()
    assert tournament.ended_at
    assert tournament.rounds.count() == 3
    assert tournament.rounds.get(number=3).games.filter(for_third_place=True).count() == 1
    page = client.get(tournament.get_absolute_url()).content.decode()
    assert page.count("is third") == 1
    assert "play for the third place" in page


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("point", ["", "_make_knockout", "_make_round", "begin_between"])
def test_workers_that_make_the_last_round_together_or_are_killed_make_it_once(now, point):
    people = four()
    tournament = open_one(people[0], now, "knockout", has_third_place=True)
    join_all(tournament, people, now)
    start = tournament.starts_at
    run_tournaments(now=start)
    lose_all(start)
    if point:
        run_until_killed("tournaments", start, point, 1)
    for _ in range(2):  # what was locked is left to the next run
        at_once(*[[("tournaments", {"now": start})] for _ in range(3)])
    rows = TournamentGame.objects.filter(round__number=2)
    assert sorted(rows.values_list("board", "leg", "for_third_place")) == [
        (1, 1, False),
        (2, 1, True),
    ]
    assert rows.exclude(game=None).count() == 2
    assert tournament.rounds.count() == 2
