"""What the players say to each other, on the page of their game."""

from collections import Counter
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.requests import PersonRequest
from games import queries
from games.models import Game, Message
from games.models.message import LONGEST_MESSAGE
from games.queries import Viewer
from games.services.conduct import messages
from games.services.errors import Refusal
from games.services.presence import note_presence
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
        "can_talk": messages.can_talk(game, seat, now=timezone.now()),
        "longest_message": LONGEST_MESSAGE,
        "others": queries.others_heard(game, viewer) if seat is not None else [],
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
        note_presence(game, seat.user, now=timezone.now())


@login_required
@require_POST
def say(request: PersonRequest, pk: int) -> HttpResponse:
    """Say something; a page with htmx gets only the conversation back."""
    found = queries.game_for(pk, request.user)
    text = request.POST.get("text", "")
    try:
        messages.say(
            game_id=pk, user=request.user, text=text, via=Message.Via.WEB, now=timezone.now()
        )
    except Refusal as refusal:
        return _refused(request, found, refusal, text)
    if request.headers.get("HX-Request"):
        context = conversation_context(found, request.user)
        return render(request, "games/_conversation.html", context)
    return redirect(found.get_absolute_url() + "#conversation")


def _refused(request: PersonRequest, found: Game, refusal: Refusal, text: str) -> HttpResponse:
    """Show why beside what was typed. To htmx it is no error: it would not show it."""
    if found.started_at is None or queries.seat_of(found, request.user) is None:
        raise refusal  # there is no conversation to show it in
    said = {"talk_refusal": refusal, "typed_message": text[:TYPED_SHOWN]}
    if request.headers.get("HX-Request"):
        context = conversation_context(found, request.user) | said
        return render(request, "games/_conversation.html", context)
    context = page_context(found, request.user) | said
    return render(request, "games/game.html", context, status=refusal.status)
