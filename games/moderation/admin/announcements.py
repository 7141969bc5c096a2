"""Announcements: administrators write them, moderators can read them."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.server_time import server_now
from games import errors
from games.models import Announcement
from games.moderation import site
from games.moderation.admin.actions import reason_field
from games.moderation.admin.base import WrittenAdmin, user_of
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
class AnnouncementAdmin(WrittenAdmin):
    form = AnnouncementForm
    fields = ["english", "french", "from_at", "until", "why"]
    list_display = ["english", "french", "begins", "ends", "by"]
    list_select_related = ["by"]
    ordering = ["-until", "-pk"]
    actions = ["withdraw"]
    new_title = _("New announcement")

    @admin.display(description=_("from"))
    def begins(self, announcement: Announcement) -> str:
        return short_moment(announcement.from_at)

    @admin.display(description=_("until"))
    def ends(self, announcement: Announcement) -> str:
        return short_moment(announcement.until)

    def write(self, obj: Announcement, given: dict[str, Any], *, is_new: bool) -> Announcement:
        if is_new:
            return site.publish_announcement(**given)
        return site.change_announcement(announcement_id=obj.pk, **given)

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
