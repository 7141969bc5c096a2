"""Open tables: making them, sitting down, leaving, and beginning the game when all have come."""

import random
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.users import lock_user
from games import errors
from games.models import Event, Game, Invitation, Seat, Terms
from games.rules.base import OptionError, OptionValue
from games.rules.registry import UnknownGame, rules_for
from games.services.batches import process_due_rows
from games.services.conclusion import close_table
from games.services.events import record_event
from games.services.locking import free_game, locked_game, locked_game_for
from games.services.maintenance import check_open, is_closed
from games.services.progress import start_next_turn
from games.services.record import opening_hash
from games.services.suspensions import check_not_suspended
from games.services.welcome import check_not_blocked

chance = random.SystemRandom()


@transaction.atomic
def open_table(
    *,
    maker: User,
    rules_slug: str,
    options: dict[str, object],
    terms: Terms,
    now: datetime,
    is_public: bool = True,
    maker_seat: int | None = None,
    rematch_of: Game | None = None,
) -> Game:
    """Make a table at which `maker` sits, on `maker_seat` or where chance decides at the start.

    Raises AccountClosed, Barred, ClosedForMaintenance, TooManyTables, UnknownRules, BadOption,
    BadPace, NoPartners, StrangersAtPrivateTable, BadSeat.
    """
    check_not_suspended(maker, now)
    check_open()
    _check_measure(maker, now)
    checked, sides = _check_choices(rules_slug, options, terms, maker_seat)
    if len(sides) > 2:  # noqa: PLR2004  (of two the other wins)
        _check_ending(sides, terms, is_public=is_public)
    game = Game.objects.create(
        rules_slug=rules_slug,
        options=checked,
        maker=maker,
        maker_seat=maker_seat,
        is_public=is_public,
        pace=terms.pace.kind,
        allowance=terms.pace.allowance,
        bank=terms.pace.bank,
        cap=terms.pace.cap,
        allows_vacations=terms.allows_vacations,
        allows_days_off=terms.allows_days_off,
        on_timeout=terms.on_timeout,
        created_at=now,
        expires_at=now + settings.UNANSWERED_TABLE_LIFETIME,
        rematch_of=rematch_of,
        head_hash=opening_hash(rules_slug, checked),
    )
    makers = maker_seat or 0
    Seat.objects.bulk_create(
        Seat(game=game, number=number, user=maker if number == makers else None)
        for number in range(len(sides))
    )
    record_event(game, Event.Kind.OPENED, now=now, actor=maker)
    return game


def _check_measure(maker: User, now: datetime) -> None:
    """Raise TooManyTables when somebody has made enough tables for a day; lock their row."""
    lock_user(maker.pk)
    lately = Game.objects.filter(maker=maker, created_at__gt=now - timedelta(days=1))
    if lately.count() >= settings.TABLES_A_DAY:
        raise errors.TooManyTables(most=settings.TABLES_A_DAY)


def _check_choices(
    rules_slug: str, options: dict[str, object], terms: Terms, maker_seat: int | None
) -> tuple[dict[str, OptionValue], tuple[int, ...]]:
    """Return the options, checked and complete, and the side of each seat."""
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
    if maker_seat is not None and not 0 <= maker_seat < len(sides):
        raise errors.BadSeat
    return checked, sides


def _check_ending(sides: tuple[int, ...], terms: Terms, *, is_public: bool) -> None:
    """Raise NoPartners or StrangersAtPrivateTable where nobody could come to play for a seat."""
    if terms.on_timeout == Game.OnTimeout.PARTNER and len(set(sides)) == len(sides):
        raise errors.NoPartners
    if terms.on_timeout == Game.OnTimeout.SUBSTITUTE and not is_public:
        raise errors.StrangersAtPrivateTable


@transaction.atomic
def join_table(*, game_id: int, user: User, now: datetime) -> Game:
    """Sit down at an open table, on the seat that was kept if one was.

    The game begins when every seat is taken. Who was asked may come, whoever else sits there.
    Raises as `open_table_locked` does, AlreadySeated, PrivateTable, NotWelcome, TableFull.
    """
    game = open_table_locked(game_id, user, now)
    asked = game.invitations.filter(user=user, state=Invitation.State.OPEN).first()
    if asked is not None:
        answer(asked, Invitation.State.ACCEPTED, now=now)
    elif not game.is_public:
        raise errors.PrivateTable
    else:
        check_not_blocked(game, user)
    take_seat(game, user, number=asked.seat_number if asked else None, now=now)
    return game


def answer(invitation: Invitation, state: Invitation.State, *, now: datetime) -> None:
    """Write down what became of an invitation to a locked table."""
    invitation.state = state
    invitation.answered_at = now
    invitation.save(update_fields=["state", "answered_at"])


def open_table_locked(game_id: int, user: User | None, now: datetime) -> Game:
    """Return an open table with its row locked, for a player who acts or an invited stranger.

    Raises AccountClosed, Barred, NoSuchGame, TableNotOpen, ClosedForMaintenance.
    """
    game = locked_game_for(user, game_id, now) if user else locked_game(game_id)
    if game.status != Game.Status.OPEN or game.expires_at is None or game.expires_at <= now:
        raise errors.TableNotOpen
    check_open()
    return game


def take_seat(game: Game, user: User, *, number: int | None, now: datetime) -> None:
    """Seat `user` at a locked open table, on seat `number` or on any that is free.

    Raises AlreadySeated, TableFull.
    """
    seats = list(game.seats.all())
    if any(seat.user_id == user.pk for seat in seats):
        raise errors.AlreadySeated(name=user)
    free = [seat for seat in seats if seat.user_id is None]
    if number is None:
        free = _unkept(game, free)
    else:
        free = [seat for seat in free if seat.number == number]
    if not free:
        raise errors.TableFull
    free[0].user = user
    free[0].save(update_fields=["user"])
    record_event(game, Event.Kind.JOINED, now=now, actor=user)
    if all(seat.user_id is not None for seat in seats):
        _start(game, seats, now)


def free_seats(game: Game) -> int:
    """Return how many seats of an open table are neither taken nor kept for somebody."""
    return len(_unkept(game, list(game.seats.filter(user=None))))


def _unkept(game: Game, free: list[Seat]) -> list[Seat]:
    """Return the free seats less those kept by open invitations, for a number or for any."""
    kept = list(
        game.invitations.filter(state=Invitation.State.OPEN).values_list("seat_number", flat=True)
    )
    open_to_all = [seat for seat in free if seat.number not in kept]
    return open_to_all[kept.count(None) :]


def _start(game: Game, seats: list[Seat], now: datetime) -> None:
    if game.maker_seat is None and game.rematch_of_id is None:
        _draw_seats(game, seats)
    position = game.rules.initial(game.options)
    game.status = Game.Status.ACTIVE
    game.expires_at = None
    game.started_at = now
    game.position = game.rules.dump(position)
    game.seats.update(time_left=game.terms.pace.first)
    start_next_turn(game, position, now=now)
    game.save()
    game.invitations.filter(state=Invitation.State.OPEN).update(
        state=Invitation.State.LAPSED, answered_at=now
    )
    record_event(game, Event.Kind.STARTED, now=now)


def _draw_seats(game: Game, seats: list[Seat]) -> None:
    """Let chance decide who sits where."""
    users = [seat.user for seat in seats]
    chance.shuffle(users)
    game.seats.update(user=None)  # nobody may sit on two seats, not even for a moment
    for seat, user in zip(seats, users, strict=True):
        seat.user = user
    Seat.objects.bulk_update(seats, ["user"])


@transaction.atomic
def leave_table(*, game_id: int, user: User, now: datetime) -> Game:
    """Get up from an open table that somebody else made.

    Raises as `open_table_locked` does, NotAPlayer, MakerStays.
    """
    game = open_table_locked(game_id, user, now)
    if game.maker_id == user.pk:
        raise errors.MakerStays
    if not _get_up(game, user, now):
        raise errors.NotAPlayer
    return game


def _get_up(game: Game, user: User, now: datetime) -> bool:
    """Free somebody's seat at a locked open table; tell whether they had one."""
    if not game.seats.filter(user=user).update(user=None):
        return False
    record_event(game, Event.Kind.LEFT, now=now, actor=user)
    return True


@transaction.atomic
def withdraw_table(*, game_id: int, user: User, now: datetime) -> Game:
    """Take back an open table that one made.

    Raises AccountClosed, Barred, NoSuchGame, NotTheMaker, TableNotOpen, ClosedForMaintenance.
    """
    game = locked_game_for(user, game_id, now)
    if game.maker_id != user.pk:
        raise errors.NotTheMaker
    if game.status != Game.Status.OPEN:
        raise errors.TableNotOpen
    check_open()
    close_table(game, Game.Ending.WITHDRAWN, now=now, actor=user)
    return game


@transaction.atomic
def take_away(*, game_id: int, user: User, now: datetime) -> bool:
    """Take somebody who may not stay away from an open table; one that they made is closed.

    Also while the house is closed for maintenance. Tell whether anything was to do.
    """
    game = locked_game(game_id)
    if game.status != Game.Status.OPEN:
        return False
    if game.maker_id != user.pk:
        return _get_up(game, user, now)
    close_table(game, Game.Ending.WITHDRAWN, now=now, actor=user)
    return True


def expire_due(*, now: datetime) -> int:
    """Close the open tables that nobody filled in time; return how many this call closed.

    While the house is closed for maintenance none is.
    """
    if is_closed():
        return 0
    due = Game.objects.filter(status=Game.Status.OPEN, expires_at__lte=now)
    return process_due_rows(due, "expires_at", lambda game_id: _expire(game_id, now))


@transaction.atomic
def _expire(game_id: int, now: datetime) -> bool:
    game = free_game(game_id)
    if game is None or game.status != Game.Status.OPEN:
        return False
    if game.expires_at is None or game.expires_at > now:
        return False
    close_table(game, Game.Ending.EXPIRED, now=now, actor=None)
    return True
