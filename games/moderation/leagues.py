"""What a moderator can do to a league: annul a game, and remove a player from a season.

Both need a reason. It is in the log, and the players are told of it.
"""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors, league_errors
from games.models import Ending, Game, LeagueGame, SeasonEntry
from games.moderation import log
from games.moderation.action_names import LeagueAction
from games.moderation.base import lock_for_moderation, log_action
from games.moderation.permissions import check_is_moderator
from games.services.leagues.entries import leave_entry, resign_games_of
from games.services.turns import finish_game


@transaction.atomic
def annul_league_game(*, game_id: int, by: User, why: str, now: datetime) -> Game:
    """Let a game of a league count for nobody. One that still runs is aborted.

    Raises as `lock_for_moderation`, and NoSuchLeagueGame, AlreadyAnnulled.
    """
    game = lock_for_moderation(game_id, by, why, None)
    row = LeagueGame.objects.select_for_update(of=("self",)).filter(game=game).first()
    if row is None:
        raise league_errors.NoSuchLeagueGame
    if row.annulled_at is not None:
        raise league_errors.AlreadyAnnulled
    row.annulled_at = now
    row.save(update_fields=["annulled_at"])
    log_action(game, LeagueAction.ANNUL, by, why, now)
    if game.status == Game.Status.ACTIVE:
        finish_game(game, Ending.BROKEN_OFF, now=now, actor=by)
    return game


def remove_from_season(*, entry_id: int, by: User, why: str, now: datetime) -> SeasonEntry:
    """Remove a player from a season that is being played; their games there are resigned.

    Raises MayNotModerate, NoReason, NoSuchEntry, OwnSeason, AlreadyLeft.
    """
    check_is_moderator(by)
    if not why.strip():
        raise errors.NoReason
    found = SeasonEntry.objects.select_related("user", "season__league")
    entry = found.filter(pk=entry_id).exclude(division=None).first()
    if entry is None:
        raise league_errors.NoSuchEntry
    if SeasonEntry.objects.filter(season=entry.season_id, user=by).exclude(division=None).exists():
        raise league_errors.OwnSeason
    with transaction.atomic():
        if not leave_entry(entry, SeasonEntry.Left.REMOVED, now=now, reason=why.strip()[:500]):
            raise league_errors.AlreadyLeft
        details: dict[str, object] = {
            "league": entry.season.league.rules_slug,
            "season": entry.season.number,
        }
        what = LeagueAction.REMOVE.value
        log.write_entry(by=by, what=what, why=why, now=now, person=entry.user, details=details)
    resign_games_of(entry, now=now)
    return entry
