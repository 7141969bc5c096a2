"""The mail about players who leave a game of several, and about who comes for them."""

from accounts.models import User
from games.models import Event, Game
from notifications.kinds.base import Context
from notifications.kinds.game_mail import GameMail
from notifications.kinds.recipients import still_playing
from notifications.kinds.registry import Kind
from notifications.kinds.relevance import skip_unless_running
from notifications.models import Notice, SkipReason
from notifications.services.emails.names import plain


class PlayerLeftMail(GameMail):
    """Tells the others that a player left, that their seat is free, or who took it over.

    The next player may be to move because of that: it tells them so.
    """

    kind = Kind.PLAYER_LEFT
    events = frozenset(
        {Event.Kind.DEPARTED, Event.Kind.SEAT_VACANT, Event.Kind.SEAT_TAKEN_OVER},
    )
    tells_to_move = True
    can_be_switched_off = True
    lead_rank = 50

    def recipients(self, event: Event) -> list[User]:
        """Return everybody who plays on, and the player who ran out of time."""
        if event.kind == Event.Kind.SEAT_TAKEN_OVER:
            return still_playing(event)
        if event.kind == Event.Kind.SEAT_VACANT:
            return [*still_playing(event), *([event.actor] if event.actor else [])]
        return self._of_departure(event)

    def _of_departure(self, event: Event) -> list[User]:
        """Return the others; what a moderator did to a seat is told by its own mail.

        A player who ran out of time is told too, unless they were when a substitute was sought.
        """
        because, others = event.details.get("because"), still_playing(event)
        if because == Game.Ending.REMOVED:
            return []
        if because != Game.Ending.TIMEOUT or event.actor is None:
            return others
        sought = event.game.events.filter(kind=Event.Kind.SEAT_VACANT, actor=event.actor)
        return others if sought.filter(pk__lt=event.pk).exists() else [*others, event.actor]

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason once the game is over."""
        return skip_unless_running(notice)

    def context(self, notice: Notice) -> Context:
        """Return who left, why, and who plays instead."""
        event, reader = notice.event, notice.user
        if event is None:
            return {}
        pk = event.details.get("former", event.actor_id)
        people = User.objects.in_bulk([pk, event.details.get("stand_in")])
        former, stand_in = people.get(pk), people.get(event.details.get("stand_in"))
        return {
            "timed_out": event.details.get("because") == Game.Ending.TIMEOUT,
            "unreached": event.details.get("because") == Game.Ending.UNREACHABLE,
            "former": plain(former or ""),
            "i_left": former is not None and former == reader,
            "stand_in": plain(stand_in or ""),
            "i_stand_in": stand_in is not None and stand_in == reader,
        }


KIND = PlayerLeftMail()
