"""People in the admin: quick lists, the page of one, and what a moderator does about them."""

from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Prefetch, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin import BaseUserAdmin as AccountAdmin
from accounts.admin import PersonForm
from accounts.models import Sanction, User
from accounts.server_time import server_now
from games import errors
from games.admin.addresses import sees_addresses
from games.admin.base import LargeTableAdmin, key_in, short
from games.admin.object_actions import ObjectActionsMixin
from games.admin.people_acts import ASKS
from games.admin.reasons import person_of, reason_field
from games.admin.user_page import user_page_context
from games.models import Act
from games.services.moderation import roles
from games.services.moderation.action_names import UserAction

Lookups = list[tuple[str, Any]]


class SanctionFilter(admin.SimpleListFilter):
    """People whom a moderator has in some way restrained. Each has an index (`User.Meta`)."""

    title = gettext_lazy("sanction")
    parameter_name = "sanction"

    def lookups(self, request: HttpRequest, model_admin: object) -> Lookups:
        """Return what can stand."""
        return [
            ("barred", gettext_lazy("suspended or banned")),
            ("muted", gettext_lazy("writes no messages")),
            ("warned", gettext_lazy("has a warning to read")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the people who were chosen."""
        kept: dict[str, dict[str, Any]] = {
            "barred": {"barred_until__gt": server_now()},
            "muted": {"muted_until__gt": server_now()},
            "warned": {"is_warned": True},
        }
        return queryset.filter(**kept.get(self.value() or "", {}))


class WhoFilter(admin.SimpleListFilter):
    """Who is more, or less, than a player. Each has an index (`User.Meta`)."""

    title = gettext_lazy("who")
    parameter_name = "who"

    def lookups(self, request: HttpRequest, model_admin: object) -> Lookups:
        """Return the few kinds."""
        return [
            ("staff", gettext_lazy("moderators and administrators")),
            ("programs", gettext_lazy("bots")),
            ("closed", gettext_lazy("closed accounts")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the people who were chosen."""
        kept = {
            "staff": {"is_staff": True},
            "programs": {"is_bot": True},
            "closed": {"is_active": False},
        }
        return queryset.filter(**kept.get(self.value() or "", {}))


class AccountForm(PersonForm):
    """What a host changes, and why for the log."""

    why = reason_field()


admin.site.unregister(User)


@admin.register(User)
class PersonAdmin(LargeTableAdmin, ObjectActionsMixin, AccountAdmin):
    """Everybody. Moderators look and act with a reason; hosts change a little of an account."""

    form = AccountForm
    fieldsets = [
        (None, {"fields": ["username", "display_name", "email"]}),
        (gettext_lazy("May"), {"fields": ["is_active", "is_staff", "is_superuser", "groups"]}),
        (gettext_lazy("Known"), {"fields": ["date_joined", "last_login"]}),
        (None, {"fields": ["why"]}),
    ]
    asks = ASKS
    page_template = "admin/games/person/page.html"
    list_display = ["username", "display_name", "stands", "is_staff", "joined", "seen"]
    list_filter = [SanctionFilter, WhoFilter]
    search_fields = ["name"]  # shows the field; `get_search_results` does it
    search_help_text = gettext_lazy("How a user name or a display name begins.")
    found_by_name = "pk"

    # The list ------------------------------------------------------------------------------------

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find people by how their name begins; hosts also by how their address does."""
        words = search_term.strip()
        if "@" in words[1:] and sees_addresses(request):
            return queryset.filter(pk__in=list(_with_address(words.lower()))), False
        return super().get_search_results(request, queryset, search_term)

    @admin.display(description=gettext_lazy("here since"))
    def joined(self, person: User) -> str:
        """Return since when there is the account."""
        return short(person.date_joined)

    @admin.display(description=gettext_lazy("last sign-in"))
    def seen(self, person: User) -> str:
        """Return when they signed in last."""
        return short(person.last_login)

    @admin.display(description=gettext_lazy("sanction"))
    def stands(self, person: User) -> str:
        """Return what a moderator keeps a person from, in words."""
        now, words = server_now(), []
        if person.is_barred(now):
            words.append(_("kept out"))
        if person.is_muted(now):
            words.append(_("silent"))
        if person.is_warned:
            words.append(_("warned"))
        return ", ".join(words)

    # The page ------------------------------------------------------------------------------------

    def get_urls(self) -> list[Any]:
        """Add the page on which hosts change an account."""
        account = self.admin_site.admin_view(self.account)
        where = path("<path:object_id>/account/", account, name="accounts_user_account")
        return [where, *super().get_urls()]

    def subject(self, key: str) -> User | None:
        """Return somebody with their sanctions, and the number of the newest act about them."""
        sanctions = Prefetch("sanctions", Sanction.objects.select_related("by"))
        acts = Act.objects.filter(person=OuterRef("pk")).order_by("-number").values("number")
        people = User.objects.prefetch_related(sanctions).annotate(newest_act=Subquery(acts[:1]))
        return people.filter(pk=key_in(key)).first()

    def newest_act(self, subject: Any) -> int:
        """Return what `subject` has put there."""
        return subject.newest_act or 0

    def shown(self, request: HttpRequest, subject: User) -> dict[str, Any]:
        """Return everything about a person that moderators may know."""
        viewer = person_of(request)
        shown = user_page_context(
            subject, viewer, shows_address=sees_addresses(request), now=server_now()
        )
        return shown | {"can_change": self.has_change_permission(request, subject)}

    def account(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Let a host change what is nobody's secret. Raises PermissionDenied for anybody else."""
        person = self.subject(object_id)
        if person is None or not self.has_change_permission(request, person):
            raise PermissionDenied
        try:
            kept = {"show_save_and_add_another": False, "title": _("Change the account")}
            return AccountAdmin.change_view(self, request, object_id, extra_context=kept)
        except errors.Refusal as refusal:
            self.refuse(request, refusal)
            return redirect(reverse("admin:accounts_user_change", args=[person.pk]))

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Write down what a host makes or changes. Raises Refusal."""
        if not change:
            super().save_model(request, obj, form, change)
            roles.note_by_hand(
                measure=UserAction.MAKE_ACCOUNT,
                person=obj,
                by=person_of(request),
                what="in the admin",
                now=server_now(),
            )
            return
        why = form.cleaned_data["why"]
        changes = {key: form.cleaned_data[key] for key in form.changed_data if key != "why"}
        roles.change_account(
            person_id=obj.pk,
            by=person_of(request),
            changes=changes,
            why=why,
            now=server_now(),
        )

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Hosts change accounts, but not of those who may do everything."""
        above = obj is not None and obj.is_superuser and not request.user.is_superuser
        return super().has_change_permission(request, obj) and not above

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody is deleted here: records and the log name them."""
        return False


def _with_address(beginning: str) -> Any:
    found = EmailAddress.objects.filter(email__startswith=beginning)
    return found.values_list("user", flat=True).order_by()[:50]
