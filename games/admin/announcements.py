"""Announcements: hosts write them, moderators read them."""

from collections.abc import Callable
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
from games.admin.base import LargeTableAdmin, short
from games.admin.reasons import ReasonRequiredMixin, person_of, reason_field
from games.models import Announcement
from games.services import announcements


class AnnouncementForm(forms.ModelForm):
    """The announcement, and why for the log."""

    why = reason_field()

    def clean_until(self) -> datetime:
        """Refuse what nobody would see any more."""
        until: datetime = self.cleaned_data["until"]
        if until <= server_now():
            raise forms.ValidationError(errors.BadAnnouncement(most=announcements.LONGEST).sentence)
        return until

    class Meta:
        model = Announcement
        fields = ["english", "french", "from_at", "until"]
        widgets = {name: forms.Textarea(attrs={"rows": 2}) for name in ("english", "french")}


@admin.register(Announcement)
class AnnouncementAdmin(LargeTableAdmin, ReasonRequiredMixin):
    """What is announced on every page, and when."""

    form = AnnouncementForm
    fields = ["english", "french", "from_at", "until", "why"]
    list_display = ["english", "french", "begins", "ends", "by"]
    list_select_related = ["by"]
    ordering = ["-until", "-pk"]
    actions = ["withdraw"]

    @admin.display(description=_("from"))
    def begins(self, said: Announcement) -> str:
        """Return from when it is told, in few letters."""
        return short(said.from_at)

    @admin.display(description=_("until"))
    def ends(self, said: Announcement) -> str:
        """Return until when it is told."""
        return short(said.until)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody deletes one without a word: they are withdrawn."""
        return False

    def has_withdraw_permission(self, request: HttpRequest) -> bool:
        """Hosts withdraw them."""
        return person_of(request).has_perm("games.delete_announcement")

    def get_fields(self, request: HttpRequest, obj: Announcement | None = None) -> Any:
        """Return the fields; who only looks is not asked why."""
        writes = self.has_add_permission(request)
        return [name for name in self.fields or () if writes or name != "why"]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the form or save it; what the service refuses is said, and nothing has changed."""
        more: dict[str, Any] = {"show_delete": False, "show_save_and_add_another": False}
        if object_id is None:
            more["title"] = gettext("New announcement")
        try:
            return super().changeform_view(
                request, object_id, form_url, {**(extra_context or {}), **more}
            )
        except errors.Refusal as refusal:
            self.refuse(request, refusal)
            return redirect(reverse("admin:games_announcement_changelist"))

    def save_model(
        self, request: HttpRequest, obj: Announcement, form: forms.ModelForm, change: bool
    ) -> None:
        """Announce it or change it, through the services. Raises Refusal."""
        said = dict(form.cleaned_data) | {"by": person_of(request), "now": server_now()}
        if change:
            announcements.change(announcement_id=obj.pk, **said)
        else:
            obj.pk = announcements.publish_announcement(**said).pk

    @admin.action(description=_("Withdraw"), permissions=["withdraw"])
    def withdraw(self, request: HttpRequest, chosen: QuerySet[Announcement]) -> HttpResponse | None:
        """Withdraw announcements, with a reason."""
        return self.act_on(
            request,
            chosen,
            self._withdraw_by(request),
            title=_("Withdraw"),
            hint=_("Nobody sees them any more; the log keeps what they said."),
        )

    def _withdraw_by(self, request: HttpRequest) -> Callable[[list[int], str], str]:
        @transaction.atomic
        def do(keys: list[int], why: str) -> str:
            for key in keys:
                announcements.withdraw_announcement(
                    announcement_id=key, by=person_of(request), why=why, now=server_now()
                )
            return gettext("Withdrawn.")

        return do
