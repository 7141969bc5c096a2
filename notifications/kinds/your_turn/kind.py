"""The mail that tells a player that it is their turn."""

from accounts.models import User
from games.models import Event
from notifications.kinds.base import Purpose
from notifications.kinds.game_mail import GameMail, player_to_move, skip_unless_their_turn
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason


class YourTurnMail(GameMail):
    """Tells the player to move that a turn was played, or that turns were taken back."""

    kind = Kind.YOUR_TURN
    events = frozenset({Event.Kind.TURN_PLAYED, Event.Kind.TAKEN_BACK})
    tells_to_move = True
    can_be_switched_off = True
    is_needed_to_play = True
    is_pushed = True
    lead_rank = 20
    is_in_every_mail = True
    reply_purpose = Purpose.TURN

    def recipients(self, event: Event) -> list[User]:
        return player_to_move(event)

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        return skip_unless_their_turn(notice)


KIND = YourTurnMail()
