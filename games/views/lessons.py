"""What a teacher said of a game's turns, and lessons that begin in one of its positions."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors
from games.services import lessons
from games.services.levels import LOWEST
from games.views.page import parse_int_or_none, visible_game


@login_required
@require_POST
def ask_teacher(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Have the turns of a game that is over judged."""
    game = visible_game(request, pk)
    lessons.ask_teacher(game_id=pk, user=request.user, now=server_now())
    messages.success(request, _("A teacher is looking at the turns. Come back in a while."))
    return redirect(game)


@login_required
@require_POST
def play_again(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Begin a lesson from the position after a turn (`turn`) against a program (`level`)."""
    game = visible_game(request, pk)
    turn = parse_int_or_none(request.POST.get("turn", ""))
    if turn is None or turn > game.turn_number:
        raise errors.NoSuchTurn(last=game.turn_number)
    level = parse_int_or_none(request.POST.get("level", "")) or LOWEST
    lesson = lessons.play_again(
        game=game, turn=turn, user=request.user, level=level, now=server_now()
    )
    messages.success(request, _("The lesson begins where the other game stood."))
    return redirect(lesson)
