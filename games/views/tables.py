"""Home, lobby, and tables from their making to the first turn."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.requests import PersonRequest
from games import queries
from games.forms import InviteForm, NewTableForm
from games.rules.registry import UnknownGame, all_rules, rules_for
from games.services import proposals, tables
from games.services.errors import Refusal, UnknownRules


def home(request: HttpRequest) -> HttpResponse:
    """Show a player's games, or to a stranger what this place is."""
    if not isinstance(request.user, User):
        newest = queries.lobby(request.user)[:5]
        return render(request, "games/welcome.html", {"all_rules": all_rules(), "tables": newest})
    return render(request, "games/home.html", {"home": queries.home_page(request.user)})


def lobby(request: HttpRequest) -> HttpResponse:
    """Show the open tables."""
    found = queries.lobby(request.user)[:100]
    return render(request, "games/lobby.html", {"tables": found, "all_rules": all_rules()})


@login_required
def new_table(request: PersonRequest) -> HttpResponse:
    """Choose a game, then everything else about a table."""
    slug = request.POST.get("game") or request.GET.get("game")
    if not slug:
        return render(request, "games/choose_game.html", {"all_rules": all_rules()})
    try:
        rules = rules_for(slug)
    except UnknownGame:
        raise UnknownRules from None
    given = {key: request.GET[key] for key in ("whom", "name") if key in request.GET}
    form = NewTableForm(rules, request.POST or None, initial=given)
    if "days" in request.GET:
        form.start_from(request.GET)
    status = 200
    if request.method == "POST":
        if form.is_valid():
            try:
                return redirect(_propose(request.user, form))
            except Refusal as refusal:
                form.add_error(None, refusal.sentence)
        status = 422
    return render(request, "games/new_table.html", {"form": form, "rules": rules}, status=status)


def _propose(user: User, form: NewTableForm) -> str:
    """Make the table and return its address."""
    game = proposals.propose(
        maker=user,
        rules_slug=form.rules.slug,
        options=form.options,
        allowance=form.allowance,
        opponent=form.opponent,
        is_public=form.cleaned_data["is_public"],
        maker_seat=form.cleaned_data["maker_seat"],
        now=timezone.now(),
    )
    return game.get_absolute_url()


@login_required
@require_POST
def join(request: PersonRequest, pk: int) -> HttpResponse:
    """Sit down."""
    queries.game_for(pk, request.user)
    game = tables.join_table(game_id=pk, user=request.user, now=timezone.now())
    return redirect(game)


@login_required
@require_POST
def leave(request: PersonRequest, pk: int) -> HttpResponse:
    """Get up."""
    queries.game_for(pk, request.user)
    tables.leave_table(game_id=pk, user=request.user, now=timezone.now())
    messages.success(request, _("You have left the table."))
    return redirect("lobby")


@login_required
@require_POST
def withdraw(request: PersonRequest, pk: int) -> HttpResponse:
    """Take a table back."""
    queries.game_for(pk, request.user)
    tables.withdraw_table(game_id=pk, user=request.user, now=timezone.now())
    messages.success(request, _("The table is withdrawn."))
    return redirect("home")


@login_required
@require_POST
def ask(request: PersonRequest, pk: int) -> HttpResponse:
    """Ask one more person to the table."""
    game = queries.game_for(pk, request.user)
    form = InviteForm(request.POST)
    if form.is_valid():
        proposals.ask(game_id=pk, by=request.user, opponent=form.opponent, now=timezone.now())
        messages.success(request, _("The invitation is on its way."))
    else:
        messages.error(request, _("Say whom you would like to play."))
    return redirect(game)
