"""Keeps time from running out while a mail that came in time is still to be read."""

from games.models import Game
from games.services.clock.game_clock import mover
from notifications.models import IncomingMail

State = IncomingMail.State


def has_unread_mail(game: Game) -> bool:
    """Tell whether whoever is to move has sent something before the deadline that nobody has read.

    Any mail of theirs counts: one answer to a digest may be about many games.
    """
    mails = IncomingMail.objects.filter(state__in=(State.WAITING, State.CLAIMED))
    return mails.filter(reply__user=mover(game), received_at__lte=game.deadline).exists()
