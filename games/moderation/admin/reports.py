"""Reports: the queue with its filters, the page of one, and what a moderator does with it."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.models import Game, Message, Report
from games.models.report import WAITING
from games.moderation import reports
from games.moderation.admin.actions import ActionForm, ObjectAction, calls, user_named
from games.moderation.admin.base import ModerationAdmin, user_of
from games.moderation.admin.large_tables import parse_key, short_moment
from games.moderation.admin.messages import message_actions
from games.queries.positions import moment_at, words_of_moment
from games.render.svg import board_svg

Choices = list[tuple[str, Any]]
ALL = "all"

AROUND = 6
"""How many messages are shown before the reported one, and after."""

MOST_OTHERS = 10
"""How many other reports about the same person or game are shown."""

# Actions -----------------------------------------------------------------------------------------


class ConfirmForm(ActionForm):
    """Asks for nothing but a confirmation."""

    def __init__(self, subject: Report, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        del self.fields["why"]


class HandOverForm(ActionForm):
    to = forms.CharField(
        label=gettext_lazy("To"),
        max_length=30,
        help_text=gettext_lazy("The user name of a moderator. Enter your own to take the report."),
    )

    def arguments(self) -> dict[str, Any]:
        to = user_named(self.cleaned_data["to"].strip())
        return super().arguments() | {"to": to, "seen": self.subject.assignee_id or 0}


class CloseForm(ConfirmForm):
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
        help_text=gettext_lazy("The reporter reads it, and it is kept in the log."),
    )

    def arguments(self) -> dict[str, Any]:
        given = super().arguments()
        return given | {"upheld": given.pop("outcome") == "upheld"}


def _may_handle(report: Report, viewer: User) -> bool:
    return not report.is_closed and not reports.has_conflict_of_interest(report, viewer)


REPORT_ACTIONS = [
    ObjectAction(
        "take",
        gettext_lazy("Assign it to me"),
        gettext_lazy("Other moderators see that you are handling it."),
        gettext_lazy("The report is assigned to you."),
        calls("report_id", reports.assign),
        ConfirmForm,
        lambda report, viewer: report.state == Report.State.OPEN and _may_handle(report, viewer),
    ),
    ObjectAction(
        "close",
        gettext_lazy("Close it"),
        gettext_lazy("The reporter gets your answer by mail and reads it here."),
        gettext_lazy("The report is closed."),
        calls("report_id", reports.resolve),
        CloseForm,
        lambda report, viewer: (
            _may_handle(report, viewer) and report.assignee_id in (None, viewer.pk)
        ),
    ),
    ObjectAction(
        "hand-over",
        gettext_lazy("Reassign it"),
        gettext_lazy("Give it to another moderator, or take it over from one."),
        gettext_lazy("The report is reassigned."),
        calls("report_id", reports.reassign),
        HandOverForm,
        _may_handle,
    ),
    *message_actions(lambda report: report.message),
]


# The queue, and the page of one ------------------------------------------------------------------


class ReportStateFilter(admin.SimpleListFilter):
    """A report's state. Without a choice, those that are not closed are shown."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        return [*Report.State.choices, (ALL, gettext_lazy("all"))]

    def choices(self, changelist: Any) -> Any:
        for choice in super().choices(changelist):
            if choice["query_string"] == changelist.get_query_string(remove=[self.parameter_name]):
                choice["display"] = _("waiting")
            yield choice

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() == ALL:
            return queryset
        states = [self.value()] if self.value() in Report.State.values else WAITING
        return queryset.filter(state__in=states)


class AssigneeFilter(admin.SimpleListFilter):
    title = gettext_lazy("moderator")
    parameter_name = "hands"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        return [("mine", gettext_lazy("mine")), ("nobody", gettext_lazy("nobody’s"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        kept: dict[str, Any] = {"mine": {"assignee": request.user}, "nobody": {"assignee": None}}
        return queryset.filter(**kept.get(self.value() or "", {}))


@admin.register(Report)
class ReportAdmin(ModerationAdmin):
    object_actions = REPORT_ACTIONS
    page_template = "admin/games/report/page.html"
    list_display = ["id", "made", "reason", "subject_of", "made_by", "state", "assignee"]
    list_filter = [ReportStateFilter, "reason", AssigneeFilter]
    list_select_related: ClassVar[Any] = []
    prefetch_users: ClassVar[Any] = ["reporter", "person", "assignee"]
    search_fields = ["number", "name"]  # shows the field; `get_search_results` does it
    search_help_text = gettext_lazy("A game’s number, or the beginning of the reported name.")
    number_field = "game_id"
    user_field = "person"

    @admin.display(description=gettext_lazy("made"))
    def made(self, report: Report) -> str:
        return short_moment(report.made_at)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Return the reports; `made_by` hides who made those about the viewer."""
        return super().get_queryset(request).annotate(about_viewer=Q(person=user_of(request)))

    @admin.display(description=gettext_lazy("reported by"))
    def made_by(self, report: Report) -> str:
        about_viewer = getattr(report, "about_viewer", False)  # `get_queryset` has put it there
        return "—" if about_viewer else str(report.reporter)

    @admin.display(description=gettext_lazy("about"))
    def subject_of(self, report: Report) -> str:
        if report.message_id:
            said = _("message of %(name)s, game #%(number)s")
            return said % {"name": report.person, "number": report.game_id}
        if report.person_id:
            return str(report.person)
        return _("game #%(number)s") % {"number": report.game_id}

    def get_subject(self, key: str) -> Report | None:
        named = ("reporter", "person", "game", "assignee", "message__author")
        found = Report.objects.select_related(*named).prefetch_related("game__seats__user")
        report = found.filter(pk=parse_key(key)).first()
        if report is not None and report.message is not None and report.game is not None:
            report.message.game = report.game  # looked up once
        return report

    def game_of(self, subject: Report) -> Game | None:
        return subject.game

    def title_of(self, subject: Report) -> str:
        return _("Report #%(number)s") % {"number": subject.pk}

    def page_context(self, request: HttpRequest, subject: Report) -> dict[str, Any]:
        viewer = user_of(request)
        game, message = subject.game, subject.message
        conversation: list[Message] = []
        if message:
            said = Message.objects.filter(game=message.game_id).select_related("author")
            before = said.filter(pk__lte=message.pk).order_by("-pk")[: AROUND + 1]
            conversation = [
                *reversed(before),
                *said.filter(pk__gt=message.pk).order_by("pk")[:AROUND],
            ]
        elif game:
            said = game.messages.select_related("author").order_by("-pk")
            conversation = list(reversed(said[: 2 * AROUND]))
        about_same = Q(person=subject.person_id) if subject.person_id else Q(game=subject.game_id)
        others = Report.objects.filter(about_same).exclude(pk=subject.pk).exclude(person=viewer)
        return {
            "report": subject,
            "game": game,
            "drawing": _drawing(game, message.turn_number if message else None) if game else "",
            "shown": message.turn_number if message else game.turn_number if game else 0,
            "conversation": conversation,
            "others": others.select_related("reporter").order_by("-pk")[:MOST_OTHERS],
            "about_viewer": subject.person_id == viewer.pk,
            "has_conflict": reports.has_conflict_of_interest(subject, viewer),
            "about": self.subject_of(subject),
        }


def _drawing(game: Game, number: int | None) -> SafeString | str:
    """Draw the position after `number` turns, the newest if it is None; "" at an open table."""
    if game.started_at is None:
        return ""
    try:
        moment = moment_at(game, number)
        board = game.rules.board(moment.position, None, moment.actions)
    except Exception:  # a broken record may break the rules in any way
        return ""
    # The renderer escapes all that it writes.
    words = words_of_moment(game, moment) if number else ""
    drawing = board_svg(board, title=game.name, description=words, translate=_)
    return SafeString(drawing)
