"""Users: the list with its filters, the page of one, and the form that changes an account."""

from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Prefetch, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Sanction, User
from accounts.server_time import server_now
from accounts.users import MOST_PEOPLE
from games import errors
from games.models import ModerationLogEntry
from games.moderation import roles
from games.moderation.action_names import UserAction
from games.moderation.admin.actions import reason_field
from games.moderation.admin.base import ModerationAdmin, sees_addresses, user_of
from games.moderation.admin.large_tables import parse_key, short_moment
from games.moderation.admin.user_actions import USER_ACTIONS
from games.moderation.admin.user_page import user_page_context

Choices = list[tuple[str, Any]]

# Filters: each has an index (see `User.Meta`) ----------------------------------------------------


class SanctionFilter(admin.SimpleListFilter):
    title = gettext_lazy("sanction")
    parameter_name = "sanction"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        return [
            ("barred", gettext_lazy("suspended or banned")),
            ("muted", gettext_lazy("may not write messages")),
            ("warned", gettext_lazy("has a warning to read")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        kept: dict[str, dict[str, Any]] = {
            "barred": {"barred_until__gt": server_now()},
            "muted": {"muted_until__gt": server_now()},
            "warned": {"is_warned": True},
        }
        return queryset.filter(**kept.get(self.value() or "", {}))


class KindFilter(admin.SimpleListFilter):
    """Users who are not simply players."""

    title = gettext_lazy("who")
    parameter_name = "who"

    def lookups(self, request: HttpRequest, model_admin: object) -> Choices:
        return [
            ("staff", gettext_lazy("moderators and administrators")),
            ("programs", gettext_lazy("bots")),
            ("closed", gettext_lazy("closed accounts")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        kept = {
            "staff": {"is_staff": True},
            "programs": {"is_bot": True},
            "closed": {"is_active": False},
        }
        return queryset.filter(**kept.get(self.value() or "", {}))


class AccountForm(UserChangeForm):
    """What an administrator changes, and the reason. The password's hash is not shown."""

    password = None  # type: ignore[assignment]
    why = reason_field()


@admin.register(User)
class UserAdmin(ModerationAdmin, DjangoUserAdmin):
    is_read_only = False
    form = AccountForm
    fieldsets = [
        (None, {"fields": ["username", "display_name", "email"]}),
        (gettext_lazy("Rights"), {"fields": ["is_active", "is_staff", "is_superuser", "groups"]}),
        (gettext_lazy("Activity"), {"fields": ["date_joined", "last_login"]}),
        (None, {"fields": ["why"]}),
    ]
    add_fieldsets = [
        (
            None,
            {
                "classes": ["wide"],
                "fields": ["username", "email", "usable_password", "password1", "password2"],
            },
        )
    ]
    # The address belongs to allauth, which knows whether it was verified.
    readonly_fields = ["email", "is_bot", "date_joined", "last_login"]
    object_actions = USER_ACTIONS
    page_template = "admin/games/person/page.html"
    list_display = ["username", "display_name", "sanction", "is_staff", "joined", "seen"]
    list_filter = [SanctionFilter, KindFilter]
    search_fields = ["name"]  # shows the field; `get_search_results` does it
    search_help_text = gettext_lazy("The beginning of a user name or a display name.")
    user_field = "pk"

    # The list ------------------------------------------------------------------------------------

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find people by how their name begins; administrators also by their address."""
        words = search_term.strip()
        if "@" in words[1:] and sees_addresses(request):
            found = EmailAddress.objects.filter(email__startswith=words.lower()).order_by()
            keys = list(found.values_list("user", flat=True)[:MOST_PEOPLE])
            return queryset.filter(pk__in=keys), False
        return super().get_search_results(request, queryset, search_term)

    @admin.display(description=gettext_lazy("here since"))
    def joined(self, person: User) -> str:
        return short_moment(person.date_joined)

    @admin.display(description=gettext_lazy("last sign-in"))
    def seen(self, person: User) -> str:
        return short_moment(person.last_login)

    @admin.display(description=gettext_lazy("sanction"))
    def sanction(self, person: User) -> str:
        """Return the sanctions in force, in words."""
        now = server_now()
        words = [
            _("account suspended") if person.is_barred(now) else "",
            _("muted") if person.is_muted(now) else "",
            _("warned") if person.is_warned else "",
        ]
        return ", ".join(filter(None, words))

    # The page ------------------------------------------------------------------------------------

    def get_subject(self, key: str) -> User | None:
        """Return a user with their sanctions, and the number of the newest entry about them."""
        sanctions = Prefetch("sanctions", Sanction.objects.select_related("by"))
        entries = (
            ModerationLogEntry.objects.filter(person=OuterRef("pk"))
            .order_by("-number")
            .values("number")
        )
        people = User.objects.prefetch_related(sanctions)
        return people.annotate(newest=Subquery(entries[:1])).filter(pk=parse_key(key)).first()

    def newest_entry(self, subject: Any) -> int:
        return subject.newest or 0

    def page_context(self, request: HttpRequest, subject: User) -> dict[str, Any]:
        context = user_page_context(
            subject, user_of(request), shows_address=sees_addresses(request), now=server_now()
        )
        return context | {"can_change": self.has_change_permission(request, subject)}

    # The account ---------------------------------------------------------------------------------

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.account_view)
        account = path("<path:object_id>/account/", view, name="accounts_user_account")
        return [account, *super().get_urls()]

    def account_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Let an administrator change an account. Raises PermissionDenied for anybody else."""
        person = self.get_subject(object_id)
        if person is None or not self.has_change_permission(request, person):
            raise PermissionDenied
        context = {"show_save_and_add_another": False, "title": _("Change the account")}
        try:
            return self.changeform_view(request, object_id, extra_context=context)
        except errors.Refusal as refusal:
            self.show_refusal(request, refusal)
            return redirect(reverse("admin:accounts_user_change", args=[person.pk]))

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save an account, and log it. Raises Refusal."""
        if not change:
            super().save_model(request, obj, form, change)
            roles.log_without_reason(
                action=UserAction.MAKE_ACCOUNT,
                person=obj,
                by=user_of(request),
                what="in the admin",
                now=server_now(),
            )
            return
        roles.change_account(
            person_id=obj.pk,
            by=user_of(request),
            changes={key: form.cleaned_data[key] for key in form.changed_data if key != "why"},
            why=form.cleaned_data["why"],
            now=server_now(),
        )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        """Return what cannot be changed here: names and roles need an action with a reason."""
        fields = list(super().get_readonly_fields(request, obj))
        if obj is None:
            return [field for field in fields if field != "email"]
        fields += ["username", "is_staff", "groups"]
        return fields if request.user.is_superuser else [*fields, "is_superuser"]

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return whether the viewer may change accounts. Only superusers change superusers."""
        above = obj is not None and obj.is_superuser and not request.user.is_superuser
        return super().has_change_permission(request, obj) and not above

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False  # records and the log name people

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        raise PermissionDenied  # with another's password one could sign in as them
