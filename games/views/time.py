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
from games.clock.calendar_days import is_whole_days
from games.forms.times import AutomaticForm, RemindersForm, VacationForm, WeekForm, span_of, week_of
from games.services.clock import availability, game_clock

ONE_DAY = timedelta(days=1)

View = Callable[..., HttpResponse]


@login_required
@require_safe
def your_time(request: AuthenticatedRequest) -> HttpResponse:
    return _page(request)


def _page(request: AuthenticatedRequest, **refused: Form) -> HttpResponse:
    """Show the page, with the refused form as it was filled in."""
    user, now = request.user, server_now()
    zone = user.zone
    allowed, used = game_clock.vacation_allowance(), game_clock.vacation_used(user)
    this_year = now.astimezone(zone).year
    context = {
        "week": WeekForm(initial=week_of(user)),
        "reminders": RemindersForm(
            initial={"marks": user.reminders, "at_night": user.reminders_at_night}
        ),
        "automatic": AutomaticForm(initial={"automatic": user.automatic_vacation}),
        "vacation": VacationForm(),
        "vacations": [
            {
                "vacation": vacation,
                "begun": vacation.begins_at <= now,
                "whole_days": is_whole_days(vacation.begins_at, vacation.ends_at, zone.key),
                "last_day": vacation.ends_at - timedelta.resolution,
            }
            for vacation in Vacation.objects.filter(user=user, ends_at__gt=now)
        ],
        "allowed": allowed / ONE_DAY,
        "budgets": [
            {
                "year": year,
                "used": used.get(year, timedelta()) / ONE_DAY,
                "allowed": allowed / ONE_DAY,
            }
            for year in sorted({this_year} | {year for year in used if year > this_year})
        ],
    }
    status = 422 if refused else 200
    return render(request, "games/your_time.html", context | refused, status=status)


def form_view(section: str, kind: type[Form], service: Callable[..., object], said: Any) -> View:
    """Return a view that calls `service` with the fields of a form, and shows `said`.

    If the form or the service refuses, the page is shown again with the reason in its `section`.
    """

    @login_required
    @require_POST
    def view(request: AuthenticatedRequest) -> HttpResponse:
        form = kind(request.POST)
        if not form.is_valid():
            return _page(request, **{section: form})
        try:
            service(user=request.user, now=server_now(), **form.cleaned_data)
        except errors.Refusal as refusal:
            form.add_error(None, refusal.sentence)
            return _page(request, **{section: form})
        messages.success(request, str(said))
        return redirect("your_time")

    return view


def vacation_view(service: Callable[..., object], said: Any) -> View:
    """Return a view that calls `service` for one of the user's vacations, and shows `said`."""

    @login_required
    @require_POST
    def view(request: AuthenticatedRequest, pk: int) -> HttpResponse:
        service(user=request.user, vacation_id=pk, now=server_now())
        messages.success(request, str(said))
        return redirect("your_time")

    return view


def announce_by_days(*, user: User, first: date | None, last: date, now: datetime) -> None:
    """Announce a vacation by its first and last day in the user's time zone."""
    begins_at, ends_at = span_of(first, last, user.zone, now)
    availability.announce_vacation(user=user, begins_at=begins_at, ends_at=ends_at, now=now)


week = form_view("week", WeekForm, availability.set_schedule, _("Your weekly schedule is saved."))
reminders = form_view(
    "reminders", RemindersForm, availability.set_reminders, _("Your reminders are saved.")
)
automatic = form_view(
    "automatic", AutomaticForm, availability.set_automatic_vacation, _("Your settings are saved.")
)
announce = form_view("vacation", VacationForm, announce_by_days, _("Your vacation is announced."))
end = vacation_view(availability.end_vacation_early, _("Welcome back: your time runs again."))
cancel = vacation_view(availability.cancel_vacation, _("Your vacation is taken back."))
