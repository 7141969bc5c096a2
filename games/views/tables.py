"""The lobby, tables until the game starts, and the way to the next game."""

from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guests import create_guest
from accounts.models import User
from accounts.server_time import server_now
from accounts.sessions import remember_device
from accounts.users import AuthenticatedRequest
from accounts.views import too_many_requests
from games import errors
from games.clock.snoozes import active_snooze
from games.forms.tables import InviteForm, NewTableForm
from games.models import Game
from games.queries import lists
from games.queries.lists import vacant_seats
from games.queries.ratings import ratings_at
from games.rules.registry import UnknownGame, all_rules, rules_for
from games.services import invitations, tables
from games.services.clock import timeouts
from games.services.guests import begin_practice
from games.services.levels import LOWEST
from games.views.page import parse_int_or_none, visible_game


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Begin a game against a program; a stranger becomes a guest and is signed in."""
    slug, now = request.POST.get("game", ""), server_now()
    level = parse_int_or_none(request.POST.get("level", "")) or LOWEST
    if isinstance(request.user, User):
        game = begin_practice(user=request.user, rules_slug=slug, level=level, now=now)
        return redirect(game)
    if not ratelimit.consume(request, action="guest"):
        return too_many_requests(request)
    with transaction.atomic():
        guest = create_guest(language=get_language() or "", now=now)
        game = begin_practice(user=guest, rules_slug=slug, level=level, now=now)
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    response = redirect(game)
    # Signing up with the same browser is no sign-in with a new one.
    remember_device(request, response, guest)
    return response


@login_required
@require_safe
@never_cache
def next_game(request: AuthenticatedRequest) -> HttpResponse:
    """Lead to the game that waits for the user after game `after`, by deadline, and not snoozed.

    After the last one comes the first, as after a game that does not wait for them: its deadline is
    somebody else's.
    """
    by_deadline = Game.objects.awaiting(request.user.pk).order_by(
        F("deadline").asc(nulls_last=True), "pk"
    )
    found, now = by_deadline.values_list("pk", "deadline", "seats__snoozed_until"), server_now()
    snoozed = {pk for pk, deadline, until in found if active_snooze(until, deadline, now=now)}
    waiting = [pk for pk, _deadline, _until in found]
    after = parse_int_or_none(request.GET.get("after", ""))
    begin = waiting.index(after) + 1 if after in waiting else 0
    for pk in waiting[begin:] + waiting[:begin]:
        if pk != after and pk not in snoozed:
            return redirect("game", pk)
    said = _("No other game is waiting for you.")
    if snoozed.issuperset(waiting):
        said = _("Well done: no game is waiting for you.")
        if snoozed:
            said = _("No other game is waiting for you. Those that you snoozed come later.")
    messages.info(request, said)
    return redirect("home")


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the open tables, and the running games that look for a substitute."""
    found = list(lists.lobby(request.user)[:100])
    sought = vacant_seats(request.user, now=server_now())[:100]
    context = {
        "tables": found,
        "sought": sought,
        "all_rules": all_rules(),
        "ratings": ratings_at(found, request.user, now=server_now()),
    }
    return render(request, "games/lobby.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: AuthenticatedRequest) -> HttpResponse:
    """Choose a game, then everything else about a table.

    `step` "look" shows the form again, because an option has changed the other choices.
    """
    slug = request.POST.get("game") or request.GET.get("game")
    if not slug:
        return render(request, "games/choose_game.html", {"all_rules": all_rules()})
    try:
        rules = rules_for(slug)
    except UnknownGame:
        raise errors.UnknownRules from None
    given = {key: request.GET[key] for key in ("whom", "name", "level") if key in request.GET}
    only_look = request.POST.get("step") == "look"
    form = NewTableForm(rules, None if only_look else request.POST or None, initial=given)
    if only_look or "days" in request.GET:
        form.start_from(request.POST if only_look else request.GET)
    status = 200
    if request.method == "POST" and not only_look:
        status = 422
        if form.is_valid():
            try:
                game = invitations.propose(
                    creator=request.user,
                    rules_slug=rules.slug,
                    options=form.options,
                    terms=form.terms,
                    opponent=form.opponent,
                    is_public=form.cleaned_data["is_public"],
                    creator_seat=form.cleaned_data["creator_seat"],
                    is_lesson=form.cleaned_data["is_lesson"],
                    now=server_now(),
                )
                return redirect(game)
            except errors.Refusal as refusal:
                form.add_error(None, refusal.sentence)
                status = refusal.status
    return render(request, "games/new_table.html", {"form": form, "rules": rules}, status=status)


@login_required
@require_POST
def join(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    visible_game(request, pk)
    game = tables.join_table(game_id=pk, user=request.user, now=server_now())
    return redirect(game)


@login_required
@require_POST
def claim(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    visible_game(request, pk)
    game = timeouts.claim_seat(game_id=pk, user=request.user, now=server_now())
    messages.success(request, _("The seat is yours. It is your turn."))
    return redirect(game)


@login_required
@require_POST
def leave(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    visible_game(request, pk)
    tables.leave_table(game_id=pk, user=request.user, now=server_now())
    messages.success(request, _("You have left the table."))
    return redirect("lobby")


@login_required
@require_POST
def withdraw(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    visible_game(request, pk)
    tables.withdraw_table(game_id=pk, user=request.user, now=server_now())
    messages.success(request, _("The table is cancelled."))
    return redirect("home")


@login_required
@require_POST
def ask(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    game = visible_game(request, pk)
    form = InviteForm(game.rules_slug, request.POST)
    if form.is_valid():
        invitations.ask(game_id=pk, by=request.user, opponent=form.opponent, now=server_now())
        messages.success(request, _("The invitation is on its way."))
    else:
        messages.error(request, _("Choose whom you want to play against."))
    return redirect(game)
