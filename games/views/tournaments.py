"""Tournaments: the list, one with its tables and rounds, a new one, and what players do there."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors
from games.clock.durations import pace_in_words, span_in_words
from games.forms.tournaments import TournamentForm
from games.models import Tournament
from games.moderation.competition import annul_game, cancel_as_moderator, remove_from_tournament
from games.moderation.permissions import is_moderator
from games.queries import tournaments as queries
from games.rules.registry import UnknownGame, all_rules, rules_for
from games.services.tournaments import entries
from games.views.page import parse_int_or_none

OVER_SHOWN = 20
"""How many tournaments that are over the list shows."""

WIDEST_TABLE = 24
"""With more players a Swiss table has no column for each of them: the rounds show every game."""

USUAL_WAIT = timedelta(days=7)
"""When a new tournament starts, unless its opener says otherwise."""


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """List the tournaments that can be joined, that run, and that ended lately."""
    found = queries.tournament_list(request.user)
    not_over = list(found.filter(ended_at=None))
    over = list(found.filter(ended_at__isnull=False).order_by("-ended_at")[:OVER_SHOWN])
    own = queries.own_entrants(request.user, not_over)

    def row(one: Tournament) -> dict[str, object]:
        entrant = own.get(one.pk)
        plays = entrant is not None and entrant.left_at is None
        return {"one": one, "pace": pace_in_words(one.terms.pace), "plays": plays}

    context = {
        "open": [row(one) for one in not_over if one.started_at is None],
        "running": [row(one) for one in not_over if one.started_at],
        "over": over,
    }
    return render(request, "games/tournaments.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_tournament(request: AuthenticatedRequest) -> HttpResponse:
    """Choose a game, then everything else about a new tournament, and open it."""
    slug = request.POST.get("game") or request.GET.get("game")
    if not slug:
        context = {"all_rules": all_rules(), "to": "tournament"}
        return render(request, "games/choose_game.html", context)
    try:
        rules = rules_for(slug)
    except UnknownGame:
        raise errors.UnknownRules from None
    now, status = server_now(), 200
    start = timezone.localtime(now + USUAL_WAIT).replace(minute=0, second=0, microsecond=0)
    form = TournamentForm(rules, request.POST or None, initial={"starts_at": start})
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = entries.open_tournament(
                    user=request.user,
                    rules_slug=rules.slug,
                    options=form.options,
                    terms=form.terms,
                    plan=form.plan,
                    by_link=form.cleaned_data["by_link"],
                    now=now,
                )
                messages.success(request, _("The tournament is open: players can join."))
                return redirect(made)
            except errors.Refusal as refusal:
                form.add_error(None, refusal.sentence)
                status = refusal.status
    shown: dict[str, object] = {"form": form, "rules": rules}
    return render(request, "games/new_tournament.html", shown, status=status)


@require_safe
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a tournament with what the viewer can do, its calendar, tables and rounds."""
    key = request.GET.get("key", "")
    found = queries.visible_tournament(pk, request.user, key)
    state = queries.TournamentState(found, request.user)
    own = next((one for one in state.everybody if one.user_id == request.user.pk), None)
    plays = own is not None and own.left_at is None
    is_opener = found.opened_by_id == request.user.pk
    joined = [one for one in state.everybody if one.left_at is None]
    can_join = not found.started_at and not found.ended_at and server_now() < found.starts_at
    shown_rounds = [
        (one, state.matches(one))
        for one in state.rounds
        if one.is_knockout or found.form == Tournament.Form.SWISS
    ]
    context = {
        "tournament": found,
        "state": state,
        "key": key,
        "link": found.key
        and (is_opener or plays)
        and request.build_absolute_uri(f"{found.get_absolute_url()}?key={found.key}"),
        "pace": pace_in_words(found.terms.pace),
        "last_day": found.last_day_of(len(state.entrants) or found.most_players),
        "game_time": span_in_words(found.game_time),
        "tables": state.tables,
        "rounds": shown_rounds[::-1],
        "joined": joined,
        "plays": plays,
        "was_removed": own is not None and own.left_at is not None and found.started_at is None,
        "can_join": can_join,
        "is_full": len(joined) >= found.most_players,
        "may_cancel": is_opener and can_join,
        "asks": request.GET.get("act") if plays or is_opener else None,
        "may_moderate": found.ended_at is None
        and request.user.is_authenticated
        and is_moderator(request.user),
        "blocked": [one.user for one in joined if one.is_blocked],
        "is_over": found.ended_at is not None,
        "narrow": len(state.entrants) > WIDEST_TABLE,
    }
    return render(request, "games/tournament.html", context)


@login_required
@require_POST
def act_in_tournament(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Join a tournament, leave it, or cancel it, as `act` says."""
    act, key, now = request.POST.get("act", ""), request.POST.get("key", ""), server_now()
    found = queries.visible_tournament(pk, request.user, key)
    if act == "join":
        entries.join_tournament(tournament_id=pk, user=request.user, key=key, now=now)
        said = _("You play in this tournament.")
    elif act == "leave":
        entries.leave_tournament(tournament_id=pk, user=request.user, now=now)
        said = _("You have left the tournament.")
    elif act == "cancel":
        entries.cancel_tournament(tournament_id=pk, user=request.user, now=now)
        said = _("The tournament is cancelled.")
    else:
        raise Http404
    messages.success(request, said)
    address = found.get_absolute_url()
    return redirect(f"{address}?key={found.key}" if key else address)


@login_required
@require_POST
def moderate_tournament(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Remove a player (`entrant`), annul a game (`game`), or `cancel` all of it, with a reason."""
    found = queries.visible_tournament(pk, request.user, "")
    by, why, now = request.user, request.POST.get("why", ""), server_now()
    entrant = parse_int_or_none(request.POST.get("entrant", ""))
    game = parse_int_or_none(request.POST.get("game", ""))
    if "cancel" in request.POST:
        cancel_as_moderator(tournament_id=pk, by=by, why=why, now=now)
        said = _("The tournament is cancelled.")
    elif game is not None:
        annul_game(game_id=game, by=by, why=why, now=now)
        said = _("The game is annulled.")
    else:
        remove_from_tournament(entrant_id=entrant or 0, by=by, why=why, now=now)
        said = _("The player is removed from the tournament.")
    messages.success(request, said)
    return redirect(found)
