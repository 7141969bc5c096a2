"""The pages About, Privacy and Contact: administrators write them, moderators can read them."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.server_time import server_now
from games.models import SitePage
from games.moderation import site_pages
from games.moderation.admin.actions import reason_field
from games.moderation.admin.base import WrittenAdmin, user_of
from games.moderation.admin.large_tables import short_moment


class SitePageForm(forms.ModelForm):
    text = forms.CharField(
        label=_("text"),
        max_length=site_pages.LONGEST_PAGE,
        widget=forms.Textarea(attrs={"rows": 24}),
        help_text=_(
            "Markdown: an empty line between paragraphs, ## before a heading, [words](address) for "
            "a link. The page has its title already."
        ),
    )
    why = reason_field()

    class Meta:
        model = SitePage
        fields = ["name", "language", "text"]


@admin.register(SitePage)
class SitePageAdmin(WrittenAdmin):
    form = SitePageForm
    fields = ["name", "language", "text", "why"]
    list_display = ["name", "language", "changed", "by"]
    list_select_related = ["by"]
    ordering = ["name", "language"]
    actions = ["remove"]
    new_title = _("New text of a page")

    @admin.display(description=_("changed"))
    def changed(self, page: SitePage) -> str:
        return short_moment(page.updated_at)

    def get_readonly_fields(self, request: HttpRequest, obj: SitePage | None = None) -> Any:
        """Return what cannot be changed: a text stays that of its page and language."""
        return ["name", "language"] if obj else []

    def write(self, obj: SitePage, given: dict[str, Any], *, is_new: bool) -> SitePage:
        return site_pages.write_page(**given | {"name": obj.name, "language": obj.language})

    @admin.action(description=_("Show Pli’s own text again"), permissions=["withdraw"])
    def remove(self, request: HttpRequest, chosen: QuerySet[SitePage]) -> HttpResponse | None:
        @transaction.atomic
        def remove_all(keys: list[int], why: str) -> str:
            for key in keys:
                site_pages.remove_page(page_id=key, by=user_of(request), why=why, now=server_now())
            return gettext("Pli’s own text is shown again.")

        return self.confirm_action(
            request,
            chosen,
            remove_all,
            title=_("Show Pli’s own text again"),
            hint=_("What was written is kept in the log."),
        )
