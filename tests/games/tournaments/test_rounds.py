"""Tournaments: who joins, their start, their rounds and their end, and whole ones in simulation."""

import pytest
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction

from games import errors, tournament_errors
from games.clock.time_control import PaceKind, TimeControl
from games.competition.pairings import drawn_order
from games.models import Entrant, Game, Rating, Terms, Tournament, TournamentGame
from games.queries.tournaments import TournamentState
from games.services.deadlines import time_out_due
from games.services.endings import abort, resign
from games.services.tournaments.entries import (
    cancel_tournament,
    join_tournament,
    leave_tournament,
)
from games.services.tournaments.rounds import run_tournaments
from tests.competition.records import check_pairs_of_swiss, shown, swiss_by_hand
from tests.factories import BotFactory, GuestFactory, PersonFactory
from tests.games.tournaments.simulation import DAY, STEP, Simulation, join_all, open_one, started
from tests.lanes import long


@pytest.fixture
def five(db):
    return [PersonFactory(username=f"p{number}") for number in range(5)]


def test_who_can_join(five, now):
    tournament = open_one(five[0], now, most_players=3)
    join = {"tournament_id": tournament.pk, "now": now}
    with pytest.raises(tournament_errors.NoGuestsInTournaments):
        join_tournament(user=GuestFactory(), **join)
    with pytest.raises(tournament_errors.NoProgramsInTournaments):
        join_tournament(user=BotFactory(), **join)
    join_all(tournament, five[:3], now)
    with pytest.raises(tournament_errors.AlreadyInTournament):
        join_tournament(user=five[0], **join)
    with pytest.raises(tournament_errors.TournamentIsFull):
        join_tournament(user=five[3], **join)
    leave_tournament(tournament_id=tournament.pk, user=five[1], now=now)
    join_tournament(user=five[3], **join)
    with pytest.raises(tournament_errors.NotInTournament):
        leave_tournament(tournament_id=tournament.pk, user=five[1], now=now)
    with pytest.raises(tournament_errors.TournamentHasStarted):
        join_tournament(**join | {"user": five[4], "now": tournament.starts_at})
    with pytest.raises(tournament_errors.NoSuchTournament):
        join_tournament(tournament_id=10**30, user=five[4], now=now)


def test_by_link_only_who_has_it_can_join(five, now):
    tournament = open_one(five[0], now, by_link=True)
    for key in ("", "wrong"):
        with pytest.raises(tournament_errors.NoSuchTournament):
            join_tournament(tournament_id=tournament.pk, user=five[1], key=key, now=now)
    join_all(tournament, five, now)
    run_tournaments(now=tournament.starts_at)
    assert not Game.objects.filter(is_public=True).exists()
    assert Game.objects.count() == 2


def test_by_rating_only_sure_ratings_within_the_bounds_join(five, now):
    tournament = open_one(five[0], now, least_rating=1500, most_rating=1700)
    common = {"rules_slug": "morpion", "table_kind": "2", "games": 9, "changed_at": now}
    for person, mu, sigma in zip(
        five, (1500, 1499, 1700, 1701, 1600), (50, 50, 50, 50, 150), strict=True
    ):
        Rating.objects.create(player=person, mu=mu, sigma=sigma, of_program=False, **common)
    joined = []
    for person in five:
        try:
            join_tournament(tournament_id=tournament.pk, user=person, now=now)
            joined.append(person)
        except tournament_errors.RatingOutOfBounds:
            pass
    assert joined == [five[0], five[2]]


def test_players_open_two_at_a_time_and_only_possible_ones(five, now, moderator):
    for changed in (
        {"most_players": 2},
        {"most_players": 65},
        {"best_of": 2},
        {"game_days": 0},
        {"form": "round-robin", "most_players": 13},
        {"form": "dance"},
        {"swiss_rounds": 10},
    ):
        with pytest.raises(tournament_errors.BadTournament):
            open_one(five[0], now, **changed)
    for start in (now, now + 61 * DAY):
        with pytest.raises(tournament_errors.BadStart):
            open_one(five[0], now, starts_at=start)
    with pytest.raises(tournament_errors.BadRatings):
        open_one(five[0], now, least_rating=1700, most_rating=1500)
    first = open_one(five[0], now)
    open_one(five[0], now)
    with pytest.raises(tournament_errors.OpenedEnough):
        open_one(five[0], now)
    with pytest.raises(tournament_errors.NotYourTournament):
        cancel_tournament(tournament_id=first.pk, user=five[1], now=now)
    cancel_tournament(tournament_id=first.pk, user=five[0], now=now)
    with pytest.raises(tournament_errors.TournamentIsOver):
        join_tournament(tournament_id=first.pk, user=five[1], now=now)
    open_one(five[0], now)
    EmailAddress.objects.filter(user=five[1]).delete()
    with pytest.raises(tournament_errors.AddressNeeded):
        open_one(five[1], now)
    for _ in range(3):
        open_one(moderator, now)


def test_one_that_starts_when_full_does_so_or_is_not_played(five, now):
    tournament = open_one(five[0], now, starts_when_full=True, most_players=5)
    other = open_one(five[0], now, starts_when_full=True, most_players=5)
    join_all(tournament, five[:4], now)
    join_all(other, five[:4], now)
    run_tournaments(now=now)
    assert Game.objects.count() == 0
    join_all(tournament, five[4:], now)
    run_tournaments(now=now)
    tournament.refresh_from_db()
    assert tournament.started_at == now
    run_tournaments(now=other.starts_at)
    other.refresh_from_db()
    assert (other.started_at, other.ended_at) == (None, other.starts_at)


def test_with_two_players_none_is_played(five, now):
    tournament, start = started(five[:2], now)
    assert (tournament.started_at, tournament.ended_at) == (None, start)


def test_the_order_is_drawn_from_the_seed(five, now):
    tournament, _ = started(five, now, "round-robin")
    drawn = tournament.entrants.order_by("number").values_list("joined_as", flat=True)
    assert list(drawn) == drawn_order(tournament.seed, range(1, 6))
    assert Game.objects.count() == 10
    assert run_tournaments(now=tournament.started_at) == 0
    assert Game.objects.count() == 10


def test_the_last_possible_day_follows_from_the_clocks(five, now):
    long = open_one(five[0], now, "knockout", most_players=8, best_of=3, game_days=20)
    assert long.last_possible_day == long.starts_at + 3 * 3 * 20 * DAY
    quick = Terms(TimeControl(PaceKind.TOTAL, bank=2 * DAY), False, False)
    short = open_one(five[0], now, "swiss", terms=quick, swiss_rounds=3)
    assert short.last_possible_day == short.starts_at + 3 * 4 * DAY


def test_a_game_of_a_tournament_is_not_aborted(five, now):
    _, start = started(five, now)
    row = TournamentGame.objects.exclude(game=None).first()
    with pytest.raises(errors.Refusal):
        abort(game_id=row.game_id, user=row.first.user, now=start)


def test_a_match_is_played_until_more_than_half_is_won_and_sides_change(five, now):
    tournament, start = started(five[:4], now, "knockout", best_of=3)
    assert Game.objects.count() == 2
    row = TournamentGame.objects.filter(board=1).get()
    one, two = row.first, row.second
    resign(game_id=row.game_id, user=two.user, now=start)
    run_tournaments(now=start)
    again = TournamentGame.objects.get(board=1, leg=2)
    assert (again.first, again.second) == (two, one)
    resign(game_id=again.game_id, user=two.user, now=start)
    run_tournaments(now=start)
    assert TournamentGame.objects.filter(board=1).count() == 2
    state = TournamentState(tournament)
    assert state.matches(state.rounds[0])[0].goes_on == one
    assert tournament.rounds.count() == 1  # the other match goes on
    run_tournaments(now=state.rounds[0].final_at)
    assert tournament.rounds.count() == 2


def test_who_leaves_or_never_plays_is_not_paired_again(five, now):
    tournament, start = started(five, now, swiss_rounds=3)
    time_out_due(now=start + 4 * DAY)  # nobody with the first turn has come
    run_tournaments(now=start + 4 * DAY)
    left = Entrant.objects.filter(left_because="absent")
    assert left.count() == 2
    second = tournament.rounds.get(number=2)
    assert not second.games.filter(first__in=left).exists()
    assert not second.games.filter(second__in=left).exists()


def test_the_database_refuses_a_second_game_of_a_pair_and_a_second_place(five, now):
    tournament, _ = started(five, now)
    row = TournamentGame.objects.exclude(second=None).first()
    again = {"round": row.round, "first": row.second, "second": row.first, "board": 9}
    with pytest.raises(IntegrityError), transaction.atomic():
        TournamentGame.objects.create(**again)
    with pytest.raises(IntegrityError), transaction.atomic():
        TournamentGame.objects.create(**again | {"second": row.second})
    with pytest.raises(IntegrityError), transaction.atomic():
        Entrant.objects.create(
            tournament=tournament, user=row.first.user, joined_at=now, joined_as=99
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        tournament.rounds.create(number=1, is_knockout=False, started_at=now, final_at=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.update(best_of=6)


# Simulations -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "people", "changed"),
    [
        ("swiss", 23, {"swiss_rounds": 4}),
        ("groups", 12, {}),
        *long(("round-robin", 12, {}), ("knockout", 12, {"best_of": 3})),
    ],
)
def test_a_tournament_of_people_who_stay_away_resign_and_leave_ends_by_its_day(
    db, now, form, people, changed
):
    played = Simulation(form, people, 7, now, **changed)
    played.run()
    tournament = played.tournament
    assert tournament.ended_at <= tournament.last_possible_day + STEP
    for one in tournament.rounds.all():
        assert one.ended_at <= one.final_at + STEP
    state = TournamentState(tournament)
    order = state.final_order()
    assert len(order) == people
    if form == "swiss":
        check_pairs_of_swiss(tournament)
        ((_, table),) = state.tables
        assert shown(table) == swiss_by_hand(tournament)
    if form in ("knockout", "groups"):
        last = state.rounds[-1]
        (final,) = state.matches(last)
        assert final.goes_on == order[0][0] == state.winner
    assert Game.objects.filter(ending__in=["timeout", "final-day"]).exists()
