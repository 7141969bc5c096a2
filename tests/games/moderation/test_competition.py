"""What moderators do in leagues, ladders and tournaments: reasons, refusals, tables, ratings."""

import pytest

from games import errors, ladder_errors, league_errors, tournament_errors
from games.models import (
    Entrant,
    Event,
    Game,
    KindResults,
    LadderChallenge,
    LeagueGame,
    ModerationLogEntry,
    Rating,
    Seat,
    Tournament,
    TournamentGame,
)
from games.moderation import log
from games.moderation.competition import (
    annul_game,
    cancel_as_moderator,
    remove_from_season,
    remove_from_tournament,
)
from games.moderation.game_actions import reopen_game
from games.queries.leagues import division_tables
from games.queries.tournaments import TournamentState
from games.services.endings import resign
from games.services.ladders.upkeep import run_ladders
from games.services.leagues.seasons import run_leagues
from games.services.ratings import rate_due
from games.services.tournaments.entries import join_tournament
from games.services.tournaments.rounds import begin_round_game, run_tournaments
from tests.factories import PersonFactory
from tests.games.ladders import climbing
from tests.games.leagues.simulation import started as season_of
from tests.games.moderating import WHY
from tests.games.play import DAY, fresh, play_all, refused, undone
from tests.games.tournaments.simulation import join_all, open_one, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def six(db):
    return [PersonFactory(username=f"p{number}") for number in range(6)]


def rows_of_all():
    """Return what a refusal must leave as it is."""
    return [
        list(model.objects.order_by("pk").values())
        for model in (Tournament, Entrant, TournamentGame, Game, Seat, ModerationLogEntry, Event)
    ]


def lose(game, loser, now):
    """Play a turn of each side, and let one resign."""
    play_all(game, ["5", "1"], now=now)
    resign(game_id=game.pk, user=loser, now=now)


def test_an_annulled_league_game_that_is_over_counts_for_nobody_anywhere(six, mo, now):
    season, start = season_of(six[:3], now)
    row = LeagueGame.objects.first()
    winner, loser = row.first.user, row.second.user
    lose(row.game, loser, start)
    for other in LeagueGame.objects.exclude(pk=row.pk):
        assert other.game.status == "active"
    rate_due(seconds=60)
    assert Rating.objects.count() == 2
    assert KindResults.objects.get(player=winner).won == 1
    annul_game(game_id=row.game_id, by=mo, why=WHY, now=start + DAY)
    rate_due(seconds=60)
    assert not Rating.objects.exists()
    assert not KindResults.objects.filter(player__in=[winner, loser], played__gt=0).exists()
    (table,) = division_tables(season)
    assert {one.standing.points for one in table.rows} == {0}
    game = fresh(row.game)
    assert (game.status, game.ending, game.ended_at) == ("aborted", "broken-off", start)
    assert {seat.place for seat in game.seats.all()} == {None}
    entry = ModerationLogEntry.objects.get(game=game)
    assert (entry.what, entry.why, entry.details) == ("annul", WHY, {"ending": "resigned"})
    assert list(log.faults()) == []
    for act in (annul_game, reopen_game):
        with undone(), pytest.raises((league_errors.AlreadyAnnulled, errors.EndedOtherwise)):
            act(game_id=game.pk, by=mo, why=WHY, now=start + DAY)
    # The season ends by its other games, and does not wait for this one.
    for other in LeagueGame.objects.exclude(pk=row.pk):
        resign(game_id=other.game_id, user=other.second.user, now=start + DAY)
    run_leagues(now=start + DAY)
    season.refresh_from_db()
    assert season.ended_at == start + DAY


def test_an_annulled_game_leaves_its_division_as_it_was_for_who_had_left_before(six, mo, now):
    """Half of the games of who left were over: an annulment later makes them count no less."""
    season, start = season_of(six[:3], now)
    entry = season.entries.get(user=six[0])
    own = (LeagueGame.objects.filter(first=entry) | LeagueGame.objects.filter(second=entry)).first()
    other = own.second if own.first == entry else own.first
    lose(own.game, other.user, start)
    remove_from_season(entry_id=entry.pk, by=mo, why=WHY, now=start + DAY)
    assert not division_tables(season)[0].void
    annul_game(game_id=own.game_id, by=mo, why=WHY, now=start + 2 * DAY)
    assert not division_tables(season)[0].void


@pytest.mark.parametrize("form", ["swiss", "knockout", "round-robin", "groups"])
def test_an_annulled_tournament_game_counts_for_nobody_and_the_rounds_go_on(six, mo, now, form):
    tournament, start = started(six, now, form, swiss_rounds=2, group_size=3)
    games = list(TournamentGame.objects.exclude(game=None).order_by("pk"))
    for row in games[1:]:
        lose(row.game, row.second.user, start)
    annul_game(game_id=games[0].game_id, by=mo, why=WHY, now=start)
    assert fresh(games[0].game).status == "aborted"
    run_tournaments(now=start)
    if form == "knockout":  # a match is decided by games that count: another one is played
        again = TournamentGame.objects.get(round__number=1, board=games[0].board, leg=2)
        assert (again.first, again.second) == (games[0].second, games[0].first)
        lose(again.game, again.second.user, start)
        run_tournaments(now=start)
    tournament.refresh_from_db()
    state = TournamentState(tournament)
    if form == "round-robin":
        assert tournament.ended_at == start
    else:
        assert len(state.rounds) == 2
    points = {row.player: row.points for _, table in state.tables for row in table.standings}
    if points:
        won = 2 * (len(games) - 1) + 2 * games[0].round.games.filter(second=None).count()
        assert sum(points.values()) == won


def test_an_annulment_after_the_next_round_has_begun_changes_nobodys_way(six, mo, now):
    tournament, start = started(six[:4], now, "knockout")
    first = list(TournamentGame.objects.order_by("board"))
    for row in first:
        lose(row.game, row.second.user, start)
    run_tournaments(now=start)
    final = TournamentGame.objects.get(round__number=2)
    assert {final.first, final.second} == {row.first for row in first}
    annul_game(game_id=first[0].game_id, by=mo, why=WHY, now=start)
    state = TournamentState(tournament)
    assert [one.goes_on for one in state.matches(state.rounds[0])] == [one.first for one in first]
    lose(final.game, final.second.user, start)
    run_tournaments(now=start)
    tournament.refresh_from_db()
    assert TournamentState(tournament).winner == final.first


def test_an_annulled_ladder_game_puts_its_players_back(mo, now):
    one, _two, three = climbing.climbers(3, now)
    challenge = climbing.begin(three, one, now=now)
    lose(challenge.game, one, now)
    run_ladders(now=now + DAY)
    assert climbing.order() == ["3", "1", "2"]
    annul_game(game_id=challenge.game_id, by=mo, why=WHY, now=now + DAY)
    run_ladders(now=now + DAY)
    assert climbing.order() == ["1", "3", "2"]
    assert climbing.renewed(challenge).outcome == LadderChallenge.Outcome.VOID
    with undone(), pytest.raises(league_errors.AlreadyAnnulled):
        annul_game(game_id=challenge.game_id, by=mo, why=WHY, now=now + DAY)


def test_a_player_is_removed_from_a_tournament_before_and_after_its_start(six, mo, now):
    tournament = open_one(six[0], now)
    join_all(tournament, six, now)
    early = tournament.entrants.get(user=six[5])
    remove_from_tournament(entrant_id=early.pk, by=mo, why=f" {WHY} ", now=now)
    with pytest.raises(tournament_errors.RemovedFromTournament):
        join_tournament(tournament_id=tournament.pk, user=six[5], now=now)
    run_tournaments(now=tournament.starts_at)
    early.refresh_from_db()
    assert (early.number, early.left_because, early.removed_because) == (None, "removed", WHY)
    row = TournamentGame.objects.exclude(game=None).first()
    remove_from_tournament(entrant_id=row.first.pk, by=mo, why=WHY, now=tournament.starts_at)
    game = fresh(row.game)
    assert (game.status, game.seats.get(place=1).user) == ("finished", row.second.user)
    entries = ModerationLogEntry.objects.filter(what="remove-from-tournament").order_by("number")
    assert [(one.person, one.why) for one in entries] == [(six[5], WHY), (row.first.user, WHY)]
    for other in TournamentGame.objects.filter(game__status="active"):
        resign(game_id=other.game_id, user=other.second.user, now=tournament.starts_at)
    run_tournaments(now=tournament.starts_at)
    second = tournament.rounds.get(number=2)
    paired = {key for one in second.games.all() for key in (one.first_id, one.second_id)}
    assert row.first_id not in paired
    assert row.second_id in paired


def test_a_cancelled_tournament_has_no_winner_and_its_running_games_no_result(six, mo, now):
    tournament, start = started(six, now, "round-robin")
    over, late, *_ = TournamentGame.objects.order_by("pk")
    lose(over.game, over.second.user, start)
    in_a_moment = late.game
    TournamentGame.objects.filter(pk=late.pk).update(game=None)  # it has yet to begin
    cancel_as_moderator(tournament_id=tournament.pk, by=mo, why=WHY, now=start + DAY)
    assert fresh(over.game).status == "finished"
    running = Game.objects.filter(tournament_game__isnull=False).exclude(pk=over.game_id)
    assert set(running.values_list("status", "ending")) == {("aborted", "broken-off")}
    assert begin_round_game(late.pk, now=start + DAY)
    late.refresh_from_db()
    assert late.annulled_at == start + DAY
    tournament.refresh_from_db()
    assert (tournament.ended_at, tournament.cancelled_because) == (start + DAY, WHY)
    assert TournamentState(tournament).winner is None
    # One that began in that moment is ended by the next run.
    TournamentGame.objects.filter(pk=late.pk).update(game=in_a_moment)
    assert fresh(in_a_moment).status == "active"
    run_tournaments(now=start + DAY)
    assert fresh(in_a_moment).status == "aborted"


def test_who_may_not_changes_nothing(six, ann, mo, meg, now):
    tournament, start = started([*six[:4], meg], now)
    entrant = tournament.entrants.get(user=six[0])
    game = (
        TournamentGame.objects.exclude(game=None)
        .exclude(first__user=meg)
        .exclude(second__user=meg)[0]
        .game
    )
    acts = [
        (annul_game, {"game_id": game.pk}),
        (remove_from_tournament, {"entrant_id": entrant.pk}),
        (cancel_as_moderator, {"tournament_id": tournament.pk}),
    ]
    before = rows_of_all()
    for act, what in acts:
        for by in (ann, six[0], tournament.opened_by):
            with refused(errors.MayNotModerate, "Only moderators", status=403):
                act(by=by, why=WHY, now=start, **what)
        with refused(errors.NoReason, "", status=422):
            act(by=mo, why=" ", now=start, **what)
        with refused(tournament_errors.OwnTournament, "another moderator", status=403):
            act(by=meg, why=WHY, now=start, **what)
    with refused(tournament_errors.NoSuchEntrant, "no such player", status=404):
        remove_from_tournament(entrant_id=0, by=mo, why=WHY, now=start)
    with refused(tournament_errors.NoSuchTournament, "no such tournament", status=404):
        cancel_as_moderator(tournament_id=10**30, by=mo, why=WHY, now=start)
    assert rows_of_all() == before
    remove_from_tournament(entrant_id=entrant.pk, by=mo, why=WHY, now=start)
    cancel_as_moderator(tournament_id=tournament.pk, by=mo, why=WHY, now=start)
    before = rows_of_all()
    for act, what in acts[1:]:
        with pytest.raises(tournament_errors.TournamentIsOver):
            act(by=mo, why=WHY, now=start, **what)
    assert rows_of_all() == before


def test_nobody_is_removed_twice_and_no_game_outside_competitions_is_annulled(six, game, mo, now):
    tournament, start = started(six, now)
    entrant = tournament.entrants.first()
    remove_from_tournament(entrant_id=entrant.pk, by=mo, why=WHY, now=start)
    before = rows_of_all()
    with pytest.raises(tournament_errors.AlreadyLeftTournament):
        remove_from_tournament(entrant_id=entrant.pk, by=mo, why="again", now=start)
    with pytest.raises(league_errors.NoCompetitionGame):
        annul_game(game_id=game.pk, by=mo, why=WHY, now=start)
    assert rows_of_all() == before


def test_nobody_annuls_in_a_season_or_on_a_ladder_of_their_own(six, meg, now):
    _season, start = season_of([*six[:3], meg], now)
    others = LeagueGame.objects.exclude(first__user=meg).exclude(second__user=meg)
    with undone(), pytest.raises(league_errors.OwnSeason):
        annul_game(game_id=others[0].game_id, by=meg, why=WHY, now=start)
    one, two, _three = climbing.climbers(3, now)
    climbing.join_ladder(rules_slug="morpion", user=meg, now=now)
    challenge = climbing.begin(two, one, now=now)
    with undone(), pytest.raises(ladder_errors.OwnLadder):
        annul_game(game_id=challenge.game_id, by=meg, why=WHY, now=now)


def test_the_page_has_the_form_for_moderators_only(client, six, mo, now):
    tournament, start = started(six[:4], now)
    address = tournament.get_absolute_url()
    client.force_login(six[0])
    assert "Moderate this tournament" not in client.get(address).content.decode()
    client.force_login(mo)
    assert "Moderate this tournament" in client.get(address).content.decode()
    row = TournamentGame.objects.exclude(game=None).first()
    sent = f"{address}moderate/"
    assert client.post(sent, {"game": row.game_id, "why": WHY}).status_code == 302
    assert client.post(sent, {"entrant": row.first_id, "why": WHY}).status_code == 302
    assert client.post(sent, {"cancel": "on", "why": ""}).status_code == 422
    assert client.post(sent, {"cancel": "on", "why": WHY}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.is_cancelled
    assert "nobody has won it" in client.get(address).content.decode()
    assert list(ModerationLogEntry.objects.order_by("number").values_list("what", flat=True)) == [
        "annul",
        "remove-from-tournament",
        "cancel-tournament",
    ]
    assert start
