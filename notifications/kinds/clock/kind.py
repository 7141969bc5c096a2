"""The mail about a clock that stops, goes on or gets more time."""

from datetime import timedelta

from django.conf import settings

from accounts.models import User
from games.clock.durations import span_in_words
from games.models import Event
from notifications.kinds.base import Context
from notifications.kinds.game_mail import (
    GameMail,
    details_of,
    player_to_move,
    skip_unless_running,
    still_playing,
)
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason


class ClockMail(GameMail):
    """Tells that a player gets more time, cannot be reached by mail, or that time runs again."""

    kind = Kind.CLOCK
    events = frozenset(
        {Event.Kind.TIME_GRANTED, Event.Kind.CLOCK_STOPPED, Event.Kind.CLOCK_STARTED},
    )
    can_be_switched_off = True
    is_caused_by_players = True

    def recipients(self, event: Event) -> list[User | str]:
        """Return the player with more time, or the others who play.

        If no mail reaches a player, the site's administrator is told too.
        """
        if event.kind == Event.Kind.TIME_GRANTED:
            return [*player_to_move(event)]
        if event.kind == Event.Kind.CLOCK_STARTED:
            return [*still_playing(event)]
        unreached = details_of(event).get("user")
        waiting = [user for user in still_playing(event) if user.pk != unreached]
        return [*waiting, *filter(None, [settings.HOST_ADDRESS])]

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        return skip_unless_running(notice)

    def context(self, notice: Notice) -> Context:
        details = details_of(notice.event)
        seconds = details.get("seconds")
        return {
            "why": details.get("why", ""),
            "span": span_in_words(timedelta(seconds=seconds)) if seconds else "",
        }


KIND = ClockMail()
