"""The rules of each game, to read."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import errors
from games.render.picture import board_picture
from games.rulebook import rulebook_html
from games.rules.board import Board
from games.rules.registry import UnknownGame, all_rules, rules_for


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List every game with its drawing and one sentence."""
    return render(request, "games/rules_index.html", {"all_rules": all_rules()})


@require_safe
def rulebook(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's rulebook in the reader's language."""
    try:
        rules = rules_for(slug)
    except UnknownGame:
        raise errors.UnknownRules from None
    html = rulebook_html(slug, (get_language() or "en")[:2], _draw)
    context = {"rules": rules, "rulebook": html, "name": gettext(rules.name)}
    return render(request, "games/rulebook.html", context)


def _draw(board: Board) -> str:
    return board_picture(board, title=_("An example"), translate=gettext)
