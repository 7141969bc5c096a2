"""Open a league; join a season of it, skip one, and leave."""

from collections import Counter
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import User
from games import league_errors as errors
from games.competition.calendar import final_day, first_start, month_after
from games.models import League, LeagueGame, Season, SeasonEntry, Terms
from games.rules.base import OptionValue
from games.rules.registry import rules_for
from games.services.endings import resign_for
from games.services.leagues.joining import check_may_join, locked_next_season
from games.services.leagues.teams import end_team, withdraw_invitations
from games.services.site_status import check_open
from games.services.suspensions import check_not_suspended
from games.services.tables import check_terms


@transaction.atomic
def open_league(
    *,
    rules_slug: str,
    options: dict[str, object],
    terms: Terms,
    months: int,
    division_size: int,
    legs: int,
    now: datetime,
) -> League:
    """Open the league of a game, with a first season that can be joined for a week at least.

    Raises LeagueIsOpen, LeagueIsForTwo, BadLeague, and as `check_terms`.
    """
    checked: dict[str, OptionValue]
    checked, _seats = check_terms(rules_slug, options, terms, is_public=True)
    sides = Counter(rules_for(rules_slug).sides(checked))
    if len(sides) != 2 or {*sides.values()} not in ({1}, {2}):  # noqa: PLR2004  (as the error says)
        raise errors.LeagueIsForTwo
    if not (1 <= months <= 2 and 1 <= legs <= 2 and 6 <= division_size <= 8):  # noqa: PLR2004
        raise errors.BadLeague
    pace = terms.pace
    try:
        with transaction.atomic():
            league = League.objects.create(
                rules_slug=rules_slug,
                options=checked,
                pace=pace.kind,
                allowance=pace.allowance,
                bank=pace.bank,
                cap=pace.cap,
                allows_vacations=terms.allows_vacations,
                allows_days_off=terms.allows_days_off,
                months=months,
                division_size=division_size,
                legs=legs,
                team_size=max(sides.values()),
                opened_at=now,
            )
    except IntegrityError:
        raise errors.LeagueIsOpen from None
    starts_at = first_start(now)
    Season.objects.create(
        league=league, number=1, starts_at=starts_at, final_at=final_day(starts_at, months)
    )
    return league


def close_league(*, rules_slug: str, now: datetime) -> None:
    """Play no more seasons of a league after the one that runs. Raises NoSuchLeague."""
    if not League.objects.filter(rules_slug=rules_slug, closed_at=None).update(closed_at=now):
        raise errors.NoSuchLeague
    waiting = Season.objects.filter(league__rules_slug=rules_slug, started_at=None, ended_at=None)
    waiting.update(ended_at=now)


def add_season(season: Season) -> Season | None:
    """Return the season after this one, which is made if it is not there; None: none follows."""
    league = season.league
    if league.closed_at is not None:
        return None
    starts_at = month_after(season.starts_at, league.months)
    ends = {"starts_at": starts_at, "final_at": final_day(starts_at, league.months)}
    return league.seasons.get_or_create(number=season.number + 1, defaults=ends)[0]


# A season that has not begun ---------------------------------------------------------------------


@transaction.atomic
def join_season(*, rules_slug: str, user: User, now: datetime) -> SeasonEntry:
    """Play in the next season of a league, also after having skipped or declined it.

    In a league of teams whoever has no partner when the season starts is put together with another.

    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, GuestsJoinNoLeague,
    ProgramsJoinNoLeague, NoSuchLeague, NoSeasonToJoin, AlreadyInSeason.
    """
    check_not_suspended(user, now)
    check_open()
    season = locked_next_season(rules_slug, now)
    player = check_may_join(user, now)
    entry = season.entries.filter(user=player).first()
    if entry is None:
        return SeasonEntry.objects.create(season=season, user=player, joined_at=now)
    if entry.state == SeasonEntry.State.PLAYS:
        raise errors.AlreadyInSeason
    entry.state, entry.joined_at = SeasonEntry.State.PLAYS, now
    entry.save(update_fields=["state", "joined_at"])
    return entry


@transaction.atomic
def skip_season(*, rules_slug: str, user: User, now: datetime) -> SeasonEntry:
    """Skip the next season of a league and keep the place that one has in it; one's team ends.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchLeague, NoSeasonToJoin, NothingToSkip,
    SkippedBefore.
    """
    check_not_suspended(user, now)
    check_open()
    season = locked_next_season(rules_slug, now)
    before = SeasonEntry.objects.filter(
        user=user, season__league=season.league_id, season__number=season.number - 1
    ).first()
    if before is not None and before.state == SeasonEntry.State.SKIPS:
        raise errors.SkippedBefore
    entry = season.entries.filter(user=user).first()
    plays = before is not None and before.division_id is not None and before.left_at is None
    if not plays and (entry is None or entry.level is None):
        raise errors.NothingToSkip
    return _set_state(season, user, SeasonEntry.State.SKIPS, now)


@transaction.atomic
def decline_season(*, rules_slug: str, user: User, now: datetime) -> SeasonEntry:
    """Do not play in the next season of a league, which gives up one's place; one's team ends.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchLeague, NoSeasonToJoin.
    """
    check_not_suspended(user, now)
    check_open()
    return _set_state(locked_next_season(rules_slug, now), user, SeasonEntry.State.DECLINED, now)


def _set_state(season: Season, user: User, state: SeasonEntry.State, now: datetime) -> SeasonEntry:
    before = season.entries.filter(user=user).first()
    if before is not None:
        end_team(before)
        withdraw_invitations([before.pk])
    changed = {"state": state}
    entry, _made = season.entries.update_or_create(
        user=user, defaults=changed, create_defaults=changed | {"joined_at": now}
    )
    return entry


# A season that has begun -------------------------------------------------------------------------


def leave_season(*, rules_slug: str, user: User, now: datetime) -> SeasonEntry:
    """Leave the season that is being played: all of one's running games in it are resigned.

    A partner plays them on.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchLeague, NotInSeason.
    """
    check_not_suspended(user, now)
    check_open()
    if not League.objects.filter(rules_slug=rules_slug).exists():
        raise errors.NoSuchLeague
    running = SeasonEntry.objects.filter(
        season__league__rules_slug=rules_slug, season__ended_at=None, user=user
    )
    entry = running.exclude(division=None).first()
    if entry is None or not leave_entry(entry, SeasonEntry.Left.ASKED, now=now):
        raise errors.NotInSeason
    resign_games_of(entry, now=now)
    return entry


@transaction.atomic
def leave_entry(
    entry: SeasonEntry, why: SeasonEntry.Left, *, now: datetime, reason: str = ""
) -> bool:
    """Note that a player leaves a season that is being played; False if they had already."""
    left = SeasonEntry.objects.filter(pk=entry.pk, left_at=None, season__ended_at=None)
    changed = left.update(left_at=now, left_because=why, removed_because=reason)
    entry.refresh_from_db()
    return changed > 0


def resign_games_of(entry: SeasonEntry, *, now: datetime) -> None:
    """Resign the games of a player who has left, each in a transaction of its own.

    A partner who stays plays them on, as the rules of the game say.
    """
    games = LeagueGame.objects.filter(division=entry.division_id, game__status="active")
    theirs = games.filter(Q(first=entry.table_key) | Q(second=entry.table_key))
    for game_id in list(theirs.values_list("game", flat=True)):
        resign_for(game_id, entry.user, now)
