"""What a moderator can do in leagues, ladders and tournaments.

A player is removed, a game is annulled, a tournament is cancelled. Each needs a reason, which is in
the log and is told to those whom it concerns. Nobody does it in a competition of their own. What is
refused changes nothing.
"""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors, ladder_errors, league_errors, tournament_errors
from games.models import (
    Ending,
    Entrant,
    Game,
    LadderChallenge,
    LadderPlace,
    LeagueGame,
    SeasonEntry,
    Seat,
    Tournament,
    TournamentGame,
)
from games.moderation import log
from games.moderation.action_names import CompetitionAction
from games.moderation.base import lock_for_moderation, log_action
from games.moderation.permissions import check_is_moderator
from games.services.ladders.places import locked_place, take_off
from games.services.leagues.entries import leave_entry, resign_games_of
from games.services.result_counts import subtract_results
from games.services.tournaments.entries import (
    abort_tournament_games,
    leave_entrant,
    locked_tournament,
    resign_tournament_games,
)
from games.services.turns import finish_game

LONGEST_REASON = 500
"""How much of a reason a player is told."""


def _check(by: User, why: str) -> None:
    """Raise MayNotModerate or NoReason."""
    check_is_moderator(by)
    if not why.strip():
        raise errors.NoReason


def _log(  # noqa: PLR0917  (what each entry says)
    what: CompetitionAction,
    person: User,
    by: User,
    why: str,
    now: datetime,
    details: dict[str, object],
) -> None:
    log.write_entry(by=by, what=what.value, why=why, now=now, person=person, details=details)


# A game ------------------------------------------------------------------------------------------


@transaction.atomic
def annul_game(*, game_id: int, by: User, why: str, now: datetime, seen: int | None = None) -> Game:
    """Let a game of a league, ladder or tournament count for nobody, in tables and ratings.

    One that runs is aborted; of one that is over the result is removed, and when it ended stays.
    What has been made by the result stays: rounds that have begun, and divisions.
    Raises as `lock_for_moderation`, and NoCompetitionGame, AlreadyAnnulled, OwnSeason, OwnLadder,
    OwnTournament.
    """
    game = lock_for_moderation(game_id, by, why, seen)
    row = locked_row_of(game)
    check_plays_not_there(row, by)
    if isinstance(row, LadderChallenge):
        if game.status == Game.Status.ABORTED:
            raise league_errors.AlreadyAnnulled
    elif row.annulled_at is not None:
        raise league_errors.AlreadyAnnulled
    else:
        row.annulled_at = now
        row.save(update_fields=["annulled_at"])
    log_action(game, CompetitionAction.ANNUL, by, why, now, ending=game.ending)
    if game.status == Game.Status.ACTIVE:
        finish_game(game, Ending.BROKEN_OFF, now=now, actor=by)
    elif game.status == Game.Status.FINISHED:
        remove_result(game)
    return game


def locked_row_of(game: Game) -> LeagueGame | TournamentGame | LadderChallenge:
    """Return the row by which a locked game is one of a competition. Raises NoCompetitionGame."""
    for model in (LeagueGame, TournamentGame, LadderChallenge):
        rows = model._default_manager.select_for_update(of=("self",))
        row: LeagueGame | TournamentGame | LadderChallenge | None = rows.filter(game=game).first()
        if row is not None:
            return row
    raise league_errors.NoCompetitionGame


def check_plays_not_there(row: LeagueGame | TournamentGame | LadderChallenge, by: User) -> None:
    """Raise OwnSeason, OwnTournament or OwnLadder if a moderator plays in the competition."""
    if isinstance(row, LeagueGame):
        _check_not_in_season(row.division.season_id, by)
    elif isinstance(row, TournamentGame):
        _check_not_in_tournament(row.round.tournament, by)
    elif row.ladder.places.filter(user=by).exclude(place=None).exists():
        raise ladder_errors.OwnLadder


def remove_result(game: Game) -> None:
    """Make a locked finished game one without a result. A ladder looks at it again by itself."""
    seats = list(game.seats.all())
    subtract_results(game.pk)
    LadderChallenge.reopen(game.pk)
    for seat in seats:
        seat.place = seat.points = None
    Seat.objects.bulk_update(seats, ["place", "points"])
    game.status, game.ending = Game.Status.ABORTED, Ending.BROKEN_OFF
    game.clear_undo()
    game.save()


# A player ----------------------------------------------------------------------------------------


def _check_not_in_season(season_id: int, by: User) -> None:
    if SeasonEntry.objects.filter(season=season_id, user=by).exclude(division=None).exists():
        raise league_errors.OwnSeason


def remove_from_season(*, entry_id: int, by: User, why: str, now: datetime) -> SeasonEntry:
    """Remove a player from a season that is being played; their games there are resigned.

    Raises MayNotModerate, NoReason, NoSuchEntry, OwnSeason, AlreadyLeft.
    """
    _check(by, why)
    found = SeasonEntry.objects.select_related("user", "season__league")
    entry = found.filter(pk=entry_id).exclude(division=None).first()
    if entry is None:
        raise league_errors.NoSuchEntry
    _check_not_in_season(entry.season_id, by)
    with transaction.atomic():
        reason = why.strip()[:LONGEST_REASON]
        if not leave_entry(entry, SeasonEntry.Left.REMOVED, now=now, reason=reason):
            raise league_errors.AlreadyLeft
        season = entry.season
        where: dict[str, object] = {
            "league": season.league.rules_slug,
            "season": season.number,
        }
        _log(CompetitionAction.REMOVE_FROM_SEASON, entry.user, by, why, now, where)
    resign_games_of(entry, now=now)
    return entry


@transaction.atomic
def remove_from_ladder(*, place_id: int, by: User, why: str, now: datetime) -> LadderPlace:
    """Remove a player from a ladder, as by leaving it; their games go on.

    Raises MayNotModerate, NoReason, AlreadyOffLadder, OwnLadder.
    """
    _check(by, why)
    if not LadderPlace.objects.filter(pk=place_id).exists():
        raise ladder_errors.AlreadyOffLadder
    own = locked_place(place_id)
    if own is None:
        raise ladder_errors.AlreadyOffLadder
    if own.ladder.places.filter(user=by).exclude(place=None).exists():
        raise ladder_errors.OwnLadder
    take_off(own, LadderPlace.Left.REMOVED, now=now, reason=why.strip()[:LONGEST_REASON])
    action = CompetitionAction.REMOVE_FROM_LADDER
    where: dict[str, object] = {"ladder": own.ladder.rules_slug}
    if own.ladder.club_id is not None:
        where["club"] = own.ladder.club_id
    _log(action, own.user, by, why, now, where)
    return own


def _check_not_in_tournament(tournament: Tournament, by: User) -> None:
    if tournament.entrants.filter(user=by, left_at=None).exists():
        raise tournament_errors.OwnTournament


def remove_from_tournament(*, entrant_id: int, by: User, why: str, now: datetime) -> Entrant:
    """Remove a player from a tournament that is not over, also before its start.

    Their running games there are resigned, and they cannot join it again.
    Raises MayNotModerate, NoReason, NoSuchEntrant, TournamentIsOver, OwnTournament,
    AlreadyLeftTournament.
    """
    _check(by, why)
    with transaction.atomic():
        entrant = Entrant.objects.select_related("user").filter(pk=entrant_id).first()
        if entrant is None:
            raise tournament_errors.NoSuchEntrant
        # A round that is being made has this lock: it has begun, or is made without the player.
        tournament = locked_tournament(entrant.tournament_id)
        if tournament.ended_at is not None:
            raise tournament_errors.TournamentIsOver
        _check_not_in_tournament(tournament, by)
        reason = why.strip()[:LONGEST_REASON]
        if not leave_entrant(entrant, Entrant.Left.REMOVED, now=now, reason=reason):
            raise tournament_errors.AlreadyLeftTournament
        action = CompetitionAction.REMOVE_FROM_TOURNAMENT
        _log(action, entrant.user, by, why, now, {"tournament": tournament.pk})
    resign_tournament_games(entrant, now=now)
    return entrant


# A tournament ------------------------------------------------------------------------------------


def cancel_as_moderator(*, tournament_id: int, by: User, why: str, now: datetime) -> Tournament:
    """Cancel a tournament that is not over, also after its start; everybody in it is told why.

    Games that run end without a result; those that are over count for ratings, and nobody has won.
    Raises MayNotModerate, NoReason, NoSuchTournament, TournamentIsOver, OwnTournament.
    """
    _check(by, why)
    with transaction.atomic():
        tournament = locked_tournament(tournament_id)
        if tournament.ended_at is not None:
            raise tournament_errors.TournamentIsOver
        _check_not_in_tournament(tournament, by)
        tournament.ended_at, tournament.is_cancelled = now, True
        tournament.cancelled_because = why.strip()[:LONGEST_REASON]
        tournament.save(update_fields=["ended_at", "is_cancelled", "cancelled_because"])
        tournament.rounds.filter(ended_at=None).update(ended_at=now)
        action = CompetitionAction.CANCEL_TOURNAMENT
        _log(action, tournament.opened_by, by, why, now, {"tournament": tournament.pk})
    abort_tournament_games(tournament, now=now)
    return tournament
