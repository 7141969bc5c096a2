"""The page "Your time": days off, quiet hours, vacations, reminders."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User, Vacation
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors
from games.forms.times import AutomaticForm, RemindersForm, VacationForm, WeekForm, span_of, week_of
from games.services.clock import availability, vacation_days, vacation_planning
from games.vacations import is_whole_days

ONE_DAY = timedelta(days=1)

View = Callable[..., HttpResponse]


@login_required
@require_safe
def your_time(request: AuthenticatedRequest) -> HttpResponse:
    """Show everything that is chosen about one's time."""
    return _page(request)


def _chosen(section: str, kind: type[Form], choose: Callable[..., object], said: Any) -> View:
    """Return a view that does what a form asks for, by the names of its fields, and says so.

    Where that cannot be, the page is shown again with the reason in its `section`.
    """

    @login_required
    @require_POST
    def view(request: AuthenticatedRequest) -> HttpResponse:
        form = kind(request.POST)
        if not form.is_valid():
            return _page(request, **{section: form})
        try:
            choose(user=request.user, now=server_now(), **form.cleaned_data)
        except errors.Refusal as refusal:
            form.add_error(None, refusal.sentence)
            return _page(request, **{section: form})
        return _back(request, said)

    return view


def _ended(end: Callable[..., object], said: Any) -> View:
    """Return a view that ends one of one's vacations, in one way or another, and says so."""

    @login_required
    @require_POST
    def view(request: AuthenticatedRequest, pk: int) -> HttpResponse:
        end(user=request.user, vacation_id=pk, now=server_now())
        return _back(request, said)

    return view


def _back(request: AuthenticatedRequest, said: Any) -> HttpResponse:
    messages.success(request, str(said))
    return redirect("your_time")


def _announce(*, user: User, first: date | None, last: date, now: datetime) -> None:
    begins_at, ends_at = span_of(first, last, user.zone, now)
    vacation_planning.announce_vacation(user=user, begins_at=begins_at, ends_at=ends_at, now=now)


week = _chosen("week", WeekForm, availability.set_schedule, _("Your week is saved."))
reminders = _chosen(
    "reminders", RemindersForm, availability.set_reminders, _("Your reminders are saved.")
)
automatic = _chosen(
    "automatic", AutomaticForm, availability.set_automatic_vacation, _("Your settings are saved.")
)
announce = _chosen("vacation", VacationForm, _announce, _("Your vacation is announced."))
end = _ended(vacation_planning.end_early, _("Welcome back: your time runs again."))
cancel = _ended(vacation_planning.cancel, _("Your vacation is taken back."))


def _page(request: AuthenticatedRequest, **refused: Form) -> HttpResponse:
    """Show the page, with the form that was refused as it was filled in."""
    person, now = request.user, server_now()
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
    taken = vacation_days.used(person)
    shown = [
        {
            "vacation": vacation,
            "begun": vacation.begins_at <= now,
            "whole_days": is_whole_days(vacation.begins_at, vacation.ends_at, person.zone.key),
            "last_day": vacation.ends_at - timedelta.resolution,
        }
        for vacation in Vacation.objects.filter(user=person, ends_at__gt=now)
    ]
    allowed = vacation_days.allowed() / ONE_DAY
    years = sorted({this_year} | {year for year in taken if year > this_year})
    return {
        "vacations": shown,
        "allowed": allowed,
        "budgets": [
            {"year": year, "used": taken.get(year, timedelta()) / ONE_DAY, "allowed": allowed}
            for year in years
        ],
    }
