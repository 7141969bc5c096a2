"""What can be agreed on during a game: when it may be offered, and what acceptance does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.clock.time_control import PaceKind, TimeControl
from games.models import Game, Offer
from games.models.game import CLOCK_COLUMNS
from games.services.clock.game_clock import resume_clock, stop_clock
from games.services.conclusion import end_by_rules

PAUSES = (3, 7, 14, 30)
"""The days that a pause may last."""

Details = Mapping[str, object]


@dataclass(frozen=True)
class Agreement:
    """One kind of offer.

    `check` raises a Refusal where it cannot be offered or accepted now (the details were checked
    when they were written). `take_effect` changes and saves the locked game; `ends` tells that the
    game is over then, which is told in its own way.
    """

    check: Callable[[Game, Details], None]
    take_effect: Callable[[Game, Details, User, datetime], None]
    ends: bool = False


def pause_details(days: int) -> Details:
    """Return the details of the offer of a pause."""
    return {"days": days}


def pace_details(pace: TimeControl) -> Details:
    """Return the details of the offer of a pace: its times in seconds."""
    times = {"allowance": pace.allowance, "bank": pace.bank, "cap": pace.cap}
    return {"pace": str(pace.kind)} | {name: time.total_seconds() for name, time in times.items()}


def pace_in(details: Details) -> TimeControl:
    """Return the pace that `pace_details` wrote."""
    times = {name: _seconds(details[name]) for name in ("allowance", "bank", "cap")}
    return TimeControl(PaceKind(str(details["pace"])), **times)


def _seconds(value: object) -> timedelta:
    return timedelta(seconds=float(str(value)))


def _always(game: Game, details: Details) -> None:
    pass


def _end(game: Game, details: Details, actor: User, now: datetime) -> None:
    outcome = game.rules.agreed_end(game.rules.load(game.position))
    end_by_rules(game, outcome, now=now, actor=actor)


def _check_pause(game: Game, details: Details) -> None:
    if details["days"] not in PAUSES:
        raise errors.BadPause
    if game.stop_reason:
        raise errors.ClockStands


def _pause(game: Game, details: Details, actor: User, now: datetime) -> None:
    lasts = timedelta(days=int(str(details["days"])))
    stop_clock(game, StopReason.PAUSED, wait=lasts, now=now)
    game.save(update_fields=CLOCK_COLUMNS)


def _check_pace(game: Game, details: Details) -> None:
    if not pace_in(details).is_possible:
        raise errors.BadPace


def _change_pace(game: Game, details: Details, actor: User, now: datetime) -> None:
    """Give every seat what the new pace begins with; the turn that stands begins anew with it."""
    pace = pace_in(details)
    game.pace, game.allowance, game.bank, game.cap = (
        pace.kind,
        pace.allowance,
        pace.bank,
        pace.cap,
    )
    game.seats.update(time_left=pace.first)
    if game.stop_reason:
        game.time_left = pace.first
    else:
        resume_clock(game, now=now, time=pace.first)
    game.save(update_fields=["pace", "allowance", "bank", "cap", *CLOCK_COLUMNS])


AGREEMENTS: Mapping[str, Agreement] = {
    Offer.Kind.AGREED_END: Agreement(_always, _end, ends=True),
    Offer.Kind.PAUSE: Agreement(_check_pause, _pause),
    Offer.Kind.PACE: Agreement(_check_pace, _change_pace),
}
