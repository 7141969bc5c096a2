"""The moderation log: to read, and to verify."""

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
from games.models import ModerationLogEntry
from games.moderation import log
from games.moderation.action_names import action_label
from games.moderation.admin.base import ModerationAdmin, user_of
from games.moderation.admin.details import PEOPLE, details_in_words
from games.moderation.admin.large_tables import short_moment


class AnchorForm(forms.Form):
    anchor = forms.CharField(
        label=_("Reference from a digest"),
        required=False,
        max_length=100,
        help_text=_(
            "Number and hash, such as “12-a1b2c3d4e5f60718”: with it, the check also notices "
            "entries that were deleted at the end. A digest shows it whenever the log has grown."
        ),
    )

    def clean_anchor(self) -> log.Anchor | None:
        typed = self.cleaned_data["anchor"]
        try:
            return log.read_anchor(typed) if typed.strip() else None
        except errors.BadAnchor as refusal:
            raise forms.ValidationError(refusal.sentence) from refusal


@admin.register(ModerationLogEntry)
class LogAdmin(ModerationAdmin):
    change_list_template = "admin/games/log/change_list.html"
    list_display = ["number", "moment", "by", "action", "game", "person", "why"]
    list_select_related = ["by", "game", "person"]
    search_fields = ["game", "by"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, or the beginning of a moderator’s name.")
    number_field = "game_id"
    user_field = "by"
    ordering = ["-number"]
    fields = [
        "number",
        "at",
        "by",
        "action",
        "game",
        "person",
        "why",
        "in_words",
        "details",
        "hash",
    ]
    readonly_fields = ["action", "in_words"]

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return user_of(request).has_perm("games.view_act")  # see the model's Meta

    @admin.display(description=_("when"))
    def moment(self, entry: ModerationLogEntry) -> str:
        return short_moment(entry.at)

    @admin.display(description=_("what"))
    def action(self, entry: ModerationLogEntry) -> str:
        return action_label(entry.what)

    @admin.display(description=_("description"))
    def in_words(self, entry: ModerationLogEntry) -> str:
        """Return the details in words."""
        details = entry.details
        keys = [details[key] for key in PEOPLE if isinstance(details.get(key), int)]
        names = User.objects.in_bulk(keys)
        return details_in_words(details, lambda key: str(names.get(key, f"#{key}"))) or "—"

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModerationLogEntry]:
        return super().get_queryset(request).select_related("by", "game", "person")

    def get_urls(self) -> list[Any]:
        verify = self.admin_site.admin_view(self.verify_view)
        return [
            path("verify/", verify, name="games_moderationlogentry_verify"),
            *super().get_urls(),
        ]

    def verify_view(self, request: HttpRequest) -> HttpResponse:
        """Verify the chain of hashes when the form is sent. Changes nothing."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        sent = request.POST if request.method == "POST" else None
        form = AnchorForm(sent, initial={"anchor": request.GET.get("anchor", "")})
        back = reverse("admin:games_moderationlogentry_changelist")
        if not form.is_valid():
            return self.ask_reason(
                request,
                form,
                title=_("Verify the log"),
                hint=_("Follows the chain of hashes from the first entry to the newest."),
                back=back,
            )
        anchor: log.Anchor | None = form.cleaned_data["anchor"]
        faults = list(log.faults(anchor))
        for fault in faults:
            words = _("The log has been altered: %(fault)s.") % {"fault": fault}
            self.message_user(request, words, messages.ERROR)
        if not faults and anchor is None:
            words = gettext("The log is intact: every hash matches.")
            self.message_user(request, words, messages.SUCCESS)
        elif not faults and anchor is not None:
            words = gettext("The log is intact, and entry %(number)s is the one in the digest.")
            self.message_user(request, words % {"number": anchor.number}, messages.SUCCESS)
        return redirect(back)
