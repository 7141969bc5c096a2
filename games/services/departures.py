"""Take a user whose account is deleted out of tables, invitations and games.

Each has a transaction of its own; what is done is not done again.
"""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Game, Invitation
from games.services.endings import resign_for
from games.services.invitations import close_declined
from games.services.locking import locked_game
from games.services.tables import take_away


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
def decline_for(person: User, invitation_id: int, *, now: datetime) -> None:
    """Decline an invitation for the user, if it is still open."""
    game = locked_game(Invitation.objects.values_list("game_id", flat=True).get(pk=invitation_id))
    invitation = Invitation.objects.get(pk=invitation_id)
    if invitation.state == Invitation.State.OPEN and game.status == Game.Status.OPEN:
        close_declined(game, invitation, actor=person, now=now)
