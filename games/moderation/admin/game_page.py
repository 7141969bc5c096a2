"""What the page of a game shows to moderators."""

from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, prefetch_related_objects
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.clock.durations import distance_in_words
from games.clock.durations import span_in_words as span
from games.models import Game, ModerationLogEntry, Seat, Turn
from games.moderation.admin.details import labelled
from games.moderation.admin.timeline import timeline
from games.moderation.base import only_changes
from games.queries.positions import moment_between, words_of_moment
from games.render.svg import board_svg
from games.rules.entries import positions
from games.rules.registry import UnknownGame
from games.services.endings import COMPETITION_GAMES
from games.services.record import faults_in
from games.templatetags.boards import ending_words, options_of

UNKNOWN = "—"


def load_game(number: int) -> Game | None:
    """Return a game with its people, its turns and two facts, None if there is no such game.

    `newest_entry` is the number of the newest log entry that changed something, `in_competition`
    what `is_competition_game` says. One query for the turns, and one for all the rest (there is no
    game without seats).
    """
    entries = only_changes(ModerationLogEntry.objects.filter(game=OuterRef("game"))).order_by(
        "-number"
    )
    kinds = [Exists(model.objects.filter(game=OuterRef("game"))) for model in COMPETITION_GAMES]
    seats = list(
        Seat.objects.filter(game=number)
        .select_related("user", "played_by_partner", "game__creator")
        .annotate(
            newest_entry=entries.values("number")[:1],
            in_competition=reduce(or_, kinds),
        )
    )
    if not seats:
        return None
    game = seats[0].game
    game._prefetched_objects_cache = {"seats": seats}  # type: ignore[attr-defined]
    game.newest_entry = seats[0].newest_entry or 0  # type: ignore[attr-defined]
    game.in_competition = seats[0].in_competition  # type: ignore[attr-defined]
    prefetch_related_objects([game], Prefetch("turns", Turn.objects.select_related("player")))
    return game


def game_page_context(
    game: Game,
    *,
    turn: str,
    before: str,
    shows_addresses: bool,
    shows_reports: bool,
    now: datetime,
) -> dict[str, Any]:
    """Return the context of admin/games/game/page.html.

    `turn` is the number of the turn to draw, as typed (the newest if it is no number); `before` is
    where the page of the timeline begins.
    """
    turns = list(game.turns.all())
    is_number = turn.isascii() and turn.isdigit() and len(turn) < 10  # noqa: PLR2004
    shown = min(int(turn), len(turns)) if is_number else len(turns)
    drawing, words = draw_position(game, turns, shown)
    try:
        faults = [str(fault.what) for fault in faults_in(game, turns)]
    except UnknownGame:
        faults = [_("This game is not installed here.")]
    return {
        "game": game,
        "drawing": drawing,
        "words": words,
        "shown": shown,
        "last": len(turns),
        "previous": shown - 1 if shown else None,
        "next": shown + 1 if shown < len(turns) else None,
        "faults": faults,
        "clock": describe_clock(game, now),
        "seats": [
            {
                "seat": seat,
                "called": seat_name(game, seat),
                "to_move": seat.number == game.seat_to_move,
                "time": span(seat.time_left) if seat.time_left else UNKNOWN,
            }
            for seat in game.seats.all()
        ],
        "facts": agreed_terms(game),
        "page": timeline(
            game, before, shows_addresses=shows_addresses, shows_reports=shows_reports
        ),
        "before": before,
    }


def draw_position(game: Game, turns: list[Turn], shown: int) -> tuple[SafeString | str, str]:
    """Return a drawing of the position after `shown` entries, and the last of them in words."""
    try:
        rules = game.rules
        entries = [turn.notation for turn in turns[:shown]]
        found = positions(rules, game.options, entries)
        words, last = "", ()
        if entries:
            moment = moment_between(rules, found[-2], found[-1], entries[-1])
            does, last = words_of_moment(game, moment), moment.actions
            words = _("%(name)s %(does)s.") % {"name": turns[shown - 1].player, "does": does}
        board = rules.board(found[-1], None, last)
    except Exception:  # a broken record may break the rules in any way
        return UNKNOWN, ""
    # The theme has its own colours: no stylesheet is needed. The renderer escapes what it writes.
    drawing = board_svg(board, title=game.name, description=words, translate=_)
    return SafeString(drawing), words


def describe_clock(game: Game, now: datetime) -> str:
    """Return the state of the clock in a sentence."""
    if game.seat_to_move is None or game.time_left is None:
        return ""
    mover = next((s.player for s in game.seats.all() if s.number == game.seat_to_move), None)
    if game.deadline is not None:
        when = {"name": mover, "when": _moment(game.deadline)}
        if game.deadline <= now:
            return _("%(name)s is to move, and was until %(when)s: the time is over.") % when
        distance = {"distance": distance_in_words(game.deadline - now)}
        return _("%(name)s is to move, until %(when)s, in %(distance)s.") % (when | distance)
    assert game.stopped_at is not None  # noqa: S101  (the database allows nothing else)
    stopped = _(
        "%(name)s is to move. The clock has been stopped since %(since)s (%(why)s), with "
        "%(left)s left."
    ) % {
        "name": mover,
        "since": _moment(game.stopped_at),
        "why": game.get_stop_reason_display(),
        "left": span(game.time_left),
    }
    if game.stopped_until is None:
        return stopped
    until = _("It does so until %(when)s.") % {"when": _moment(game.stopped_until)}
    return f"{stopped} {until}"


def _moment(when: datetime) -> str:
    return date_format(timezone.localtime(when), "DATETIME_FORMAT")


def seat_name(game: Game, seat: Seat) -> str:
    try:
        return game.rules.seat_name(game.options, seat.number).translated(_)
    except UnknownGame:
        return UNKNOWN


def agreed_terms(game: Game) -> list[tuple[str, object]]:
    """Return labels and values: what the table agreed on, and when what happened."""
    try:
        ending, options = ending_words(game) if game.ending else "", options_of(game)
    except UnknownGame:
        ending, options = game.ending, []
    times = [
        (_("made"), game.created_at),
        (_("begun"), game.started_at),
        (_("ended"), game.ended_at),
        (_("conversation closed"), game.conversation_closed_at),
    ]
    # Of two players the other wins: the table's terms decide only where there are more.
    on_timeout = game.get_on_timeout_display() if len(game.seats.all()) > 2 else ""  # noqa: PLR2004
    facts: list[tuple[str, object]] = [
        (_("status"), game.get_status_display()),
        (_("ending"), ending),
        (_("open to"), _("everybody") if game.is_public else _("its players")),
        (_("created by"), game.creator),
        (_("pace"), labelled(game.get_pace_display(), span(game.allowance))),
        (_("bank"), span(game.bank) if game.bank else ""),
        (_("when time runs out"), on_timeout),
        *[(label, _moment(when)) for label, when in times if when],
        *options,
    ]
    return [(label, value) for label, value in facts if value]
