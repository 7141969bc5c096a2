"""The mail that tells players what a moderator did to their game."""

from datetime import timedelta

from accounts.models import User
from games.clock.durations import span_in_words
from games.models import Event
from games.moderation.action_names import GameAction
from games.queries import QUIET_ACTIONS, seat_of
from notifications.kinds.base import Context
from notifications.kinds.game_mail import GameMail
from notifications.kinds.recipients import players
from notifications.kinds.registry import Kind
from notifications.models import Notice
from notifications.services.emails.names import plain

TOLD_BY_THE_END = frozenset({GameAction.ADJUDICATE, GameAction.ABORT})
"""What ends a game: the mail about its end tells it."""


class ModeratedMail(GameMail):
    """Tells what a moderator did, and what they wrote about it."""

    kind = Kind.MODERATED
    events = frozenset({Event.Kind.MODERATED})
    can_be_switched_off = True

    def recipients(self, event: Event) -> list[User]:
        """Return everybody at the game, and the player whom the moderator took out of it."""
        if event.details.get("what") in {*QUIET_ACTIONS, *TOLD_BY_THE_END}:
            return []
        former = User.objects.filter(pk=event.details.get("player"))
        return [*players(event), *former]

    def context(self, notice: Notice) -> Context:
        """Return what was done, to whom, and why."""
        details = notice.event.details if notice.event else {}
        game = notice.game
        seat = seat_of(game, notice.user) if game and notice.user else None
        people = User.objects.in_bulk([details.get("player"), details.get("substitute")])
        return {
            "what": details.get("what"),
            "why": plain(details.get("why", "")),
            "turn": details.get("turn"),
            "player": plain(people.get(details.get("player"), "")),
            "substitute": plain(people.get(details.get("substitute"), "")),
            "plays": seat is not None and seat.left_at is None,
            "more": span_in_words(timedelta(seconds=details.get("seconds", 0))),
            "running": game is not None and game.deadline is not None,
        }


KIND = ModeratedMail()
