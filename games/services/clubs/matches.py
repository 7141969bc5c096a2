"""Challenge another club to a match, answer, and say that one wants to play in it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import BigIntegerField, Q

from accounts.models import User
from games import club_errors as errors
from games.models import Club, ClubMatch, ClubNews, MatchPlayer, Terms
from games.services.clubs.base import acting_manager, managers_of, tell
from games.services.site_status import check_open
from games.services.suspensions import check_not_suspended, check_stays, lock_acting_user
from games.services.tables import check_terms

FEWEST_BOARDS, MOST_BOARDS = 2, 10
MOST_DAYS = 120
SOONEST, LATEST = timedelta(days=1), timedelta(days=60)
"""When a match starts, from when it is offered."""

MOST_MATCHES = 5
"""How many challenges made and matches of a club may be unfinished at once."""

NotPlayed = ClubMatch.NotPlayed


@dataclass(frozen=True)
class MatchPlan:
    """How a match is played: columns of `ClubMatch`."""

    most_boards: int
    starts_at: datetime
    game_days: int = 30

    def check(self, now: datetime) -> None:
        """Raise BadMatch or BadMatchStart if a match cannot be played so."""
        if not FEWEST_BOARDS <= self.most_boards <= MOST_BOARDS:
            raise errors.BadMatch
        if not 1 <= self.game_days <= MOST_DAYS:
            raise errors.BadMatch
        if not now + SOONEST <= self.starts_at <= now + LATEST:
            raise errors.BadMatchStart


@transaction.atomic
def challenge_club(
    *,
    club_id: int,
    opponent_id: int,
    user: User,
    rules_slug: str,
    options: dict[str, object],
    terms: Terms,
    plan: MatchPlan,
    now: datetime,
) -> ClubMatch:
    """Challenge another club to a match, for a club that `user` manages.

    Raises as `acting_manager`, NoSuchClub, OwnClub, ChallengedAlready, MatchesEnough,
    MatchesAreForTwo, BadMatch, BadMatchStart, and as `check_terms`.
    """
    check_not_suspended(user, now)
    keys = [key for key in (club_id, opponent_id) if key <= BigIntegerField.MAX_BIGINT]
    both = Club.objects.select_for_update(of=("self",)).filter(pk__in=keys).order_by("pk")
    clubs = {club.pk: club for club in both}
    own = acting_manager(club_id, user, now)
    away = clubs.get(opponent_id)
    if away is None or away.closed_at is not None:
        raise errors.NoSuchClub
    if away.pk == own.club_id:
        raise errors.OwnClub
    unfinished = ClubMatch.objects.filter(ended_at=None)
    pair = {own.club_id, away.pk}
    if unfinished.filter(home__in=pair, away__in=pair).exists():
        raise errors.ChallengedAlready
    of_club = Q(home=own.club_id) | Q(away=own.club_id, accepted_at__isnull=False)
    if unfinished.filter(of_club).count() >= MOST_MATCHES:
        raise errors.MatchesEnough(most=MOST_MATCHES)
    checked, seats = check_terms(rules_slug, options, terms, is_public=True)
    if seats != 2:  # noqa: PLR2004  (the rule that the error states)
        raise errors.MatchesAreForTwo
    plan.check(now)
    pace = terms.pace
    match = ClubMatch.objects.create(
        **{name: getattr(plan, name) for name in MatchPlan.__dataclass_fields__},
        home=own.club,
        away=away,
        rules_slug=rules_slug,
        options=checked,
        pace=pace.kind,
        allowance=pace.allowance,
        bank=pace.bank,
        cap=pace.cap,
        allows_vacations=terms.allows_vacations,
        allows_days_off=terms.allows_days_off,
        challenged_by=user,
        challenged_at=now,
    )
    tell(away, managers_of(away), ClubNews.Tells.CHALLENGED, match=match)
    return match


def _match_of(match_id: int) -> ClubMatch:
    """Return a match without locking it: its clubs are locked first. Raises NoSuchMatch."""
    found = None
    if match_id <= BigIntegerField.MAX_BIGINT:
        found = ClubMatch.objects.filter(pk=match_id).first()
    if found is None:
        raise errors.NoSuchMatch
    return found


def _locked(match_id: int) -> ClubMatch:
    return ClubMatch.objects.select_for_update(of=("self",)).get(pk=match_id)


@transaction.atomic
def accept_match(*, match_id: int, user: User, now: datetime) -> ClubMatch:
    """Accept a challenge, for the challenged club.

    Raises as `acting_manager`, NoSuchMatch, MatchAnswered, MatchesEnough.
    """
    check_not_suspended(user, now)
    own = acting_manager(_match_of(match_id).away_id, user, now)
    match = _locked(match_id)
    if match.accepted_at or match.ended_at or match.starts_at <= now:
        raise errors.MatchAnswered
    unfinished = ClubMatch.objects.filter(ended_at=None)
    of_club = Q(home=own.club_id) | Q(away=own.club_id, accepted_at__isnull=False)
    if unfinished.filter(of_club).count() >= MOST_MATCHES:
        raise errors.MatchesEnough(most=MOST_MATCHES)
    match.accepted_at = now
    match.save(update_fields=["accepted_at"])
    tell(match.home, managers_of(match.home), ClubNews.Tells.ACCEPTED, match=match)
    return match


@transaction.atomic
def decline_match(*, match_id: int, user: User, now: datetime) -> ClubMatch:
    """Decline a challenge, for the challenged club. Raises as `accept_match` does."""
    check_not_suspended(user, now)
    acting_manager(_match_of(match_id).away_id, user, now)
    match = _locked(match_id)
    if match.accepted_at or match.ended_at:
        raise errors.MatchAnswered
    call_off(match, NotPlayed.DECLINED, now=now)
    return match


@transaction.atomic
def withdraw_match(*, match_id: int, user: User, now: datetime) -> ClubMatch:
    """Withdraw a challenge that is not accepted, for the club that made it.

    Raises as `acting_manager`, NoSuchMatch, MatchAnswered.
    """
    check_not_suspended(user, now)
    acting_manager(_match_of(match_id).home_id, user, now)
    match = _locked(match_id)
    if match.accepted_at or match.ended_at:
        raise errors.MatchAnswered
    call_off(match, NotPlayed.WITHDRAWN, now=now)
    return match


def call_off(match: ClubMatch, why: ClubMatch.NotPlayed, *, now: datetime) -> None:
    """Note of a locked match that it is not played.

    Its players are told, and the managers of both clubs; a withdrawn one only to the players.
    """
    match.ended_at, match.not_played_because = now, why
    match.save(update_fields=["ended_at", "not_played_because"])
    is_quiet = why == NotPlayed.WITHDRAWN
    told: set[int] = set()
    for club in (match.home, match.away):
        readers = match_readers(match, club)
        readers |= set() if is_quiet else set(managers_of(club))
        tell(club, sorted(readers - told), ClubNews.Tells.NOT_PLAYED, match=match)
        told |= readers


def match_readers(match: ClubMatch, club: Club) -> set[int]:
    """Return the keys of who wants to play for a club in a match, is in it and gets its letters."""
    here = club.members.filter(gets_letters=True).values("user")
    return set(match.players.filter(club=club, user__in=here).values_list("user", flat=True))


@transaction.atomic
def enter_match(*, match_id: int, club_id: int, user: User, now: datetime) -> MatchPlayer:
    """Say that one wants to play for a club in a match that has not begun.

    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, NoSuchMatch, NotInClub,
    MatchHasBegun, PlaysInMatch.
    """
    check_not_suspended(user, now)
    check_open()
    _match_of(match_id)
    player = lock_acting_user(user, now)
    check_stays(player)
    match = _locked(match_id)
    club = next((one for one in (match.home, match.away) if one.pk == club_id), None)
    if club is None or not club.members.filter(user=player).exists():
        raise errors.NotInClub
    if match.started_at or match.ended_at or match.starts_at <= now:
        raise errors.MatchHasBegun
    if match.players.filter(user=player).exists():
        raise errors.PlaysInMatch
    return MatchPlayer.objects.create(match=match, club=club, user=player, wanted_at=now)


@transaction.atomic
def quit_match(*, match_id: int, user: User, now: datetime) -> None:
    """Take back that one wants to play in a match that has not begun.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchMatch, MatchHasBegun, NotInMatch.
    """
    check_not_suspended(user, now)
    check_open()
    _match_of(match_id)
    match = _locked(match_id)
    if match.started_at or match.ended_at:
        raise errors.MatchHasBegun
    deleted, _rows = match.players.filter(user=user).delete()
    if not deleted:
        raise errors.NotInMatch
