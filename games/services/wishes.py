"""Wishes for opponents: make, change and withdraw them, and pair those that wait.

Who is paired with whom is computed from what was read without locks (`games.competition.matching`).
Each pair then begins its game in a transaction of its own, under the locks of both players and
wishes, if nothing has changed since: workers that compute the same pair begin one game.

Locks are taken in one order: players by key, then wishes by key.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import Block, User
from accounts.users import lock_users
from games import wish_errors
from games.clock.time_control import TimeControl
from games.competition.matching import pair_seekers
from games.models import Game, Terms, Wish, WishGame
from games.models.wish import MOST_AT_ONCE
from games.queries.wishes import (
    ready_wishes,
    seekers_for,
    wish_kind,
    wishes_of_absent,
)
from games.services.batches import process_rows
from games.services.site_status import check_open, is_closed
from games.services.suspensions import check_not_suspended, check_stays, lock_acting_user
from games.services.tables import check_no_guest, check_terms, create_table, start_full_table

MOST_WISHES = 20
"""How many wishes a player may have, in different games and at different paces."""

MOST_RATING = 5000
"""No rating is higher than this."""

MOST_PAIRED = 300
"""How many wishes of one kind are looked at in a run, those that have waited longest first."""


@transaction.atomic
def make_wish(
    *,
    user: User,
    rules_slug: str,
    options: dict[str, object],
    pace: TimeControl,
    via: Wish.Via,
    now: datetime,
    lowest: int | None = None,
    highest: int | None = None,
    at_once: int = 1,
) -> Wish:
    """Wish for opponents in a game at a pace; a wish of the user's for both is changed instead.

    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, GuestsPlayPrograms,
    ProgramsMakeNoWish, WishIsForTwo, TooManyWishes, BadWish, and as `check_terms`.
    """
    player = _player(user, now)
    checked, seats = check_terms(rules_slug, options, Terms(pace), is_public=True)
    if seats != 2:  # noqa: PLR2004  (the rule that the error states)
        raise wish_errors.WishIsForTwo
    _check_numbers(lowest, highest, at_once)
    own = Wish.objects.filter(user=player, withdrawn_at=None)
    columns = {"allowance": pace.allowance, "bank": pace.bank, "cap": pace.cap}
    same = own.select_for_update(of=("self",)).filter(
        rules_slug=rules_slug, pace=pace.kind, **columns
    )
    wish = same.first()
    if wish is None:
        if own.count() >= MOST_WISHES:
            raise wish_errors.TooManyWishes(most=MOST_WISHES)
        wish = Wish(user=player, rules_slug=rules_slug, pace=pace.kind, made_at=now, **columns)
        wish.waits_since = now
    if wish.options != checked or wish.rests_since is not None:
        wish.waits_since = now
    wish.options, wish.via = dict(checked), via
    _write_numbers(wish, lowest, highest, at_once, now)
    return wish


@transaction.atomic
def change_wish(
    *,
    wish_id: int,
    user: User,
    lowest: int | None,
    highest: int | None,
    at_once: int,
    now: datetime,
) -> Wish:
    """Change whom a wish looks for and how many games it may have; one that rests looks again.

    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, GuestsPlayPrograms,
    ProgramsMakeNoWish, NoSuchWish, BadWish.
    """
    wish = _own_wish(wish_id, _player(user, now))
    _check_numbers(lowest, highest, at_once)
    if wish.rests_since is not None:
        wish.waits_since = now
    _write_numbers(wish, lowest, highest, at_once, now)
    return wish


@transaction.atomic
def withdraw_wish(*, wish_id: int, user: User, now: datetime) -> Wish:
    """Look for no more opponents by a wish; its games go on.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchWish.
    """
    check_not_suspended(user, now)
    check_open()
    wish = _own_wish(wish_id, lock_acting_user(user, now))
    wish.withdrawn_at, wish.waits_since = now, None
    wish.save(update_fields=["withdrawn_at", "waits_since"])
    return wish


def _player(user: User, now: datetime) -> User:
    """Return a user who may wish for opponents, locked. Raises as `change_wish`."""
    check_not_suspended(user, now)
    check_open()
    player = lock_acting_user(user, now)
    check_stays(player)
    check_no_guest(player)
    if player.is_bot:
        raise wish_errors.ProgramsMakeNoWish
    return player


def _own_wish(wish_id: int, user: User) -> Wish:
    """Return an open wish of a locked user, locked. Raises NoSuchWish."""
    own = Wish.objects.select_for_update(of=("self",)).filter(user=user, withdrawn_at=None)
    wish = own.filter(pk=wish_id).first()
    if wish is None:
        raise wish_errors.NoSuchWish
    return wish


def _check_numbers(lowest: int | None, highest: int | None, at_once: int) -> None:
    bounds = [bound for bound in (lowest, highest) if bound is not None]
    if (
        not 1 <= at_once <= MOST_AT_ONCE
        or any(not 0 <= bound <= MOST_RATING for bound in bounds)
        or bounds != sorted(bounds)
    ):
        raise wish_errors.BadWish(most=MOST_AT_ONCE, most_rating=MOST_RATING)


def _write_numbers(
    wish: Wish, lowest: int | None, highest: int | None, at_once: int, now: datetime
) -> None:
    wish.lowest, wish.highest, wish.at_once = lowest, highest, at_once
    wish.changed_at, wish.rests_since = now, None
    wish.save()


# Pairing -----------------------------------------------------------------------------------------


def pair_wishes(*, now: datetime) -> int:
    """Begin the games of wishes that fit each other; return how many began.

    Nothing begins during maintenance. A wish is in one pair of a run at most.
    """
    if is_closed():
        return 0
    waiting = note_who_waits(now)
    kinds = defaultdict(list)
    for wish in waiting:
        kinds[wish_kind(wish)].append(wish)
    begun = 0
    for wishes in kinds.values():
        longest = sorted(wishes, key=lambda one: (one.waits_since or now, one.pk))[:MOST_PAIRED]
        if len(longest) > 1:
            begun += _pair_kind(longest, now)
    return begun


def _pair_kind(wishes: Sequence[Wish], now: datetime) -> int:
    """Pair wishes of one kind; return how many games began."""
    read = {wish.pk: wish for wish in wishes}
    pairs = dict(pair_seekers(seekers_for(wishes, now)))

    def begin(key: int) -> bool:
        return begin_pair(read[key], read[pairs[key]], now=now) is not None

    return process_rows(pairs, begin)


def note_who_waits(now: datetime) -> list[Wish]:
    """Write since when wishes wait and which rest; return those that wait, as they are stored."""
    absent = Wish.objects.filter(pk__in=wishes_of_absent(), rests_since=None, withdrawn_at=None)
    absent.update(rests_since=now, waits_since=None)
    ready = ready_wishes(now)
    keys = [wish.pk for wish in ready]
    active = Wish.objects.filter(withdrawn_at=None, rests_since=None)
    active.exclude(pk__in=keys).exclude(waits_since=None).update(waits_since=None)
    begin = [wish.pk for wish in ready if wish.waits_since is None]
    if begin:
        active.filter(pk__in=begin, waits_since=None).update(waits_since=now)
        ready = ready_wishes(now)
    return [wish for wish in ready if wish.waits_since is not None]


@transaction.atomic
def begin_pair(one: Wish, other: Wish, *, now: datetime) -> Game | None:
    """Begin a rated game of two wishes, read before with `ready_wishes`.

    Returns None, and does nothing, if one of them has changed since, or was paired, or if their
    players may not play each other any more.
    """
    read = {wish.pk: wish for wish in (one, other)}
    users = lock_users([one.user_id, other.user_id])
    locked = Wish.objects.select_for_update(of=("self",)).filter(pk__in=read, withdrawn_at=None)
    list(locked.order_by("pk").values_list("pk", flat=True))
    wishes = {wish.pk: wish for wish in ready_wishes(now, read)}
    if len(wishes) < len(read) or any(_stamp(wishes[key]) != _stamp(read[key]) for key in read):
        return None
    if Block.objects.filter(by__in=users, of__in=users).exists():
        return None
    game = create_table(
        creator=users[one.user_id],
        rules_slug=one.rules_slug,
        options=one.options,
        terms=Terms(one.time_control, is_rated=True),
        players=[users[one.user_id], users[other.user_id]],
        now=now,
    )
    seats = list(game.seats.select_related("user"))
    start_full_table(game, seats, now, details={"by_wish": True})
    for wish in wishes.values():
        WishGame.objects.create(
            wish=wish,
            game=game,
            rules_slug=wish.rules_slug,
            pace=wish.pace,
            allowance=wish.allowance,
            bank=wish.bank,
            cap=wish.cap,
            began_at=now,
            waited=now - (wish.waits_since or now),
        )
        wish.waits_since = now if wish.running + 1 < wish.at_once else None
        wish.save(update_fields=["waits_since"])
    return game


def _stamp(wish: Wish) -> tuple[object, ...]:
    """Return what is different once a wish was changed, paired or begins to wait anew."""
    return wish.changed_at, wish.begun, wish.waits_since, wish.lowest, wish.highest, wish.at_once
