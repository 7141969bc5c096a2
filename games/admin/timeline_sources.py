"""What of a game itself its timeline shows: turns, events, offers, reports."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from games.admin.details import details_in_words, labelled
from games.admin.timeline import Source, TimelineRow, register
from games.models import Event, Game, Invitation, Message, Offer, Report, Turn
from games.services.moderation.action_names import action_label
from games.templatetags.boards import entry


def _turn(game: Game, turn: Turn) -> TimelineRow:
    said = f"{turn.number}. {entry(turn)}"
    return TimelineRow(str(turn.player), said, f"{turn.get_via_display()} · {turn.hash[:12]}…")


def _event(game: Game, event: Event) -> TimelineRow:
    who = str(event.actor or "")
    if event.kind == Event.Kind.MODERATED:
        number = f"#{event.details.get('act')}"
        said = labelled(action_label(event.details.get("what", "")), event.details.get("why", ""))
        return TimelineRow(who, said, " · ".join(filter(None, [number, _details(game, event)])))
    said, asked = str(event.get_kind_display()), event.invitation
    if asked is not None and asked.user is not None:
        said = labelled(said, asked.user)
    note = " · ".join(filter(None, [_state(asked), _details(game, event)]))
    return TimelineRow(who, said, note, address=asked.email if asked else "")


def _state(invitation: Invitation | None) -> str:
    return str(invitation.get_state_display()) if invitation else ""


_SAID = ("notation", "rest", "status")
_SAID_OF_ACTS = (*_SAID, "what", "why", "act")
"""Details that are said elsewhere on the line, or in the record, or to nobody."""


def _details(game: Game, event: Event) -> str:
    names = _names(game)
    said = _SAID_OF_ACTS if event.kind == Event.Kind.MODERATED else _SAID
    return details_in_words(event.details, lambda key: names.get(key, f"#{key}"), said=said)


def _names(game: Game) -> dict[int, str]:
    """Return who sits or played there: the page has loaded all of them."""
    seats, turns = game.seats.all(), game.turns.all()
    people = [*(turn.player for turn in turns), *(seat.played_by_partner for seat in seats)]
    people += [seat.user for seat in seats]
    return {person.pk: str(person) for person in people if person is not None}


def _offer(game: Game, offer: Offer) -> TimelineRow:
    return TimelineRow(str(offer.seat.user or ""), str(offer.get_kind_display()), _fate(offer))


def _fate(offer: Offer) -> str:
    return str(offer.get_state_display())


def _report(game: Game, report: Report) -> TimelineRow:
    about = {"name": report.person} if report.person else {}
    said = gettext("reports %(name)s") % about if about else gettext("reports the game")
    said = labelled(f"{said} ({report.get_reason_display()})", report.text)
    return TimelineRow(str(report.reporter), said, str(report.get_state_display()))


def _message(game: Game, message: Message) -> TimelineRow:
    hidden = gettext("hidden from everybody") if message.hidden_at else ""
    return TimelineRow(str(message.author), message.text, hidden)


def _source(name: str, label: Promise, at: str, line: Any, rows: Any) -> None:
    register(Source(name, label, rows, at, line))


_source(
    "turn",
    gettext_lazy("turn played"),
    "played_at",
    _turn,
    lambda game: list(game.turns.all()),  # the page has loaded all of them, for the board
)
_source(
    "event",
    gettext_lazy("event"),
    "at",
    _event,
    # The record tells of turns already, and messages stand for themselves.
    lambda game: game.events.exclude(
        kind__in=[Event.Kind.TURN_PLAYED, Event.Kind.MESSAGE_SAID]
    ).select_related("actor", "invitation__user"),
)
_source(
    "message",
    gettext_lazy("message"),
    "said_at",
    _message,
    lambda game: game.messages.select_related("author"),
)
_source(
    "offer",
    gettext_lazy("offer"),
    "made_at",
    _offer,
    lambda game: game.offers.select_related("seat__user"),
)
_source(
    "report",
    gettext_lazy("report"),
    "made_at",
    _report,
    lambda game: game.reports.select_related("reporter", "person"),
)
