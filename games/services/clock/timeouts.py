"""When time runs out: a loss, a departure, a partner who plays on, or a search for a substitute."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from accounts.users import lock_user
from games import errors
from games.clock.clock import StopReason
from games.models import Ending, Event, Game, Seat, Substitution
from games.models.game import CLOCK_COLUMNS
from games.services.clock.game_clock import seat_at, stop_clock
from games.services.endings import (
    apply_withdrawal,
    forfeit,
    hand_over,
    is_competition_game,
    mark_left,
    record_withdrawal,
    turns_played,
    vacant_seat,
)
from games.services.locking import check_not_blocked, check_runs, locked_game_for
from games.services.suspensions import check_stays
from games.services.turns import finish_game, start_next_turn


def end_on_time(game: Game, *, now: datetime) -> None:
    """Do what the table's terms say for the seat to move, of a locked game, whose time is over.

    A game without any turn is aborted, and one of two players in which the player to move has not
    played yet, whoever sits first; later the player of two loses. In a league, a tournament, a
    match of clubs or on a ladder they always lose.
    """
    several = game.rules.seats(game.options) > 2  # noqa: PLR2004
    seat = seat_at(game, game.clock.seat_to_move)
    played = turns_played(game)
    has_begun = (played if several else played.filter(seat=seat.number)).exists()
    if not has_begun and not is_competition_game(game.pk):
        finish_game(game, Ending.NEVER_BEGUN, now=now, actor=None)
        return
    if seat.played_by_partner is not None:  # the partner, who plays for both, ran out of time
        seat = game.seats.get(user=seat.played_by_partner)
        forfeit(game, seat, Ending.TIMEOUT, now=now, actor=None)
        return
    if several and game.on_timeout == Game.OnTimeout.PARTNER:
        sides = game.rules.sides(game.options)
        others = game.seats.select_related("user").filter(left_at=None).exclude(pk=seat.pk)
        partners = [other.user for other in others if sides[other.number] == sides[seat.number]]
        partner = next(filter(None, partners), None)
        if partner is not None:
            # The partner plays this seat too from now on, with a turn's time for this turn.
            mark_left(game, seat, Ending.TIMEOUT, now=now)
            seat.played_by_partner = partner
            seat.time_left = game.terms.pace.for_another
            seat.save(update_fields=["played_by_partner", "time_left"])
            record_withdrawal(game, seat, now=now)
            start_next_turn(game, game.rules.load(game.position), now=now)
            game.save(update_fields=CLOCK_COLUMNS)
            return
    wants_substitute = several and game.is_public
    wants_substitute = wants_substitute and game.on_timeout == Game.OnTimeout.SUBSTITUTE
    if wants_substitute and seat.substitutions.count() < settings.SUBSTITUTES_A_SEAT:
        mark_left(game, seat, Ending.TIMEOUT, now=now)
        wait = timedelta(days=settings.SUBSTITUTE_DAYS)
        stop_clock(game, StopReason.SUBSTITUTE, wait=wait, now=now)
        game.save(update_fields=CLOCK_COLUMNS)
        details: dict[str, object] = {"seat": seat.number, "because": str(seat.left_because)}
        game.record_event(Event.Kind.SEAT_VACANT, now=now, actor=seat.user, details=details)
        return
    forfeit(game, seat, Ending.TIMEOUT, now=now, actor=None)


@transaction.atomic
def claim_seat(*, game_id: int, user: User, now: datetime) -> Game:
    """Sit down as the substitute on the vacant seat, and play its turn with a turn's time.

    The turns played so far remain the former player's; the result is the substitute's.
    Raises AccountClosed, Barred, NoSuchGame, as `check_runs` does, GuestsPlayPrograms,
    NoSeatSought, SeatedAlready, SeatWasYours, NotWelcome, LeavesSoon, SubstituteEnough.
    """
    game = locked_game_for(user, game_id, now)
    check_runs(game)
    if user.is_guest:
        raise errors.GuestsPlayPrograms
    if not _is_substitute_sought(game, now):
        raise errors.NoSeatSought
    if game.seats.filter(user=user).exists():
        raise errors.SeatedAlready
    if Substitution.objects.filter(seat__game=game, former=user).exists():
        raise errors.SeatWasYours
    check_not_blocked(game, user)
    # The lock has who takes two seats over at the same moment counted for both.
    check_stays(lock_user(user.pk))
    if is_substitute_enough(user):
        raise errors.SubstituteEnough(most=settings.GAMES_AS_SUBSTITUTE)
    seat = vacant_seat(game)
    details: dict[str, object] = {"seat": seat.number, "former": seat.user_id}
    hand_over(game, seat, user, now, time=game.terms.pace.for_another)
    game.record_event(Event.Kind.SEAT_TAKEN_OVER, now=now, actor=user, details=details)
    return game


def is_substitute_enough(user: User) -> bool:
    """Tell whether a player is the substitute in as many running games as they may be."""
    seats = Seat.objects.still_playing().filter(user=user, game__status=Game.Status.ACTIVE)
    held = seats.filter(Exists(Substitution.objects.filter(seat=OuterRef("pk"), by=user)))
    return held.count() >= settings.GAMES_AS_SUBSTITUTE


def end_search(game: Game, *, now: datetime) -> bool:
    """Let the vacant seat of a locked game leave if its search is over; tell whether it was."""
    if _is_substitute_sought(game, now):
        return False
    apply_withdrawal(game, vacant_seat(game), now=now, actor=None)
    return True


def _is_substitute_sought(game: Game, now: datetime) -> bool:
    if game.stop_reason != StopReason.SUBSTITUTE or game.stopped_until is None:
        return False
    return now <= game.stopped_until
