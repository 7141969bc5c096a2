"""A game as one row of a list: every word of it, so that a template has nothing to compute."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from accounts.models import User
from games.clock.durations import pace_in_words, span_in_words
from games.clock.time_control import TimeControl
from games.models import Game
from games.queries.board_images import board_image_url
from games.queries.seats import opponents_of, seat_of


@dataclass(frozen=True, slots=True)
class GameRow:
    """What a row says; sentences are in the active language, empty where there is none.

    `kind` and `badge_kind` are classes. `status` is followed by `when`; `iso` is that time, too.
    """

    url: str
    image: str
    number: int
    name: str
    others: str
    pace: str
    away: list[str]
    kind: str
    badge: str
    badge_kind: str
    status: str
    when: str
    iso: str


def game_rows(
    games: Iterable[Game],
    viewer: User,
    *,
    away: Mapping[int, datetime],
    now: datetime,
    is_mine: bool = False,
) -> list[GameRow]:
    """Return the rows of games whose seats and players are loaded.

    `away` is until when players are away; `is_mine` says that it is the viewer's turn.
    """
    paces: dict[TimeControl, str] = {}
    zone = timezone.get_current_timezone()
    rows = []
    for game in games:
        others = opponents_of(game, viewer)
        pace = game.time_control
        if pace not in paces:
            paces[pace] = pace_in_words(pace)
        badge, badge_kind = _badge(game, viewer, is_mine=is_mine)
        status, when, iso = _status(game, now, zone)
        rows.append(
            GameRow(
                url=game.get_absolute_url(),
                image=board_image_url(game, viewer),
                number=game.pk,
                name=game.name,
                others=_("with %(names)s") % {"names": ", ".join(map(str, others))}
                if others
                else _("waiting for players"),
                pace=paces[pace],
                away=[_absence(other, away[other.pk]) for other in others if other.pk in away],
                kind=" game-row-mine" if is_mine else "",
                badge=badge,
                badge_kind=badge_kind,
                status=status,
                when=when,
                iso=iso,
            )
        )
    return rows


def _badge(game: Game, viewer: User, *, is_mine: bool) -> tuple[str, str]:
    """Return whose turn it is or how the game ended for the viewer, and the badge's class."""
    if is_mine:
        return _("your turn"), "badge-turn"
    if game.ended_at is None:
        return "", ""
    if game.status != Game.Status.FINISHED:
        return _("aborted"), ""
    seat = seat_of(game, viewer)
    if len({one.place for one in game.all_seats}) == 1:
        return _("drawn"), ""
    if seat is not None and seat.place == 1:
        return _("won"), "badge-good"
    return _("lost"), ""


def due_in_words(deadline: datetime, now: datetime) -> str:
    """Return how far ahead a deadline lies: "due in 3 days"."""
    left = deadline - now
    if left <= timedelta():
        return _("the time is over")
    is_short = left < timedelta(minutes=1)
    time = span_in_words(left) if is_short else timeuntil(deadline, now)
    return _("due in %(time)s") % {"time": time}


def _absence(person: User, until: datetime) -> str:
    when = date_format(timezone.localtime(until), "SHORT_DATETIME_FORMAT")
    return _("%(name)s is away until %(when)s") % {"name": person, "when": when}


def _status(game: Game, now: datetime, zone: tzinfo) -> tuple[str, str, str]:
    """Return what a row says of time: the words, the time after them, and that in ISO form."""
    if game.deadline:
        local = game.deadline.astimezone(zone)
        when = date_format(local, "SHORT_DATETIME_FORMAT")
        return due_in_words(game.deadline, now), f"({when})", local.isoformat()
    if game.stop_reason:
        words = _("the clock is stopped")
        if game.stopped_until is None:
            return words, "", ""
        local = game.stopped_until.astimezone(zone)
        when = date_format(local, "SHORT_DATETIME_FORMAT")
        return words, _("(until %(when)s)") % {"when": when}, local.isoformat()
    if game.ended_at:
        local = game.ended_at.astimezone(zone)
        return "", date_format(local, "DATE_FORMAT"), local.isoformat()
    if game.expires_at:
        day = date_format(game.expires_at.astimezone(zone), "DATE_FORMAT")
        return _("open until %(day)s") % {"day": day}, "", ""
    return "", "", ""
