"""What players can agree on during a game: making an offer, answering it, and its effect."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games import errors
from games.clock.clock import StopReason
from games.clock.time_control import PaceKind, TimeControl
from games.models import Event, Game, Offer, Seat, Turn
from games.models.game import CLOCK_COLUMNS
from games.services.clock.game_clock import resume_clock, stop_clock
from games.services.conduct.asking import check_may_ask, others_at
from games.services.endings import counting
from games.services.locking import arrival, check_runs, running_game
from games.services.record import numbers_of_turn
from games.services.takebacks import check_nobody_left_since, record_entries, take_back_to
from games.services.turns import finish_game
from games.services.undo_window import allow_undo_of_end, state_before_end

PAUSES = (3, 7, 14, 30)
"""The days that a pause may last."""

Details = Mapping[str, object]
"""What an offer says besides its kind: a pause's `days`, a pace's kind and times in seconds, the
number of the `turn` to take back."""


# Making an offer ---------------------------------------------------------------------------------


def offer_end(
    *, game_id: int, user: User, now: datetime, received_at: datetime | None = None
) -> Offer:
    """Offer everybody to end the game by agreement. Raises as `make_offer` does."""
    return make_offer(
        game_id=game_id,
        user=user,
        kind=Offer.Kind.AGREED_END,
        details={},
        now=now,
        received_at=received_at,
    )


def offer_pause(*, game_id: int, user: User, days: int, now: datetime) -> Offer:
    """Offer everybody to stop the clock for 3, 7, 14 or 30 days.

    Raises as `make_offer` does, BadPause, and ClockStands if it is stopped for any reason.
    """
    details = {"days": days}
    return make_offer(game_id=game_id, user=user, kind=Offer.Kind.PAUSE, details=details, now=now)


def offer_pace(*, game_id: int, user: User, pace: TimeControl, now: datetime) -> Offer:
    """Offer everybody to play on at another pace. Raises as `make_offer` does, and BadPace."""
    if not pace.is_possible:
        raise errors.BadPace
    times = {"allowance": pace.allowance, "bank": pace.bank, "cap": pace.cap}
    seconds = {name: time.total_seconds() for name, time in times.items()}
    details = {"pace": str(pace.kind)} | seconds
    return make_offer(game_id=game_id, user=user, kind=Offer.Kind.PACE, details=details, now=now)


@transaction.atomic
def offer_takeback(
    *, game_id: int, user: User, now: datetime, received_at: datetime | None = None
) -> Offer:
    """Offer everybody to take back one's newest turn that counts, and what followed it.

    Raises as `make_offer` does, NothingToTakeBack and BeforeDeparture.
    """
    game, seat = running_game(game_id, user, now, received_at)
    number = turn_to_take_back(seat, list(game.turns.order_by("number")))
    if number is None:
        raise errors.NothingToTakeBack
    check_nobody_left_since(record_entries(game), number - 1)
    return make_offer(
        game_id=game_id,
        user=user,
        kind=Offer.Kind.TAKEBACK,
        details={"turn": number},
        now=now,
        received_at=received_at,
    )


def turn_to_take_back(seat: Seat, turns: Sequence[Turn]) -> int | None:
    """Return the number of a seat's newest turn that counts, given the whole record."""
    played = [turn.number for turn in counting(turns) if turn.seat == seat.number]
    return max(played, default=None)


def pace_in(details: Details) -> TimeControl:
    """Return the pace in the details that `offer_pace` wrote."""
    times = {
        name: timedelta(seconds=float(str(details[name]))) for name in ("allowance", "bank", "cap")
    }
    return TimeControl(PaceKind(str(details["pace"])), **times)


@transaction.atomic
def make_offer(
    *,
    game_id: int,
    user: User,
    kind: Offer.Kind,
    details: Details,
    now: datetime,
    received_at: datetime | None = None,
) -> Offer:
    """Offer something to everybody else at a running game.

    `received_at` is as for `running_game`.
    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, HeldByModerator, ClosedForMaintenance,
    TooLate, SeatIsSought, OfferStands, OfferedAlready, AskedEnough, and what the kind refuses.
    """
    ends_game = AGREEMENTS[kind].ends_game
    game, seat = running_game(game_id, user, now, received_at, while_held=ends_game)
    if game.stop_reason == StopReason.SUBSTITUTE:
        raise errors.SeatIsSought
    offer = Offer(
        game=game,
        seat=seat,
        kind=kind,
        details=dict(details),
        turn_number=game.turn_number,
        made_at=now,
    )
    AGREEMENTS[kind].check(game, offer)
    if game.offers.open().filter(kind=kind).exists():
        raise errors.OfferStands
    if kind in offered_already(game, seat, game.offers.filter(seat=seat)):
        raise errors.OfferedAlready
    check_may_ask(user, others_at(game, user), now)
    offer.save()
    _record_event(offer, Event.Kind.OFFER_MADE, user, now)
    return offer


def offered_already(game: Game, seat: Seat, offers: Iterable[Offer]) -> set[str]:
    """Return the kinds of which a seat can make no offer until somebody plays a turn.

    `offers` has all that the seat has made in this position.

    What came to nothing in this position is not asked again there, whatever its details: a player
    who offers and withdraws in turn would send the others a mail each time.
    """
    return {
        str(offer.kind)
        for offer in offers
        if offer.seat_id == seat.pk
        and offer.turn_number == game.turn_number
        and offer.state != Offer.State.ACCEPTED
    }


# Answering ---------------------------------------------------------------------------------------


@transaction.atomic
def accept_offer(
    *,
    game_id: int,
    user: User,
    now: datetime,
    offer_id: int | None = None,
    received_at: datetime | None = None,
) -> Game:
    """Accept an open offer (the only one if `offer_id` is None). The last consent takes effect.

    `received_at` is as for `running_game`: a pause begins then.
    Raises NoSuchGame, NotAPlayer, HasLeft, GameNotRunning, HeldByModerator, ClosedForMaintenance,
    TooLate, NoOffer, SeveralOffers, and what the kind refuses.
    """
    game, seat = running_game(game_id, user, now, received_at, while_held=True)
    offer = _choose(game.offers.awaiting(seat.pk), offer_id)
    agreement = AGREEMENTS[offer.kind]
    check_runs(game, while_held=agreement.ends_game)
    agreement.check(game, offer)
    offer.answers.create(seat=seat, answered_at=now)
    if offer.answers.count() + 1 == game.seats.still_playing().count():
        _close(offer, Offer.State.ACCEPTED, now)
        arrived = arrival(received_at, now)
        agreement.take_effect(game, offer, user, now, arrived)
        if not agreement.ends_game:
            _record_event(offer, Event.Kind.OFFER_ACCEPTED, user, now)
    return game


@transaction.atomic
def decline_offer(
    *,
    game_id: int,
    user: User,
    now: datetime,
    offer_id: int | None = None,
    received_at: datetime | None = None,
) -> Game:
    """Decline an open offer (the only one if `offer_id` is None), accepted before or not.

    Raises as `accept_offer` does.
    """
    game, seat = running_game(game_id, user, now, received_at, while_held=True)
    offer = _choose(game.offers.open().exclude(seat=seat), offer_id)
    _close(offer, Offer.State.DECLINED, now)
    _record_event(offer, Event.Kind.OFFER_DECLINED, user, now)
    return game


@transaction.atomic
def withdraw_offer(*, game_id: int, user: User, now: datetime, offer_id: int | None = None) -> Game:
    """Withdraw one's own offer (the only one if `offer_id` is None).

    Raises as `accept_offer` does.
    """
    game, seat = running_game(game_id, user, now, while_held=True)
    offer = _choose(game.offers.open().filter(seat=seat), offer_id)
    _close(offer, Offer.State.WITHDRAWN, now)
    _record_event(offer, Event.Kind.OFFER_WITHDRAWN, user, now)
    return game


def _choose(offers: QuerySet[Offer], offer_id: int | None) -> Offer:
    """Return the offer that is meant. Raises NoOffer, SeveralOffers."""
    found = list(offers if offer_id is None else offers.filter(pk=offer_id))
    if not found:
        raise errors.NoOffer
    if len(found) > 1:
        raise errors.SeveralOffers
    return found[0]


def _close(offer: Offer, state: Offer.State, now: datetime) -> None:
    offer.state = state
    offer.closed_at = now
    offer.save(update_fields=["state", "closed_at"])


def _record_event(offer: Offer, kind: Event.Kind, actor: User, now: datetime) -> None:
    details: dict[str, object] = {"kind": str(offer.kind), "offer": offer.pk}
    offer.game.record_event(kind, now=now, actor=actor, details=details)


# The effect of each kind -------------------------------------------------------------------------


class Agreement:
    """One kind of offer.

    If it `ends_game`, the event of the end is the only one, and it can be agreed on while a
    moderator pauses the game.
    """

    ends_game = False

    def check(self, game: Game, offer: Offer) -> None:
        """Raise a Refusal if it cannot be offered or accepted now."""

    def take_effect(
        self, game: Game, offer: Offer, actor: User, now: datetime, arrived: datetime
    ) -> None:
        """Change and save the locked game: everybody has accepted, the last of them `arrived`."""
        raise NotImplementedError


class AgreedEnd(Agreement):
    """The game ends with the result that its rules give an agreed end."""

    ends_game = True

    def take_effect(
        self, game: Game, offer: Offer, actor: User, now: datetime, arrived: datetime
    ) -> None:
        """End the game. The last who accepted can undo that for a while (`undo_end`)."""
        before = state_before_end(game, accepted=offer)
        outcome = game.rules.agreed_end(game.rules.load(game.position))
        finish_game(game, outcome.reason, outcome=outcome, now=now, actor=actor)
        allow_undo_of_end(game, before, actor, now=now)


class Pause(Agreement):
    """The clock is stopped for some days."""

    def check(self, game: Game, offer: Offer) -> None:
        """Raise BadPause or ClockStands."""
        if offer.details["days"] not in PAUSES:
            raise errors.BadPause
        if game.stop_reason:
            raise errors.ClockStands

    def take_effect(
        self, game: Game, offer: Offer, actor: User, now: datetime, arrived: datetime
    ) -> None:
        """Stop the clock when the consent came, but not before this turn's clock was started."""
        wait = timedelta(days=offer.details["days"])
        since = max(arrived, game.clock_started_at or arrived)
        stop_clock(game, StopReason.PAUSED, wait=wait, now=since)
        game.save(update_fields=CLOCK_COLUMNS)


class NewPace(Agreement):
    """Every seat gets the first time of the new pace; the current turn starts again with it."""

    def check(self, game: Game, offer: Offer) -> None:
        """Raise BadPace."""
        if not pace_in(offer.details).is_possible:
            raise errors.BadPace

    def take_effect(
        self, game: Game, offer: Offer, actor: User, now: datetime, arrived: datetime
    ) -> None:
        """Change the pace and the times."""
        pace = pace_in(offer.details)
        game.pace, game.allowance = pace.kind, pace.allowance
        game.bank, game.cap = pace.bank, pace.cap
        game.seats.update(time_left=pace.first)
        if game.stop_reason:
            game.time_left = pace.first
        else:
            resume_clock(game, now=now, actor=actor, time=pace.first)
        game.save(update_fields=["pace", "allowance", "bank", "cap", *CLOCK_COLUMNS])


class Takeback(Agreement):
    """The game goes on from before the offering seat's newest turn that counts."""

    def check(self, game: Game, offer: Offer) -> None:
        """Raise PositionChanged or SeatIsSought."""
        if offer.turn_number not in numbers_of_turn(game.pk, game.turn_number):
            raise errors.PositionChanged
        if game.is_substitute_sought:
            raise errors.SeatIsSought

    def take_effect(
        self, game: Game, offer: Offer, actor: User, now: datetime, arrived: datetime
    ) -> None:
        """Take the game back; the player to move there is told that it is their turn."""
        asker = offer.seat.player
        assert asker is not None  # noqa: S101  (they made the offer)
        take_back_to(game, offer.details["turn"] - 1, actor=asker, now=now)
        game.record_event(Event.Kind.TAKEN_BACK, now=now, actor=actor)


AGREEMENTS: Mapping[str, Agreement] = {
    Offer.Kind.AGREED_END: AgreedEnd(),
    Offer.Kind.PAUSE: Pause(),
    Offer.Kind.PACE: NewPace(),
    Offer.Kind.TAKEBACK: Takeback(),
}
