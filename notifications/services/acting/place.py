"""Where an order is given."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games.models import Game
from notifications.models import ReplyAddress


@dataclass(frozen=True)
class Place:
    """Who gives an order, on which mail of ours, at which game.

    `turn_number` is the number of turns that the person saw played in that mail.
    """

    user: User | None
    reply: ReplyAddress
    received_at: datetime
    now: datetime
    game: Game | None = None
    turn_number: int | None = None

    @classmethod
    def of(cls, reply: ReplyAddress, received_at: datetime, now: datetime) -> "Place":
        """Return where the answer to one mail about one game is."""
        return cls(reply.user, reply, received_at, now, reply.game, reply.turn_number)
