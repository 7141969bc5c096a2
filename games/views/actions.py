"""What a player can do at a game besides playing a turn. Every one is a POST."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.requests import PersonRequest
from games import queries
from games.forms.agreements import PaceForm, PauseForm
from games.models import Game
from games.services import endings, offers, rematches
from games.services.errors import BadOfferAnswer, BadPace, NoOffer
from games.services.errors.times import BadPause
from games.services.time import gifts, pauses
from games.views.numbers import number_in

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Service(Protocol):
    """What every action of a player calls."""

    def __call__(self, *, game_id: int, user: User, now: datetime) -> object:
        """Do it, or raise Refusal."""


def _action(service: Service, said: StrOrPromise) -> Callable[..., HttpResponse]:
    """Return a view that calls `service` and comes back to the game with a word about it."""

    @login_required
    @require_POST
    def view(request: PersonRequest, pk: int) -> HttpResponse:
        game = queries.game_for(pk, request.user)
        service(game_id=pk, user=request.user, now=timezone.now())
        # Put into words now: when the message is kept, the reader's language is forgotten already.
        messages.success(request, str(said))
        return redirect(game)

    return view


resign = _action(endings.resign, gettext_lazy("You have resigned."))
abort = _action(endings.abort, gettext_lazy("The game is aborted."))
offer = _action(offers.offer_end, gettext_lazy("Your offer is made."))
resume = _action(pauses.resume, gettext_lazy("The pause is over."))
grant_time = _action(gifts.grant_time, gettext_lazy("Your opponent has more time now."))


@login_required
@require_POST
def offer_pause(request: PersonRequest, pk: int) -> HttpResponse:
    """Offer to stop the clock for a while."""
    game = queries.game_for(pk, request.user)
    form = PauseForm(request.POST)
    if not form.is_valid():
        raise BadPause
    days = form.cleaned_data["days"]
    offers.offer_pause(game_id=pk, user=request.user, days=days, now=timezone.now())
    return _made(request, game)


@login_required
@require_POST
def offer_pace(request: PersonRequest, pk: int) -> HttpResponse:
    """Offer to play on at another pace."""
    game = queries.game_for(pk, request.user)
    form = PaceForm(request.POST)
    if not form.is_valid():
        raise BadPace
    offers.offer_pace(game_id=pk, user=request.user, pace=form.chosen, now=timezone.now())
    return _made(request, game)


def _made(request: PersonRequest, game: Game) -> HttpResponse:
    messages.success(request, _("Your offer is made."))
    return redirect(game)


class Answer(Protocol):
    """What every answer to an offer calls."""

    def __call__(self, *, game_id: int, user: User, now: datetime, offer_id: int | None) -> object:
        """Do it, or raise Refusal."""


ANSWERS: dict[str, tuple[Answer, StrOrPromise]] = {
    "accept": (offers.accept_offer, gettext_lazy("You have accepted.")),
    "decline": (offers.decline_offer, gettext_lazy("You have declined.")),
    "withdraw": (offers.withdraw_offer, gettext_lazy("Your offer is withdrawn.")),
}


@login_required
@require_POST
def answer_offer(request: PersonRequest, pk: int) -> HttpResponse:
    """Accept, decline or withdraw the offer that was shown."""
    game = queries.game_for(pk, request.user)
    known = ANSWERS.get(request.POST.get("answer", ""))
    if known is None:
        raise BadOfferAnswer
    service, said = known
    offer_id = _number(request.POST.get("offer", ""))
    service(game_id=pk, user=request.user, now=timezone.now(), offer_id=offer_id)
    messages.success(request, str(said))
    return redirect(game)


def _number(text: str) -> int | None:
    """Return which offer is meant; None: the only one. Raises NoOffer for what is no number."""
    if not text:
        return None
    number = number_in(text)
    if number is None:
        raise NoOffer
    return number


@login_required
@require_POST
def rematch(request: PersonRequest, pk: int) -> HttpResponse:
    """Ask for a rematch, or accept the one that was asked for."""
    queries.game_for(pk, request.user)
    game = rematches.ask_rematch(game_id=pk, user=request.user, now=timezone.now())
    return redirect(game)
