"""The mail about players who leave a game of several, and about their substitutes."""

from accounts.models import User
from games.models import Ending, Event
from notifications.emails.formatting import plain
from notifications.kinds.base import Context
from notifications.kinds.game_mail import GameMail, details_of, skip_unless_running, still_playing
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason


class PlayerLeftMail(GameMail):
    """Tells the others that a player left, that their seat is free, or that it was taken over.

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
        """Return the players who play on, and the player who ran out of time."""
        others, details = still_playing(event), details_of(event)
        because = details.get("because")
        if event.kind == Event.Kind.SEAT_TAKEN_OVER:
            if because == Ending.TIMEOUT:  # by a program, at once: nothing told them before
                others += User.objects.filter(pk=details["former"])
            return others
        if event.kind == Event.Kind.SEAT_VACANT:
            return [*others, *([event.actor] if event.actor else [])]
        if because == Ending.REMOVED:
            return []  # the mail about the moderator's action tells of it
        if because != Ending.TIMEOUT or event.actor is None:
            return others
        # If a substitute was sought, the player was told then.
        sought = event.game.events.filter(kind=Event.Kind.SEAT_VACANT, actor=event.actor)
        return others if sought.filter(pk__lt=event.pk).exists() else [*others, event.actor]

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason where the game is over, or where the player undid that they left."""
        if notice.event is not None and notice.event.kind == Event.Kind.DEPARTURE_UNDONE:
            return SkipReason.NOTHING_TO_TELL
        return skip_unless_running(notice)

    def context(self, notice: Notice) -> Context:
        event, reader = notice.event, notice.user
        if event is None:
            return {}
        details = details_of(event)
        former_id, stand_in_id = details.get("former", event.actor_id), details.get("stand_in")
        users = User.objects.in_bulk([former_id, stand_in_id])
        former, stand_in = users.get(former_id), users.get(stand_in_id)
        return {
            "timed_out": details.get("because") == Ending.TIMEOUT,
            "unreached": details.get("because") == Ending.UNREACHABLE,
            "resigned": details.get("because") == Ending.RESIGNED,
            "removed": details.get("because") == Ending.REMOVED,
            "former": plain(former or ""),
            "i_left": former is not None and former == reader,
            "stand_in": plain(stand_in or ""),
            "i_stand_in": stand_in is not None and stand_in == reader,
        }


KIND = PlayerLeftMail()
