"""Why the deadline of a game is when it is, in sentences: for its page and for mails."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.clock.clock import StopReason
from games.clock.durations import exactly_in_words
from games.clock.explanation import AddedTime, ClockPart, Why, explain
from games.models import Event, Game, Offer
from games.queries.clock_display import SENTENCES
from games.queries.seats import player_at
from games.services.clock.game_clock import interruptions_of
from games.services.clock.interruptions import Interruptions

_MOVED_BY_MODERATORS = {
    "pause": lambda: _("%(when)s: a moderator stopped the clock."),
    "resume": lambda: _("%(when)s: a moderator let the game go on."),
    "add-time": lambda: _("%(when)s: a moderator gave %(time)s."),
    "substitute": lambda: _("%(when)s: a moderator gave the seat to another player."),
    "take-back": lambda: _("%(when)s: a moderator took turns back."),
    "withdraw": lambda: _("%(when)s: a moderator took a player out of the game."),
}


def explain_deadline(
    game: Game,
    *,
    now: datetime,
    events: Sequence[Event] | None = None,
    interruptions: Interruptions | None = None,
) -> list[str]:
    """Return the time of the current turn of a running game, a sentence for each thing that counts.

    The seats and players are loaded. The last sentence has the deadline, or why there is none.
    `events`, with actors, and `interruptions` are read if they are not given.
    """
    clock = game.clock
    mover = player_at(game, clock.seat_to_move)
    began_at = clock.turn_began_at or clock.started_at or now
    if events is None:
        found = game.events.filter(turn_number=game.turn_number, at__gte=began_at)
        events = list(found.select_related("actor").order_by("pk"))
    happened = [
        event for event in events if event.turn_number == game.turn_number and event.at >= began_at
    ]
    lines = [_("%(when)s: the turn began.") % {"when": _moment(began_at)}]
    lines += filter(None, map(_sentence, happened))
    if clock.started_at is None:
        stopped = SENTENCES[StopReason(clock.stop_reason)]() % {"name": mover or ""}
        left = _("The clock is stopped since %(when)s; %(time)s is left.") % {
            "when": _moment(clock.stopped_at or now),
            "time": exactly_in_words(clock.time_left),
        }
        return [*lines, f"{left} {stopped}"]
    interruptions = interruptions or interruptions_of(game, mover, now=now)
    availability = interruptions.availability_of(game, mover, now)
    gifts = [gift for event in happened if (gift := _added_time(event)) is not None]
    parts = explain(clock, availability, gifts)
    since = _("Since %(when)s the clock runs, with %(time)s.")
    time = exactly_in_words(parts[0].time)
    lines.append(since % {"when": _moment(clock.started_at), "time": time})
    lines += map(_sentence_of_part, parts[1:])
    deadline = clock.started_at + sum((part.time for part in parts), timedelta())
    values = {"when": _moment(deadline), "zone": timezone.get_current_timezone_name()}
    return [*lines, _("So the deadline is %(when)s (%(zone)s).") % values]


def _moment(when: datetime) -> str:
    return date_format(timezone.localtime(when), "DATETIME_FORMAT")


def _added_time(event: Event) -> AddedTime | None:
    """Return the time that an event gave for the turn."""
    seconds = event.details.get("seconds")
    if seconds is None:
        return None
    by = _("a moderator") if event.kind == Event.Kind.MODERATED else str(event.actor)
    return AddedTime(event.at, timedelta(seconds=seconds), by)


def _sentence(event: Event) -> str:
    """Return what an event did to the clock of its turn; empty if it did nothing."""
    details, why = event.details, event.details.get("why")
    sentence = ""
    match event.kind:
        case Event.Kind.CLOCK_STOPPED:
            sentence = _("%(when)s: the clock was stopped, because no mail reached its player.")
        case Event.Kind.CLOCK_STARTED if why == StopReason.UNDELIVERED:
            sentence = _("%(when)s: %(name)s could be reached again, and the clock went on.")
        case Event.Kind.CLOCK_STARTED if event.actor is None:
            sentence = _("%(when)s: the days of the pause were over, and the clock went on.")
        case Event.Kind.CLOCK_STARTED:
            sentence = _("%(when)s: %(name)s ended the pause.")
        case Event.Kind.OFFER_ACCEPTED if details["kind"] == Offer.Kind.PAUSE:
            sentence = _("%(when)s: the players agreed on a pause, and the clock was stopped.")
        case Event.Kind.OFFER_ACCEPTED if details["kind"] == Offer.Kind.PACE:
            sentence = _("%(when)s: the players agreed on another pace: its time began anew.")
        case Event.Kind.TIME_GRANTED:
            sentence = _("%(when)s: %(name)s gave %(time)s.")
        case Event.Kind.VACATION_BEGUN:
            sentence = _("%(when)s: a vacation began automatically, instead of a time-out.")
        case Event.Kind.SEAT_TAKEN_OVER:
            sentence = _("%(when)s: %(name)s took the seat over.")
        case Event.Kind.DEPARTED:
            sentence = _("%(when)s: %(name)s left the game.")
        case Event.Kind.MODERATED if details.get("what") in _MOVED_BY_MODERATORS:
            sentence = _MOVED_BY_MODERATORS[details["what"]]()
    time = exactly_in_words(timedelta(seconds=details.get("seconds", 0)))
    return sentence % {"when": _moment(event.at), "name": event.actor or "", "time": time}


def _sentence_of_part(part: ClockPart) -> str:
    values = {"time": exactly_in_words(abs(part.time)), "name": part.by}
    if part.span is not None:
        values |= {"begin": _moment(part.span.start), "end": _moment(part.span.end)}
    return _SENTENCES[part.why]() % values


_SENTENCES = {
    Why.GIVEN: lambda: _("+ %(time)s: given by %(name)s."),
    Why.OUTAGE: lambda: _(
        "+ %(time)s: the service was down or closed from %(begin)s until %(end)s."
    ),
    Why.VACATION: lambda: _("+ %(time)s: vacation from %(begin)s until %(end)s."),
    Why.DAYS_OFF: lambda: _("+ %(time)s: days off."),
    Why.QUIET_HOURS: lambda: _("+ %(time)s: quiet hours."),
    Why.LIMIT: lambda: _("− %(time)s: days off and quiet hours at most double a turn’s time."),
    Why.GRACE: lambda: _(
        "+ %(time)s: after a vacation, an outage or a stop that ended on %(begin)s there is some "
        "time in any case, here until %(end)s."
    ),
}
