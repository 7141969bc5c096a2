"""The moderators' log: to read, and to verify."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import errors
from games.admin.base import ReadOnlyAdmin, short
from games.admin.details import PEOPLE, details_in_words
from games.admin.reasons import ReasonRequiredMixin
from games.models import Act
from games.services import log
from games.services.moderation.action_names import action_label


class AnchorForm(forms.Form):
    """Where the log stood once."""

    anchor = forms.CharField(
        label=_("What a digest said"),
        required=False,
        max_length=100,
        help_text=_(
            "Number and hash, as in “12-a1b2c3d4e5f60718”: with them it is seen, too, if acts were "
            "cut off the end. Every digest tells them when the log has grown."
        ),
    )

    def clean_anchor(self) -> log.Anchor | None:
        """Return what was typed as an anchor."""
        typed = self.cleaned_data["anchor"]
        try:
            return log.read_anchor(typed) if typed.strip() else None
        except errors.BadAnchor as refusal:
            raise forms.ValidationError(refusal.sentence) from refusal


@admin.register(Act)
class ActAdmin(ReadOnlyAdmin, ReasonRequiredMixin):
    """Who did what, when and why."""

    change_list_template = "admin/games/act/change_list.html"
    list_display = ["number", "moment", "by", "deed", "game", "person", "why"]
    list_select_related = ["by", "game", "person"]
    search_fields = ["game", "by"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or how a moderator’s name begins.")
    found_by_number, found_by_name = "game_id", "by"
    ordering = ["-number"]
    fields = ["number", "at", "by", "deed", "game", "person", "why", "in_words", "details", "hash"]
    readonly_fields = ["deed", "in_words"]

    @admin.display(description=_("when"))
    def moment(self, act: Act) -> str:
        """Return when, in few letters."""
        return short(act.at)

    @admin.display(description=_("what"))
    def deed(self, act: Act) -> str:
        """Return what was done, in words."""
        return action_label(act.what)

    @admin.display(description=_("in words"))
    def in_words(self, act: Act) -> str:
        """Return how it was done."""
        keys = [act.details[key] for key in PEOPLE if isinstance(act.details.get(key), int)]
        names = User.objects.in_bulk(keys)
        return details_in_words(act.details, lambda key: str(names.get(key, f"#{key}"))) or "—"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Act]:
        """Return the acts with whom they name."""
        return super().get_queryset(request).select_related("by", "game", "person")

    def get_urls(self) -> list[Any]:
        """Add the address that verifies the log."""
        verify = self.admin_site.admin_view(self.verify)
        return [path("verify/", verify, name="games_act_verify"), *super().get_urls()]

    def verify(self, request: HttpRequest) -> HttpResponse:
        """Follow the chain of hashes when it is sent, and say what is wrong. Changes nothing."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        sent = request.POST if request.method == "POST" else None
        form = AnchorForm(sent, initial={"anchor": request.GET.get("anchor", "")})
        back = reverse("admin:games_act_changelist")
        if not form.is_valid():
            title, hint = (
                _("Verify the log"),
                _("The chain of hashes is followed from the first act to the newest."),
            )
            return self.ask(request, form, title=title, hint=hint, back=back)
        faults = list(log.faults(form.cleaned_data["anchor"]))
        for fault in faults:
            said = _("The log is not whole: %(fault)s.") % {"fault": fault}
            self.message_user(request, said, messages.ERROR)
        if not faults:
            self.message_user(request, self._whole(form.cleaned_data["anchor"]), messages.SUCCESS)
        return redirect(back)

    def _whole(self, anchor: log.Anchor | None) -> str:
        if anchor is None:
            return gettext("The log is whole: every hash matches.")
        said = gettext("The log is whole: every hash matches, and act %(number)s is the one told.")
        return said % {"number": anchor.number}
