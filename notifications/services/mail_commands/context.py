"""Where an order is given."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games.models import Game
from notifications.models import ReplyAddress


@dataclass(frozen=True)
class CommandContext:
    """Who gives an order, on which mail of ours, at which game.

    `turn_number` is the number of turns that the person saw played in that mail; `number` the
    game's in a digest, where the order named one.
    """

    user: User | None
    reply: ReplyAddress
    received_at: datetime
    now: datetime
    game: Game | None = None
    turn_number: int | None = None
    number: int | None = None

    @property
    def names_game(self) -> bool:
        """Whether it is plain which game is meant, though the person may not see it any more."""
        of_mail = self.reply.game_id is not None or len(self.reply.content) == 1
        return of_mail or self.number is not None

    @classmethod
    def of(cls, reply: ReplyAddress, received_at: datetime, now: datetime) -> "CommandContext":
        """Return where the answer to one mail is: at its game, or at the only one of a digest."""
        game, turn_number = reply.game, reply.turn_number
        if game is None and len(reply.content) == 1:
            ((_, game_id, turn_number),) = reply.content
            game = Game.objects.filter(pk=game_id).first()
        return cls(reply.user, reply, received_at, now, game, turn_number)
