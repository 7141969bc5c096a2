"""What every mail about a game can say of it: the context of its templates."""

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
from games.models import Game, Message, Turn
from games.models.undo import showing_ends_undo
from games.queries.clock_display import clock_view
from games.queries.conversations import messages_to
from games.queries.positions import Moment, load_position, moment_at, moment_between
from games.queries.seats import Viewer, opponents_of, player_at, seat_played
from games.render.text import board_text
from games.rules.board import Board
from games.services.undo_window import end_undo_if_unchanged
from notifications.emails.formatting import (
    format_day_and_time,
    format_last_turn,
    format_moment,
    format_time_left,
    plain,
)
from notifications.models import MailedMessages
from notifications.services import shared_reads

Context = dict[str, Any]

MOST_MESSAGES = 20
"""How many messages one mail brings from one game: the newest."""


class TurnUndone(Exception):
    """A turn or an end was undone while a mail was written that would have shown it."""


def make_end_final(game: Game, reader: User | None) -> None:
    """Let nobody undo any more that a game ended or a player left, before a mail depends on that.

    A mail that is not sent because of it would be missing if the game went on as before. What the
    reader has done themselves they can still undo. Raises TurnUndone if it was undone since the
    game was read.
    """
    if game.undo_until is None or not (game.is_over or game.undoes_departure):
        return
    if (reader is None or game.undo_by_id != reader.pk) and not end_undo_if_unchanged(game):
        raise TurnUndone


def unmailed_messages(reader: User, game: Game) -> list[Message]:
    """Return what the others wrote at the game since the reader's last mail about it."""
    reads = shared_reads.of_game(game)
    if reads is not None and reader.pk in reads.readers:
        after = reads.mailed.get((reader.pk, game.pk), 0)
        if reads.newest_messages.get(game.pk, 0) <= after:
            return []
        return messages_to(reader, game, after=after)
    mailed = MailedMessages.objects.filter(user=reader, game=game)
    newest = mailed.values_list("newest", flat=True).first()
    return messages_to(reader, game, after=newest or 0)


def game_context(game: Game, reader: User | None, now: datetime) -> Context:
    """Return what a mail can say of a game, in the active language and time zone.

    The users of its seats are loaded. Another player's newest turn can no longer be undone then.
    Raises TurnUndone if it was undone since the game was read.
    """
    seen = (game.undo_until, game.undo_by_id, reader.pk if reader else None)
    if showing_ends_undo(*seen, now=now) and not end_undo_if_unchanged(game):
        raise TurnUndone
    viewer = reader or AnonymousUser()
    opponents = opponents_of(game, viewer)
    has_begun = game.started_at is not None
    turn = shared_reads.newest_turn(game) if has_begun else None
    moment = moment_of(game, turn) if has_begun else None
    board = board_at(game, moment, viewer) if moment else None
    away = {} if game.is_over else opponents_away(game, opponents, now)
    messages = unmailed_messages(reader, game) if reader else []
    return {
        "game_name": gettext(game.rules.name),
        "number": game.pk,
        "reader": plain(reader) if reader else "",
        "opponents": ", ".join(plain(user) for user in opponents),
        "pace": pace_in_words(game.terms.pace),
        "url": settings.SITE_URL + game.get_absolute_url(),
        "board": board,
        "board_text": board_text(board, translate=gettext) if board else "",
        "last_turn": format_last_turn(game, turn, moment) if turn and moment else "",
        **clock_context(game, reader, now),
        "away": [
            _("%(name)s is away until %(when)s.")
            % {"name": plain(user), "when": format_moment(away[user.pk])}
            for user in opponents
            if user.pk in away
        ],
        "planned": planned_context(game, reader) if reader and has_begun else [],
        "messages": [message_context(message) for message in messages[-MOST_MESSAGES:]],
        "messages_left_out": max(0, len(messages) - MOST_MESSAGES),
        "newest_message": messages[-1].pk if messages else 0,
    }


def planned_context(game: Game, reader: User) -> list[str]:
    """Return a sentence for each turn that was played as the reader had planned, newest last."""
    said = _("As you planned, turn %(number)s was played for you: %(answer)s, after %(turn)s.")
    return [
        said % {"number": played.number, "answer": played.notation, "turn": played.answered}
        for played in shared_reads.planned_turns(game, reader)
    ]


def moment_of(game: Game, turn: Turn | None) -> Moment:
    """Return the newest position and how `turn`, the last entry of the record, led to it."""
    if turn is None or not game.previous_position:
        return moment_at(game)
    before = load_position(game.rules, game.previous_position)
    after = load_position(game.rules, game.position)
    return moment_between(game.rules, before, after, turn.notation)


def board_at(game: Game, moment: Moment, viewer: Viewer) -> Board:
    """Return the drawing of a moment, from the viewer's side."""
    seat = seat_played(game, viewer)
    return game.rules.board(moment.position, seat.number if seat else None, moment.actions)


def opponents_away(game: Game, opponents: list[User], now: datetime) -> dict[int, datetime]:
    """Return when opponents who are away now come back, by user id."""
    reads = shared_reads.of_game(game)
    if reads is None or reads.at != now:
        return away_until([user.pk for user in opponents], now)
    back = {user.pk: reads.interruptions.away_until(user.pk, now) for user in opponents}
    return {user_id: end for user_id, end in back.items() if end is not None}


def clock_context(game: Game, reader: User | None, now: datetime) -> Context:
    """Return the player to move, everybody's time, and why the clock is stopped if it is."""
    if game.seat_to_move is None:
        return {"my_turn": False}
    mover = player_at(game, game.seat_to_move)
    known = shared_reads.interruptions(game, mover, now)
    times = clock_view(game, now=now, interruptions=known)
    if times is None:
        return {"my_turn": False}
    seat = seat_played(game, reader) if reader else None
    has_partners_seat = seat is not None and seat.played_by_partner_id is not None
    # While a moderator pauses the game nobody can play.
    is_paused = game.stop_reason == StopReason.MODERATOR
    stopped = times.stopped
    return {
        "my_turn": mover is not None and mover == reader and not is_paused,
        "mover": plain(mover or ""),
        "plays_for": plain(seat.user) if seat and has_partners_seat and mover == reader else "",
        "deadline": format_moment(times.deadline) if times.deadline else "",
        "left": format_time_left(times.deadline - now) if times.deadline else "",
        "times": [
            _("%(name)s: %(time)s") % {"name": plain(time.seat.user), "time": time.words}
            for time in times.seats
        ],
        "remark": times.remark,
        "stop_sentence": plain(stopped.sentence) if stopped else "",
        "stopped_until": format_moment(stopped.until) if stopped and stopped.until else "",
    }


def message_context(message: Message) -> Context:
    """Return what a mail shows of a message, in the active language and time zone."""
    return {
        "author": plain(message.author),
        "when": format_day_and_time(message.said_at),
        "turn": message.turn_number,
        "text": message.text,
        "lines": message.text.splitlines(),
    }
