"""Clubs: the list, the page of one, a new one, a new table of one, and what members do there."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import club_errors, errors
from games.clock.durations import pace_in_words
from games.forms.clubs import ClubForm, ClubTableForm
from games.models.club import LONGEST_REASON, LONGEST_TEXT
from games.queries import clubs as queries
from games.queries.ratings import rating_words
from games.rules.registry import UnknownGame, all_rules, english_name, rules_for
from games.services.clubs import announcements, clubs, members, tables
from games.views.page import parse_int_or_none


@require_safe
def club_list(request: HttpRequest) -> HttpResponse:
    """List the clubs."""
    own = queries.clubs_of(request.user)
    return render(request, "games/clubs.html", {"clubs": queries.club_list(), "own": own})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_club(request: AuthenticatedRequest) -> HttpResponse:
    """Open a club."""
    form, status = ClubForm(request.POST or None), 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = clubs.open_club(user=request.user, now=server_now(), **form.cleaned_data)
            except errors.Refusal as refusal:
                form.add_error(None, refusal.sentence)
                status = refusal.status
            else:
                messages.success(request, _("The club is open: players can ask to join."))
                return redirect(made)
    return render(request, "games/new_club.html", {"form": form}, status=status)


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: members, matches, the order by rating; to members its tables and letters."""
    found, now = queries.club_named(slug), server_now()
    page = queries.club_page(found, request.user, now=now)
    order = queries.club_order(found, request.GET.get("game", ""), request.user, now=now)
    key = parse_int_or_none(request.GET.get("member", ""))
    chosen = next((one for one in page.members if one.user_id == key), None)
    own = queries.clubs_of(request.user)
    challengers = [one for one in own.values() if one.is_manager and one.club_id != found.pk]
    context = {
        "page": page,
        "club": found,
        "order": [(one.player, rating_words(one)) for one in order.rows],
        "order_slug": order.slug,
        "order_games": [(one, _(english_name(one))) for one in order.games],
        "tables": [(one, pace_in_words(one.terms.pace)) for one in page.tables],
        "asks": request.GET.get("act", "") if page.own else "",
        "chosen": chosen if page.is_manager else None,
        "challengers": [] if found.closed_at else challengers,
        "form": ClubForm(initial={"name": found.name, "description": found.description}),
        "longest_text": LONGEST_TEXT,
        "longest_reason": LONGEST_REASON,
    }
    return render(request, "games/club.html", context)


Acts = dict[str, tuple[Callable[..., object], Callable[[], str]]]

ACTS: Acts = {
    "ask": (members.ask_for_membership, lambda: _("The managers of the club see your request.")),
    "withdraw": (members.withdraw_request, lambda: _("Your request is withdrawn.")),
    "leave": (members.leave_club, lambda: _("You have left the club.")),
    "close": (clubs.close_club, lambda: _("The club is closed.")),
}
"""What somebody does for themselves, with what is said then."""

ACTS_ON_OTHERS: Acts = {
    "admit": (members.admit, lambda: _("%(name)s is a member now.")),
    "refuse": (members.refuse, lambda: _("You have refused %(name)s.")),
    "remove": (members.remove_member, lambda: _("%(name)s is removed from the club.")),
    "manager": (members.set_manager, lambda: _("%(name)s manages the club now.")),
    "member": (members.set_manager, lambda: _("%(name)s does not manage the club any more.")),
    "hand-over": (members.hand_club_over, lambda: _("%(name)s owns the club now.")),
}
"""What a manager does to `person`, with what is said then."""


@login_required
@require_POST
def act_in_club(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Do in a club what `act` says."""
    found, now, act = queries.club_named(slug), server_now(), request.POST.get("act", "")
    at: dict[str, Any] = {"club_id": found.pk, "now": now}
    text = request.POST.get("text", "")
    if act in ACTS:
        service, said = ACTS[act]
        service(user=request.user, **at)
        messages.success(request, said())
    elif act in ACTS_ON_OTHERS:
        service, said = ACTS_ON_OTHERS[act]
        key = parse_int_or_none(request.POST.get("person", ""))
        person = get_object_or_404(User, pk=key)
        if act == "remove":
            at["text"] = text
        elif act in ("manager", "member"):
            at["is_manager"] = act == "manager"
        service(person=person, by=request.user, **at)
        messages.success(request, said() % {"name": person})
    elif act == "announce":
        announcements.announce(user=request.user, text=text, **at)
        messages.success(request, _("The announcement is on its way to all members."))
    elif act == "describe":
        name = request.POST.get("name", "")
        words = request.POST.get("description", "")
        found = clubs.describe_club(user=request.user, name=name, text=words, **at)
        messages.success(request, _("The description is saved."))
    elif act in ("letters-on", "letters-off"):
        members.set_letters(user=request.user, on=act == "letters-on", **at)
        messages.success(request, _("Your choice is saved."))
    elif act == "sit-down":
        key = parse_int_or_none(request.POST.get("game", "")) or 0
        return redirect(tables.join_club_table(game_id=key, user=request.user, now=now))
    else:
        raise Http404
    return redirect(found)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_club_table(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Choose a game, then everything else about a table for the members of a club.

    `step` "look" shows the form again, because an option has changed the other choices.
    """
    found = queries.club_named(slug)
    if found.pk not in queries.clubs_of(request.user):
        raise club_errors.NotInClub
    address = reverse("new_club_table", args=[slug])
    game = request.POST.get("game") or request.GET.get("game")
    if not game:
        context = {"all_rules": all_rules(), "to": "club", "game_address": f"{address}?"}
        return render(request, "games/choose_game.html", context)
    try:
        rules = rules_for(game)
    except UnknownGame:
        raise errors.UnknownRules from None
    only_look, status = request.POST.get("step") == "look", 200
    form = ClubTableForm(rules, None if only_look else request.POST or None)
    if only_look:
        form.start_from(request.POST)
    elif request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = tables.open_club_table(
                    club_id=found.pk,
                    user=request.user,
                    rules_slug=rules.slug,
                    options=form.options,
                    terms=form.terms,
                    creator_seat=form.cleaned_data["creator_seat"],
                    now=server_now(),
                )
                return redirect(made)
            except errors.Refusal as refusal:
                form.add_error(None, refusal.sentence)
                status = refusal.status
    shown = {"form": form, "rules": rules, "club": found}
    return render(request, "games/new_club_table.html", shown, status=status)
