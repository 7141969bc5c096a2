"""Leagues of teams: asking and answering, the pairs and seats, leaving, and the next season."""

import random
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Block
from games import errors, league_errors
from games.competition.pairings import put_together
from games.models import Game, LeagueGame, Rating, Season, SeasonEntry, TeamInvitation
from games.moderation.people import suspend_user
from games.queries.certificates import certificate_of
from games.queries.leagues import division_tables
from games.services.endings import resign
from games.services.leagues.entries import (
    decline_season,
    join_season,
    leave_season,
    open_league,
    skip_season,
)
from games.services.leagues.seasons import run_leagues
from games.services.leagues.teams import (
    accept_partner,
    invite_partner,
    play_without_partner,
    refuse_partner,
)
from tests.factories import BotFactory, GuestFactory, PersonFactory
from tests.games.leagues.simulation import (
    Simulation,
    join_all,
    make_team,
    open_morpion,
    open_superpion,
    play_one,
    points_by_hand,
)

DAY = timedelta(days=1)
SUPERPION = {"rules_slug": "superpion"}


@pytest.fixture
def six(db):
    return [PersonFactory(username=f"p{number}") for number in range(6)]


def begun(people, now, **changed):
    """Return a season of these people that has begun, in teams of the first two, and so on."""
    season = open_superpion(now, **changed).seasons.get()
    for one, two in zip(people[::2], people[1::2], strict=True):
        make_team(one, two, now)
    run_leagues(now=season.starts_at)
    return Season.objects.get(pk=season.pk)


def entry_of(season, person):
    return season.entries.select_related("partner_of", "partner").get(user=person)


def team_names(season):
    rows = season.entries.filter(order__isnull=False).select_related("user", "partner__user")
    return [one.name for one in rows.order_by("division__number", "order")]


def ask(one, two, now):
    return invite_partner(**SUPERPION, user=one, partner=two, now=now)


def test_the_strongest_plays_with_the_weakest_and_who_joined_last_is_left_over():
    strength = {1: 1500.0, 2: 1700.0, 3: 1200.0, 4: 1500.0, 5: 1900.0}
    assert put_together([1, 2, 3, 4, 5], strength) == ([(2, 3), (1, 4)], 5)
    assert put_together([5, 1, 2, 3], strength) == ([(5, 3), (2, 1)], None)
    assert put_together([3], strength) == ([], 3)
    assert put_together([], strength) == ([], None)


def test_who_has_no_partner_is_put_together_with_another_when_the_season_starts(db, now):
    people = [PersonFactory(username=f"q{number:02}") for number in range(11)]
    season = open_superpion(now, legs=2).seasons.get()
    make_team(people[0], people[1], now)
    join_all(people[2:], now, "superpion")
    SeasonEntry.objects.filter(user=people[10]).update(joined_at=now + DAY)
    kind = {"rules_slug": "superpion", "table_kind": "4t", "sigma": 60, "games": 9}
    for person, mu in ((people[9], 1800), (people[5], 1100)):
        Rating.objects.create(player=person, mu=mu, of_program=False, changed_at=now, **kind)
    assert ask(people[3], people[4], now).state == "open"  # not answered
    run_leagues(now=season.starts_at)
    season.refresh_from_db()
    found = {frozenset(name.split(" & ")) for name in team_names(season)}
    assert found == {
        frozenset(pair)
        for pair in (
            ("q00", "q01"),
            ("q09", "q05"),
            ("q02", "q08"),
            ("q03", "q07"),
            ("q04", "q06"),
        )
    }
    waiting = entry_of(season, people[10])
    assert (waiting.state, waiting.untold, waiting.division) == ("waits", "waits", None)
    later = entry_of(Season.objects.get(number=2), people[10])
    assert (later.state, later.joined_at) == ("plays", now + DAY)
    assert Season.objects.get(number=2).entries.count() == 1

    # Partners sit opposite, and sides change between the two games of a pair.
    rows = LeagueGame.objects.select_related("first__partner", "second__partner")
    assert rows.count() == 20 == Game.objects.running().count()
    seen = {}
    for row in rows:
        seats = dict(row.game.seats.values_list("number", "user"))
        one, two = row.first, row.second
        expected = [one.user_id, two.user_id, one.partner.user_id, two.partner.user_id]
        assert [seats[number] for number in range(4)] == expected
        assert row.game.on_timeout == "withdraw"
        seen[row.first_id, row.second_id] = row.leg
    assert all(seen[two, one] != leg for (one, two), leg in seen.items())
    assert run_leagues(now=season.starts_at) == 0  # nothing is done twice


def test_what_cannot_be_done_is_refused_and_changes_nothing(six, now):
    ann, bob, cat, dan, eve, fay = six
    open_superpion(now)
    open_morpion(now)
    make_team(ann, bob, now)
    asked = ask(cat, dan, now)
    before = list(SeasonEntry.objects.values()), list(TeamInvitation.objects.values())
    Block.objects.create(by=eve, of=cat, at=now)
    fay.takes_strangers = False
    fay.save()
    no = league_errors
    others = {"rules_slug": "morpion", "now": now}
    for refused, call in (
        (no.LeagueHasNoTeams, lambda: invite_partner(user=cat, partner=dan, **others)),
        (no.HasPartner, lambda: ask(bob, cat, now)),
        (no.PartnerTaken, lambda: ask(cat, bob, now)),
        (no.CannotBePartner, lambda: ask(cat, cat, now)),
        (no.CannotBePartner, lambda: ask(cat, BotFactory(), now)),
        (no.CannotBePartner, lambda: ask(cat, GuestFactory(), now)),
        (no.TakesNoPartner, lambda: ask(cat, eve, now)),
        (no.TakesNoPartner, lambda: ask(eve, cat, now)),
        (no.TakesNoPartner, lambda: ask(cat, fay, now)),
        (no.AskedBefore, lambda: ask(cat, dan, now)),
        (
            no.NoSuchTeamInvitation,
            lambda: accept_partner(invitation_id=asked.pk, user=eve, now=now),
        ),
        (
            no.NoSuchTeamInvitation,
            lambda: refuse_partner(invitation_id=asked.pk, user=cat, now=now),
        ),
        (no.NoTeam, lambda: play_without_partner(**SUPERPION, user=eve, now=now)),
        (no.AlreadyInSeason, lambda: join_season(**SUPERPION, user=cat, now=now)),
    ):
        with pytest.raises(refused):
            call()
    assert before == (list(SeasonEntry.objects.values()), list(TeamInvitation.objects.values()))
    # Who asks is asked themselves: it is accepted. What is answered is not answered again.
    assert ask(dan, cat, now).state == "accepted"
    with pytest.raises(no.InvitationIsAnswered):
        refuse_partner(invitation_id=asked.pk, user=dan, now=now)
    strangers = [PersonFactory() for _ in range(6)]
    for one in strangers[:5]:
        ask(eve, one, now)
    with pytest.raises(no.AskedTooMany):
        ask(eve, strangers[5], now)
    with pytest.raises(league_errors.LeagueIsForTwo):
        open_league(
            rules_slug="superpion",
            options={"variant": "four"},
            terms=Season.objects.first().league.terms,
            months=1,
            division_size=6,
            legs=1,
            now=now,
        )


def test_an_invitation_is_answered_in_time_or_not_at_all(six, now):
    ann, bob, cat, dan, *_ = six
    season = open_superpion(now).seasons.get()
    first, second, third = ask(ann, cat, now), ask(bob, cat, now), ask(dan, cat, now)
    refuse_partner(invitation_id=third.pk, user=cat, now=now)
    assert TeamInvitation.objects.get(pk=third.pk).state == "refused"
    accept_partner(invitation_id=first.pk, user=cat, now=now)
    assert entry_of(season, cat).teammate.user == ann
    assert entry_of(season, ann).untold == "teamed"
    with pytest.raises(league_errors.HasPartner):
        accept_partner(invitation_id=second.pk, user=cat, now=now)
    # Each way out ends the team, and the other one is told.
    play_without_partner(**SUPERPION, user=ann, now=now)
    assert (entry_of(season, cat).untold, entry_of(season, ann).untold) == ("alone", "")
    accept_partner(invitation_id=second.pk, user=cat, now=now)
    decline_season(**SUPERPION, user=bob, now=now)
    assert entry_of(season, cat).teammate is None
    assert entry_of(season, cat).state == "plays"
    # Who has declined or is kept out cannot be accepted any more.
    asked = ask(dan, bob, now)
    type(dan).objects.filter(pk=dan.pk).update(barred_until=now + DAY)
    with pytest.raises(league_errors.TakesNoPartner):
        accept_partner(invitation_id=asked.pk, user=bob, now=now)
    with pytest.raises(league_errors.NoSeasonToJoin):
        accept_partner(invitation_id=asked.pk, user=bob, now=season.starts_at)


def test_the_database_holds_teams_together(six, now):
    season = begun(six, now)
    first, second, other = (entry_of(season, six[number]) for number in (0, 1, 2))
    for row, changed in (
        (first, {"partner_of": first}),
        (entry_of(season, six[3]), {"partner_of": first}),  # a third player
        (second, {"partner_of": None}),
        (second, {"order": 9}),
        (other, {"state": "skips"}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            SeasonEntry.objects.filter(pk=row.pk).update(**changed)


def test_who_leaves_a_team_is_played_for_and_only_both_have_left(six, now, moderator):
    ann, bob, *_ = six
    season = begun(six, now)
    later = season.starts_at + DAY
    leave_season(**SUPERPION, user=ann, now=later)
    row = entry_of(season, ann)
    games = [game.game for game in LeagueGame.objects.filter(first=row)]
    games += [game.game for game in LeagueGame.objects.filter(second=row)]
    assert len(games) == 2
    assert {game.status for game in games} == {"active"}
    assert all(game.seats.get(user=ann).left_at for game in games)
    (table,) = division_tables(season)
    assert table.void == set()
    assert run_leagues(now=later) == 0  # nothing is left to be resigned
    play_one(Game.objects.get(pk=games[0].pk), random.Random(3), later)
    with pytest.raises(league_errors.NotInSeason):
        leave_season(**SUPERPION, user=ann, now=later)

    until = season.final_at + DAY
    suspend_user(person_id=bob.pk, by=moderator, why="so", until=until, now=later + DAY)
    run_leagues(now=later + DAY)
    assert entry_of(season, bob).left_because == "absent"
    assert {one.status for one in Game.objects.filter(pk__in=[g.pk for g in games])} == {"finished"}
    (table,) = division_tables(season)
    assert table.void == {row.pk}
    assert [one.standing.points for one in table.rows] == [0, 0, 0]

    # The others' game counts; both of the winners have its points, and the table is as by hand.
    (running,) = LeagueGame.objects.filter(game__status="active")
    for person in running.second.people:
        resign(game_id=running.game_id, user=person, now=later + DAY)
    (table,) = division_tables(season)
    assert table.standings[0].player == running.first_id
    assert {one.player: one.points for one in table.standings} == points_by_hand(season)


def test_on_the_final_day_the_time_of_partners_counts_together(six, now):
    season = begun(six, now)
    row = LeagueGame.objects.order_by("pk").first()
    chance, moment = random.Random(1), season.starts_at
    # Each of the first team takes two days, each of the second one hour: nobody alone too much.
    for took in (2 * DAY, timedelta(hours=1), 2 * DAY, timedelta(hours=1)):
        moment += took
        play_one(Game.objects.get(pk=row.game_id), chance, moment)
    still = {"deadline": None, "clock_started_at": None, "reminder_at": None}
    Game.objects.running().update(stop_reason="moderator", stopped_at=moment, **still)
    run_leagues(now=season.final_at)
    game = Game.objects.get(pk=row.game_id)
    assert game.ending == "final-day"
    assert list(game.seats.values_list("place", flat=True)) == [2, 1, 2, 1]
    season.refresh_from_db()
    assert season.ended_at == season.final_at
    (table,) = division_tables(season)
    assert {one.player: one.points for one in table.standings} == points_by_hand(season)


def test_teams_go_on_unless_one_does_something_else(db, now):
    people = [PersonFactory(username=f"r{number}") for number in range(8)]
    season = begun(people, now)
    chance, start = random.Random(5), season.starts_at
    for row in LeagueGame.objects.order_by("pk"):
        for _ in range(4):  # so that everybody has played a turn
            play_one(Game.objects.get(pk=row.game_id), chance, start)
    following = Season.objects.get(number=2)
    newcomer = PersonFactory(username="new")
    ask(people[2], newcomer, start)  # r2 wants another partner
    skip_season(**SUPERPION, user=people[4], now=start)
    leave_season(**SUPERPION, user=people[7], now=start)
    for row in LeagueGame.objects.filter(game__status="active"):
        for person in row.second.staying:
            resign(game_id=row.game_id, user=person, now=start + DAY)
    run_leagues(now=season.final_at)
    season.refresh_from_db()
    assert season.ended_at
    (table,) = division_tables(season)
    places = {row.entry.user.username: row.standing.place for row in table.rows}
    entries = {one.user.username: one for one in following.entries.select_related("user")}
    assert {name: one.state for name, one in entries.items()} == {
        **dict.fromkeys(("r0", "r1", "r2", "r3", "r5", "r6"), "plays"),
        "r4": "skips",
    }
    assert {name: one.rank for name, one in entries.items()} == {
        name: places[first]
        for name, first in zip(
            ("r0", "r1", "r2", "r3", "r4", "r5", "r6"),
            ("r0", "r0", "r2", "r2", "r4", "r4", "r6"),
            strict=True,
        )
    }
    assert entries["r1"].partner_of == entries["r0"]
    alone = [one for one in entries.values() if one.teammate is None]
    assert {one.user.username for one in alone} == {"r2", "r3", "r4", "r5", "r6"}
    told = {name for name, one in entries.items() if one.untold == "alone"}
    assert told == {"r3", "r5", "r6"}  # r2 has asked somebody else, r4 skips
    # A certificate is the team's, with the names of those who stayed.
    assert certificate_of(entry_of(season, people[0]).pk).card.title == "r0 & r1"
    assert certificate_of(entry_of(season, people[1]).pk) is None
    assert certificate_of(entry_of(season, people[6]).pk).card.title == "r6"


def test_a_season_of_two_teams_is_not_played_and_they_are_teams_in_the_next(six, now):
    season = open_superpion(now).seasons.get()
    make_team(six[0], six[1], now)
    join_all(six[2:4], now, "superpion")
    run_leagues(now=season.starts_at)
    assert not Game.objects.exists()
    following = Season.objects.get(number=2)
    assert following.entries.filter(state="plays").count() == 4
    assert entry_of(following, six[1]).teammate.user == six[0]
    assert entry_of(following, six[2]).teammate is None


def test_a_new_team_stands_where_the_better_place_of_the_two_is(db, now):
    people = [PersonFactory(username=f"s{number}") for number in range(8)]
    season = open_superpion(now).seasons.get()
    for one, two in zip(people[::2], people[1::2], strict=True):
        make_team(one, two, now)
    for person, level, rank in ((people[1], 1, 2), (people[2], 1, 1), (people[4], 2, 1)):
        season.entries.filter(user=person).update(level=level, rank=rank)
    season.entries.filter(user=people[0]).update(level=2, rank=2)
    run_leagues(now=season.starts_at)
    assert team_names(season) == ["s2 & s3", "s0 & s1", "s4 & s5", "s6 & s7"]


@pytest.mark.slow
def test_seasons_of_teams_that_come_and_go_end_by_their_day(db, now):
    played = Simulation(people=11, seasons=2, seed=4, now=now, opens=open_superpion)
    played.run()
    over = Season.objects.filter(started_at__isnull=False, ended_at__isnull=False)
    for season in over:
        table = {row.player: row.points for one in division_tables(season) for row in one.standings}
        assert table == points_by_hand(season)
        seats = [
            seat
            for row in LeagueGame.objects.filter(division__season=season)
            for seat in row.game.seats.values_list("user", flat=True)
        ]
        playing = season.entries.exclude(division=None)
        assert set(seats) == set(playing.values_list("user", flat=True))
    assert over.count() == 2
    assert SeasonEntry.objects.filter(left_at__isnull=False).exists()
    with pytest.raises(errors.Refusal):
        join_season(**SUPERPION, user=GuestFactory(), now=played.now)
