"""Take a user whose account is deleted out of tables, invitations and games.

Each has a transaction of its own; what is done is not done again.
"""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Ending, Game, Invitation
from games.rules.base import MoveError
from games.rules.registry import UnknownGame
from games.services.clock.holds import stays_held
from games.services.endings import forfeit
from games.services.invitations import close_declined
from games.services.locking import locked_game
from games.services.tables import take_away
from games.services.turns import finish_game


def leave_tables(person: User, *, now: datetime) -> None:
    """Free the user's seats at open tables; close the tables that they created."""
    tables = Game.objects.open().filter(seats__user=person)
    for game_id in list(tables.values_list("pk", flat=True)):
        take_away(game_id=game_id, user=person, now=now)


def leave_games(person: User, *, now: datetime) -> None:
    """Resign the user's running games: of two players the other wins, several play on."""
    games = Game.objects.running().filter(seats__user=person, seats__left_at=None)
    for game_id in list(games.values_list("pk", flat=True)):
        resign_for(game_id, person, now)


@transaction.atomic
def resign_for(game_id: int, person: User, now: datetime) -> None:
    """Resign a running game for the user; abort it if its rules are no longer installed."""
    game = locked_game(game_id)
    seats = game.seats.select_related("user", "played_by_partner")
    seat = seats.filter(user=person, left_at=None).first()
    if game.status != Game.Status.ACTIVE or seat is None:
        return
    try:
        with transaction.atomic(), stays_held(game, now=now):
            forfeit(game, seat, Ending.RESIGNED, now=now, actor=person)
    except (MoveError, UnknownGame):
        finish_game(locked_game(game_id), Ending.ABORTED, now=now, actor=person)


@transaction.atomic
def decline_for(person: User, invitation_id: int, *, now: datetime) -> None:
    """Decline an invitation for the user, if it is still open."""
    game = locked_game(Invitation.objects.values_list("game_id", flat=True).get(pk=invitation_id))
    invitation = Invitation.objects.get(pk=invitation_id)
    if invitation.state == Invitation.State.OPEN and game.status == Game.Status.OPEN:
        close_declined(game, invitation, actor=person, now=now)
