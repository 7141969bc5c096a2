"""A game as one row of the home page: HTML that is remembered while the game stays the same."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from accounts.names import shown_name
from accounts.paths import page_path
from games.clock.durations import distance_in_words, pace_in_words
from games.clock.snoozes import is_urgent, snooze_words
from games.models import Game
from games.models.game import name_of_game
from games.queries.board_images import NO_SEAT, board_image_address
from games.queries.home import ListedGame

KEPT = 2000
"""How many rows a process remembers: some megabytes."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a row: the user's key, language and time zone."""

    user: int
    language: str | None
    zone: str


def game_rows(
    games: Iterable[ListedGame],
    reader: Reader,
    *,
    away: Mapping[int, datetime],
    now: datetime,
    is_mine: bool = False,
) -> list[SafeString]:
    """Return the rows of games in the active language and time zone, which are the reader's.

    `away` is until when players are away; `is_mine` says that it is the reader's turn.
    """
    rows = []
    for game in games:
        others = (seat.user for seat in game.seats if seat.user not in (None, reader.user))
        absences = tuple((user, away[user]) for user in others if user is not None and user in away)
        snoozed = game.snoozed_until(now) if is_mine else None
        snooze = snooze_words(snoozed, now) if snoozed else ""
        before, after = _row_html(game, reader, absences, is_mine=is_mine, snooze=snooze)
        due = "" if game.deadline is None else due_in_words(game.deadline, now)
        if is_mine and is_urgent(game.deadline, now):
            mark = '<strong class="badge badge-late">{}</strong> {}'
            due = format_html(mark, _("less than a day"), due)
        if due:
            due = format_html("<span data-due>{}</span>", due)  # leaves without a network
        rows.append(SafeString(f"{before}{conditional_escape(due)}{after}"))
    return rows


@lru_cache(KEPT)
def _row_html(
    game: ListedGame,
    reader: Reader,
    absences: tuple[tuple[int, datetime], ...],
    *,
    is_mine: bool,
    snooze: str,
) -> tuple[str, str]:
    """Return the HTML before and after the words that say when the turn is due, which change."""
    played = game.seat_played(reader.user)
    names = {
        seat.user: shown_name(seat.username, seat.display_name, is_bot=seat.is_bot)
        for seat in game.seats
        if seat.user not in (None, reader.user)
    }
    others = _("with %(names)s") % {"names": ", ".join(names.values())}
    badge, badge_kind = _badge(game, reader, is_mine=is_mine)
    if snooze:
        badge, badge_kind = _("Snoozed until %(when)s") % {"when": snooze}, ""
    to_move = next((one.mover for one in game.seats if one.number == game.seat_to_move), None)
    if len(names) > 1 and to_move in names:  # of two players it can only be the other
        badge = _("%(name)s to move") % {"name": names[to_move]}
    status, when, iso = _status(game)
    context = {
        "url": page_path("game", game.pk),
        "image": board_image_address(
            game.pk, game.turn_number, NO_SEAT if played is None else played.number
        ),
        "number": game.pk,
        "name": name_of_game(game.rules_slug),
        "others": others if names else _("waiting for players"),
        "pace": pace_in_words(game.pace),
        "absences": [_absence(names[user], until) for user, until in absences],
        "is_mine": is_mine,
        "badge": badge,
        "badge_kind": badge_kind,
        "marks": _marks(game),
        "snooze": snooze,
        "status": status,
        "when": when,
        "iso": iso,
    }
    before, _mark, after = render_to_string("games/_game_row.html", context).partition("<!--due-->")
    return before, after


def _badge(game: ListedGame, reader: Reader, *, is_mine: bool) -> tuple[str, str]:
    """Return whose turn it is or how the game ended for the reader, and the badge's class."""
    if is_mine:
        return _("your turn"), "badge-turn"
    if game.ended_at is None:
        return "", ""
    if game.status != Game.Status.FINISHED:
        return _("aborted"), ""
    seat = game.seat_of(reader.user)
    if len({one.place for one in game.seats}) == 1:
        return _("drawn"), ""
    if seat is not None and seat.place == 1:
        return _("won"), "badge-good"
    return _("lost"), ""


def _marks(game: ListedGame) -> list[str]:
    """Return what else waits for the reader: an offer, messages."""
    marks = [_("offer")] if game.has_offer else []
    if game.new_messages:
        words = ngettext("new message", "%(count)s new messages", game.new_messages)
        marks.append(words % {"count": game.new_messages})
    return marks


def due_in_words(deadline: datetime, now: datetime) -> str:
    """Return how far ahead a deadline lies: "due in 3 days"."""
    left = deadline - now
    if left <= timedelta():
        return _("the time is over")
    return _("due in %(time)s") % {"time": distance_in_words(left)}


def _absence(name: str, until: datetime) -> str:
    when = date_format(timezone.localtime(until), "SHORT_DATETIME_FORMAT")
    return _("%(name)s is away until %(when)s") % {"name": name, "when": when}


def _status(game: ListedGame) -> tuple[str, str, str]:
    """Return what a row says of time: the words, the time after them, and that in ISO form."""
    if game.deadline:
        local = timezone.localtime(game.deadline)
        return "", f"({date_format(local, 'SHORT_DATETIME_FORMAT')})", local.isoformat()
    if game.stop_reason:
        words = _("the clock is stopped")
        if game.stopped_until is None:
            return words, "", ""
        local = timezone.localtime(game.stopped_until)
        when = date_format(local, "SHORT_DATETIME_FORMAT")
        return words, _("(until %(when)s)") % {"when": when}, local.isoformat()
    if game.ended_at:
        local = timezone.localtime(game.ended_at)
        return "", date_format(local, "DATE_FORMAT"), local.isoformat()
    if game.expires_at:
        day = date_format(timezone.localtime(game.expires_at), "DATE_FORMAT")
        return _("open until %(day)s") % {"day": day}, "", ""
    return "", "", ""


def row_reader(user: int) -> Reader:
    """Return a user as the reader of a page, with the active language and time zone."""
    return Reader(user, get_language(), timezone.get_current_timezone_name())
