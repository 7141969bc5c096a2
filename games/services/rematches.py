"""Once more, with the seats changed."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Game, Invitation, Seat
from games.services.invitations import accept, challenge
from games.services.locking import locked_game_for
from games.services.tables import open_table


@transaction.atomic
def ask_rematch(*, game_id: int, user: User, now: datetime) -> Game:
    """Challenge the same people to the same game, everybody one seat further on.

    Whoever asks second accepts what the first asked; asking twice changes nothing. Where the
    rematch was declined or expired, it can be asked for anew. Returns the new game.
    Raises AccountClosed, Barred, NoSuchGame, NotAPlayer, GameNotOver, RematchMade, and as
    `open_table`, `challenge` and `accept` do.
    """
    game = locked_game_for(user, game_id, now)
    seats = list(game.seats.select_related("user"))
    if not any(seat.user_id == user.pk for seat in seats):
        raise errors.NotAPlayer
    if game.status not in (Game.Status.FINISHED, Game.Status.ABORTED):
        raise errors.GameNotOver
    rematch = game.rematch
    if rematch is not None:
        return _come_to_rematch(rematch, user, now)
    return _make_rematch(game, seats, user, now)


def _come_to_rematch(rematch: Game, user: User, now: datetime) -> Game:
    if rematch.seats.filter(user=user).exists():
        return rematch
    asked = rematch.invitations.filter(user=user, state=Invitation.State.OPEN).first()
    if asked is None:
        raise errors.RematchMade
    return accept(invitation_id=asked.pk, user=user, now=now)


def _make_rematch(game: Game, seats: list[Seat], user: User, now: datetime) -> Game:
    next_seat = {seat.user_id: (seat.number + 1) % len(seats) for seat in seats}
    rematch = open_table(
        maker=user,
        rules_slug=game.rules_slug,
        options=game.options,
        terms=game.terms,
        is_public=game.is_public,
        maker_seat=next_seat[user.pk],
        rematch_of=game,
        now=now,
    )
    for seat in seats:
        if seat.user is not None and seat.user_id != user.pk:
            challenge(
                game_id=rematch.pk,
                by=user,
                user=seat.user,
                seat_number=next_seat[seat.user_id],
                now=now,
            )
    return rematch
