"""The mail that tells players what a moderator did to their game."""

from datetime import timedelta

from accounts.models import User
from games.clock.durations import span_in_words
from games.models import Event
from games.moderation.action_names import GameAction
from games.queries.conversations import QUIET_ACTIONS
from games.queries.seats import seat_of
from notifications.emails.formatting import plain
from notifications.kinds.base import Context
from notifications.kinds.game_mail import GameMail, details_of, players
from notifications.kinds.registry import Kind
from notifications.models import Notice

TOLD_BY_THE_END = frozenset({GameAction.ADJUDICATE, GameAction.ABORT})
"""Actions that end a game: the mail about its end tells of them."""


class ModeratedMail(GameMail):
    """Tells what a moderator did, and what they wrote about it."""

    kind = Kind.MODERATED
    events = frozenset({Event.Kind.MODERATED})
    can_be_switched_off = True

    def recipients(self, event: Event) -> list[User]:
        """Return all players, and the player whom the moderator removed from the game."""
        if details_of(event).get("what") in {*QUIET_ACTIONS, *TOLD_BY_THE_END}:
            return []
        former = User.objects.filter(pk=details_of(event).get("player", 0))
        return [*players(event), *former]

    def context(self, notice: Notice) -> Context:
        details = details_of(notice.event)
        game = notice.game
        seat = seat_of(game, notice.user) if game and notice.user else None
        player, substitute = details.get("player", 0), details.get("substitute", 0)
        people = User.objects.in_bulk([player, substitute])
        return {
            "what": details.get("what"),
            "why": plain(details.get("why", "")),
            "turn": details.get("turn"),
            "player": plain(people.get(player, "")),
            "substitute": plain(people.get(substitute, "")),
            "plays": seat is not None and seat.left_at is None,
            "more": span_in_words(timedelta(seconds=details.get("seconds", 0))),
            "running": game is not None and game.deadline is not None,
        }


KIND = ModeratedMail()
