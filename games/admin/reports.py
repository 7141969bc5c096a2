"""The queue of reports, and the page of one: what it is about, and what a moderator does."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games import errors
from games.admin.base import ReadOnlyAdmin, key_in, short
from games.admin.messages import asks_about
from games.admin.object_actions import ActionForm, ObjectAction, ObjectActionsMixin, on
from games.admin.reasons import person_of
from games.admin.report_page import report_page_context
from games.models import Game, Report
from games.models.report import WAITING
from games.services.moderation import report_handling

Lookups = list[tuple[str, Any]]
ALL = "all"


# What is asked -----------------------------------------------------------------------------------


class NothingForm(ActionForm):
    """No question but whether it is meant."""

    def __init__(self, subject: Report, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        del self.fields["why"]


class HandOverForm(ActionForm):
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
            raise errors.NoSuchPlayer(name=name)
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
        given = super().given()
        return given | {"upheld": given.pop("outcome") == "upheld"}


def _free(report: Report, viewer: User) -> bool:
    return report.state == Report.State.OPEN and not report_handling.has_conflict_of_interest(
        report, viewer
    )


def _waits(report: Report, viewer: User) -> bool:
    return not report.is_closed and not report_handling.has_conflict_of_interest(report, viewer)


def _closes(report: Report, viewer: User) -> bool:
    return _waits(report, viewer) and report.assignee_id in (None, viewer.pk)


ASKS = [
    ObjectAction(
        "take",
        gettext_lazy("Take it in hand"),
        gettext_lazy("The others see that you look after it."),
        gettext_lazy("The report is in your hands."),
        on("report_id", report_handling.assign),
        NothingForm,
        _free,
    ),
    ObjectAction(
        "close",
        gettext_lazy("Close it"),
        gettext_lazy("The reporter gets your answer by mail and reads it here."),
        gettext_lazy("The report is closed."),
        on("report_id", report_handling.resolve),
        CloseForm,
        _closes,
    ),
    ObjectAction(
        "hand-over",
        gettext_lazy("Hand it over"),
        gettext_lazy("Another moderator looks after it, or you instead of another."),
        gettext_lazy("The report is in other hands."),
        on("report_id", report_handling.reassign),
        HandOverForm,
        _waits,
    ),
    *asks_about(lambda report: report.message),
]


# The queue ---------------------------------------------------------------------------------------


class ReportStateFilter(admin.SimpleListFilter):
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
class ReportAdmin(ReadOnlyAdmin, ObjectActionsMixin):
    """What players report."""

    asks = ASKS
    page_template = "admin/games/report/page.html"
    list_display = ["id", "made", "reason", "subject_of", "made_by", "state", "assignee"]
    list_filter = [ReportStateFilter, "reason", HandsFilter]
    list_select_related: ClassVar[Any] = []
    names_people: ClassVar[Any] = ["reporter", "person", "assignee"]
    search_fields = ["number", "name"]  # shows the field; `get_search_results` does it
    search_help_text = gettext_lazy("A game’s number, or how the name of who is reported begins.")
    found_by_number, found_by_name = "game_id", "person"

    @admin.display(description=gettext_lazy("made"))
    def made(self, report: Report) -> str:
        """Return when, in few letters."""
        return short(report.made_at)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Return the reports; of those about the viewer it is not said who made them."""
        reports = super().get_queryset(request)
        return reports.annotate(about_viewer=Q(person=person_of(request)))

    @admin.display(description=gettext_lazy("reported by"))
    def made_by(self, report: Report) -> str:
        """Return who reported, but not to whom is reported."""
        about_viewer = getattr(report, "about_viewer", False)  # `get_queryset` has put it there
        return "—" if about_viewer else str(report.reporter)

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
        named = ("reporter", "person", "game", "assignee", "message__author")
        reports = Report.objects.select_related(*named).prefetch_related("game__seats__user")
        report = reports.filter(pk=key_in(key)).first()
        if report is not None and report.message is not None and report.game is not None:
            report.message.game = report.game  # looked up once
        return report

    def game_of(self, subject: Report) -> Game | None:
        """Return the game that is reported, or at which the message was said."""
        return subject.game

    def name_of(self, subject: Report) -> str:
        """Return the title of a report's page."""
        return _("Report #%(number)s") % {"number": subject.pk}

    def shown(self, request: HttpRequest, subject: Report) -> dict[str, Any]:
        """Return the report in its context."""
        viewer = person_of(request)
        return report_page_context(subject, viewer) | {
            "concerned": report_handling.has_conflict_of_interest(subject, viewer),
            "about": self.subject_of(subject),
        }
