"""Practice games that begin at once, and the end of guests who have not signed up in time."""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.guests import close_guest
from accounts.models import User
from accounts.users import lock_user
from games.clock.time_control import per_turn
from games.models import Ending, Game, Terms
from games.services.batches import process_due_rows
from games.services.invitations import Opponent, propose
from games.services.levels import LOWEST
from games.services.locking import lock_games, locked_game
from games.services.turns import finish_game

ALLOWANCE = timedelta(days=3)
"""How long a player has for each turn of a practice game that begins with one click."""


def begin_practice(*, user: User, rules_slug: str, now: datetime, level: int = LOWEST) -> Game:
    """Begin a game against programs of this level in which the user plays first.

    Raises as `propose` does.
    """
    return propose(
        creator=user,
        rules_slug=rules_slug,
        options={},
        terms=Terms(per_turn(ALLOWANCE)),
        opponent=Opponent("partner", level=level),
        is_public=False,
        creator_seat=0,
        now=now,
    )


def close_due_guests(*, now: datetime) -> int:
    """Close the accounts of guests who have not signed up in time; return how many.

    Their games are aborted: only programs play on the other seats.
    """
    due = User.objects.filter(guest_until__lte=now)
    return process_due_rows(due, "guest_until", lambda user_id: _close(user_id, now))


@transaction.atomic
def _close(user_id: int, now: datetime) -> bool:
    unfinished = [Game.Status.OPEN, Game.Status.ACTIVE]
    theirs = Game.objects.filter(seats__user=user_id, status__in=unfinished)
    keys = list(theirs.values_list("pk", flat=True))
    lock_games(keys)
    guest = lock_user(user_id)
    if guest.guest_until is None or guest.guest_until > now:
        return False
    for key in keys:
        game = locked_game(key)
        if game.status in unfinished:
            is_table = game.status == Game.Status.OPEN
            finish_game(game, Ending.WITHDRAWN if is_table else Ending.ABORTED, now=now, actor=None)
    close_guest(guest)
    return True
