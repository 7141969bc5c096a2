"""How people treat each other: warnings, blocks, mutes, reports."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.requests import PersonRequest
from games import queries
from games.forms.conduct import ReportForm
from games.models import Game, Message
from games.services.conduct import blocks, mutes, reports
from games.services.errors import BadSeat, Refusal
from games.services.moderation import people
from games.views.conversation import conversation_context
from games.views.numbers import number_in

REPORTS_SHOWN = 50


@login_required
@require_POST
def warnings_read(request: PersonRequest) -> HttpResponse:
    """Note that the warnings were read."""
    people.read_warnings(user=request.user, now=timezone.now())
    return redirect("home")


@login_required
@require_safe
def yours(request: PersonRequest) -> HttpResponse:
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
def block(request: PersonRequest, pk: int) -> HttpResponse:
    """Have nothing to do with somebody any more, or end that when `do` is "end"."""
    person = get_object_or_404(User, pk=pk)
    if request.POST.get("do") == "end":
        blocks.unblock(by=request.user, of=person)
        said = _("%(name)s can challenge you and write to you again.")
    else:
        blocks.block(by=request.user, of=person, now=timezone.now())
        said = _("You get no challenges and no messages from %(name)s any more.")
    messages.success(request, said % {"name": person})
    return redirect("your_conduct" if request.POST.get("from") == "settings" else person)


@login_required
@require_POST
def mute(request: PersonRequest, pk: int) -> HttpResponse:
    """Hide what a seat says, or show it again when `do` is "end"; htmx gets the conversation."""
    found = queries.game_for(pk, request.user)
    number = _seat_number(request.POST.get("seat", ""))
    if request.POST.get("do") == "end":
        mutes.unmute(game_id=pk, user=request.user, seat_number=number)
    else:
        mutes.mute(game_id=pk, user=request.user, seat_number=number, now=timezone.now())
    if request.headers.get("HX-Request"):
        context = conversation_context(found, request.user)
        return render(request, "games/_conversation.html", context)
    return redirect(found.get_absolute_url() + "#conversation")


def _seat_number(text: str) -> int:
    number = number_in(text, longest=2)
    if number is None:
        raise BadSeat
    return number


# Reports -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Subject:
    """What is reported: how to find it, how to report it, and where it is to be seen."""

    found: Callable[[int, User], Any]
    send: Callable[[Any, dict[str, Any]], object]


def _person(pk: int, reporter: User) -> User:
    return get_object_or_404(User, pk=pk)


def _send_message(about: Message, said: dict[str, Any]) -> object:
    return reports.report_message(message_id=about.pk, **said)


def _send_person(about: User, said: dict[str, Any]) -> object:
    return reports.report_person(person=about, **said)


def _send_game(about: Game, said: dict[str, Any]) -> object:
    return reports.report_game(game_id=about.pk, **said)


SUBJECTS = {
    "message": Subject(reports.readable, _send_message),
    "player": Subject(_person, _send_person),
    "game": Subject(queries.game_for, _send_game),
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: PersonRequest, what: str, pk: int) -> HttpResponse:
    """Ask what happened, then report a message, a player or a game."""
    if what not in SUBJECTS:
        raise Http404
    subject = SUBJECTS[what]
    about = subject.found(pk, request.user)
    form = ReportForm(request.POST or None)
    status = 200
    if request.method == "POST":
        refusal = _send(subject, about, form, request.user, timezone.now())
        if refusal is None and form.is_valid():
            messages.success(request, _("Thank you. A moderator will look at it."))
            return redirect("your_conduct")
        status = refusal.status if refusal else 422
    context = {"form": form, "what": what, "about": about}
    return render(request, "games/report.html", context, status=status)


def _send(
    subject: Subject, about: Any, form: ReportForm, reporter: User, now: datetime
) -> Refusal | None:
    """Send what was filled in, if it was; return why not where a service refuses."""
    if not form.is_valid():
        return None
    try:
        subject.send(about, {**form.cleaned_data, "reporter": reporter, "now": now})
    except Refusal as refusal:
        form.add_error(None, refusal.sentence)
        return refusal
    return None
