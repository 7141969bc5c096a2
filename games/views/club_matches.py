"""Matches of two clubs: the challenge, the page of one, and what managers and members do there."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import club_errors, errors
from games.clock.durations import pace_in_words
from games.forms.clubs import MatchForm
from games.queries import clubs as queries
from games.queries.ladders import has_ladder
from games.rules.registry import UnknownGame, all_rules, rules_for
from games.services.clubs import matches
from games.views.page import parse_int_or_none

USUAL_WAIT = timedelta(days=7)
"""When a match starts, unless the challenger says otherwise."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def challenge_club(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Choose a game, then everything else about a match, and challenge the club `against`."""
    own = queries.club_named(slug)
    member = queries.clubs_of(request.user).get(own.pk)
    if member is None:
        raise club_errors.NotInClub
    if not member.is_manager:
        raise club_errors.ManagersOnly
    against = request.POST.get("against") or request.GET.get("against", "")
    opponent = queries.club_named(against)
    game = request.POST.get("game") or request.GET.get("game")
    if not game:
        address = reverse("challenge_club", args=[slug])
        context = {
            "all_rules": [one for one in all_rules() if has_ladder(one.slug)],
            "to": "club",
            "game_address": f"{address}?against={opponent.slug}&",
        }
        return render(request, "games/choose_game.html", context)
    try:
        rules = rules_for(game)
    except UnknownGame:
        raise errors.UnknownRules from None
    now, status = server_now(), 200
    start = timezone.localtime(now + USUAL_WAIT).replace(minute=0, second=0, microsecond=0)
    form = MatchForm(rules, request.POST or None, initial={"starts_at": start})
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = matches.challenge_club(
                    club_id=own.pk,
                    opponent_id=opponent.pk,
                    user=request.user,
                    rules_slug=rules.slug,
                    options=form.options,
                    terms=form.terms,
                    plan=form.plan,
                    now=now,
                )
                messages.success(request, _("The other club is challenged."))
                return redirect(made)
            except errors.Refusal as refusal:
                form.add_error(None, refusal.sentence)
                status = refusal.status
    shown: dict[str, object] = {"form": form, "rules": rules, "club": own, "opponent": opponent}
    return render(request, "games/new_club_match.html", shown, status=status)


@require_safe
def club_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a match: its boards with every game, who wants to play, and what the viewer can do."""
    match, now = queries.match_of(pk), server_now()
    state, own = queries.MatchState(match), queries.clubs_of(request.user)
    sides = (match.home, match.away)
    mine = next((one for one in state.players.values() if one.user_id == request.user.pk), None)
    is_waiting = match.accepted_at is None and match.ended_at is None and match.starts_at > now
    is_open = match.started_at is None and match.ended_at is None and match.starts_at > now
    manages = {key for key, one in own.items() if one.is_manager}
    context = {
        "match": match,
        "state": state,
        "pace": pace_in_words(match.terms.pace),
        "teams": [(club, state.wanting(club)) for club in sides],
        "mine": mine,
        "can_enter": [club for club in sides if is_open and mine is None and club.pk in own],
        "can_quit": is_open and mine is not None,
        "can_answer": is_waiting and match.away_id in manages,
        "can_withdraw": is_waiting and match.home_id in manages,
        "is_waiting": is_waiting,
    }
    return render(request, "games/club_match.html", context)


@login_required
@require_POST
def act_in_club_match(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Accept, decline or withdraw a match, or say whether one wants to play, as `act` says."""
    match, act = queries.match_of(pk), request.POST.get("act", "")
    at: dict[str, Any] = {"match_id": pk, "user": request.user, "now": server_now()}
    if act == "accept":
        matches.accept_match(**at)
        said = _("The match is on. Members can say that they want to play.")
    elif act == "decline":
        matches.decline_match(**at)
        said = _("The challenge is declined.")
    elif act == "withdraw":
        matches.withdraw_match(**at)
        said = _("The challenge is withdrawn.")
    elif act == "enter":
        key = parse_int_or_none(request.POST.get("club", "")) or 0
        matches.enter_match(club_id=key, **at)
        said = _("You play if there is a board for you.")
    elif act == "quit":
        matches.quit_match(**at)
        said = _("You do not play in this match.")
    else:
        raise Http404
    messages.success(request, said)
    return redirect(match)
