"""Creating a table and inviting to it in one step: a new game, and a rematch."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db import transaction

from accounts.models import User
from games import errors
from games.models import Game, Terms
from games.rules.base import shown
from games.services.invitations import accept, ask_partner, challenge, invite
from games.services.locking import locked_game_for
from games.services.tables import free_seats, open_table

Whom = Literal["anybody", "player", "address", "partner"]


@dataclass(frozen=True)
class Opponent:
    """The opponent a table waits for: `name` is a user name or an address, as `whom` says."""

    whom: Whom
    name: str = ""


@transaction.atomic
def propose(
    *,
    creator: User,
    rules_slug: str,
    options: dict[str, object],
    terms: Terms,
    opponent: Opponent,
    is_public: bool,
    creator_seat: int | None,
    now: datetime,
) -> Game:
    """Create a table and invite `opponent` to it. If that is refused, there is no table either.

    A table for anybody is public. Raises as `open_table`, `challenge` and `invite` do.
    """
    game = open_table(
        creator=creator,
        rules_slug=rules_slug,
        options=options,
        terms=terms,
        is_public=is_public or opponent.whom == "anybody",
        creator_seat=creator_seat,
        now=now,
    )
    ask(game_id=game.pk, by=creator, opponent=opponent, now=now)
    if opponent.whom == "partner":
        # As many as there are seats, so that a player who is alone can start at once.
        while free_seats(game):
            ask_partner(game_id=game.pk, by=creator, now=now)
    return game


def ask(*, game_id: int, by: User, opponent: Opponent, now: datetime) -> None:
    """Invite one more opponent to a table.

    Raises as `challenge` and `invite` do, and NoSuchPlayer.
    """
    match opponent.whom:
        case "player":
            name = opponent.name.strip()
            users = User.objects.filter(username__iexact=name, is_active=True)
            # PostgreSQL takes neither NUL nor half a character as text.
            user = users.first() if name.isprintable() else None
            if user is None:
                raise errors.NoSuchPlayer(name=shown(name))
            challenge(game_id=game_id, by=by, user=user, now=now)
        case "address":
            invite(game_id=game_id, by=by, email=opponent.name, now=now)
        case "partner":
            ask_partner(game_id=game_id, by=by, now=now)


@transaction.atomic
def ask_rematch(*, game_id: int, user: User, now: datetime) -> Game:
    """Challenge the same players to the same game, everybody one seat further on.

    If another player has asked already, this accepts. Asking twice changes nothing. After a
    rematch was declined or expired, it can be asked for again. Returns the new game.
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
        if rematch.seats.filter(user=user).exists():
            return rematch
        invitation = rematch.invitations.open().filter(user=user).first()
        if invitation is None:
            raise errors.RematchMade
        return accept(invitation_id=invitation.pk, user=user, now=now)

    next_seat = {seat.user_id: (seat.number + 1) % len(seats) for seat in seats}
    rematch = open_table(
        creator=user,
        rules_slug=game.rules_slug,
        options=game.options,
        terms=game.terms,
        is_public=game.is_public,
        creator_seat=next_seat[user.pk],
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
