"""The page "Your time": days off, quiet hours, vacations, reminders."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User, Vacation
from accounts.requests import PersonRequest
from games.services import absences, budget, weeks
from games.services.errors import Refusal
from games.time_forms import AutomaticForm, RemindersForm, VacationForm, WeekForm, week_of
from games.vacations import is_whole_days

ONE_DAY = timedelta(days=1)


@login_required
@require_safe
def your_time(request: PersonRequest) -> HttpResponse:
    """Show everything that is chosen about one's time."""
    return _page(request)


@login_required
@require_POST
def week(request: PersonRequest) -> HttpResponse:
    """Change days off and quiet hours."""
    form = WeekForm(request.POST)

    def choose(now: datetime) -> None:
        weeks.choose_week(user=request.user, now=now, **form.cleaned_data)

    return _answer(request, "week", form, choose, _("Your week is saved."))


@login_required
@require_POST
def reminders(request: PersonRequest) -> HttpResponse:
    """Change when to be reminded."""
    form = RemindersForm(request.POST)

    def choose(now: datetime) -> None:
        weeks.choose_reminders(user=request.user, now=now, **form.cleaned_data)

    return _answer(request, "reminders", form, choose, _("Your reminders are saved."))


@login_required
@require_POST
def automatic(request: PersonRequest) -> HttpResponse:
    """Choose whether a vacation may begin by itself."""
    form = AutomaticForm(request.POST)

    def choose(now: datetime) -> None:
        weeks.choose_automatic(user=request.user, now=now, **form.cleaned_data)

    return _answer(request, "automatic", form, choose, _("Your settings are saved."))


@login_required
@require_POST
def announce(request: PersonRequest) -> HttpResponse:
    """Announce a vacation."""
    form = VacationForm(request.POST)

    def choose(now: datetime) -> None:
        begins_at, ends_at = form.span(request.user.zone, now)
        absences.announce(user=request.user, begins_at=begins_at, ends_at=ends_at, now=now)

    return _answer(request, "vacation", form, choose, _("Your vacation is announced."))


@login_required
@require_POST
def end(request: PersonRequest, pk: int) -> HttpResponse:
    """End a vacation that has begun."""
    absences.end_early(user=request.user, vacation_id=pk, now=timezone.now())
    messages.success(request, _("Welcome back: your time runs again."))
    return redirect("your_time")


@login_required
@require_POST
def cancel(request: PersonRequest, pk: int) -> HttpResponse:
    """Take a vacation back that has not begun."""
    absences.cancel(user=request.user, vacation_id=pk, now=timezone.now())
    messages.success(request, _("Your vacation is taken back."))
    return redirect("your_time")


def _answer(
    request: PersonRequest,
    section: str,
    form: Form,
    choose: Callable[[datetime], None],
    done: str,
) -> HttpResponse:
    """Do what a form asks for; show the page again with the reason where that cannot be."""
    if form.is_valid():
        try:
            choose(timezone.now())
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
        else:
            messages.success(request, done)
            return redirect("your_time")
    return _page(request, **{section: form})


def _page(request: PersonRequest, **refused: Form) -> HttpResponse:
    """Show the page, with the form that was refused as it was filled in."""
    person, now = request.user, timezone.now()
    reminded = {"marks": person.reminders, "at_night": person.reminders_at_night}
    forms = {
        "week": WeekForm(initial=week_of(person)),
        "reminders": RemindersForm(initial=reminded),
        "automatic": AutomaticForm(initial={"automatic": person.automatic_vacation}),
        "vacation": VacationForm(),
    }
    context = forms | refused | _vacations(person, now)
    return render(request, "games/your_time.html", context, status=422 if refused else 200)


def _vacations(person: User, now: datetime) -> dict[str, Any]:
    """Return a person's vacations as the page shows them, and what is left of their budget."""
    this_year = now.astimezone(person.zone).year
    taken = budget.used(person)
    shown = [
        {
            "vacation": vacation,
            "begun": vacation.begins_at <= now,
            "whole_days": is_whole_days(vacation.begins_at, vacation.ends_at, person.zone.key),
            "last_day": vacation.ends_at - timedelta.resolution,
        }
        for vacation in Vacation.objects.filter(user=person, ends_at__gt=now)
    ]
    allowed = budget.allowed() / ONE_DAY
    years = sorted({this_year} | {year for year in taken if year > this_year})
    return {
        "vacations": shown,
        "budgets": [
            {"year": year, "used": taken.get(year, timedelta()) / ONE_DAY, "allowed": allowed}
            for year in years
        ],
    }
