"""Planning turns on the page of a game, and dropping what was planned. Every view is a POST."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors
from games.plan_text import parse_plan
from games.queries.seats import seat_of
from games.services import plans
from games.views.page import asked_by_htmx, page_context, parse_int_or_none, visible_game

LONGEST_PLAN = 4000
"""Characters of a refused plan that are shown in the field again."""


@login_required
@require_POST
def lay(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Plan what each line of the text says, all or nothing.

    From the analysis board comes one line instead, turn by turn (`turn`).
    """
    game = visible_game(request, pk)
    if seat_of(game, request.user) is None:
        raise errors.NotAPlayer
    turns = request.POST.getlist("turn")
    text = request.POST.get("text", "")
    expected_turn = parse_int_or_none(request.POST.get("expected_turn", ""))
    try:
        if expected_turn is None or (turns and expected_turn != game.turn_number):
            raise errors.StaleTurn
        lines = [parse_plan(line) for line in text.splitlines() if line.strip()]
        if turns:
            lines.append(plans.plan_of_line(game, request.user, turns[: plans.MOST_STEPS]))
        planned = plans.lay_plans(
            game_id=pk,
            user=request.user,
            lines=lines,
            expected_turn=expected_turn,
            now=server_now(),
        )
    except errors.Refusal as refusal:
        if game.started_at is None:
            raise  # before the game begins no page can show it
        more = {"plan_refusal": refusal, "plan_typed": text[:LONGEST_PLAN]}
        return _page(request, pk, more, status=refusal.status)
    said = ngettext("Your turn is planned.", "Your turns are planned.", len(planned))
    if asked_by_htmx(request):
        return _page(request, pk, {"plan_said": said})
    messages.success(request, said)
    return redirect("game", pk)


@login_required
@require_POST
def drop(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Drop the planned turn that `plan` names with what follows it, or all without `plan`."""
    visible_game(request, pk)
    planned_id = request.POST.get("plan", "")
    now = server_now()
    if planned_id:
        number = parse_int_or_none(planned_id)
        plans.drop_plan(game_id=pk, user=request.user, planned_id=number or 0, now=now)
    else:
        plans.drop_plans(game_id=pk, user=request.user, now=now)
    said = _("Your plan is dropped.")
    if asked_by_htmx(request):
        return _page(request, pk, {"plan_said": said})
    messages.success(request, said)
    return redirect("game", pk)


def _page(
    request: HttpRequest, pk: int, more: dict[str, object], status: int = 200
) -> HttpResponse:
    """Return the game's page, or its plans alone for htmx."""
    context = page_context(visible_game(request, pk), request.user) | more
    if asked_by_htmx(request):
        return render(request, "games/_plans.html", context)
    return render(request, "games/game.html", context, status=status)
