"""The answer to what may have started a game."""

from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Game
from notifications.mail_commands.context import CommandResult
from notifications.models import Cadence, Kind
from notifications.services.preferences import cadence_of


def result_with_board(game: Game, user: User, *said: str) -> CommandResult:
    """Return what was done when it may have started a game.

    The game's first mail tells the rest, with the board; an answer to somebody who does not get
    that mail at once shows the board itself.
    """
    is_at_once = cadence_of(user, Kind.GAME_BEGUN) == Cadence.AT_ONCE
    if game.status != Game.Status.ACTIVE or not is_at_once:
        return CommandResult(True, said, game)
    follows = _("The first mail of the game follows, with the board.")
    return CommandResult(True, (*said, follows), game, letter_follows=True)
