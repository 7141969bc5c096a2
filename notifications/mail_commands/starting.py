"""Start games by mail: list the open tables, and sit down at one after it was asked back."""

from django.utils.translation import gettext as _

from accounts.models import User
from games import errors
from games.clock.durations import pace_in_words
from games.models import Game
from games.queries.lists import lobby
from games.queries.seats import may_see_as_player, opponents_of
from games.services import tables
from games.templatetags.boards import options_of
from notifications.emails.formatting import plain
from notifications.mail_commands.context import CommandContext, CommandResult, handles
from notifications.mail_commands.handlers import result_with_board
from notifications.mail_commands.questions import ASKS, order_question, try_out
from notifications.mail_parser import JoinCommand, TablesCommand

MOST_LISTED = 100


@handles(TablesCommand)
def handle_tables(command: TablesCommand, context: CommandContext) -> CommandResult:
    """Send the open tables at which the user could sit down, a line each."""
    user = context.require_user()
    listing = "\n".join(
        f"{game.pk} – {describe_table(game, user)}" for game in lobby(user)[:MOST_LISTED]
    )
    if listing:
        here = _("These tables wait for players. Reply with “join” and a number to sit down.")
    else:
        here = _("Nobody is waiting at the moment. Open a table, and somebody may come.")
    return CommandResult(True, (here,), listing=listing, title=_("Tables waiting for players"))


def describe_table(game: Game, user: User) -> str:
    """Return the game, its options, who sits there already, and the time, on one line."""
    options = ", ".join(f"{label}: {value}" for label, value in options_of(game))
    what = _(game.rules.name) + (f" ({options})" if options else "")
    names = ", ".join(plain(opponent) for opponent in opponents_of(game, user))
    parts = [what, *([_("with %(names)s") % {"names": names}] if names else [])]
    return " – ".join([*parts, pace_in_words(game.terms.pace)])


@handles(JoinCommand)
def handle_join(command: JoinCommand, context: CommandContext) -> CommandResult:
    """Sit down at an open table. Raises NoSuchGame for a table that the user may not see."""
    user = context.require_user()
    table = Game.objects.filter(pk=command.number).first()
    if table is None or not may_see_as_player(table, user):
        raise errors.NoSuchGame
    game = tables.join_table(game_id=command.number, user=user, now=context.now)
    said = _("You have sat down at table %(number)s.") % {"number": game.pk}
    return result_with_board(game, user, said)


def ask_to_join(command: JoinCommand, context: CommandContext) -> CommandResult:
    """Return the question with the table's terms. Raises what sitting down raises."""
    user = context.require_user()
    try_out(command, context, lambda result: None)
    game = Game.objects.with_players().get(pk=command.number)
    would = _("You would sit down at table %(number)s: %(terms)s.") % {
        "number": game.pk,
        "terms": describe_table(game, user),
    }
    return order_question(f"join {game.pk}", context, would)


ASKS[JoinCommand] = ask_to_join
