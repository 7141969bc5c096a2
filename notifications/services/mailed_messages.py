"""Which messages at a game a reader's mails have brought them already."""

from collections.abc import Mapping

from accounts.models import User
from games.models import Game, Message
from games.queries import messages_to
from notifications.models import MessagesTold

MOST = 20
"""How many messages one mail brings from one game."""


def untold(reader: User, game: Game) -> list[Message]:
    """Return what the others said at the game since the reader's last mail about it."""
    newest = MessagesTold.objects.filter(user=reader, game=game).values_list("newest", flat=True)
    return messages_to(reader, game, after=newest.first() or 0)


def mark_mailed(reader: User, newest: Mapping[int, int]) -> None:
    """Remember that a mail brought the messages of these games up to these (game: message)."""
    for game_id, message_id in newest.items():
        row, made = MessagesTold.objects.get_or_create(
            user=reader, game_id=game_id, defaults={"newest": message_id}
        )
        if not made:
            older = MessagesTold.objects.filter(pk=row.pk, newest__lt=message_id)
            older.update(newest=message_id)
