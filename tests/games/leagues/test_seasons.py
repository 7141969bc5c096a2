"""Seasons: their start, their games, their final day, and what becomes of their players."""

import random
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User, Vacation
from games import errors, league_errors
from games.clock.time_control import per_turn
from games.models import Game, League, LeagueGame, ModerationLogEntry, Season, SeasonEntry, Terms
from games.moderation.competition import annul_game, remove_from_season
from games.moderation.game_actions import reopen_game
from games.moderation.site import begin_maintenance, end_maintenance
from games.queries.leagues import division_tables
from games.services.deadlines import time_out_due
from games.services.endings import abort, resign
from games.services.leagues import seasons
from games.services.leagues.entries import (
    decline_season,
    join_season,
    leave_season,
    open_league,
    skip_season,
)
from games.services.leagues.seasons import run_leagues
from games.services.record import opening_hash
from tests.factories import BotFactory, GuestFactory, PersonFactory
from tests.games.leagues.simulation import (
    join_all,
    open_morpion,
    play_one,
    started,
)

DAY = timedelta(days=1)
MORPION = {"rules_slug": "morpion"}


@pytest.fixture
def four(db):
    return [PersonFactory(username=name) for name in ("p1", "p2", "p3", "p4")]


def entry_of(season, person):
    return season.entries.get(user=person)


def game_of(season, one, two):
    rows = LeagueGame.objects.filter(division__season=season)
    pairs = rows.filter(first__user=one, second__user=two) | rows.filter(
        first__user=two, second__user=one
    )
    return pairs.get()


def table_of(season):
    (table,) = division_tables(season)
    return {row.entry.user: row for row in table.rows}


def test_everybody_has_one_game_against_everybody_when_the_season_starts(four, now):
    season, start = started(four, now)
    games = Game.objects.filter(league_game__division__season=season)
    assert season.started_at == start
    assert sorted(
        sorted(game.seats.values_list("user__username", flat=True)) for game in games
    ) == [["p1", "p2"], ["p1", "p3"], ["p1", "p4"], ["p2", "p3"], ["p2", "p4"], ["p3", "p4"]]
    assert {game.status for game in games} == {"active"}
    for row in LeagueGame.objects.select_related("first"):
        assert row.game.seats.get(number=0).user_id == row.first.user_id
        assert row.game.seat_to_move == 0
    assert run_leagues(now=start) == 0  # nothing is done twice
    assert Game.objects.count() == 6


def test_two_legs_change_sides(four, now):
    season, _ = started(four, now, legs=2)
    pairs = set(LeagueGame.objects.values_list("first", "second"))
    assert len(pairs) == 12 == Game.objects.count()
    assert season.league.games_at_once == 10


def test_games_that_begin_together_are_as_those_that_begin_alone(four, now, monkeypatch):
    """Both ways write the same rows, but for their keys; the slower one helps the faster one."""
    away = Vacation(user=four[0], begins_at=now, ends_at=now + 90 * DAY, announced_at=now)
    away.zone = "UTC"
    away.save()
    User.objects.filter(pk=four[1].pk).update(days_off=[6], reminders=["24h"])

    def written(slug, **changed):
        league = open_league(
            rules_slug=slug,
            options={},
            terms=Terms(per_turn(3 * DAY)),
            months=1,
            division_size=6,
            legs=2,
            now=now,
        )
        for person in four:
            join_season(rules_slug=slug, user=person, now=now)
        run_leagues(now=league.seasons.get().starts_at)
        rows = LeagueGame.objects.filter(division__season__league=league).order_by("pk")
        left_out = {"id", "game_id", "rules_slug", "position", "head_hash", "noticed_at"}
        found = []
        for row in rows:
            parts = [row.game, *row.game.seats.all(), *row.game.events.all()]
            found += [
                {name: value for name, value in vars(one).items() if name not in left_out}
                for one in parts
            ]
            assert row.game.head_hash == opening_hash(slug, row.game.options)
        for one in found:
            del one["_state"]
        return found

    together = written("morpion")
    monkeypatch.setattr(seasons, "begin_together", Mock(side_effect=RuntimeError("broken")))
    alone = written("taquet")
    assert len(together) == 12 * 4
    assert [{**one, "options": 0} for one in together] == [{**one, "options": 0} for one in alone]


def test_nothing_starts_before_its_time_or_during_maintenance(four, now, moderator):
    league = open_morpion(now)
    join_all(four, now)
    season = league.seasons.get()
    assert run_leagues(now=season.starts_at - DAY) == 0
    begin_maintenance(note="", by=moderator, why="so", now=season.starts_at)
    assert run_leagues(now=season.starts_at) == 0
    assert Game.objects.count() == 0
    end_maintenance(by=moderator, why="done", now=season.starts_at)
    run_leagues(now=season.starts_at)
    assert Game.objects.count() == 6


def test_who_cannot_play_at_the_start_does_not(four, now):
    league = open_morpion(now)
    join_all(four, now)
    four[0].is_active = False
    four[0].save()
    season = league.seasons.get()
    run_leagues(now=season.starts_at)
    assert entry_of(season, four[0]).state == SeasonEntry.State.DECLINED
    assert Game.objects.count() == 3


def test_a_season_of_two_is_not_played_and_they_are_in_the_next_one(four, now):
    league = open_morpion(now)
    join_all(four[:2], now)
    first = league.seasons.get()
    run_leagues(now=first.starts_at)
    first.refresh_from_db()
    assert (first.started_at, first.ended_at) == (None, first.starts_at)
    second = league.seasons.get(number=2)
    assert second.entries.filter(state="plays").count() == 2
    assert Game.objects.count() == 0


def test_results_give_points_and_reopened_and_annulled_games_take_them_back(four, now, moderator):
    p1, p2, p3, p4 = four
    season, start = started(four, now)
    later = start + DAY
    for loser, winner in ((p2, p1), (p3, p1), (p3, p2)):
        resign(game_id=game_of(season, loser, winner).game_id, user=loser, now=later)
    table = table_of(season)
    assert [table[one].standing.points for one in four] == [4, 2, 0, 0]
    assert table[p1].standing.most == 6
    annul_game(
        game_id=game_of(season, p1, p3).game_id, by=moderator, why="shared account", now=later
    )
    assert [table_of(season)[one].standing.points for one in four] == [2, 2, 0, 0]
    assert table_of(season)[p1].standing.most == 4
    # A running one is aborted.
    running = game_of(season, p3, p4)
    annul_game(game_id=running.game_id, by=moderator, why="shared account", now=later)
    assert Game.objects.get(pk=running.game_id).status == "aborted"
    with pytest.raises(league_errors.AlreadyAnnulled):
        annul_game(game_id=running.game_id, by=moderator, why="again", now=later)
    # p4 does not come: they lose the others on time, even without having played.
    time_out_due(now=start + 4 * DAY)
    lost = game_of(season, p1, p4).game
    assert lost.status == "finished"
    assert lost.ending == "timeout"
    winner = lost.seats.get(place=1).user
    before = table_of(season)
    reopen_game(game_id=lost.pk, by=moderator, why="power cut", now=start + 4 * DAY)
    after = table_of(season)
    for one in four:
        gone = 2 if one == winner else 0
        assert after[one].standing.points == before[one].standing.points - gone
    assert after[winner].standing.most == before[winner].standing.most


def test_a_league_game_is_not_aborted(four, now):
    season, start = started(four, now)
    row = game_of(season, four[0], four[1])
    with pytest.raises(league_errors.LeagueGamesGoOn):
        abort(game_id=row.game_id, user=four[0], now=start)
    assert Game.objects.get(pk=row.game_id).status == "active"


def test_the_final_day_ends_every_game_by_the_time_that_was_taken(four, now):
    p1, p2, _, _ = four
    season, start = started(four, now)
    chance = random.Random(1)
    row = game_of(season, p1, p2)
    # The first player takes two days a turn, the second an hour, until just before the final day.
    moment = start
    for _ in range(3):
        moment += 2 * DAY
        play_one(Game.objects.get(pk=row.game_id), chance, moment)
        moment += timedelta(hours=1)
        play_one(Game.objects.get(pk=row.game_id), chance, moment)
    Game.objects.running().exclude(pk=row.game_id).update(deadline=season.final_at + 9 * DAY)
    Game.objects.filter(pk=row.game_id).update(deadline=season.final_at + 9 * DAY)
    assert run_leagues(now=season.final_at - timedelta(minutes=1)) == 0
    run_leagues(now=season.final_at)
    game = Game.objects.get(pk=row.game_id)
    assert (game.status, game.ending) == ("finished", "final-day")
    assert list(game.seats.values_list("number", "place")) == [(0, 2), (1, 1)]
    season.refresh_from_db()
    assert season.ended_at == season.final_at
    assert not Game.objects.running().exists()


def test_a_vacation_does_not_count_as_time_taken(four, now):
    p1, p2, _, _ = four
    season, start = started(four, now)
    row = game_of(season, p1, p2)
    first, second = row.first.user, row.second.user
    chance = random.Random(1)
    Vacation.objects.create(
        user=first, begins_at=start, ends_at=start + 10 * DAY, announced_at=start
    )
    play_one(Game.objects.get(pk=row.game_id), chance, start + 11 * DAY)
    play_one(Game.objects.get(pk=row.game_id), chance, start + 12 * DAY)
    Game.objects.running().update(deadline=season.final_at + 9 * DAY)
    play_one(Game.objects.get(pk=row.game_id), chance, start + 13 * DAY)
    Game.objects.running().update(deadline=season.final_at + 9 * DAY)
    moved = season.final_at - (start + 13 * DAY)
    assert moved > 10 * DAY
    run_leagues(now=season.final_at)
    seats = row.game.seats.order_by("number")
    assert [seat.place for seat in seats] == [1, 2]
    assert seats[1].user == second


def test_a_game_reopened_after_the_final_day_is_decided_at_once(four, now, moderator):
    season, start = started(four, now)
    time_out_due(now=start + 4 * DAY)
    run_leagues(now=start + 4 * DAY)
    season.refresh_from_db()
    assert season.ended_at == start + 4 * DAY  # all games were lost on time
    game = Game.objects.filter(ending="timeout").first()
    reopen_game(game_id=game.pk, by=moderator, why="power cut", now=season.final_at + DAY)
    run_leagues(now=season.final_at + DAY)
    game.refresh_from_db()
    assert (game.status, game.ending) == ("finished", "final-day")


def test_who_leaves_early_counts_for_nobody_and_later_loses_the_rest(four, now):
    p1, p2, p3, p4 = four
    season, start = started(four, now)
    resign(game_id=game_of(season, p1, p2).game_id, user=p2, now=start + DAY)
    leave_season(**MORPION, user=p1, now=start + 2 * DAY)
    table = table_of(season)
    assert table[p1].is_void
    assert table[p1].standing.place == 4
    assert [table[one].standing.points for one in (p1, p2, p3, p4)] == [0, 0, 0, 0]
    assert table[p3].standing.most == 4  # without the game against p1
    resign(game_id=game_of(season, p2, p3).game_id, user=p3, now=start + 3 * DAY)
    leave_season(**MORPION, user=p2, now=start + 4 * DAY)  # two of their three games are over
    table = table_of(season)
    assert not table[p2].is_void
    assert table[p4].standing.points == 2
    assert not Game.objects.running().filter(seats__user__in=[p1, p2]).exists()
    with pytest.raises(league_errors.NotInSeason):
        leave_season(**MORPION, user=p2, now=start + 4 * DAY)


def test_a_closed_account_leaves_the_season(four, now):
    season, start = started(four, now)
    four[0].is_active = False
    four[0].save()
    run_leagues(now=start + DAY)
    assert entry_of(season, four[0]).left_because == SeasonEntry.Left.ABSENT
    assert not Game.objects.running().filter(seats__user=four[0]).exists()


def test_a_short_suspension_keeps_the_place(four, now):
    season, start = started(four, now)
    four[0].barred_until = start + 3 * DAY
    four[0].save()
    run_leagues(now=start + DAY)
    assert entry_of(season, four[0]).left_at is None
    four[0].barred_until = season.final_at
    four[0].save()
    run_leagues(now=start + DAY)
    assert entry_of(season, four[0]).left_because == SeasonEntry.Left.ABSENT


def test_a_moderator_removes_a_player_with_a_reason(four, now, moderator):
    season, start = started(four, now)
    entry = entry_of(season, four[0])
    with pytest.raises(errors.NoReason):
        remove_from_season(entry_id=entry.pk, by=moderator, why=" ", now=start)
    with pytest.raises(errors.MayNotModerate):
        remove_from_season(entry_id=entry.pk, by=four[1], why="x", now=start)
    remove_from_season(entry_id=entry.pk, by=moderator, why="two accounts", now=start)
    entry.refresh_from_db()
    assert (entry.left_because, entry.removed_because) == ("removed", "two accounts")
    logged = ModerationLogEntry.objects.get(person=four[0])
    assert (logged.what, logged.why, logged.by) == ("remove-from-season", "two accounts", moderator)
    with pytest.raises(league_errors.AlreadyLeft):
        remove_from_season(entry_id=entry.pk, by=moderator, why="again", now=start)
    with pytest.raises(league_errors.NoSuchEntry):
        remove_from_season(entry_id=0, by=moderator, why="nobody", now=start)


def test_a_moderator_has_no_part_in_the_season(now, four, moderator):
    season, start = started([*four, moderator], now)
    with pytest.raises(league_errors.OwnSeason):
        remove_from_season(
            entry_id=entry_of(season, four[0]).pk, by=moderator, why="beats me", now=start
        )


def test_a_game_outside_leagues_cannot_be_annulled(game, now, moderator):
    with pytest.raises(league_errors.NoCompetitionGame):
        annul_game(game_id=game.pk, by=moderator, why="?", now=now)


# Joining, skipping, and the season after ---------------------------------------------------------


def test_who_can_join(four, now):
    open_morpion(now)
    join_season(**MORPION, user=four[0], now=now)
    with pytest.raises(league_errors.AlreadyInSeason):
        join_season(**MORPION, user=four[0], now=now)
    with pytest.raises(league_errors.GuestsJoinNoLeague):
        join_season(**MORPION, user=GuestFactory(), now=now)
    with pytest.raises(league_errors.ProgramsJoinNoLeague):
        join_season(**MORPION, user=BotFactory(), now=now)
    with pytest.raises(league_errors.NoSuchLeague):
        join_season(rules_slug="chess", user=four[1], now=now)
    season = Season.objects.get()
    with pytest.raises(league_errors.NoSeasonToJoin):
        join_season(**MORPION, user=four[1], now=season.starts_at)
    with pytest.raises(league_errors.NothingToSkip):
        skip_season(**MORPION, user=four[0], now=now)
    decline_season(**MORPION, user=four[0], now=now)
    assert join_season(**MORPION, user=four[0], now=now).state == SeasonEntry.State.PLAYS
    with pytest.raises(league_errors.NoSuchLeague):
        leave_season(rules_slug="chess", user=four[1], now=now)


def test_leagues_that_cannot_be(four, now):
    open_morpion(now)
    with pytest.raises(league_errors.LeagueIsOpen):
        open_morpion(now)
    terms = {"terms": Terms(per_turn(DAY)), "months": 1, "division_size": 8, "legs": 1, "now": now}
    with pytest.raises(league_errors.LeagueIsForTwo):
        open_league(rules_slug="superpion", options={"variant": "four"}, **terms)
    with pytest.raises(league_errors.BadLeague):
        open_league(rules_slug="taquet", options={}, **terms | {"division_size": 9})


def play_out(season, chance, moment):
    """Play all games of a season to their end, each player at once."""
    while running := list(Game.objects.running()):
        for game in running:
            play_one(game, chance, moment)
    run_leagues(now=moment)
    season.refresh_from_db()
    assert season.ended_at == moment


def test_promotion_relegation_and_a_place_that_is_kept(db, now):
    people = [PersonFactory(username=f"q{number:02}") for number in range(12)]
    season, start = started(people, now)
    chance = random.Random(3)
    play_out(season, chance, start + DAY)
    top, low = [[row.entry.user for row in table.rows] for table in division_tables(season)]
    skip_season(**MORPION, user=top[0], now=start + 2 * DAY)
    second = season.league.seasons.get(number=2)
    run_leagues(now=second.starts_at)
    upper = {one.entry.user for one in division_tables(second)[0].rows}
    # One of twelve is missing: a division of six, and one of five.
    assert upper == {*top[1:4], *low[:2], top[4]}
    second.refresh_from_db()
    play_out(second, chance, second.starts_at + DAY)
    third = season.league.seasons.get(number=3)
    back = entry_of(third, top[0])
    assert (back.state, back.level, back.rank) == ("plays", 1, 1)
    with pytest.raises(league_errors.SkippedBefore):
        skip_season(**MORPION, user=top[0], now=second.ended_at)
    run_leagues(now=third.starts_at)
    assert top[0] in [one.entry.user for one in division_tables(third)[0].rows]


def test_who_was_absent_or_left_or_declined_is_not_in_the_next_season(four, now):
    league = open_morpion(now)
    people = [*four, PersonFactory(username="p5")]
    join_all(people, now)
    season = league.seasons.get()
    start = season.starts_at
    run_leagues(now=start)
    absent, left, declined = people[:3]
    decline_season(**MORPION, user=declined, now=start + DAY)
    leave_season(**MORPION, user=left, now=start + DAY)
    chance = random.Random(5)
    moment = start + DAY
    for _ in range(30):
        moment += DAY / 2
        for game in Game.objects.running():
            if game.seats.get(number=game.seat_to_move).user != absent:
                play_one(game, chance, moment)
        time_out_due(now=moment)
    run_leagues(now=moment)
    following = league.seasons.get(number=2)
    assert league.seasons.get(number=1).ended_at == moment
    plays = following.entries.filter(state="plays").values_list("user", flat=True)
    assert set(plays) == {people[3].pk, people[4].pk}
    assert entry_of(following, declined).state == SeasonEntry.State.DECLINED


def test_the_database_refuses_a_second_game_of_a_pair(four, now):
    season, _ = started(four, now)
    row = game_of(season, four[0], four[1])
    again = {"division": row.division, "first": row.second, "second": row.first, "leg": 1}
    with pytest.raises(IntegrityError), transaction.atomic():
        LeagueGame.objects.create(**again)
    with pytest.raises(IntegrityError), transaction.atomic():
        LeagueGame.objects.create(**again | {"second": row.second, "leg": 2})
    entry = row.first
    with pytest.raises(IntegrityError), transaction.atomic():
        SeasonEntry.objects.create(season=season, user=entry.user, joined_at=season.starts_at)
    with pytest.raises(IntegrityError), transaction.atomic():
        SeasonEntry.objects.filter(pk=entry.pk).update(order=row.second.order)
    with pytest.raises(IntegrityError), transaction.atomic():
        SeasonEntry.objects.filter(pk=entry.pk).update(state="skips")
    with pytest.raises(IntegrityError), transaction.atomic():
        Season.objects.create(
            league=season.league, number=1, starts_at=season.starts_at, final_at=season.final_at
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        Season.objects.filter(pk=season.pk).update(final_at=season.starts_at)
    with pytest.raises(IntegrityError), transaction.atomic():
        season.divisions.create(number=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        League.objects.update(months=3)
