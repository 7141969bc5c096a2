"""Announcements: administrators write them, moderators can read them."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.server_time import server_now
from games import errors
from games.models import Announcement
from games.moderation import site
from games.moderation.admin.actions import reason_field
from games.moderation.admin.base import ModerationAdmin, user_of
from games.moderation.admin.large_tables import short_moment


class AnnouncementForm(forms.ModelForm):
    why = reason_field()

    def clean_until(self) -> datetime:
        """Refuse an end in the past: nobody would see the announcement."""
        until: datetime = self.cleaned_data["until"]
        if until <= server_now():
            raise forms.ValidationError(
                errors.BadAnnouncement(most=site.LONGEST_ANNOUNCEMENT).sentence
            )
        return until

    class Meta:
        model = Announcement
        fields = ["english", "french", "from_at", "until"]
        widgets = {name: forms.Textarea(attrs={"rows": 2}) for name in ("english", "french")}


@admin.register(Announcement)
class AnnouncementAdmin(ModerationAdmin):
    is_read_only = False
    form = AnnouncementForm
    fields = ["english", "french", "from_at", "until", "why"]
    list_display = ["english", "french", "begins", "ends", "by"]
    list_select_related = ["by"]
    ordering = ["-until", "-pk"]
    actions = ["withdraw"]

    @admin.display(description=_("from"))
    def begins(self, announcement: Announcement) -> str:
        return short_moment(announcement.from_at)

    @admin.display(description=_("until"))
    def ends(self, announcement: Announcement) -> str:
        return short_moment(announcement.until)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False  # they are withdrawn, with a reason

    def has_withdraw_permission(self, request: HttpRequest) -> bool:
        return user_of(request).has_perm("games.delete_announcement")

    def get_fields(self, request: HttpRequest, obj: Announcement | None = None) -> Any:
        """Return the fields: moderators, who can only read them, are not asked for a reason."""
        writes = self.has_add_permission(request)
        return [name for name in self.fields or () if writes or name != "why"]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show or save the form. If the service refuses, its sentence is shown."""
        more: dict[str, Any] = {"show_delete": False, "show_save_and_add_another": False}
        if object_id is None:
            more["title"] = gettext("New announcement")
        try:
            return super().changeform_view(
                request, object_id, form_url, {**(extra_context or {}), **more}
            )
        except errors.Refusal as refusal:
            self.show_refusal(request, refusal)
            return redirect(reverse("admin:games_announcement_changelist"))

    def save_model(
        self, request: HttpRequest, obj: Announcement, form: forms.ModelForm, change: bool
    ) -> None:
        """Publish or change it through the service. Raises Refusal."""
        given = dict(form.cleaned_data) | {"by": user_of(request), "now": server_now()}
        if change:
            site.change_announcement(announcement_id=obj.pk, **given)
        else:
            obj.pk = site.publish_announcement(**given).pk

    @admin.action(description=_("Withdraw"), permissions=["withdraw"])
    def withdraw(self, request: HttpRequest, chosen: QuerySet[Announcement]) -> HttpResponse | None:
        @transaction.atomic
        def withdraw_all(keys: list[int], why: str) -> str:
            for key in keys:
                site.withdraw_announcement(
                    announcement_id=key, by=user_of(request), why=why, now=server_now()
                )
            return gettext("Withdrawn.")

        return self.confirm_action(
            request,
            chosen,
            withdraw_all,
            title=_("Withdraw"),
            hint=_("Nobody sees them any more. Their texts are kept in the log."),
        )
