"""The mail that reminds a player of their turn before its time is over."""

from accounts.models import User
from games.models import Event
from notifications.kinds.base import Purpose
from notifications.kinds.game_mail import GameMail, player_to_move, skip_unless_their_turn
from notifications.kinds.registry import Kind
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
        return player_to_move(event)

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        return skip_unless_their_turn(notice)


KIND = ReminderMail()
