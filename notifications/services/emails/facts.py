"""What every mail about a game may say of it."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.models.vacation import away_until
from games.clock.clock import StopReason
from games.clock.durations import pace_in_words
from games.models import Game, Message
from games.queries import board_of, opponents_of, player_at, seat_played
from games.queries.clock_display import StoppedClock, clock_view
from games.render.text import board_text
from notifications.services.emails.date_formats import (
    format_day_and_time,
    format_moment,
    format_time_left,
)
from notifications.services.emails.names import plain
from notifications.services.emails.results import last_turn
from notifications.services.mailed_messages import MOST, untold

Facts = dict[str, Any]


def game_facts(game: Game, reader: User | None, now: datetime) -> Facts:
    """Return what any letter about a game may say, its seats' people loaded."""
    facts = _of_game(game, reader) | _of_clock(game, reader, now)
    return facts | _of_absences(game, reader, now) | _of_messages(game, reader)


def _of_game(game: Game, reader: User | None) -> Facts:
    viewer = reader or AnonymousUser()
    begun = game.started_at is not None
    board = board_of(game, viewer) if begun else None
    return {
        "game_name": gettext(game.rules.name),
        "number": game.pk,
        "reader": plain(reader) if reader else "",
        "opponents": ", ".join(plain(user) for user in opponents_of(game, viewer)),
        "pace": pace_in_words(game.terms.pace),
        "url": settings.SITE_URL + game.get_absolute_url(),
        "board": board,
        "board_text": board_text(board, translate=gettext) if board else "",
        "last_turn": last_turn(game) if begun else "",
    }


def _of_clock(game: Game, reader: User | None, now: datetime) -> Facts:
    times = clock_view(game, now=now)
    if times is None or game.seat_to_move is None:
        return {"my_turn": False}
    mover = player_at(game, game.seat_to_move)
    seat = seat_played(game, reader) if reader else None
    is_held = game.stop_reason == StopReason.MODERATOR  # nobody can play then
    stands_in = seat is not None and seat.played_by_partner_id is not None and mover == reader
    return {
        "my_turn": mover is not None and mover == reader and not is_held,
        "mover": plain(mover or ""),
        "plays_for": plain(seat.user) if seat and stands_in else "",
        "deadline": format_moment(times.deadline) if times.deadline else "",
        "left": format_time_left(times.deadline - now) if times.deadline else "",
        "times": [
            _("%(name)s: %(time)s") % {"name": plain(time.seat.user), "time": time.words}
            for time in times.seats
        ],
        "remark": times.remark,
        **_of_standing(times.stopped),
    }


def _of_standing(standing: StoppedClock | None) -> Facts:
    """Return why the clock stands, and until when, where it does."""
    if standing is None:
        return {"standing": "", "stands_until": ""}
    until = format_moment(standing.until) if standing.until else ""
    return {"standing": plain(standing.sentence), "stands_until": until}


def _of_messages(game: Game, reader: User | None) -> Facts:
    """Return what the others said since the reader's last mail about the game: the newest."""
    said = untold(reader, game) if reader else []
    return {
        "messages": [message_facts(message) for message in said[-MOST:]],
        "messages_left_out": max(0, len(said) - MOST),
        "newest_message": said[-1].pk if said else 0,
    }


def message_facts(message: Message) -> Facts:
    """Return what a letter says of a message, in the active language and zone."""
    return {
        "author": plain(message.author),
        "when": format_day_and_time(message.said_at),
        "turn": message.turn_number,
        "text": message.text,
        "lines": message.text.splitlines(),
    }


def _of_absences(game: Game, reader: User | None, now: datetime) -> Facts:
    """Return a sentence for each of the others who is away."""
    if game.is_over:
        return {"away": []}
    others = opponents_of(game, reader or AnonymousUser())
    until = away_until([other.pk for other in others], now)
    return {
        "away": [
            _("%(name)s is away until %(when)s.")
            % {"name": plain(other), "when": format_moment(until[other.pk])}
            for other in others
            if other.pk in until
        ]
    }
