"""Names, times, moves, results and reply help as text, in the active language and time zone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext as _

from accounts.models import User
from games.clock.durations import distance_in_words
from games.models import Ending, Event, Game, Turn
from games.plain_text import one_line
from games.queries.positions import Moment, position_at, words_of_moment
from games.queries.seats import player_at

plain = one_line
"""A name or other text of players as one line, safe in a mail's text and headers."""


def format_moment(moment: datetime) -> str:
    """Return "Sunday 29 November 2026, 18:40 (Europe/Paris)" in the active time zone."""
    local = timezone.localtime(moment)
    # Translators: how a moment is written, in the letters of Django's date filter.
    when = date_format(local, pgettext("date format", "l j F Y, H:i"))
    return _("%(when)s (%(zone)s)") % {
        "when": when,
        "zone": timezone.get_current_timezone_name(),
    }


def format_day_and_time(moment: datetime) -> str:
    """Return "29 November, 18:40" in the active time zone."""
    # Translators: how a moment of these days is written, in the letters of Django's date filter.
    return date_format(timezone.localtime(moment), pgettext("date format", "j F, H:i"))


def format_time_left(left: timedelta) -> str:
    """Return how far ahead something is ("in 3 days"), rounded."""
    if left < timedelta(minutes=1):
        return _("now")
    return _("in %(span)s") % {"span": distance_in_words(left)}


def format_legal_moves(game: Game) -> list[str]:
    """Return every legal notation of a running game; none where finding them is part of it."""
    rules, position = game.rules, position_at(game)
    if rules.hides_legal_actions(position):
        return []
    return [rules.format(position, action) for action in rules.legal_actions(position)]


def example_turns(game: Game) -> tuple[str, ...]:
    """Return whole legal turns of a running game as examples, one for each kind of turn."""
    return game.rules.example_turns(position_at(game))


def format_last_turn(game: Game, turn: Turn, moment: Moment) -> str:
    """Return what was played last, as a sentence: `turn`, which led to `moment`."""
    words = words_of_moment(game, moment)
    return _("%(name)s %(does)s.") % {"name": plain(turn.player), "does": words}


def format_standings(game: Game) -> list[str]:
    """Return each player's place, a line each, in a game with points or more than two players."""
    seats = sorted(
        (seat for seat in game.seats.all() if seat.place is not None),
        key=lambda seat: (seat.place, seat.number),
    )
    if len(seats) == 2 and seats[0].points is None:  # noqa: PLR2004  (the headline says it all)
        return []
    lines = []
    for seat in seats:
        values = {"place": seat.place, "name": plain(seat.user), "points": seat.points}
        if seat.points is None:
            line = _("%(place)s. %(name)s")
        else:
            line = ngettext(
                "%(place)s. %(name)s, %(points)s point",
                "%(place)s. %(name)s, %(points)s points",
                seat.points,
            )
        lines.append(line % values)
    return lines


@dataclass(frozen=True)
class Result:
    """How a game ended: for the reader in a few words, and why in a sentence."""

    headline: str
    reason: str


def format_result(game: Game, reader: User | None) -> Result:
    """Return how a game that is over ended, as `reader` sees it."""
    seats = list(game.seats.all())
    winners = [seat for seat in seats if seat.place == 1]
    if game.status != Game.Status.FINISHED:
        headline = _("The game was aborted")
    elif len(winners) == len(seats):
        headline = _("A draw")
    elif any(seat.user_id == reader.pk for seat in winners if reader):
        headline = _("You have won")
    else:
        names = ", ".join(plain(seat.user) for seat in winners)
        headline = ngettext("%(name)s has won", "%(name)s have won", len(winners)) % {"name": names}
    losers = [seat.user for seat in seats if seat.place != 1]
    return Result(headline, format_ending(game, losers, reader))


def format_ending(game: Game, losers: list[User | None], reader: User | None) -> str:
    """Return why a game ended, in a sentence for `reader`."""
    name = plain(losers[0]) if losers else ""
    match game.ending:
        case Ending.NEVER_BEGUN:
            mover = player_at(game, game.rules.to_move(game.rules.load(game.position)) or 0)
            name, sentence = plain(mover), _("%(name)s never played a turn.")
        case Ending.ABORTED:
            sentence = _("A player aborted the game before everybody had played a turn.")
        case Ending.FINAL_DAY:
            sentence = _(
                "This was its last possible day, and the game was decided by the time taken so far."
            )
        case Ending.ADJUDICATED:
            sentence = _("A moderator decided this game: %(why)s")
        case Ending.BROKEN_OFF:
            sentence = _("A moderator aborted this game: %(why)s")
        case Ending.UNREACHABLE:
            sentence = _(
                "No mail reached one of the players for a long time, and they did not come by."
            )
        case Ending.RESIGNED if len(losers) == 1:
            is_reader = losers[0] == reader
            sentence = _("You resigned.") if is_reader else _("%(name)s resigned.")
        case Ending.TIMEOUT if len(losers) == 1:
            is_reader = losers[0] == reader
            sentence = _("You ran out of time.") if is_reader else _("%(name)s ran out of time.")
        case _:
            return game.rules.reason(game.ending).translated(gettext)
    why = ""
    if game.ending in (Ending.ADJUDICATED, Ending.BROKEN_OFF):
        events = game.events.filter(kind=Event.Kind.MODERATED).order_by("-pk")
        details = events.values_list("details", flat=True).first() or {}
        why = plain(details.get("why", ""))
    return sentence % {"name": name, "why": why}


def game_subject(game: str, opponents: str, number: int) -> str:
    """Return what all mails about a game have as their subject."""
    values = {"game": game, "names": opponents, "number": number}
    if not opponents:
        return _("%(game)s (game %(number)s)") % values
    return _("%(game)s with %(names)s (game %(number)s)") % values


# How to reply: the reader may never have seen the website ---------------------------------------


def turn_help(context: Mapping[str, Any], game: Game | None) -> str:
    """Return how to play by a reply; empty if it is not the reader's turn."""
    if game is None or not context["my_turn"]:
        return ""
    how = _("To play, reply to this mail with your turn on the first line.")
    if examples := [_("“%(turn)s”") % {"turn": turn} for turn in example_turns(game)]:
        how = _("To play, reply to this mail with your turn, such as %(turns)s, on the first line.")
        how %= {"turns": _(" or ").join(examples)}
    below = _("What you write right below it is sent to the other players.")
    return " ".join([how, below, command_help()])


def command_help() -> str:
    """Return how to get the list of commands."""
    return _("“help” gets you everything that you can answer.")


def accept_help() -> str:
    """Return how to accept or decline by a reply."""
    return _("Reply to this mail with “accept” or “decline”.")
