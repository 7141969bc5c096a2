"""What a player wrote below what was done."""

from django.utils.translation import gettext as _

from games.models import Message
from games.services.conduct.messages import say
from games.services.errors import Refusal
from games.services.errors.house import ClosedForMaintenance
from notifications.services.acting.answers import Said
from notifications.services.acting.place import Place


def with_message(said: Said, message: str, place: Place) -> Said:
    """Say a message to the opponents; where that is refused what was done stands."""
    if not message or place.game is None or place.user is None:
        return said
    game_id, user = place.game.pk, place.user
    try:
        say(game_id=game_id, user=user, text=message, via=Message.Via.MAIL, now=place.now)
    except ClosedForMaintenance:
        raise  # the turn waits with its message
    except Refusal as refusal:
        return said.and_also(refusal.sentence)
    return said.and_also(_("Your message was passed on."))
