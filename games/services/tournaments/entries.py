"""Open a tournament, join it, leave it, and cancel it."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import BigIntegerField, Max

from accounts.models import User
from games import tournament_errors as errors
from games.models import Ending, Entrant, Game, Rating, Terms, Tournament, TournamentGame
from games.models.rating import table_kind_of
from games.rules.base import OptionValue
from games.rules.registry import rules_for
from games.services.endings import resign_for
from games.services.locking import locked_game
from games.services.site_status import check_open
from games.services.suspensions import check_not_suspended, check_stays, lock_acting_user
from games.services.tables import check_terms
from games.services.turns import finish_game

MOST_OPENED = 2
"""How many tournaments a player may have opened that are not over; for moderators any number."""

MOST_AT_ONCE = 12
"""How many players a tournament has at most in which everybody plays everybody at once."""

SOONEST, LATEST = timedelta(hours=1), timedelta(days=60)
"""When a tournament starts, from when it is opened."""

TOP_RATING = 4000


@dataclass(frozen=True)
class Plan:
    """How a tournament is played and who may join: the columns of `Tournament`."""

    form: str
    most_players: int
    starts_at: datetime
    starts_when_full: bool = False
    game_days: int = 30
    legs: int = 1
    best_of: int = 1
    swiss_rounds: int = 5
    group_size: int = 4
    has_third_place: bool = False
    least_rating: int | None = None
    most_rating: int | None = None
    name: str = ""

    def check(self, now: datetime) -> None:
        """Raise BadTournament, BadStart or BadRatings if a tournament cannot be played so."""
        most = MOST_AT_ONCE if self.form == Tournament.Form.ROUND_ROBIN else 64
        if (
            self.form not in Tournament.Form.values
            or not 3 <= self.most_players <= most  # noqa: PLR2004
            or not 1 <= self.game_days <= 120  # noqa: PLR2004
            or not 1 <= self.legs <= 2  # noqa: PLR2004
            or self.best_of not in (1, 3, 5)
            or not 2 <= self.swiss_rounds <= 9  # noqa: PLR2004
            or not 3 <= self.group_size <= 6  # noqa: PLR2004
            or len(self.name) > 60  # noqa: PLR2004
        ):
            raise errors.BadTournament
        if not now + SOONEST <= self.starts_at <= now + LATEST:
            raise errors.BadStart
        least, most = self.least_rating or 1, self.most_rating or TOP_RATING
        if not 1 <= least < most <= TOP_RATING:
            raise errors.BadRatings


@transaction.atomic
def open_tournament(
    *,
    user: User,
    rules_slug: str,
    options: dict[str, object],
    terms: Terms,
    plan: Plan,
    by_link: bool = False,
    now: datetime,
) -> Tournament:
    """Open a tournament that others can join; `by_link`: only who has its link.

    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, NoGuestsInTournaments,
    NoProgramsInTournaments, AddressNeeded, OpenedEnough, TournamentsAreForTwo, BadTournament,
    BadStart, BadRatings, and as `check_terms`.
    """
    check_not_suspended(user, now)
    check_open()
    opener = _locked_player(user, now)
    if not opener.has_perm("games.moderate"):
        if not EmailAddress.objects.filter(user=opener, verified=True).exists():
            raise errors.AddressNeeded
        if opener.opened_tournaments.filter(ended_at=None).count() >= MOST_OPENED:
            raise errors.OpenedEnough
    checked: dict[str, OptionValue]
    checked, seats = check_terms(rules_slug, options, terms, is_public=not by_link)
    if seats != 2:  # noqa: PLR2004  (the rule that the error states)
        raise errors.TournamentsAreForTwo
    plan.check(now)
    pace = terms.pace
    return Tournament.objects.create(
        **{name: getattr(plan, name) for name in Plan.__dataclass_fields__},
        rules_slug=rules_slug,
        options=checked,
        pace=pace.kind,
        allowance=pace.allowance,
        bank=pace.bank,
        cap=pace.cap,
        allows_vacations=terms.allows_vacations,
        allows_days_off=terms.allows_days_off,
        key=secrets.token_urlsafe(16) if by_link else "",
        seed=secrets.token_hex(16),
        opened_by=opener,
        opened_at=now,
    )


def _locked_player(user: User, now: datetime) -> User:
    """Return a person who opens or joins, locked. Raises as `open_tournament`."""
    player = lock_acting_user(user, now)
    check_stays(player)
    if player.is_guest:
        raise errors.NoGuestsInTournaments
    if player.is_bot:
        raise errors.NoProgramsInTournaments
    return player


def locked_tournament(tournament_id: int) -> Tournament:
    """Return a tournament with its row locked, as its start does. Raises NoSuchTournament."""
    rows = Tournament.objects.select_for_update(of=("self",))
    found = None
    if tournament_id <= BigIntegerField.MAX_BIGINT:
        found = rows.filter(pk=tournament_id).first()
    if found is None:
        raise errors.NoSuchTournament
    return found


def _check_can_be_joined(tournament: Tournament, now: datetime) -> None:
    """Raise TournamentIsOver or TournamentHasStarted."""
    if tournament.ended_at:
        raise errors.TournamentIsOver
    if tournament.started_at or tournament.starts_at <= now:
        raise errors.TournamentHasStarted


@transaction.atomic
def join_tournament(*, tournament_id: int, user: User, key: str = "", now: datetime) -> Entrant:
    """Play in a tournament that has not started; `key` is that of its link, if it has one.

    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, NoGuestsInTournaments,
    NoProgramsInTournaments, NoSuchTournament, TournamentIsOver, TournamentHasStarted,
    RemovedFromTournament, AlreadyInTournament, TournamentIsFull, RatingOutOfBounds.
    """
    check_not_suspended(user, now)
    check_open()
    tournament = locked_tournament(tournament_id)
    player = _locked_player(user, now)
    if tournament.key and key != tournament.key and tournament.opened_by_id != player.pk:
        raise errors.NoSuchTournament
    _check_can_be_joined(tournament, now)
    own = tournament.entrants.filter(user=player).first()
    if own is not None:
        raise errors.RemovedFromTournament if own.left_at else errors.AlreadyInTournament
    if tournament.entrants.filter(left_at=None).count() >= tournament.most_players:
        raise errors.TournamentIsFull
    if not has_rating_for(tournament, player):
        raise errors.RatingOutOfBounds
    last = tournament.entrants.aggregate(last=Max("joined_as"))["last"] or 0
    return Entrant.objects.create(
        tournament=tournament, user=player, joined_at=now, joined_as=last + 1
    )


def has_rating_for(tournament: Tournament, player: User) -> bool:
    """Return whether a player's rating is within the bounds; a provisional one never is."""
    least, most = tournament.least_rating, tournament.most_rating
    if least is None and most is None:
        return True
    kind = table_kind_of(rules_for(tournament.rules_slug), tournament.options)
    rating = Rating.objects.filter(
        player=player, rules_slug=tournament.rules_slug, table_kind=kind, level=0
    ).first()
    if rating is None or rating.is_provisional:
        return False
    return (least or 0) <= rating.number <= (most or TOP_RATING)


def leave_tournament(*, tournament_id: int, user: User, now: datetime) -> None:
    """Leave a tournament; after its start all of one's running games in it are resigned.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchTournament, NotInTournament,
    TournamentIsOver.
    """
    check_not_suspended(user, now)
    check_open()
    with transaction.atomic():
        tournament = locked_tournament(tournament_id)
        if tournament.ended_at:
            raise errors.TournamentIsOver
        entrant = tournament.entrants.filter(user=user, left_at=None).first()
        if entrant is None:
            raise errors.NotInTournament
        if tournament.started_at is None:
            entrant.delete()
            return
        leave_entrant(entrant, Entrant.Left.ASKED, now=now)
    resign_tournament_games(entrant, now=now)


def leave_entrant(entrant: Entrant, why: Entrant.Left, *, now: datetime, reason: str = "") -> bool:
    """Note that a player leaves a tournament; False if they had already, or it is over."""
    left = Entrant.objects.filter(pk=entrant.pk, left_at=None, tournament__ended_at=None)
    changed = left.update(left_at=now, left_because=why, removed_because=reason)
    entrant.refresh_from_db()
    return changed > 0


def resign_tournament_games(entrant: Entrant, *, now: datetime) -> None:
    """Resign the games of a player who has left, each in a transaction of its own."""
    games = TournamentGame.objects.filter(game__status="active")
    theirs = games.filter(first=entrant) | games.filter(second=entrant)
    for game_id in list(theirs.values_list("game", flat=True)):
        resign_for(game_id, entrant.user, now)


def abort_tournament_games(tournament: Tournament, *, now: datetime) -> None:
    """End the running games of a tournament without a result, each in its own transaction."""
    games = TournamentGame.objects.filter(round__tournament=tournament, game__status="active")
    for game_id in list(games.values_list("game", flat=True)):
        with transaction.atomic():
            game = locked_game(game_id)
            if game.status == Game.Status.ACTIVE:
                finish_game(game, Ending.BROKEN_OFF, now=now, actor=None)


@transaction.atomic
def cancel_tournament(*, tournament_id: int, user: User, now: datetime) -> None:
    """Cancel a tournament before its start, as whoever opened it can.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchTournament, NotYourTournament,
    TournamentIsOver, TournamentHasStarted.
    """
    check_not_suspended(user, now)
    check_open()
    tournament = locked_tournament(tournament_id)
    if tournament.opened_by_id != user.pk:
        raise errors.NotYourTournament
    _check_can_be_joined(tournament, now)
    tournament.ended_at, tournament.is_cancelled = now, True
    tournament.save(update_fields=["ended_at", "is_cancelled"])
