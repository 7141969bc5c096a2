"""What the players say to each other, on the page of their game."""

from collections import Counter
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors, queries
from games.models import Game, Message
from games.models.message import LONGEST_MESSAGE
from games.queries import Viewer
from games.services.conduct import messages
from games.services.presence import note_presence
from games.views.access import visible_game
from games.views.page import game_context

TYPED_SHOWN = 2 * LONGEST_MESSAGE
"""Characters of a refused message that stand in the field again."""


def conversation_context(game: Game, viewer: Viewer, before: int | None = None) -> dict[str, Any]:
    """Return the context of games/_conversation.html; others than players read nothing.

    `before` looks back at what was said before that message.
    """
    seat = queries.seat_of(game, viewer)
    talk = queries.conversation(game, viewer, before)
    said = talk.said
    return {
        "game": game,
        "said": said,
        "said_earlier": not talk.is_whole,
        "said_later": before is not None,
        "newest_said": said[-1].pk if said else 0,
        "said_at_turn": dict(Counter(message.turn_number for message in said)),
        "can_talk": messages.can_talk(game, seat, now=server_now()),
        "longest_message": LONGEST_MESSAGE,
        "others": queries.other_participants(game, viewer) if seat is not None else [],
    }


def page_context(
    game: Game, viewer: Viewer, number: int | None = None, before: int | None = None
) -> dict[str, Any]:
    """Return all that the page of a game that has begun knows, as `viewer` sees it."""
    return game_context(game, viewer, number) | conversation_context(game, viewer, before)


def note_look(request: HttpRequest, game: Game) -> None:
    """Remember that a player has the game before their eyes, unless the page says it is hidden."""
    seat = queries.seat_of(game, request.user)
    if seat is not None and seat.user is not None and request.GET.get("looking") != "0":
        note_presence(game, seat.user, now=server_now())


@login_required
@require_POST
def say(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Say something; a page with htmx gets only the conversation back."""
    found = visible_game(request, pk)
    text = request.POST.get("text", "")
    try:
        messages.say(
            game_id=pk, user=request.user, text=text, via=Message.Via.WEB, now=server_now()
        )
    except errors.Refusal as refusal:
        return _refused(request, found, refusal, text)
    if request.headers.get("HX-Request"):
        context = conversation_context(found, request.user)
        return render(request, "games/_conversation.html", context)
    return redirect(found.get_absolute_url() + "#conversation")


def _refused(
    request: AuthenticatedRequest, found: Game, refusal: errors.Refusal, text: str
) -> HttpResponse:
    """Show why beside what was typed. To htmx it is no error: it would not show it."""
    if found.started_at is None or queries.seat_of(found, request.user) is None:
        raise refusal  # there is no conversation to show it in
    said = {"talk_refusal": refusal, "typed_message": text[:TYPED_SHOWN]}
    if request.headers.get("HX-Request"):
        context = conversation_context(found, request.user) | said
        return render(request, "games/_conversation.html", context)
    context = page_context(found, request.user) | said
    return render(request, "games/game.html", context, status=refusal.status)
