"""Ladders with their places and challenges, and what players and moderators do there."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games.clock.durations import pace_in_words
from games.competition import ladders as rules
from games.models import Club, Ladder, LadderChallenge
from games.moderation.competition import annul_game, remove_from_ladder
from games.moderation.permissions import is_moderator
from games.queries.clubs import own_club
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
    return _show_ladder(request, slug, None, reverse("act_on_ladder", args=[slug]))


@login_required
@require_safe
@never_cache
def club_ladder(request: AuthenticatedRequest, slug: str, game: str) -> HttpResponse:
    """Show a page of a ladder of a club to one of its members."""
    club = own_club(request.user, slug)
    return _show_ladder(request, game, club, reverse("act_on_club_ladder", args=[slug, game]))


def _show_ladder(request: HttpRequest, slug: str, club: Club | None, act_url: str) -> HttpResponse:
    """Show the ladder of a game, of the site or of a club."""
    if not has_ladder(slug):
        raise Http404
    number = parse_int_or_none(request.GET.get("page", "")) or 1
    page = ladder_page(slug, request.user, number, club=club, now=server_now())
    context = {
        "page": page,
        "ladder": page.ladder,
        "club": club,
        "act_url": act_url,
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
    return _act(request, slug, None)


@login_required
@require_POST
def act_on_club_ladder(request: AuthenticatedRequest, slug: str, game: str) -> HttpResponse:
    """Do as `act_on_ladder` on a ladder of a club, of which the viewer is a member."""
    return _act(request, game, own_club(request.user, slug))


def _act(request: AuthenticatedRequest, slug: str, club: Club | None) -> HttpResponse:
    """Do on the ladder of a game, of the site or of a club, what `act` says."""
    at: dict[str, Any] = {"rules_slug": slug, "club_id": club.pk if club else None}
    act, user, now = request.POST.get("act", ""), request.user, server_now()
    if act == "join":
        own = places.join_ladder(user=user, now=now, **at)
        said = _("You are on the ladder, at place %(place)s.") % {"place": own.place}
    elif act == "leave":
        places.leave_ladder(user=user, now=now, **at)
        said = _("You have left the ladder. Games that have begun go on.")
    elif act == "challenge":
        key = parse_int_or_none(request.POST.get("opponent", ""))
        opponent = get_object_or_404(User, pk=key)
        challenges.challenge_player(user=user, opponent=opponent, now=now, **at)
        said = _("You have challenged %(name)s.") % {"name": opponent}
    elif act in ("accept", "decline", "withdraw"):
        return _end_challenge(request, act)
    else:
        raise Http404
    messages.success(request, said)
    return redirect(Ladder(rules_slug=slug, club=club))


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
        ladder = Ladder.objects.filter(challenges__game=game).select_related("club").first()
        return redirect(ladder or Ladder(rules_slug=slug))
    own = remove_from_ladder(place_id=key, by=by, why=why, now=now)
    messages.success(request, _("The player is removed from the ladder."))
    return redirect(own.ladder)
