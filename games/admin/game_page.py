"""What the page of a game shows to moderators."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Prefetch, prefetch_related_objects
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from games.admin.details import labelled
from games.admin.timeline import timeline
from games.clock.durations import span_in_words as span
from games.models import Act, Game, Seat, Turn
from games.queries import moment_between, words_of_moment
from games.render.svg import board_svg
from games.rules.base import positions
from games.rules.registry import UnknownGame
from games.services.moderation.staleness import changes
from games.services.record import faults_in
from games.templatetags.boards import ending_words, options_of

UNKNOWN = "—"


def game_at(number: int) -> Game | None:
    """Return a game with its people and its turns, None where there is none of that number.

    One query for the turns, and one for all the rest (there is no game without seats), with the
    number of the newest act that changed something.
    """
    everybody = ("user", "played_by_partner", "game__creator")
    acts = changes(Act.objects.filter(game=OuterRef("game"))).order_by("-number")
    seats = list(
        Seat.objects.filter(game=number)
        .select_related(*everybody)
        .annotate(newest_act=acts.values("number")[:1])
    )
    if not seats:
        return None
    game = seats[0].game
    game._prefetched_objects_cache = {"seats": seats}  # type: ignore[attr-defined]
    game.newest_act = seats[0].newest_act or 0  # type: ignore[attr-defined]
    prefetch_related_objects([game], Prefetch("turns", Turn.objects.select_related("player")))
    return game


def game_page_context(
    game: Game, *, turn: str, before: str, shows_addresses: bool, now: datetime
) -> dict[str, Any]:
    """Return the context of admin/games/game/page.html.

    `turn` is the number of the turn to draw, as typed (the newest unless it is one); `before` is
    where the page of the timeline begins.
    """
    turns = list(game.turns.all())
    shown = int(turn) if turn.isascii() and turn.isdigit() and len(turn) < 10 else len(turns)  # noqa: PLR2004
    shown = min(shown, len(turns))
    return {
        "game": game,
        "drawn": _drawn(game, turns, shown),
        "shown": shown,
        "last": len(turns),
        "previous": shown - 1 if shown else None,
        "next": shown + 1 if shown < len(turns) else None,
        "faults": _faults(game, turns),
        "clock": _clock(game, now),
        "seats": [_seat_row(game, seat) for seat in game.seats.all()],
        "facts": _facts(game),
        "page": timeline(game, before, shows_addresses=shows_addresses),
        "before": before,
    }


@dataclass(frozen=True)
class Drawn:
    """A drawing, and what led to it."""

    svg: SafeString | str
    words: str


def _drawn(game: Game, turns: list[Turn], shown: int) -> Drawn:
    """Draw the position after `shown` entries, in colours of its own: no stylesheet is needed."""
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
    except Exception:  # whatever a bent record makes of the rules
        return Drawn(UNKNOWN, "")
    # The renderer escapes all that it writes.
    drawing = board_svg(board, title=game.name, description=words, theme="print", translate=gettext)
    return Drawn(SafeString(drawing), words)


def _faults(game: Game, turns: list[Turn]) -> list[str]:
    try:
        return [str(fault.what) for fault in faults_in(game, turns)]
    except UnknownGame:
        return [_("This game is not installed here.")]


def _clock(game: Game, now: datetime) -> str:
    """Return how the time stands, in a sentence."""
    if game.seat_to_move is None or game.time_left is None:
        return ""
    mover = next((s.player for s in game.seats.all() if s.number == game.seat_to_move), None)
    if game.stopped_at is not None:
        said = _(
            "%(name)s is to move. The clock has been stopped since %(since)s (%(why)s), with "
            "%(left)s left."
        ) % {
            "name": mover,
            "since": _moment(game.stopped_at),
            "why": game.get_stop_reason_display(),
            "left": span(game.time_left),
        }
        if game.stopped_until is None:
            return said
        return said + " " + _("It does so until %(when)s.") % {"when": _moment(game.stopped_until)}
    if game.deadline is None:
        return ""
    when = {"name": mover, "when": _moment(game.deadline)}
    if game.deadline <= now:
        return _("%(name)s is to move, and was until %(when)s: the time is over.") % when
    left = span(game.deadline - now)
    return _("%(name)s is to move, until %(when)s: %(left)s left.") % (when | {"left": left})


def _moment(when: datetime) -> str:
    return date_format(timezone.localtime(when), "DATETIME_FORMAT")


def _seat_row(game: Game, seat: Seat) -> dict[str, Any]:
    try:
        called = game.rules.seat_name(game.options, seat.number).translated(gettext)
    except UnknownGame:
        called = UNKNOWN
    return {
        "seat": seat,
        "called": called,
        "to_move": seat.number == game.seat_to_move,
        "time": span(seat.time_left) if seat.time_left else UNKNOWN,
    }


def _facts(game: Game) -> list[tuple[str, object]]:
    """Return what was agreed and when, in words."""
    pace = labelled(game.get_pace_display(), span(game.allowance))
    times = [
        (_("made"), game.created_at),
        (_("begun"), game.started_at),
        (_("ended"), game.ended_at),
        (_("conversation closed"), game.conversation_closed_at),
    ]
    facts: list[tuple[str, object]] = [
        (_("status"), game.get_status_display()),
        (_("ending"), _ending(game)),
        (_("open to"), _("everybody") if game.is_public else _("its players")),
        (_("created by"), game.creator),
        (_("pace"), pace),
        (_("bank"), span(game.bank) if game.bank else ""),
        (_("when time runs out"), _on_timeout(game)),
        *[(label, _moment(when)) for label, when in times if when],
    ]
    return [(label, value) for label, value in [*facts, *_options(game)] if value]


def _on_timeout(game: Game) -> str:
    """Return what the table agreed for who runs out of time; of two the other wins anyway."""
    return game.get_on_timeout_display() if len(game.seats.all()) > 2 else ""  # noqa: PLR2004


def _ending(game: Game) -> str:
    if not game.ending:
        return ""
    try:
        return ending_words(game)
    except UnknownGame:
        return game.ending


def _options(game: Game) -> list[tuple[str, str]]:
    try:
        return options_of(game)
    except UnknownGame:
        return []
