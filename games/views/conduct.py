"""How people treat each other: warnings, blocks, mutes, reports."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors
from games.forms.game_page import ReportForm
from games.moderation import people
from games.moderation.access import log_read
from games.services.conduct import blocks, mutes, reports
from games.views.page import conversation_context, parse_int_or_none, visible_game

REPORTS_SHOWN = 50


@login_required
@require_POST
def read_warnings(request: AuthenticatedRequest) -> HttpResponse:
    people.read_warnings(user=request.user, now=server_now())
    return redirect("home")


@login_required
@require_safe
def your_conduct(request: AuthenticatedRequest) -> HttpResponse:
    """List the user's blocks, and what became of their reports."""
    made = request.user.reports.select_related("person", "game", "message")
    context = {
        "blocks": request.user.blocks.select_related("of").order_by("-at", "-pk"),
        "reports": made.order_by("-pk")[:REPORTS_SHOWN],
    }
    return render(request, "games/your_conduct.html", context)


@login_required
@require_POST
def block(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Block a user, or unblock them if `do` is "end"."""
    person = get_object_or_404(User, pk=pk)
    now = server_now()
    if request.POST.get("do") == "end":
        blocks.unblock(by=request.user, of=person, now=now)
        said = _("%(name)s can challenge you and write to you again.")
    else:
        blocks.block(by=request.user, of=person, now=now)
        said = _("You will get no more challenges or messages from %(name)s.")
    messages.success(request, said % {"name": person})
    return redirect("your_conduct" if request.POST.get("from") == "settings" else person)


@login_required
@require_POST
def mute(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Mute a seat, or unmute it if `do` is "end"; htmx gets the conversation."""
    visible_game(request, pk)
    number = parse_int_or_none(request.POST.get("seat", ""), longest=2)
    if number is None:
        raise errors.BadSeat
    service = mutes.unmute if request.POST.get("do") == "end" else mutes.mute
    service(game_id=pk, user=request.user, seat_number=number, now=server_now())
    game = visible_game(request, pk)
    if request.headers.get("HX-Request"):
        context = conversation_context(game, request.user)
        return render(request, "games/_conversation.html", context)
    return redirect(game.get_absolute_url() + "#conversation")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: AuthenticatedRequest, what: str, pk: int) -> HttpResponse:
    """Ask what happened, then report a message, a player or a game."""
    now = server_now()
    about: Any
    service: Any
    if what == "message":
        about = reports.readable(pk, request.user)
        log_read(about.game, by=request.user, page=request.path, now=now)
        service, subject = reports.report_message, {"message_id": pk}
    elif what == "player":
        about = get_object_or_404(User, pk=pk)
        service, subject = reports.report_person, {"person": about}
    elif what == "game":
        about = visible_game(request, pk)
        service, subject = reports.report_game, {"game_id": pk}
    else:
        raise Http404
    if request.user.is_guest:
        raise errors.GuestsDoNotTalk
    form = ReportForm(request.POST or None)
    status = 422 if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        try:
            service(**subject, **form.cleaned_data, reporter=request.user, now=now)
        except errors.Refusal as refusal:
            form.add_error(None, refusal.sentence)
            status = refusal.status
        else:
            messages.success(request, _("Thank you. A moderator will look at it."))
            return redirect("your_conduct")
    context = {"form": form, "what": what, "about": about}
    return render(request, "games/report.html", context, status=status)
