"""How an answer shows a game: with its board, and only to people who may see the game."""

from dataclasses import replace

from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Game
from games.models.undo import showing_ends_undo
from games.queries.seats import may_see_as_player
from games.services.undo_window import end_undo
from notifications.mail_commands.context import CommandContext, CommandResult
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


def with_seen_game(context: CommandContext) -> CommandContext:
    """Return the context for an answer that may show the game to one of its players.

    Another player's newest turn can no longer be undone then.
    """
    game, user = context.game, context.user
    if game is None or user is None:
        return context
    if not showing_ends_undo(game.undo_until, game.undo_by_id, user.pk, now=context.now):
        return context
    end_undo([game.pk])
    return replace(context, game=Game.objects.get(pk=game.pk))


def without_hidden_game(context: CommandContext) -> CommandContext:
    """Return the context without its game if the user may not see that any more.

    Staff powers do not count: a mail shows no second factor.
    """
    game, user = context.game, context.user
    if game is None or user is None or may_see_as_player(game, user):
        return context
    return replace(context, game=None)
