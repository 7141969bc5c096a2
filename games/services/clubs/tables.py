"""Private tables at which only the members of a club can sit down."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import club_errors
from games.errors import NoSuchGame
from games.models import ClubTable, Game, Invitation, Terms
from games.services.clubs.base import acting_member
from games.services.locking import check_not_blocked
from games.services.tables import (
    check_no_guest,
    close_invitation,
    open_table,
    open_table_locked,
    take_seat,
)


@transaction.atomic
def open_club_table(
    *,
    club_id: int,
    user: User,
    rules_slug: str,
    options: dict[str, object],
    terms: Terms,
    creator_seat: int | None = None,
    now: datetime,
) -> Game:
    """Create a private table that the members of a club see on its page.

    Raises as `acting_member` and `open_table`.
    """
    club = acting_member(club_id, user, now).club
    game = open_table(
        creator=user,
        rules_slug=rules_slug,
        options=options,
        terms=terms,
        is_public=False,
        creator_seat=creator_seat,
        now=now,
    )
    ClubTable.objects.create(club=club, game=game)
    return game


@transaction.atomic
def join_club_table(*, game_id: int, user: User, now: datetime) -> Game:
    """Take a free seat at the table of a club, or the seat that is reserved for `user`.

    A member sits down; whether somebody else may is left to `join_table`. Raises as
    `open_table_locked`, GuestsPlayPrograms, NoSuchGame, NotInClub, NotWelcome, LeavesSoon,
    SeatedAlready, TableFull.
    """
    game = open_table_locked(game_id, user, now)
    check_no_guest(user)
    table = ClubTable.objects.filter(game=game).first()
    if table is None:
        raise NoSuchGame
    if not table.club.members.filter(user=user).exists():
        raise club_errors.NotInClub
    check_not_blocked(game, user)
    invitation = game.invitations.open().filter(user=user).first()
    if invitation is not None:
        close_invitation(invitation, Invitation.State.ACCEPTED, now=now)
    take_seat(game, user, number=invitation.seat_number if invitation else None, now=now)
    return game
