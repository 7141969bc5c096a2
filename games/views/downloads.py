"""A position of a game as text, SVG or PNG, and the whole game as an animation."""

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.views import too_many_requests
from games import errors
from games.models import Game
from games.plain_text import one_line
from games.queries.positions import Moment, moment_at, moments_of, notations
from games.queries.seats import Viewer, seat_played
from games.record_text import entries_of
from games.render.animation import board_gif
from games.render.svg import board_svg
from games.render.text import board_text
from games.render.tiles import board_png
from games.rules.board import Board
from games.templatetags.boards import ending_words, points_words, result_words
from games.views.page import visible_game

PICTURE_WIDTH = 1200
"""Pixels of a position that is downloaded as PNG."""


@require_safe
@never_cache
def position(request: HttpRequest, pk: int, number: int, kind: str) -> HttpResponse:
    """Answer the position after `number` turns as a file; `kind` is "txt", "svg" or "png"."""
    game = visible_game(request, pk)
    if game.started_at is None or number > game.turn_number:
        raise errors.NoSuchGame
    board = _board(game, request.user, moment_at(game, number))
    name = f"{game.rules_slug}-{game.pk}-{number}.{kind}"
    if kind == "txt":
        return _file(game_text(game, number, board), name, "text/plain; charset=utf-8")
    if kind == "svg":
        title = f"{gettext(game.rules.name)} #{game.pk}"
        drawn = board_svg(board, title=title, description="", theme="print", translate=gettext)
        return _file(drawn, name, "image/svg+xml")
    if kind == "png":
        drawn_png = board_png(board, width=PICTURE_WIDTH, translate=gettext)
        return _file(drawn_png, name, "image/png")
    raise errors.NoSuchGame


@require_POST
@never_cache
def animation(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer all positions of a game one after the other, as GIF.

    It is much work: programs that follow every link do not send forms, and forms are counted.
    """
    game = visible_game(request, pk)
    if game.started_at is None:
        raise errors.NoSuchGame
    if not ratelimit.consume(request, action="animation"):
        return too_many_requests(request)
    moments = moments_of(game, notations(game, game.turn_number))
    boards = [_board(game, request.user, moment) for moment in moments]
    name = f"{game.rules_slug}-{game.pk}.gif"
    return _file(board_gif(boards, translate=gettext), name, "image/gif")


def _board(game: Game, viewer: Viewer, moment: Moment) -> Board:
    """Return the drawing of a position as the page of the game shows it."""
    seat = seat_played(game, viewer)
    board = game.rules.board(moment.position, seat.number if seat else None, moment.actions)
    return board.turned(game.turned_by)


def _file(content: str | bytes, name: str, content_type: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)


def game_text(game: Game, number: int, board: Board) -> str:
    """Return a game until turn `number` for people, in the active language, with the board then."""
    head = [f"{gettext(game.rules.name)} #{game.pk}", settings.SITE_URL + game.get_absolute_url()]
    seats = {
        one_line(seat.user): game.rules.seat_name(game.options, seat.number).translated(gettext)
        for seat in game.all_seats
    }
    names = [f"{name} ({seat})" for name, seat in seats.items()]
    facts = [_("Players: %(names)s") % {"names": ", ".join(names)}]
    if game.started_at is not None:
        begun = date_format(game.started_at, "DATETIME_FORMAT")
        facts.append(_("Begun: %(when)s") % {"when": begun})
    if game.ended_at is not None:
        ended = date_format(game.ended_at, "DATETIME_FORMAT")
        facts.append(_("Ended: %(when)s") % {"when": ended})
        result = [result_words(game, AnonymousUser()), ending_words(game), points_words(game)]
        facts.append(_("Result: %(result)s") % {"result": " ".join(filter(None, result))})
    entries = entries_of(game)[:number]
    width = len(str(len(entries)))
    turns = [
        f"{entry.number:>{width}}. {entry.notation}  {entry.player} {entry.words}".rstrip()
        for entry in entries
    ]
    shown = _("The start of the game")
    if number:
        values = {"number": number, "all": game.turn_number}
        shown = _("Turn {number} of {all}").format(**values)
    parts = [head, facts, turns, [shown, "", board_text(board, translate=gettext)]]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"
