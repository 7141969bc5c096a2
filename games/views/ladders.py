"""Ladders with their places and challenges, and what players and moderators do there."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games.clock.durations import pace_in_words
from games.competition import ladders as rules
from games.models import LadderChallenge
from games.moderation.competition import annul_game, remove_from_ladder
from games.moderation.permissions import is_moderator
from games.queries.ladders import has_ladder, ladder_cards, ladder_page
from games.services.ladders import challenges, places
from games.views.page import parse_int_or_none

NUMBERS = {
    "reach": rules.REACH,
    "most": rules.MOST_AT_ONCE,
    "answer_days": rules.ANSWER_TIME.days,
    "again_days": rules.AGAIN_AFTER.days,
    "idle_days": rules.IDLE_TIME.days,
    "sink_days": rules.SINK_TIME.days,
    "most_sunk": rules.MOST_SUNK,
}
"""The numbers of the rules that the page publishes."""


@require_safe
def ladders(request: HttpRequest) -> HttpResponse:
    """List the ladders of all games."""
    return render(request, "games/ladders.html", {"cards": ladder_cards(request.user)})


@require_safe
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a page of a ladder, what the viewer can do there, and the rules."""
    if not has_ladder(slug):
        raise Http404
    number = parse_int_or_none(request.GET.get("page", "")) or 1
    page = ladder_page(slug, request.user, number, now=server_now())
    context = {
        "page": page,
        "ladder": page.ladder,
        "pace": pace_in_words(page.ladder.terms.pace),
        "asks": request.GET.get("act") == "leave" and page.is_on_it,
        "may_moderate": request.user.is_authenticated and is_moderator(request.user),
        **NUMBERS,
    }
    return render(request, "games/ladder.html", context)


@login_required
@require_POST
def act_on_ladder(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Join, leave or challenge a player (`opponent`), or answer a `challenge`, as `act` says."""
    act, user, now = request.POST.get("act", ""), request.user, server_now()
    if act == "join":
        own = places.join_ladder(rules_slug=slug, user=user, now=now)
        said = _("You are on the ladder, at place %(place)s.") % {"place": own.place}
    elif act == "leave":
        places.leave_ladder(rules_slug=slug, user=user, now=now)
        said = _("You have left the ladder. Games that have begun go on.")
    elif act == "challenge":
        key = parse_int_or_none(request.POST.get("opponent", ""))
        opponent = get_object_or_404(User, pk=key)
        challenges.challenge_player(rules_slug=slug, user=user, opponent=opponent, now=now)
        said = _("You have challenged %(name)s.") % {"name": opponent}
    elif act in ("accept", "decline", "withdraw"):
        return _end_challenge(request, act)
    else:
        raise Http404
    messages.success(request, said)
    return redirect("ladder", slug)


def _end_challenge(request: AuthenticatedRequest, act: str) -> HttpResponse:
    """Accept, decline or withdraw the challenge that is named."""
    key = parse_int_or_none(request.POST.get("challenge", "")) or 0
    user, now = request.user, server_now()
    if act == "accept":
        game = challenges.accept_challenge(challenge_id=key, user=user, now=now).game
        assert game is not None  # noqa: S101  (accepting begins it)
        messages.success(request, _("The game begins."))
        return redirect(game)
    if act == "decline":
        challenge = challenges.decline_challenge(challenge_id=key, user=user, now=now)
        is_free = challenge.outcome == LadderChallenge.Outcome.SPARED
        said = (
            _("You have declined, which was free. You keep your place.")
            if is_free
            else _("You have declined, and the challenger has your place.")
        )
    else:
        challenge = challenges.withdraw_challenge(challenge_id=key, user=user, now=now)
        said = _("The challenge is withdrawn.")
    messages.success(request, said)
    return redirect(challenge.ladder)


@login_required
@require_POST
def moderate_ladder(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Remove a player (`place`) from a ladder, or annul one of its games (`game`)."""
    key = parse_int_or_none(request.POST.get("place", "")) or 0
    game = parse_int_or_none(request.POST.get("game", ""))
    by, why, now = request.user, request.POST.get("why", ""), server_now()
    if game is not None:
        annul_game(game_id=game, by=by, why=why, now=now)
        messages.success(request, _("The game is annulled."))
    else:
        remove_from_ladder(place_id=key, by=by, why=why, now=now)
        messages.success(request, _("The player is removed from the ladder."))
    return redirect("ladder", slug)
