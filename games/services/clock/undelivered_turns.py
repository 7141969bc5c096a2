"""No delivery, no clock: a turn that its player was not told about takes none of their time."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.users import lock_user
from games.clock.clock import StopReason
from games.clock.spans import NOTHING
from games.models import Event, Game, Seat
from games.models.game import CLOCK_COLUMNS
from games.services.clock.game_clock import mover, resume_clock, seat_at, stop_clock
from games.services.locking import locked_game
from games.services.suspensions import is_suspended

WHY: dict[str, object] = {"why": str(StopReason.UNDELIVERED)}

UNTOLD: dict[str, object] = WHY | {"untold": True}
"""Why a clock was stopped whose time ran out before any mail of the turn had been sent."""

ROUNDS = 5
"""How often one contact looks for games that were stopped meanwhile; the next looks again."""

Check = Callable[[Game], bool]

CHECKS: list[Check] = []
"""Each tells whether the player to move was told of the turn. An app that tells adds its own."""

TOLD_OF: dict[Check, Callable[[Sequence[Game]], Collection[int]]] = {}
"""How to ask a check of many games at once: the keys of games that pass, though not of all."""


def is_told(game: Game) -> bool:
    """Tell whether the player to move of a locked game knows of the turn, or wants no news of it.

    Who came by after the clock was stopped because no mail arrived knows of it.
    """
    contacts = game.events.filter(kind=Event.Kind.CLOCK_STARTED, turn_number=game.turn_number)
    return all(check(game) for check in CHECKS) or contacts.filter(details__why=WHY["why"]).exists()


def told_of(games: Sequence[Game]) -> set[int]:
    """Return the keys of those of many locked games whose player certainly knows of the turn."""
    told = {game.pk for game in games}
    for check in CHECKS:
        among = TOLD_OF.get(check)
        told &= set(among(games)) if among else {game.pk for game in games if check(game)}
    return told


@transaction.atomic
def freeze_undelivered(*, game_id: int, turn_number: int, user: User, now: datetime) -> bool:
    """Stop the clock of the turn after `turn_number` turns: no mail reached `user`, who is to move.

    Returns False and changes nothing if that turn is over or not theirs, if the time that the game
    can wait for them is used up, or if its clock is stopped already: then `resume_delivered` stops
    it again when it would resume. A player whose time is over but who was not timed out yet gets
    the time back.
    """
    game = locked_game(game_id)
    if game.status != Game.Status.ACTIVE or game.turn_number != turn_number:
        return False
    if mover(game) != user:
        return False
    was_running = not game.stop_reason
    if was_running and not _stop_undelivered(game, user, now, WHY):
        return False
    # Locked until the end: `record_contact` removes the mark only when it sees every such game.
    _mark_unreachable(user, now)
    return was_running


def freeze_untold(game: Game, *, now: datetime) -> bool:
    """Stop the clock of a locked game instead of a time-out: its player was never told.

    Returns False and changes nothing if the time that the game can wait for them is used up.
    """
    player = mover(game)
    if player is None or not _stop_undelivered(game, player, now, UNTOLD):
        return False
    _mark_unreachable(player, now)
    return True


def _stop_undelivered(game: Game, user: User, now: datetime, why: dict[str, object]) -> bool:
    """Stop the clock for what is left of the time to wait; return False if that is used up."""
    wait = wait_for(seat_at(game, game.clock.seat_to_move))
    if wait <= NOTHING:
        return False
    stop_clock(game, StopReason.UNDELIVERED, wait=wait, now=now)
    game.save(update_fields=CLOCK_COLUMNS)
    game.record_event(Event.Kind.CLOCK_STOPPED, now=now, details=why | {"user": user.pk})
    return True


def wait_for(seat: Seat) -> timedelta:
    """Return how much longer a game waits for the player of a seat whom no mail reaches."""
    return settings.UNREACHABLE_FOR - seat.undelivered


def _mark_unreachable(user: User, now: datetime) -> None:
    if lock_user(user.pk).unreachable_since is None:
        User.objects.filter(pk=user.pk).update(unreachable_since=now)


def resume_delivered(game: Game, *, now: datetime, actor: User | None) -> bool:
    """Resume the stopped clock of a locked game with what was left; tell whether it runs.

    Unless `actor` is the player to move, they have at least a day.
    It does not while no mail reaches the player to move: then it is stopped for that.
    """
    player = mover(game)
    if player is not None and is_unreached(player) and _stop_undelivered(game, player, now, WHY):
        return False
    resume_clock(game, now=now, actor=actor)
    game.save(update_fields=CLOCK_COLUMNS)
    return True


def is_unreached(user: User) -> bool:
    """Lock a user's row; tell whether mail failed to reach them and they made no contact since."""
    return lock_user(user.pk).unreachable_since is not None


def record_contact(user: User, *, now: datetime) -> int:
    """Resume the turns whose mail had not reached `user`, who made contact; return how many.

    Each has what was left of its time, and at least a day. Suspended users make no contact: they
    could not play. Costs nothing for users whom mail reaches. If this is killed, the next contact
    does the rest.
    """
    resumed = 0
    if user.unreachable_since is None or is_suspended(user, now):
        return 0
    for _ in range(ROUNDS):
        for game_id in _undelivered_to(user):
            with transaction.atomic():
                game = locked_game(game_id)
                if game.stop_reason == StopReason.UNDELIVERED and mover(game) == user:
                    _resume(game, user, now)
                    resumed += 1
        with transaction.atomic():
            lock_user(user.pk)
            if not _undelivered_to(user):  # else one more game was stopped meanwhile
                User.objects.filter(pk=user.pk).update(unreachable_since=None)
                user.unreachable_since = None
                break
    return resumed


@transaction.atomic
def resume_told(*, game_id: int, turn_number: int, user: User, now: datetime) -> bool:
    """Resume a turn that was stopped because nobody was told: its mail is sent now.

    Returns False and changes nothing for any other stop: that a mail was sent does not show that
    it arrives where another did not.
    """
    game = locked_game(game_id)
    if game.stop_reason != StopReason.UNDELIVERED or game.turn_number != turn_number:
        return False
    stops = game.events.filter(kind=Event.Kind.CLOCK_STOPPED, turn_number=turn_number)
    stop = stops.order_by("-pk").first()
    if mover(game) != user or stop is None or not stop.details.get("untold"):
        return False
    _resume(game, user, now)
    if not _undelivered_to(user):
        lock_user(user.pk)
        User.objects.filter(pk=user.pk).update(unreachable_since=None)
    return True


def _resume(game: Game, user: User, now: datetime) -> None:
    resume_clock(game, now=now, actor=None)
    game.save(update_fields=CLOCK_COLUMNS)
    game.record_event(Event.Kind.CLOCK_STARTED, now=now, actor=user, details=WHY)


def _undelivered_to(user: User) -> list[int]:
    """Return the games, in the order of their keys, in which `user` is to move and was not told."""
    # A partner who plays for another seat sits at the same game.
    found = Game.objects.filter(seats__user=user, stop_reason=StopReason.UNDELIVERED)
    return [
        game.pk
        for game in found.prefetch_related("seats__user", "seats__played_by_partner").order_by("pk")
        if any(s.number == game.seat_to_move and s.player == user for s in game.seats.all())
    ]
