"""What a player can do at a game besides playing a turn. Every view is a POST."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Protocol

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors
from games.forms.game_page import PaceForm, PauseForm
from games.models import Game, Message
from games.models.message import LONGEST_MESSAGE
from games.queries.seats import seat_of
from games.services import ending_undo, endings, invitations, offers
from games.services.clock import added_time, stops
from games.services.conduct.messages import say as say_message
from games.views.page import (
    asked_by_htmx,
    conversation_context,
    page_context,
    parse_int_or_none,
    visible_game,
)

TYPED_SHOWN = 2 * LONGEST_MESSAGE
"""Characters of a refused message that are shown in the field again."""


class PlayerAction(Protocol):
    """The service behind `player_action`."""

    def __call__(self, *, game_id: int, user: User, now: datetime) -> object:
        """Do it, or raise Refusal."""


def player_action(service: PlayerAction, success: Any) -> Callable[..., HttpResponse]:
    """Return a view that calls `service`, shows `success`, and goes back to the game.

    From a private game in which the user has no seat any more it goes home.
    """

    @login_required
    @require_POST
    def view(request: AuthenticatedRequest, pk: int) -> HttpResponse:
        game = visible_game(request, pk)
        service(game_id=pk, user=request.user, now=server_now())
        # Translated now: when the message is stored, the user's language is no longer active.
        messages.success(request, str(success))
        if not game.is_public and not Game.objects.visible_to(request.user).filter(pk=pk).exists():
            return redirect("home")  # a program has taken their seat over
        return redirect(game)

    return view


resign = player_action(endings.resign, gettext_lazy("You have resigned."))
abort = player_action(endings.abort, gettext_lazy("The game is aborted."))
undo_end = player_action(ending_undo.undo_end, gettext_lazy("The game goes on as before."))
win_unreached = player_action(endings.win_unreached, gettext_lazy("The game is over."))
abort_unreached = player_action(
    endings.abort_unreached, gettext_lazy("You no longer wait for this player.")
)
offer = player_action(offers.offer_end, gettext_lazy("Your offer is made."))
offer_takeback = player_action(offers.offer_takeback, gettext_lazy("Your offer is made."))
resume = player_action(stops.end_pause, gettext_lazy("The pause is over."))
grant_time = player_action(added_time.grant_time, gettext_lazy("Your opponent has more time now."))


@login_required
@require_POST
def offer_pause(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    game = visible_game(request, pk)
    form = PauseForm(request.POST)
    if not form.is_valid():
        raise errors.BadPause
    days = form.cleaned_data["days"]
    offers.offer_pause(game_id=pk, user=request.user, days=days, now=server_now())
    messages.success(request, _("Your offer is made."))
    return redirect(game)


@login_required
@require_POST
def offer_pace(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    game = visible_game(request, pk)
    form = PaceForm(request.POST)
    if not form.is_valid():
        raise errors.BadPace
    offers.offer_pace(game_id=pk, user=request.user, pace=form.chosen, now=server_now())
    messages.success(request, _("Your offer is made."))
    return redirect(game)


@login_required
@require_POST
def answer_offer(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Accept, decline or withdraw the offer that was shown, or the only one."""
    game = visible_game(request, pk)
    answers: dict[str, tuple[Callable[..., object], str]] = {
        "accept": (offers.accept_offer, _("You have accepted.")),
        "decline": (offers.decline_offer, _("You have declined.")),
        "withdraw": (offers.withdraw_offer, _("Your offer is withdrawn.")),
    }
    answer = request.POST.get("answer", "")
    if answer not in answers:
        raise errors.BadOfferAnswer
    service, success = answers[answer]
    shown = request.POST.get("offer", "")
    offer_id = parse_int_or_none(shown)
    if shown and offer_id is None:
        raise errors.NoOffer
    service(game_id=pk, user=request.user, now=server_now(), offer_id=offer_id)
    messages.success(request, success)
    return redirect(game)


@login_required
@require_POST
def rematch(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Ask for a rematch, or accept the one that was asked for."""
    visible_game(request, pk)
    game = invitations.ask_rematch(game_id=pk, user=request.user, now=server_now())
    return redirect(game)


@login_required
@require_POST
def say(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Send a message; a page with htmx gets only the conversation back."""
    game = visible_game(request, pk)
    text = request.POST.get("text", "")
    refused: dict[str, Any] = {}
    status = 200
    try:
        say_message(game_id=pk, user=request.user, text=text, via=Message.Via.WEB, now=server_now())
    except errors.Refusal as refusal:
        if game.started_at is None or seat_of(game, request.user) is None:
            raise  # there is no conversation to show it in
        refused = {"talk_refusal": refusal, "typed_message": text[:TYPED_SHOWN]}
        status = refusal.status
    if asked_by_htmx(request):
        # Always with status 200: htmx does not show the content of an error.
        context = conversation_context(visible_game(request, pk), request.user) | refused
        return render(request, "games/_conversation.html", context)
    if refused:
        context = page_context(game, request.user) | refused
        return render(request, "games/game.html", context, status=status)
    return redirect(game.get_absolute_url() + "#conversation")
