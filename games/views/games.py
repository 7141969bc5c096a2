"""The page of a game: the board, playing a turn, looking back."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors
from games.forms.game_page import TurnForm
from games.models import Game, Turn
from games.queries.conversations import page_fingerprint
from games.queries.page_reads import read_page
from games.queries.positions import Choice, choices_at, choices_for_script, position_at
from games.queries.replay import replay_of
from games.queries.seats import is_mover
from games.rules.base import MAX_TEXT
from games.rules.board import Board
from games.services import takebacks, turns
from games.views.link_previews import preview_of
from games.views.page import (
    asked_by_htmx,
    conversation_context,
    game_context,
    note_look,
    page_context,
    parse_int_or_none,
    visible_game,
)
from games.views.sides import keep_side
from games.views.turn_previews import is_whole_turn, parse_beginning, preview_turn


@require_safe
@never_cache
def game(request: HttpRequest, pk: int) -> HttpResponse:
    found = visible_game(request, pk)
    if found.status in (Game.Status.OPEN, Game.Status.CLOSED):
        context = game_context(found, request.user) | {
            "link_preview": preview_of(found, 0, None, "")
        }
        return render(request, "games/table.html", context)
    note_look(request, found)
    before = parse_int_or_none(request.GET.get("before", ""))
    context = page_context(found, request.user, before=before)
    context["link_preview"] = preview_of(
        found, context["shown"], context["last"], context["last_words"]
    )
    return keep_side(request, render(request, "games/game.html", context), found)


@require_safe
def game_turn(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show the game after `number` turns."""
    found = visible_game(request, pk)
    if number > found.turn_number or found.started_at is None:
        raise errors.NoSuchGame
    note_look(request, found)
    context = page_context(found, request.user, number)
    context["link_preview"] = preview_of(
        found, context["shown"], context["last"], context["last_words"]
    )
    return keep_side(request, render(request, "games/game.html", context), found)


@require_safe
@never_cache
def replay(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer all positions of a game, for a page that steps through them."""
    found = visible_game(request, pk)
    if found.started_at is None:
        raise errors.NoSuchGame
    # Not JsonResponse's spaces: the answer may be long.
    answer = replay_of(found, request.user)
    return JsonResponse(answer, json_dumps_params={"separators": (",", ":")})


@login_required
@require_POST
def play(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Play a turn, or preview it when `step` is "preview"."""
    form = TurnForm(request.POST)
    if not form.is_valid():
        return _refused(request, pk, errors.StaleTurn(), "")
    expected_turn = form.cleaned_data["expected_turn"]
    try:
        if request.POST.get("step") == "preview":
            return _preview_page(request, visible_game(request, pk), form.turn, expected_turn)
        played = turns.play_turn(
            game_id=pk,
            user=request.user,
            text=form.turn,
            expected_turn=expected_turn,
            via=Turn.Via.WEB,
            now=server_now(),
        )
    except errors.Refusal as refusal:
        return _refused(request, pk, refusal, form.turn)
    said = _("You have already played this turn.") if played.already else _("Your turn is played.")
    messages.success(request, said)
    planned = _("%(player)s had planned the answer %(turn)s, which was played at once.")
    for answer in played.answers:
        names = {"player": answer.player, "turn": answer.notation}
        messages.info(request, planned % names)
    if asked_by_htmx(request):
        return _changes(request, page_context(visible_game(request, pk), request.user))
    return redirect(played.game)


@login_required
@require_POST
def undo(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Undo the newest turn, which the user has just played."""
    try:
        takebacks.undo_turn(game_id=pk, user=request.user, now=server_now())
    except errors.Refusal as refusal:
        return _refused(request, pk, refusal, "")
    messages.success(request, _("Your turn is undone. It is your turn again."))
    found = visible_game(request, pk)
    if asked_by_htmx(request):
        return _changes(request, page_context(found, request.user))
    return redirect(found)


def _changes(
    request: HttpRequest,
    context: dict[str, Any],
    *,
    moved_on: bool = True,
    board_changed: bool = True,
    said_more: bool = True,
) -> HttpResponse:
    """Return the parts of a game's page that changed, for htmx to put into an open one.

    `moved_on` stands for everything but the board and the conversation.
    """
    parts = {"moved_on": moved_on, "board_changed": board_changed, "said_more": said_more}
    return render(request, "games/_changes.html", context | parts)


def _refused(request: HttpRequest, pk: int, refusal: errors.Refusal, text: str) -> HttpResponse:
    """Show the game with the refusal. Raises NoSuchGame if the user may not see it."""
    found = visible_game(request, pk)
    if found.started_at is None:
        raise refusal  # there is no board to show it on
    context = page_context(found, request.user) | {"refusal": refusal, "typed": text[:MAX_TEXT]}
    if asked_by_htmx(request):
        return _changes(request, context)
    return render(request, "games/game.html", context, status=refusal.status)


def _preview_page(
    request: AuthenticatedRequest, found: Game, text: str, expected_turn: int
) -> HttpResponse:
    """Show the board as it would be after the turn, with a button that plays it.

    After the beginning of a turn the list continues it: each choice is the turn with one more
    action.
    """
    preview, board = _look_ahead(found, request, text, expected_turn)
    context = page_context(found, request.user)
    context |= {"preview": preview, "typed": preview["notation"], "board": board}
    if not preview["complete"]:
        context["choices"] = tuple(
            Choice(**choice | {"text": f"{preview['notation']}, {choice['text']}"})
            for choice in preview["actions"]
        )
    if asked_by_htmx(request):
        return _changes(request, context, moved_on=False, said_more=False)
    return render(request, "games/game.html", context)


@login_required
@require_safe
@never_cache
def preview(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Answer the board's page module.

    Without `square`: what a turn, or its beginning, leads to. With it: the actions that begin on
    that square after the beginning of a turn, for games that show no more than that.
    """
    found = visible_game(request, pk)
    text, square = request.GET.get("turn", ""), request.GET.get("square")
    try:
        try:
            expected_turn = int(request.GET.get("expected_turn", ""))
        except ValueError:
            raise errors.StaleTurn from None
        if square is None:
            answer, _board = _look_ahead(found, request, text, expected_turn)
            return JsonResponse(answer)
        rules, before = found.rules, _position_to_play(found, request, expected_turn)
        after = parse_beginning(rules, before, text)[1] if text else before
        complete = is_whole_turn(rules, before, after)
        choices = () if complete else choices_at(rules, after, first_square=square)
        return JsonResponse({"actions": choices_for_script(choices)})
    except errors.Refusal as refusal:
        return JsonResponse({"error": refusal.sentence}, status=refusal.status)


def _look_ahead(
    found: Game, request: AuthenticatedRequest, text: str, expected_turn: int
) -> tuple[dict[str, Any], Board]:
    """Return what the board's page module reads about a turn, and the drawing in it.

    Raises Refusal; changes nothing.
    """
    before = _position_to_play(found, request, expected_turn)
    return preview_turn(found, before, text, found.seat_to_move)


def _position_to_play(found: Game, request: AuthenticatedRequest, expected_turn: int) -> Any:
    """Return the position in which the user is to move. Raises NotYourTurn, StaleTurn."""
    if not is_mover(found, request.user):
        raise errors.NotYourTurn
    if expected_turn != found.turn_number:
        raise errors.StaleTurn
    return position_at(found)


@require_safe
@never_cache
def news(request: HttpRequest, pk: int) -> HttpResponse:
    """Return what has changed since a page was made that `shows` a state and what was `said`.

    The board is left out while it is as the page has it (`board`): the reader may have begun a
    turn on it. Status 204 if nothing has changed. That the viewer has the page open is remembered.
    """
    found = visible_game(request, pk)
    note_look(request, found)
    now = server_now()
    reads = read_page(found, request.user, is_staff=False, now=now)
    can_undo = found.may_undo(request.user.pk, now=now)
    away = reads.away(found, now)
    state = page_fingerprint(found, reads.open_offers(), away, can_undo=can_undo)
    moved_on = request.GET.get("shows", "") != state
    if found.started_at is None or "table" in request.GET:
        return HttpResponseClientRefresh() if moved_on else HttpResponse(status=204)
    talk = conversation_context(found, request.user)
    said_more = request.GET.get("said", "") not in ("", str(talk["newest_said"]))
    if not moved_on and not said_more:
        return HttpResponse(status=204)
    context = game_context(found, request.user) | talk
    board_changed = moved_on and request.GET.get("board", "") != context["board_state"]
    if board_changed and request.GET.get("board"):
        last, verdict = context["last_words"], context["verdict"]
        context["announcement"] = f"{last}. {verdict}" if last else verdict
    return _changes(
        request, context, moved_on=moved_on, board_changed=board_changed, said_more=said_more
    )
