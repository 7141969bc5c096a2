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
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.requests import PersonRequest
from games import queries
from games.services import endings, offers, rematches
from games.services.errors import BadOfferAnswer

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

ANSWERS: dict[str, tuple[Service, StrOrPromise]] = {
    "accept": (offers.accept_offer, gettext_lazy("You have accepted.")),
    "decline": (offers.decline_offer, gettext_lazy("You have declined.")),
    "withdraw": (offers.withdraw_offer, gettext_lazy("Your offer is withdrawn.")),
}


@login_required
@require_POST
def answer_offer(request: PersonRequest, pk: int) -> HttpResponse:
    """Accept, decline or withdraw the standing offer."""
    game = queries.game_for(pk, request.user)
    known = ANSWERS.get(request.POST.get("answer", ""))
    if known is None:
        raise BadOfferAnswer
    service, said = known
    service(game_id=pk, user=request.user, now=timezone.now())
    messages.success(request, str(said))
    return redirect(game)


@login_required
@require_POST
def rematch(request: PersonRequest, pk: int) -> HttpResponse:
    """Ask for a rematch, or accept the one that was asked for."""
    queries.game_for(pk, request.user)
    game = rematches.ask_rematch(game_id=pk, user=request.user, now=timezone.now())
    return redirect(game)
