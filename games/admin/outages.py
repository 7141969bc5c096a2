"""The ledger of outages, and maintenance: hosts declare, close, open; nobody changes an entry."""

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
from games.admin.base import ReadOnlyAdmin, short
from games.admin.reasons import ReasonForm, ReasonRequiredMixin, Said, person_of
from games.models import Outage
from games.services import maintenance
from games.services.site_status import site_status


class NoteForm(ReasonForm):
    """What everybody reads, and the reason for the log."""

    note = forms.CharField(
        label=_("Note"),
        max_length=maintenance.LONGEST_NOTE,
        required=False,
        widget=forms.TextInput(attrs={"size": 60}),
        help_text=_("Everybody reads this text, whatever their language."),
    )
    field_order = ["note", "why"]


class DeclareForm(NoteForm):
    """When it was."""

    began_at = forms.SplitDateTimeField(label=_("From"), widget=AdminSplitDateTime)
    ended_at = forms.SplitDateTimeField(label=_("Until"), widget=AdminSplitDateTime)
    field_order = ["began_at", "ended_at", "note", "why"]


@dataclass(frozen=True)
class OutageAction:
    """Something a host does on a page of its own: what it asks, says and calls."""

    form: type[ReasonForm]
    title: Said
    hint: Said
    done: Said
    service: Callable[..., object]


DEEDS = {
    "declare": OutageAction(
        DeclareForm,
        _("Declare an outage"),
        _("The time goes back to everybody who was to move; the public ledger shows it."),
        _("The outage is in the ledger."),
        maintenance.declare_outage,
    ),
    "close": OutageAction(
        NoteForm,
        _("Close for maintenance"),
        _(
            "Until you open the site again, everything can be read, turns are refused, mail "
            "waits and all clocks are stopped."
        ),
        _("The site is closed. Do not forget to open it again."),
        maintenance.begin_maintenance,
    ),
    "open": OutageAction(
        ReasonForm,
        _("Open again"),
        _("Everybody has the time that was left to them, and the mail that waits is read."),
        _("The site is open."),
        maintenance.end_maintenance,
    ),
}


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin, ReasonRequiredMixin):
    """When the service was down or closed; hosts act on pages of their own."""

    change_list_template = "admin/games/outage/change_list.html"
    list_display = ["began", "ended", "kind", "note", "by"]
    list_select_related = ["by"]
    ordering = ["-began_at", "-pk"]
    fields = ["kind", "began_at", "ended_at", "noted_at", "note", "by"]

    @admin.display(description=_("began"))
    def began(self, outage: Outage) -> str:
        """Return since when, in few letters."""
        return short(outage.began_at)

    @admin.display(description=_("ended"))
    def ended(self, outage: Outage) -> str:
        """Return until when; nothing while it lasts."""
        return short(outage.ended_at)

    def get_urls(self) -> list[Any]:
        """Add the addresses where hosts act."""
        view = self.admin_site.admin_view
        ours = [
            path(f"{name}/", view(partial(self.page, deed=deed)), name=f"games_outage_{name}")
            for name, deed in DEEDS.items()
        ]
        return [*ours, *super().get_urls()]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the ledger, with what a host can do now."""
        more = {"is_host": _is_host(request), "closed": site_status(server_now()).closed}
        return super().changelist_view(request, {**(extra_context or {}), **more})

    def page(self, request: HttpRequest, deed: OutageAction) -> HttpResponse:
        """Ask for what a host wants to do, and do it."""
        if not _is_host(request):
            raise PermissionDenied(errors.NotAHost().sentence)
        form = deed.form(request.POST if request.method == "POST" else None)
        back = reverse("admin:games_outage_changelist")

        def do() -> Said:
            deed.service(by=person_of(request), now=server_now(), **form.cleaned_data)
            return deed.done

        if form.is_valid() and self.tell(request, do):
            return redirect(back)
        return self.ask(request, form, title=deed.title, hint=deed.hint, back=back)


def _is_host(request: HttpRequest) -> bool:
    return person_of(request).has_perm("games.add_outage")
