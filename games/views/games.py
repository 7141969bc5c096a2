"""The page of a game: the board, playing a turn, looking back."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors, queries
from games.forms.turns import TurnForm
from games.models import Game, Turn
from games.rules.base import MAX_TEXT, MoveError, is_too_long
from games.rules.board import Board
from games.services import turns
from games.templatetags.boards import page_svg
from games.views.access import visible_game
from games.views.conversation import conversation_context, note_look, page_context
from games.views.numbers import number_in
from games.views.page import away_now, game_context


@require_safe
@never_cache
def game(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the game as it stands."""
    found = visible_game(request, pk)
    if found.status in (Game.Status.OPEN, Game.Status.CLOSED):
        return render(request, "games/table.html", game_context(found, request.user))
    note_look(request, found)
    before = number_in(request.GET.get("before", ""))
    context = page_context(found, request.user, before=before)
    return render(request, "games/game.html", context)


@require_safe
def game_turn(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show the game as it stood after `number` turns."""
    found = visible_game(request, pk)
    if number > found.turn_number or found.started_at is None:
        raise errors.NoSuchGame
    note_look(request, found)
    return render(request, "games/game.html", page_context(found, request.user, number))


@login_required
@require_POST
def play(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Play a turn, or show it first when `step` is "preview"."""
    found = visible_game(request, pk)
    form = TurnForm(request.POST)
    if not form.is_valid():
        return _refused(request, found, errors.StaleTurn(), "")
    try:
        if request.POST.get("step") == "preview":
            return _shown_first(request, found, form)
        played = turns.play_turn(
            game_id=pk,
            user=request.user,
            text=form.turn,
            expected_turn=form.cleaned_data["expected_turn"],
            via=Turn.Via.WEB,
            now=server_now(),
        )
    except errors.Refusal as refusal:
        return _refused(request, found, refusal, form.turn)
    said = _("You have played this turn already.") if played.already else _("Your turn is played.")
    messages.success(request, said)
    return redirect(found)


def _refused(request: HttpRequest, found: Game, refusal: errors.Refusal, text: str) -> HttpResponse:
    found = visible_game(request, found.pk)
    if found.started_at is None:
        raise refusal  # there is no board to show it on
    context = page_context(found, request.user) | {"refusal": refusal, "typed": text[:MAX_TEXT]}
    return render(request, "games/game.html", context, status=refusal.status)


def _shown_first(request: AuthenticatedRequest, found: Game, form: TurnForm) -> HttpResponse:
    """Show the board as it would be after the turn, with a button that plays it.

    After a turn's beginning the list goes on from there: each choice is the turn with it.
    """
    looked, board = _look_ahead(found, request, form.turn, form.cleaned_data["expected_turn"])
    context = page_context(found, request.user)
    context |= {"preview": looked, "typed": looked["notation"], "board": board}
    if not looked["complete"]:
        longer = [
            choice | {"text": f"{looked['notation']}, {choice['text']}"}
            for choice in looked["actions"]
        ]
        context["actions"] = context["actions"] | {"actions": longer}
    return render(request, "games/game.html", context)


@login_required
@require_safe
@never_cache
def preview(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Answer the board's page module: what a turn, or its beginning, would lead to."""
    found = visible_game(request, pk)
    try:
        expected = _number_in(request)
        text, square = request.GET.get("turn", ""), request.GET.get("square")
        if square is not None:
            return JsonResponse({"actions": _from_square(found, request, text, square, expected)})
        looked, _board = _look_ahead(found, request, text, expected)
        return JsonResponse(looked)
    except errors.Refusal as refusal:
        return JsonResponse({"error": refusal.sentence}, status=refusal.status)


def _number_in(request: HttpRequest) -> int:
    """Return the number of turns that the page shows. Raises StaleTurn where there is none."""
    try:
        return int(request.GET.get("expected_turn", ""))
    except ValueError:
        raise errors.StaleTurn from None


def _check_may_look(found: Game, request: AuthenticatedRequest, text: str, expected: int) -> None:
    if not queries.is_mover(found, request.user):
        raise errors.NotYourTurn
    if expected != found.turn_number:
        raise errors.StaleTurn
    if is_too_long(text):
        raise errors.TurnTooLong


def _look_ahead(
    found: Game, request: AuthenticatedRequest, text: str, expected: int
) -> tuple[dict[str, Any], Board]:
    """Return what the board's page module is promised, and the drawing in it.

    Raises Refusal; changes nothing.
    """
    _check_may_look(found, request, text, expected)
    rules, before = found.rules, queries.position_at(found)
    try:
        actions, after = rules.parse_actions(before, text)
    except MoveError as error:
        raise errors.MoveRefused(error) from error
    complete = rules.to_move(after) is None or rules.turn(after) != rules.turn(before)
    words = queries.words_of(rules, before, actions)
    drawing = rules.board(after, found.seat_to_move, actions)
    looked = {
        "svg": page_svg(drawing, title=_("The board after your turn"), description=words),
        "notation": rules.format_turn(before, actions),
        "words": words,
        "complete": complete,
        "actions": [] if complete else queries.shown_choices_at(found, after),
    }
    return looked, drawing


def _from_square(
    found: Game, request: AuthenticatedRequest, text: str, square: str, expected: int
) -> list[dict[str, Any]]:
    """Return the actions that begin on one square, for games that show no more than that.

    `text` is what was chosen of the turn already; once that is all of it, nothing is left.
    """
    _check_may_look(found, request, text, expected)
    rules, before = found.rules, queries.position_at(found)
    if not text:
        return queries.choices_at(found, before, first_square=square)
    try:
        _actions, after = rules.parse_actions(before, text)
    except MoveError as error:
        raise errors.MoveRefused(error) from error
    complete = rules.turn(after) != rules.turn(before)
    return [] if complete else queries.choices_at(found, after, first_square=square)


@require_safe
@never_cache
def news(request: HttpRequest, pk: int) -> HttpResponse:
    """Tell a page that `shows` a state of the game, and message `said`, what has come since.

    Asked by a page that is before somebody's eyes, it also remembers that they look.
    """
    found = visible_game(request, pk)
    note_look(request, found)
    talk = conversation_context(found, request.user)
    offers = queries.offers_before(found, request.user)
    state = queries.page_fingerprint(found, offers, away_now(found))
    moved_on = request.GET.get("shows", "") != state
    said_more = request.GET.get("said", "") not in ("", str(talk["newest_said"]))
    if not moved_on and not said_more:
        return HttpResponse(status=204)
    context = talk | {"moved_on": moved_on, "said_more": said_more}
    return render(request, "games/_news.html", context)
