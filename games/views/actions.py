"""What a player can do at a game besides playing a turn. Every one is a POST."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors
from games.forms.agreements import PaceForm, PauseForm
from games.models import Game
from games.services import endings, offers, rematches
from games.services.clock import added_time, pauses
from games.views.access import visible_game
from games.views.numbers import number_in

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Service(Protocol):
    """What every action of a player calls."""

    def __call__(self, *, game_id: int, user: User, now: datetime) -> object:
        """Do it, or raise Refusal."""


def player_action(service: Service, said: StrOrPromise) -> Callable[..., HttpResponse]:
    """Return a view that calls `service` and comes back to the game with a word about it."""

    @login_required
    @require_POST
    def view(request: AuthenticatedRequest, pk: int) -> HttpResponse:
        game = visible_game(request, pk)
        service(game_id=pk, user=request.user, now=server_now())
        # Put into words now: when the message is kept, the reader's language is forgotten already.
        messages.success(request, str(said))
        return redirect(game)

    return view


resign = player_action(endings.resign, gettext_lazy("You have resigned."))
abort = player_action(endings.abort, gettext_lazy("The game is aborted."))
offer = player_action(offers.offer_end, gettext_lazy("Your offer is made."))
resume = player_action(pauses.resume, gettext_lazy("The pause is over."))
grant_time = player_action(added_time.grant_time, gettext_lazy("Your opponent has more time now."))


@login_required
@require_POST
def offer_pause(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Offer to stop the clock for a while."""
    game = visible_game(request, pk)
    form = PauseForm(request.POST)
    if not form.is_valid():
        raise errors.BadPause
    days = form.cleaned_data["days"]
    offers.offer_pause(game_id=pk, user=request.user, days=days, now=server_now())
    return _made(request, game)


@login_required
@require_POST
def offer_pace(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Offer to play on at another pace."""
    game = visible_game(request, pk)
    form = PaceForm(request.POST)
    if not form.is_valid():
        raise errors.BadPace
    offers.offer_pace(game_id=pk, user=request.user, pace=form.chosen, now=server_now())
    return _made(request, game)


def _made(request: AuthenticatedRequest, game: Game) -> HttpResponse:
    messages.success(request, _("Your offer is made."))
    return redirect(game)


class ActionResponse(Protocol):
    """What every answer to an offer calls."""

    def __call__(self, *, game_id: int, user: User, now: datetime, offer_id: int | None) -> object:
        """Do it, or raise Refusal."""


ANSWERS: dict[str, tuple[ActionResponse, StrOrPromise]] = {
    "accept": (offers.accept_offer, gettext_lazy("You have accepted.")),
    "decline": (offers.decline_offer, gettext_lazy("You have declined.")),
    "withdraw": (offers.withdraw_offer, gettext_lazy("Your offer is withdrawn.")),
}


@login_required
@require_POST
def answer_offer(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Accept, decline or withdraw the offer that was shown."""
    game = visible_game(request, pk)
    known = ANSWERS.get(request.POST.get("answer", ""))
    if known is None:
        raise errors.BadOfferAnswer
    service, said = known
    offer_id = _number(request.POST.get("offer", ""))
    service(game_id=pk, user=request.user, now=server_now(), offer_id=offer_id)
    messages.success(request, str(said))
    return redirect(game)


def _number(text: str) -> int | None:
    """Return which offer is meant; None: the only one. Raises NoOffer for what is no number."""
    if not text:
        return None
    number = number_in(text)
    if number is None:
        raise errors.NoOffer
    return number


@login_required
@require_POST
def rematch(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Ask for a rematch, or accept the one that was asked for."""
    visible_game(request, pk)
    game = rematches.ask_rematch(game_id=pk, user=request.user, now=server_now())
    return redirect(game)
