"""The queue of reports, and the page of one: what it is about, and what a moderator does."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.admin.asking import Ask, AskForm, AsksFirst
from games.admin.case import page_context
from games.admin.looking import FirstThousand, OnlyToLookAt, number_in, people_called
from games.models import Report
from games.models.report import WAITING
from games.services.errors import NoSuchPlayer
from games.services.moderation import cases, sayings
from games.services.moderation.rights import plays_in

Lookups = list[tuple[str, Any]]
ALL = "all"


# What is asked -----------------------------------------------------------------------------------


class NothingForm(AskForm):
    """No question but whether it is meant."""

    def __init__(self, subject: Report, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        del self.fields["why"]


class HandOverForm(AskForm):
    """To whom."""

    to = forms.CharField(
        label=gettext_lazy("To"),
        max_length=30,
        help_text=gettext_lazy("A moderator’s user name; your own to take it."),
    )

    def given(self) -> dict[str, Any]:
        """Return the moderator. Raises NoSuchPlayer."""
        name = self.cleaned_data["to"].strip()
        to = User.objects.filter(username__iexact=name).first() if name.isprintable() else None
        if to is None:
            raise NoSuchPlayer(name=name)
        return super().given() | {"to": to, "seen": self.subject.assignee_id or 0}


class CloseForm(NothingForm):
    """What became of it, and the words for the reporter."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Outcome"),
        choices=[
            ("upheld", Report.State.UPHELD.label),
            ("dismissed", Report.State.DISMISSED.label),
        ],
    )
    answer = forms.CharField(
        label=gettext_lazy("Answer"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("The reporter reads it, and the log keeps it."),
    )

    def given(self) -> dict[str, Any]:
        """Return the decision as the service takes it."""
        data = self.cleaned_data
        return {"upheld": data["outcome"] == "upheld", "answer": data["answer"]}


def _take(report: Report, *, by: User, now: datetime) -> object:
    return cases.take(report_id=report.pk, by=by, now=now)


def _hand_over(report: Report, **how: Any) -> object:
    return cases.hand_over(report_id=report.pk, **how)


def _close(report: Report, **how: Any) -> object:
    return cases.close(report_id=report.pk, **how)


def _hide(report: Report, **how: Any) -> object:
    return sayings.hide(message_id=report.message_id or 0, **how)


def _show(report: Report, **how: Any) -> object:
    return sayings.show(message_id=report.message_id or 0, **how)


def _free(report: Report, viewer: User) -> bool:
    return report.state == Report.State.OPEN and not cases.is_concerned(report, viewer)


def _waits(report: Report, viewer: User) -> bool:
    return not report.is_closed and not cases.is_concerned(report, viewer)


def _closes(report: Report, viewer: User) -> bool:
    return _waits(report, viewer) and report.assignee_id in (None, viewer.pk)


def _is_shown(report: Report, viewer: User) -> bool:
    message = report.message
    return message is not None and not message.hidden_at and _judges(report, viewer)


def _is_hidden(report: Report, viewer: User) -> bool:
    message = report.message
    return message is not None and bool(message.hidden_at) and _judges(report, viewer)


def _judges(report: Report, viewer: User) -> bool:
    return report.game is not None and not plays_in(report.game, viewer)


ASKS = [
    Ask(
        "take",
        gettext_lazy("Take it in hand"),
        gettext_lazy("The others see that you look after it."),
        gettext_lazy("The report is in your hands."),
        _take,
        NothingForm,
        _free,
    ),
    Ask(
        "close",
        gettext_lazy("Close it"),
        gettext_lazy("The reporter gets your answer by mail and reads it here."),
        gettext_lazy("The report is closed."),
        _close,
        CloseForm,
        _closes,
    ),
    Ask(
        "hand-over",
        gettext_lazy("Hand it over"),
        gettext_lazy("Another moderator looks after it, or you instead of another."),
        gettext_lazy("The report is in other hands."),
        _hand_over,
        HandOverForm,
        _waits,
    ),
    Ask(
        "hide-message",
        gettext_lazy("Hide the message"),
        gettext_lazy("Nobody reads it any more, on the page or in a mail."),
        gettext_lazy("The message is hidden."),
        _hide,
        AskForm,
        _is_shown,
    ),
    Ask(
        "show-message",
        gettext_lazy("Show the message again"),
        gettext_lazy("Everybody reads it again."),
        gettext_lazy("The message can be read again."),
        _show,
        AskForm,
        _is_hidden,
    ),
]


# The queue ---------------------------------------------------------------------------------------


class StateFilter(admin.SimpleListFilter):
    """Where a report is; those that wait unless something else is chosen."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: object) -> Lookups:
        """Return the states."""
        return [*Report.State.choices, (ALL, gettext_lazy("all"))]

    def choices(self, changelist: Any) -> Any:
        """Name the choice that is made when none is."""
        for choice in super().choices(changelist):
            if choice["query_string"] == changelist.get_query_string(remove=[self.parameter_name]):
                choice["display"] = _("waiting")
            yield choice

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the reports that were chosen."""
        if self.value() == ALL:
            return queryset
        states = [self.value()] if self.value() in Report.State.values else WAITING
        return queryset.filter(state__in=states)


class HandsFilter(admin.SimpleListFilter):
    """In whose hands a report is."""

    title = gettext_lazy("moderator")
    parameter_name = "hands"

    def lookups(self, request: HttpRequest, model_admin: object) -> Lookups:
        """Return whose."""
        return [("mine", gettext_lazy("mine")), ("nobody", gettext_lazy("nobody’s"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the reports that were chosen."""
        kept: dict[str, Any] = {"mine": {"assignee": request.user}, "nobody": {"assignee": None}}
        return queryset.filter(**kept.get(self.value() or "", {}))


@admin.register(Report)
class ReportAdmin(AsksFirst, OnlyToLookAt, admin.ModelAdmin):
    """What players report."""

    asks = ASKS
    list_display = ["id", "made", "reason", "subject_of", "reporter", "state", "assignee"]
    list_filter = [StateFilter, "reason", HandsFilter]
    list_select_related = ["reporter", "person", "game", "assignee"]
    search_fields = ["number", "name"]  # shows the field; `get_search_results` does it
    search_help_text = gettext_lazy("A game’s number, or how the name of who is reported begins.")
    sortable_by = ()
    ordering = ["-pk"]
    list_per_page = 50
    paginator = FirstThousand
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    actions = None

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find reports by the number of their game, or by whom they are about."""
        if not search_term.strip():
            return queryset, False
        number = number_in(search_term)
        if number is not None:
            return queryset.filter(game_id=number), False
        return queryset.filter(person__in=people_called(search_term)), False

    @admin.display(description=gettext_lazy("made"))
    def made(self, report: Report) -> str:
        """Return when, in few letters."""
        return date_format(timezone.localtime(report.made_at), "SHORT_DATETIME_FORMAT")

    @admin.display(description=gettext_lazy("about"))
    def subject_of(self, report: Report) -> str:
        """Return what is reported, in words."""
        if report.message_id:
            said = _("message of %(name)s, game #%(number)s")
            return said % {"name": report.person, "number": report.game_id}
        if report.person_id:
            return str(report.person)
        return _("game #%(number)s") % {"number": report.game_id}

    def subject(self, key: str) -> Report | None:
        """Return a report with all that it names."""
        if not (key.isascii() and key.isdigit() and len(key) < 19):  # noqa: PLR2004
            return None
        named = ("reporter", "person", "game", "assignee", "message__author")
        reports = Report.objects.select_related(*named).prefetch_related("game__seats__user")
        return reports.filter(pk=int(key)).first()

    def name_of(self, subject: Report) -> str:
        """Return the title of a report's page."""
        return _("Report #%(number)s") % {"number": subject.pk}

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a report; there is nothing to send here."""
        viewer = request.user
        if request.method not in ("GET", "HEAD") or not self.has_view_permission(request):
            raise PermissionDenied
        report = self.subject(object_id)
        if report is None:
            return self._get_obj_does_not_exist_redirect(  # type: ignore[attr-defined]
                request, self.opts, object_id
            )
        assert isinstance(viewer, User)  # noqa: S101  (admin_view lets nobody else in)
        shown = page_context(report, now=timezone.now())
        shown["offered"] = self.offered_to(viewer, report)
        shown["concerned"] = cases.is_concerned(report, viewer)
        shown["about"] = self.subject_of(report)
        return self.page(request, report, "admin/games/report/page.html", shown)
