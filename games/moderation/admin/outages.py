"""Outages and maintenance: administrators declare, close and open; no entry can be changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminSplitDateTime
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.server_time import server_now
from games import errors
from games.models import Outage
from games.moderation import site
from games.moderation.admin.actions import ReasonForm, Text
from games.moderation.admin.base import ModerationAdmin, user_of
from games.moderation.admin.large_tables import short_moment
from games.moderation.game_actions import REOPENED_WITHIN
from games.moderation.lost_games import LostGame, games_lost_in, reopen_lost
from games.services.site_status import site_status

MOST_AT_ONCE = 200
"""How many lost games one page shows; when they are reopened, it shows those that remain."""


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


class LostGamesForm(ReasonForm):
    """The games that are reopened, all of them at first."""

    games = forms.TypedMultipleChoiceField(
        label=_("Games"), coerce=int, widget=forms.CheckboxSelectMultiple
    )
    field_order = ["games", "why"]

    def __init__(self, lost: Sequence[LostGame], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = [
            (one.game.pk, f"{one.game}: {one.players} ({short_moment(one.at)})") for one in lost
        ]
        self.fields["games"].choices = shown  # type: ignore[attr-defined]
        self.fields["games"].initial = [key for key, _label in shown]
        self.fields["why"].help_text = _("The log keeps it, and the players read it.")


@dataclass(frozen=True)
class OutageAction:
    """An administrator's action: what its page asks and says, and the service that does it."""

    form: type[ReasonForm]
    title: Text
    hint: Text
    done: Text
    service: Callable[..., Outage]


SITE_ACTIONS = {
    "declare": OutageAction(
        DeclareForm,
        _("Declare an outage"),
        _(
            "The time goes back to everybody who was to move; the public ledger shows it. Games "
            "that were lost because of it are shown next, and you can reopen them."
        ),
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
    list_display = ["began", "ended", "kind", "note", "by", "lost"]
    list_select_related = ["by"]
    ordering = ["-began_at", "-pk"]
    fields = ["kind", "began_at", "ended_at", "noted_at", "note", "by"]

    @admin.display(description=_("began"))
    def began(self, outage: Outage) -> str:
        return short_moment(outage.began_at)

    @admin.display(description=_("ended"))
    def ended(self, outage: Outage) -> str:
        return short_moment(outage.ended_at)

    @admin.display(description=_("lost games"))
    def lost(self, outage: Outage) -> str:
        """Return a link to what was lost because of an outage, as long as it can be reopened."""
        if outage.ended_at is None or server_now() - outage.ended_at > REOPENED_WITHIN:
            return ""
        path = reverse("admin:games_outage_lost", args=[outage.pk])
        return format_html('<a href="{}">{}</a>', path, _("Lost games"))

    def get_list_display(self, request: HttpRequest) -> Any:
        columns = super().get_list_display(request)
        return columns if may_declare(request) else [one for one in columns if one != "lost"]

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
        lost = path("<int:pk>/lost/", view(self.lost_games_view), name="games_outage_lost")
        return [*ours, lost, *super().get_urls()]

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
        made: list[Outage] = []

        def act() -> Text:
            made.append(action.service(by=user_of(request), now=server_now(), **form.cleaned_data))
            return action.done

        if form.is_valid() and self.run(request, act):
            if games_lost_in(made[0], now=server_now()):
                return redirect("admin:games_outage_lost", made[0].pk)
            return redirect(back)
        return self.ask_reason(request, form, title=action.title, hint=action.hint, back=back)

    def lost_games_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the games that were lost because of an outage, or reopen those that are chosen."""
        if not may_declare(request):
            raise PermissionDenied(errors.NotAnAdministrator().sentence)
        outage = get_object_or_404(Outage, pk=pk)
        lost = games_lost_in(outage, now=server_now())[:MOST_AT_ONCE]
        back = reverse("admin:games_outage_changelist")
        if not lost:
            self.message_user(request, gettext("No game was lost because of this outage."))
            return redirect(back)
        form = LostGamesForm(lost, request.POST if request.method == "POST" else None)

        def act() -> tuple[Text, bool]:
            done, refused = reopen_lost(
                game_ids=form.cleaned_data["games"],
                by=user_of(request),
                why=form.cleaned_data["why"],
                now=server_now(),
            )
            for number, refusal in refused.items():
                words = gettext("Game %(number)s stays as it is: %(why)s")
                words %= {"number": number, "why": refusal.sentence}
                self.message_user(request, words, messages.WARNING)
            count = {"count": len(done)}
            told = ngettext(
                "%(count)s game is open again.", "%(count)s games are open again.", len(done)
            )
            return told % count, bool(done)

        if form.is_valid() and self.run(request, act):
            return redirect(back)
        title, hint = (
            _("Lost games"),
            _(
                "These games ended because time ran out, during the outage or because of it. "
                "Those that you choose go on, with at least a day for whoever is to move."
            ),
        )
        return self.ask_reason(request, form, title=title, hint=hint, back=back)


def may_declare(request: HttpRequest) -> bool:
    """Return whether the viewer may declare outages and close the site."""
    return user_of(request).has_perm("games.add_outage")
