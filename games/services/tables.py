"""Open tables: creating one, joining (by a link too), leaving, and starting the game when full."""

import random
import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.core import signing
from django.db import transaction

from accounts.models import User
from accounts.users import lock_user
from games import errors
from games.models import Ending, Event, Game, Invitation, Seat, TableLink, Terms
from games.rules.base import OptionError, OptionValue
from games.rules.registry import UnknownGame, rules_for
from games.services.batches import process_due_rows
from games.services.clock.interruptions import Interruptions
from games.services.levels import can_be_rated, check_level
from games.services.locking import (
    arrival,
    check_not_blocked,
    free_game,
    locked_game,
    locked_game_for,
)
from games.services.programs import (
    check_may_invite,
    check_program_accepts,
    check_programs_at,
)
from games.services.record import opening_hash
from games.services.site_status import check_open, is_closed
from games.services.suspensions import check_not_suspended, check_stays
from games.services.turns import finish_game, start_next_turn

chance = random.SystemRandom()

_LINK_SIGNER = signing.Signer(salt="games.table-link", sep=".")

TABLE_HOLDS: list[Callable[[Game], bool]] = []
"""Asked before a table expires: whether an answer that came in time is still to be read. An app
that takes in answers adds its own."""


@transaction.atomic
def open_table(
    *,
    creator: User,
    rules_slug: str,
    options: dict[str, object],
    terms: Terms,
    now: datetime,
    is_public: bool = True,
    creator_seat: int | None = None,
    rematch_of: Game | None = None,
    is_lesson: bool = False,
) -> Game:
    """Create a table at which `creator` sits, on `creator_seat` or a seat drawn at the start.

    A guest's table is never public nor rated, and a lesson is not rated.
    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, GuestGamesEnough,
    TooManyTables, UnknownRules, BadOption, BadPace, NoPartners, StrangersAtPrivateTable,
    NoSuchLevel, BadSeat, and as `check_program_accepts`.
    """
    check_not_suspended(creator, now)
    check_open()
    check_stays(lock_user(creator.pk))
    if creator.is_guest and guest_games(creator) >= settings.GUEST_GAMES:
        raise errors.GuestGamesEnough(most=settings.GUEST_GAMES)
    lately = Game.objects.filter(creator=creator, created_at__gt=now - timedelta(days=1))
    if lately.count() >= settings.TABLES_A_DAY:
        raise errors.TooManyTables(most=settings.TABLES_A_DAY)
    is_public = is_public and not creator.is_guest
    checked, seats = check_terms(rules_slug, options, terms, is_public=is_public)
    if creator_seat is not None and not 0 <= creator_seat < seats:
        raise errors.BadSeat
    players = [creator if number == (creator_seat or 0) else None for number in range(seats)]
    game = create_table(
        creator=creator,
        rules_slug=rules_slug,
        options=checked,
        terms=terms,
        players=players,
        now=now,
        is_public=is_public,
        creator_seat=creator_seat,
        rematch_of=rematch_of,
        is_lesson=is_lesson,
    )
    check_program_accepts(game, creator, (), now)
    game.record_event(Event.Kind.OPENED, now=now, actor=creator)
    return game


def create_table(
    *,
    creator: User,
    rules_slug: str,
    options: dict[str, OptionValue],
    terms: Terms,
    players: Sequence[User | None],
    now: datetime,
    is_public: bool = True,
    creator_seat: int | None = None,
    rematch_of: Game | None = None,
    is_lesson: bool = False,
) -> Game:
    """Write the rows of a table with these options, which are checked, and players by seat."""
    game = new_table(
        creator=creator,
        rules_slug=rules_slug,
        options=options,
        terms=terms,
        now=now,
        is_public=is_public,
        creator_seat=creator_seat,
        rematch_of=rematch_of,
        is_lesson=is_lesson,
    )
    game.save(force_insert=True)
    Seat.objects.bulk_create(
        Seat(game=game, number=number, user=user) for number, user in enumerate(players)
    )
    return game


def new_table(
    *,
    creator: User,
    rules_slug: str,
    options: dict[str, OptionValue],
    terms: Terms,
    now: datetime,
    is_public: bool = True,
    creator_seat: int | None = None,
    rematch_of: Game | None = None,
    is_lesson: bool = False,
) -> Game:
    """Return a table as it is made, which is not saved yet."""
    is_rated = settings.RATED_TABLES if terms.is_rated is None else terms.is_rated
    return Game(
        rules_slug=rules_slug,
        options=options,
        creator=creator,
        creator_seat=creator_seat,
        is_public=is_public,
        pace=terms.pace.kind,
        allowance=terms.pace.allowance,
        bank=terms.pace.bank,
        cap=terms.pace.cap,
        allows_vacations=terms.allows_vacations,
        allows_days_off=terms.allows_days_off,
        on_timeout=terms.on_timeout,
        substitute_level=terms.substitute_level,
        created_at=now,
        expires_at=now + settings.UNANSWERED_TABLE_LIFETIME,
        rematch_of=rematch_of,
        is_lesson=is_lesson,
        is_rated=is_rated and not creator.is_guest and not is_lesson,
        head_hash=opening_hash(rules_slug, options),
    )


def guest_games(guest: User) -> int:
    """Return how many games and tables of a guest are not over."""
    unfinished = [Game.Status.OPEN, Game.Status.ACTIVE]
    return Seat.objects.filter(user=guest, left_at=None, game__status__in=unfinished).count()


def check_terms(
    rules_slug: str, options: dict[str, object], terms: Terms, *, is_public: bool
) -> tuple[dict[str, OptionValue], int]:
    """Return the options, checked and complete, and the number of seats.

    Raises UnknownRules, BadOption, BadPace, NoPartners, StrangersAtPrivateTable, NoSuchLevel.
    """
    try:
        rules = rules_for(rules_slug)
        checked = rules.check_options(options)
    except UnknownGame:
        raise errors.UnknownRules from None
    except OptionError as error:
        raise errors.BadOption(error) from error
    if not terms.pace.is_possible or terms.on_timeout not in Game.OnTimeout.values:
        raise errors.BadPace
    sides = rules.sides(checked)
    if len(sides) > 2:  # noqa: PLR2004  (of two players the other wins)
        if terms.on_timeout == Game.OnTimeout.PARTNER and len(set(sides)) == len(sides):
            raise errors.NoPartners
        if terms.on_timeout == Game.OnTimeout.SUBSTITUTE and not is_public:
            raise errors.StrangersAtPrivateTable
        if terms.on_timeout == Game.OnTimeout.PROGRAM:
            check_level(rules_slug, terms.substitute_level or 0)
    return checked, len(sides)


@transaction.atomic
def join_table(*, game_id: int, user: User, now: datetime) -> Game:
    """Take a seat at an open table: the reserved one if there is one.

    The game starts when every seat is taken. An invited user may join whoever else sits there.
    Raises as `open_table_locked` does, GuestsPlayPrograms, LeavesSoon, SeatedAlready, PrivateTable,
    NotWelcome, TableFull, and ProgramsAskNobody for a program at the table of a person.
    """
    game = open_table_locked(game_id, user, now)
    check_no_guest(user)
    invitation = game.invitations.open().filter(user=user).first()
    if invitation is not None:
        close_invitation(invitation, Invitation.State.ACCEPTED, now=now)
    elif not game.is_public:
        raise errors.PrivateTable
    else:
        check_not_blocked(game, user)
        check_may_invite(user, game.creator)
    take_seat(game, user, number=invitation.seat_number if invitation else None, now=now)
    return game


def check_no_guest(user: User) -> None:
    """Raise GuestsPlayPrograms if a guest would play against people."""
    if user.is_guest:
        raise errors.GuestsPlayPrograms


def close_invitation(invitation: Invitation, state: Invitation.State, *, now: datetime) -> None:
    """Save the answer to an invitation to a locked table."""
    invitation.state = state
    invitation.answered_at = now
    invitation.save(update_fields=["state", "answered_at"])


def open_table_locked(
    game_id: int, user: User | None, now: datetime, received_at: datetime | None = None
) -> Game:
    """Return an open table with its row locked, for a user who acts or an invited stranger.

    `received_at` is when the order reached this server, if that was before `now`.
    Raises AccountClosed, Barred, NoSuchGame, TableNotOpen, ClosedForMaintenance.
    """
    game = locked_game_for(user, game_id, now) if user else locked_game(game_id)
    arrived = arrival(received_at, now)
    if game.status != Game.Status.OPEN or game.expires_at is None or game.expires_at <= arrived:
        raise errors.TableNotOpen
    check_open()
    return game


def own_table_locked(game_id: int, by: User, now: datetime) -> Game:
    """Return an open table that `by` created, locked until the transaction ends.

    Raises as `open_table_locked` does, and NotTheMaker.
    """
    game = open_table_locked(game_id, by, now)
    if game.creator_id != by.pk:
        raise errors.NotTheMaker
    return game


def take_seat(
    game: Game, user: User, *, number: int | None, now: datetime, level: int | None = None
) -> None:
    """Seat `user` at a locked open table, on seat `number` or on any that is free.

    `level` is that of a program.

    Raises LeavesSoon, SeatedAlready, TableFull, and as `check_program_accepts`.
    """
    check_stays(user)
    seats = list(game.seats.select_related("user"))
    if any(seat.user_id == user.pk for seat in seats):
        raise errors.SeatedAlready
    free = [seat for seat in seats if seat.user_id is None]
    if number is None:
        free = _leave_out_reserved(game, free)
    else:
        free = [seat for seat in free if seat.number == number]
    if not free:
        raise errors.TableFull
    check_programs_at(game, seats, user, now)
    free[0].user, free[0].level = user, level
    free[0].save(update_fields=["user", "level"])
    game.record_event(Event.Kind.JOINED, now=now, actor=user)
    if all(seat.user_id is not None for seat in seats):
        start_full_table(game, seats, now)


def free_seats(game: Game) -> int:
    """Return how many seats of an open table are neither taken nor reserved."""
    return len(_leave_out_reserved(game, list(game.seats.filter(user=None))))


def _leave_out_reserved(game: Game, free: list[Seat]) -> list[Seat]:
    """Return the free seats that no open invitation reserves, by its number or as any seat."""
    reserved = list(game.invitations.open().values_list("seat_number", flat=True))
    open_to_all = [seat for seat in free if seat.number not in reserved]
    return open_to_all[reserved.count(None) :]


def start_full_table(
    game: Game, seats: list[Seat], now: datetime, details: dict[str, object] | None = None
) -> None:
    """Begin the game of a locked table whose seats are taken; the event of it has `details`."""
    if game.creator_seat is None and game.rematch_of_id is None:
        players = [(seat.user, seat.level) for seat in seats]
        chance.shuffle(players)
        game.seats.update(user=None)  # nobody may sit on two seats, not even for a moment
        for seat, (user, level) in zip(seats, players, strict=True):
            seat.user, seat.level = user, level
        Seat.objects.bulk_update(seats, ["user", "level"])
    game.is_rated = game.is_rated and can_be_rated(game, seats)
    game.seats.update(time_left=game.terms.pace.first)
    start_clock(game, now=now)
    game.save()
    game.invitations.open().lapse(now)
    game.record_event(Event.Kind.STARTED, now=now, details=details)


def start_clock(game: Game, interruptions: Interruptions | None = None, *, now: datetime) -> None:
    """Let a game whose seats have players and time begin, without saving it.

    `interruptions` as in `start_next_turn`.
    """
    position = game.rules.initial(game.options)
    game.status = Game.Status.ACTIVE
    game.expires_at = None
    game.started_at = now
    game.position = game.rules.dump(position)
    start_next_turn(game, position, interruptions, now=now)


@transaction.atomic
def leave_table(*, game_id: int, user: User, now: datetime) -> Game:
    """Leave an open table that another user created.

    Raises as `open_table_locked` does, NotAPlayer, MakerStays.
    """
    game = open_table_locked(game_id, user, now)
    if game.creator_id == user.pk:
        raise errors.MakerStays
    if not _free_seat_of(game, user, now):
        raise errors.NotAPlayer
    return game


def _free_seat_of(game: Game, user: User, now: datetime) -> bool:
    """Free a user's seat at a locked open table; return whether they had one."""
    if not game.seats.filter(user=user).update(user=None, level=None):
        return False
    game.record_event(Event.Kind.LEFT, now=now, actor=user)
    return True


@transaction.atomic
def withdraw_table(*, game_id: int, user: User, now: datetime) -> Game:
    """Close an open table that `user` created.

    Raises AccountClosed, Barred, NoSuchGame, NotTheMaker, TableNotOpen, ClosedForMaintenance.
    """
    game = locked_game_for(user, game_id, now)
    if game.creator_id != user.pk:
        raise errors.NotTheMaker
    if game.status != Game.Status.OPEN:
        raise errors.TableNotOpen
    check_open()
    finish_game(game, Ending.WITHDRAWN, now=now, actor=user)
    return game


@transaction.atomic
def take_away(*, game_id: int, user: User, now: datetime) -> bool:
    """Free a user's seat at an open table; close the table if they created it.

    Works during maintenance too. Returns whether there was anything to do.
    """
    game = locked_game(game_id)
    if game.status != Game.Status.OPEN:
        return False
    if game.creator_id != user.pk:
        return _free_seat_of(game, user, now)
    finish_game(game, Ending.WITHDRAWN, now=now, actor=user)
    return True


def expire_due(*, now: datetime) -> int:
    """Close the open tables that did not fill in time; return how many this call closed.

    None is closed during maintenance.
    """
    if is_closed():
        return 0
    due = Game.objects.open().filter(expires_at__lte=now)
    return process_due_rows(due, "expires_at", lambda game_id: _expire(game_id, now))


@transaction.atomic
def _expire(game_id: int, now: datetime) -> bool:
    game = free_game(game_id)
    if game is None or game.status != Game.Status.OPEN:
        return False
    if game.expires_at is None or game.expires_at > now:
        return False
    if any(hold(game) for hold in TABLE_HOLDS):
        return False
    finish_game(game, Ending.EXPIRED, now=now, actor=None)
    return True


# Links with which anybody may sit down -----------------------------------------------------------


@transaction.atomic
def create_link(*, game_id: int, by: User, now: datetime) -> TableLink:
    """Make a link to a table, and revoke the one that it had.

    Raises as `own_table_locked` does, GuestsPlayPrograms, TableFull.
    """
    game = own_table_locked(game_id, by, now)
    check_no_guest(by)
    if free_seats(game) < 1:
        raise errors.TableFull
    made = {"key": secrets.token_urlsafe(16), "created_at": now}
    link, _is_first = TableLink.objects.update_or_create(game=game, defaults=made)
    return link


@transaction.atomic
def revoke_link(*, game_id: int, by: User, now: datetime) -> None:
    """Let the link of a table, if it has one, no longer work. Raises as `own_table_locked` does."""
    game = own_table_locked(game_id, by, now)
    TableLink.objects.filter(game=game).delete()


@transaction.atomic
def join_by_link(*, token: str, user: User, now: datetime) -> Game:
    """Take a free seat at the table of a link, or the seat that is reserved for `user`.

    Raises BadLink, LeavesSoon, SeatedAlready, TableFull, NotWelcome, GuestsPlayPrograms, and as
    `open_table_locked` does.
    """
    game = open_table_locked(game_of_link(token).pk, user, now)
    game_of_link(token)  # under the lock: it may have been revoked just before
    check_no_guest(user)
    check_not_blocked(game, user)
    invitation = game.invitations.open().filter(user=user).first()
    if invitation is not None:
        close_invitation(invitation, Invitation.State.ACCEPTED, now=now)
    take_seat(game, user, number=invitation.seat_number if invitation else None, now=now)
    return game


def token_of_link(link: TableLink) -> str:
    """Return the signed text that the address of a link carries."""
    return _LINK_SIGNER.sign(f"{link.game_id}-{link.key}")


def game_of_link(token: str) -> Game:
    """Return the table of a link. Raises BadLink if the link was changed or revoked."""
    try:
        game_id, _, key = _LINK_SIGNER.unsign(token).partition("-")
    except signing.BadSignature:
        raise errors.BadLink from None
    found = Game.objects.with_players().filter(pk=game_id, link__key=key).first()
    if found is None:
        raise errors.BadLink
    return found
