"""The mail that reminds a player of their turn before its time is over."""

from accounts.models import User
from games.models import Event
from notifications.kinds.base import Purpose
from notifications.kinds.game_mail import GameMail
from notifications.kinds.recipients import player_to_move
from notifications.kinds.registry import Kind
from notifications.kinds.relevance import skip_unless_their_turn
from notifications.models import Cadence, Notice, SkipReason


class ReminderMail(GameMail):
    """Tells the player to move that little time is left. Later it would be of no use."""

    kind = Kind.REMINDER
    events = frozenset({Event.Kind.REMINDER_DUE})
    tells_to_move = True
    can_be_switched_off = True
    cadences = (Cadence.AT_ONCE, Cadence.OFF)
    is_needed_to_play = True
    lead_rank = 30
    is_in_every_mail = True
    reply_purpose = Purpose.TURN

    def recipients(self, event: Event) -> list[User]:
        """Return the player to move."""
        return player_to_move(event)

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason once the turn is played."""
        return skip_unless_their_turn(notice)


KIND = ReminderMail()
