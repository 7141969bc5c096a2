"""How people treat each other: warnings, blocks, mutes, reports."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
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
from games.forms.conduct import ReportForm
from games.models import Game, Message
from games.services.conduct import blocks, mutes, reports
from games.services.moderation import people
from games.services.moderation.reading import log_read
from games.views.access import visible_game
from games.views.conversation import conversation_context
from games.views.numbers import number_in

REPORTS_SHOWN = 50


@login_required
@require_POST
def warnings_read(request: AuthenticatedRequest) -> HttpResponse:
    """Note that the warnings were read."""
    people.read_warnings(user=request.user, now=server_now())
    return redirect("home")


@login_required
@require_safe
def yours(request: AuthenticatedRequest) -> HttpResponse:
    """Show whom one has blocked, and what became of one's reports."""
    mine = request.user.reports.select_related("person", "game", "message")
    context = {
        "blocks": request.user.blocks.select_related("of").order_by("-at", "-pk"),
        "reports": mine.order_by("-pk")[:REPORTS_SHOWN],
    }
    return render(request, "games/your_conduct.html", context)


# Blocks and mutes --------------------------------------------------------------------------------


@login_required
@require_POST
def block(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Have nothing to do with somebody any more, or end that when `do` is "end"."""
    person = get_object_or_404(User, pk=pk)
    now = server_now()
    if request.POST.get("do") == "end":
        blocks.unblock(by=request.user, of=person, now=now)
        said = _("%(name)s can challenge you and write to you again.")
    else:
        blocks.block(by=request.user, of=person, now=now)
        said = _("You get no challenges and no messages from %(name)s any more.")
    messages.success(request, said % {"name": person})
    return redirect("your_conduct" if request.POST.get("from") == "settings" else person)


@login_required
@require_POST
def mute(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Hide what a seat says, or show it again when `do` is "end"; htmx gets the conversation."""
    found = visible_game(request, pk)
    number = _seat_number(request.POST.get("seat", ""))
    service = mutes.unmute if request.POST.get("do") == "end" else mutes.mute
    service(game_id=pk, user=request.user, seat_number=number, now=server_now())
    if request.headers.get("HX-Request"):
        context = conversation_context(found, request.user)
        return render(request, "games/_conversation.html", context)
    return redirect(found.get_absolute_url() + "#conversation")


def _seat_number(text: str) -> int:
    number = number_in(text, longest=2)
    if number is None:
        raise errors.BadSeat
    return number


# Reports -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Subject:
    """What is reported: how to find it, how to report it, and where it is to be seen."""

    found: Callable[[AuthenticatedRequest, int], Any]
    send: Callable[[Any, dict[str, Any]], object]


def _message(request: AuthenticatedRequest, pk: int) -> Message:
    message = reports.readable(pk, request.user)
    log_read(message.game, by=request.user, page=request.path, now=server_now())
    return message


def _person(request: AuthenticatedRequest, pk: int) -> User:
    return get_object_or_404(User, pk=pk)


def _send_message(about: Message, said: dict[str, Any]) -> object:
    return reports.report_message(message_id=about.pk, **said)


def _send_person(about: User, said: dict[str, Any]) -> object:
    return reports.report_person(person=about, **said)


def _send_game(about: Game, said: dict[str, Any]) -> object:
    return reports.report_game(game_id=about.pk, **said)


SUBJECTS = {
    "message": Subject(_message, _send_message),
    "player": Subject(_person, _send_person),
    "game": Subject(visible_game, _send_game),
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: AuthenticatedRequest, what: str, pk: int) -> HttpResponse:
    """Ask what happened, then report a message, a player or a game."""
    if what not in SUBJECTS:
        raise Http404
    subject = SUBJECTS[what]
    about = subject.found(request, pk)
    form = ReportForm(request.POST or None)
    status = 200
    if request.method == "POST":
        refusal = _send(subject, about, form, request.user, server_now())
        if refusal is None and form.is_valid():
            messages.success(request, _("Thank you. A moderator will look at it."))
            return redirect("your_conduct")
        status = refusal.status if refusal else 422
    context = {"form": form, "what": what, "about": about}
    return render(request, "games/report.html", context, status=status)


def _send(
    subject: Subject, about: Any, form: ReportForm, reporter: User, now: datetime
) -> errors.Refusal | None:
    """Send what was filled in, if it was; return why not where a service refuses."""
    if not form.is_valid():
        return None
    try:
        subject.send(about, {**form.cleaned_data, "reporter": reporter, "now": now})
    except errors.Refusal as refusal:
        form.add_error(None, refusal.sentence)
        return refusal
    return None
