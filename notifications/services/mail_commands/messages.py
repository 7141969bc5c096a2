"""What a player wrote below what was done."""

from django.utils.translation import gettext as _

from games import errors
from games.models import Message
from games.services.conduct.messages import say
from notifications.services.mail_commands.answers import CommandResult
from notifications.services.mail_commands.context import CommandContext


def with_message(said: CommandResult, message: str, place: CommandContext) -> CommandResult:
    """Say a message to the opponents; where that is refused what was done stands."""
    if not message or place.game is None or place.user is None:
        return said
    game_id, user = place.game.pk, place.user
    try:
        say(game_id=game_id, user=user, text=message, via=Message.Via.MAIL, now=place.now)
    except errors.ClosedForMaintenance:
        raise  # the turn waits with its message
    except errors.Refusal as refusal:
        return said.and_also(refusal.sentence)
    return said.and_also(_("Your message was passed on."))
