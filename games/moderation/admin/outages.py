"""Outages and maintenance: administrators declare, close and open; no entry can be changed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AdminSplitDateTime
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _

from accounts.server_time import server_now
from games import errors
from games.models import Outage
from games.moderation import site
from games.moderation.admin.actions import ReasonForm, Text
from games.moderation.admin.base import ModerationAdmin, user_of
from games.moderation.admin.large_tables import short_moment
from games.services.site_status import site_status


class NoteForm(ReasonForm):
    """The public note, and the reason for the log."""

    note = forms.CharField(
        label=_("Note"),
        max_length=site.LONGEST_NOTE,
        required=False,
        widget=forms.TextInput(attrs={"size": 60}),
        help_text=_("Everybody reads this text, whatever their language."),
    )
    field_order = ["note", "why"]


class DeclareForm(NoteForm):
    began_at = forms.SplitDateTimeField(label=_("From"), widget=AdminSplitDateTime)
    ended_at = forms.SplitDateTimeField(label=_("Until"), widget=AdminSplitDateTime)
    field_order = ["began_at", "ended_at", "note", "why"]


@dataclass(frozen=True)
class OutageAction:
    """An administrator's action: what its page asks and says, and the service that does it."""

    form: type[ReasonForm]
    title: Text
    hint: Text
    done: Text
    service: Callable[..., object]


SITE_ACTIONS = {
    "declare": OutageAction(
        DeclareForm,
        _("Declare an outage"),
        _("The time goes back to everybody who was to move; the public ledger shows it."),
        _("The outage is recorded."),
        site.declare_outage,
    ),
    "close": OutageAction(
        NoteForm,
        _("Close for maintenance"),
        _(
            "Until you open the site again, everything can be read, turns are refused, mail "
            "waits and all clocks are stopped."
        ),
        _("The site is closed. Do not forget to open it again."),
        site.begin_maintenance,
    ),
    "open": OutageAction(
        ReasonForm,
        _("Open again"),
        _("Everybody has the time that was left to them, and the mail that waits is read."),
        _("The site is open."),
        site.end_maintenance,
    ),
}


@admin.register(Outage)
class OutageAdmin(ModerationAdmin):
    change_list_template = "admin/games/outage/change_list.html"
    list_display = ["began", "ended", "kind", "note", "by"]
    list_select_related = ["by"]
    ordering = ["-began_at", "-pk"]
    fields = ["kind", "began_at", "ended_at", "noted_at", "note", "by"]

    @admin.display(description=_("began"))
    def began(self, outage: Outage) -> str:
        return short_moment(outage.began_at)

    @admin.display(description=_("ended"))
    def ended(self, outage: Outage) -> str:
        return short_moment(outage.ended_at)

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        ours = [
            path(
                f"{name}/",
                view(partial(self.site_action_view, action=action)),
                name=f"games_outage_{name}",
            )
            for name, action in SITE_ACTIONS.items()
        ]
        return [*ours, *super().get_urls()]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context = {
            "may_declare": may_declare(request),
            "closed": site_status(server_now()).closed,
        }
        return super().changelist_view(request, {**(extra_context or {}), **context})

    def site_action_view(self, request: HttpRequest, action: OutageAction) -> HttpResponse:
        """Show the form of an action on the site, or do it."""
        if not may_declare(request):
            raise PermissionDenied(errors.NotAnAdministrator().sentence)
        form = action.form(request.POST if request.method == "POST" else None)
        back = reverse("admin:games_outage_changelist")

        def act() -> Text:
            action.service(by=user_of(request), now=server_now(), **form.cleaned_data)
            return action.done

        if form.is_valid() and self.run(request, act):
            return redirect(back)
        return self.ask_reason(request, form, title=action.title, hint=action.hint, back=back)


def may_declare(request: HttpRequest) -> bool:
    """Return whether the viewer may declare outages and close the site."""
    return user_of(request).has_perm("games.add_outage")
