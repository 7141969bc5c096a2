"""The moderators' log: to read, and to verify."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _

from games.admin.looking import FirstThousand, OnlyToLookAt, number_in, people_called
from games.models import Act
from games.services import log
from games.services.moderation.deeds import words_of
from games.services.moderation.people import Measure


@admin.register(Act)
class ActAdmin(OnlyToLookAt, admin.ModelAdmin):
    """Who did what, when and why."""

    change_list_template = "admin/games/act/change_list.html"
    list_display = ["number", "at", "by", "deed", "game", "person", "why"]
    list_select_related = ["by", "game", "person"]
    list_per_page = 50
    paginator = FirstThousand
    show_full_result_count = False
    search_fields = ["game", "by"]  # shows the field; `get_search_results` does it
    sortable_by = ()
    ordering = ["-number"]
    fields = ["number", "at", "by", "deed", "game", "person", "why", "details", "hash"]
    readonly_fields = ["deed"]

    @admin.display(description=_("what"))
    def deed(self, act: Act) -> str:
        """Return what was done, in words."""
        is_of_a_person = act.what in Measure.values
        return str(Measure(act.what).label) if is_of_a_person else words_of(act.what)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Act]:
        """Return the acts with whom they name."""
        return super().get_queryset(request).select_related("by", "game", "person")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find acts by the number of their game, or by the beginning of the moderator's name."""
        if not search_term.strip():
            return queryset, False
        number = number_in(search_term)
        if number is not None:
            return queryset.filter(game_id=number), False
        return queryset.filter(by__in=people_called(search_term)), False

    def get_urls(self) -> list[Any]:
        """Add the address that verifies the log."""
        verify = self.admin_site.admin_view(self.verify)
        return [path("verify/", verify, name="games_act_verify"), *super().get_urls()]

    def verify(self, request: HttpRequest) -> HttpResponse:
        """Follow the chain of hashes, and say what is wrong with it. Changes nothing."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        faults = list(log.faults())
        for fault in faults:
            self.message_user(request, fault, messages.ERROR)
        if not faults:
            self.message_user(request, _("The log is whole: every hash matches."))
        return redirect(reverse("admin:games_act_changelist"))
