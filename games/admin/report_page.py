"""What the page of a report shows: the words, and the message or the game around them."""

from typing import Any

from django.db.models import Q
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.models import User
from games.models import Game, Message, Report
from games.queries import moment_at, words_of_moment
from games.render.svg import board_svg

AROUND = 6
"""How many messages are shown before the reported one, and after."""


def report_page_context(report: Report, viewer: User) -> dict[str, Any]:
    """Return the context of admin/games/report/page.html."""
    game, message = report.game, report.message
    return {
        "report": report,
        "game": game,
        "drawing": _drawing(game, message.turn_number if message else None) if game else "",
        "shown": message.turn_number if message else game.turn_number if game else 0,
        "conversation": _around(message) if message else _newest(game) if game else [],
        "others": _others(report, viewer),
        "about_viewer": report.person_id == viewer.pk,
    }


def _around(message: Message) -> list[Message]:
    """Return what was said around a message, first things first."""
    said = Message.objects.filter(game=message.game_id).select_related("author")
    before = said.filter(pk__lte=message.pk).order_by("-pk")[: AROUND + 1]
    after = said.filter(pk__gt=message.pk).order_by("pk")[:AROUND]
    return [*reversed(before), *after]


def _newest(game: Game) -> list[Message]:
    said = game.messages.select_related("author").order_by("-pk")
    return list(reversed(said[: 2 * AROUND]))


def _drawing(game: Game, number: int | None) -> SafeString | str:
    """Draw the position after `number` turns (the newest when None); nothing at an open table."""
    if game.started_at is None:
        return ""
    try:
        moment = moment_at(game, number)
        board = game.rules.board(moment.position, None, moment.actions)
    except Exception:  # whatever a bent record makes of the rules
        return ""
    # The renderer escapes all that it writes.
    words = words_of_moment(game, moment) if number else ""
    drawing = board_svg(board, title=game.name, description=words, theme="print", translate=gettext)
    return SafeString(drawing)


def _others(report: Report, viewer: User) -> list[Report]:
    """Return the newest other reports about the same person or game, but none about the viewer."""
    same = Q(person=report.person_id) if report.person_id else Q(game=report.game_id)
    others = Report.objects.filter(same).exclude(pk=report.pk).exclude(person=viewer)
    return list(others.select_related("reporter").order_by("-pk")[:10])
