"""What everything has in common that is done in a season which has not begun."""

from datetime import datetime

from accounts.models import User
from games import league_errors as errors
from games.models import League, Season
from games.queries.leagues import next_season
from games.services.suspensions import check_stays, lock_acting_user


def locked_next_season(rules_slug: str, now: datetime) -> Season:
    """Return the season that can be joined, locked. Raises NoSuchLeague, NoSeasonToJoin."""
    league = League.objects.filter(rules_slug=rules_slug).first()
    if league is None:
        raise errors.NoSuchLeague
    season = next_season(league)
    if season is None:
        raise errors.NoSeasonToJoin
    return lock_coming_season(season.pk, now)


def lock_coming_season(season_id: int, now: datetime) -> Season:
    """Return a season that can be joined, locked. Raises NoSeasonToJoin."""
    # The start locks the row too: who joins is either in it or too late.
    locked = Season.objects.select_for_update(of=("self",)).select_related("league")
    season = locked.get(pk=season_id)
    if season.started_at or season.ended_at or season.starts_at <= now:
        raise errors.NoSeasonToJoin
    return season


def check_may_join(user: User, now: datetime) -> User:
    """Return a user who may play in leagues, with their row locked.

    Raises AccountClosed, Barred, LeavesSoon, GuestsJoinNoLeague, ProgramsJoinNoLeague.
    """
    player = lock_acting_user(user, now)
    check_stays(player)
    if player.is_guest:
        raise errors.GuestsJoinNoLeague
    if player.is_bot:
        raise errors.ProgramsJoinNoLeague
    return player
