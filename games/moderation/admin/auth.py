"""How people sign in, and groups: pages for superusers, whose every change is logged.

Lists that stay quick, instead of allauth's own, which count and search through whole tables. No
session's key and no second factor's secret is shown: with them anybody could sign in as its owner.
"""

from ipaddress import ip_address
from typing import Any, ClassVar

from allauth.account.admin import EmailAddressAdmin as AllauthEmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from accounts.forms import EmailAddressForm
from accounts.models import SecurityEvent
from accounts.security_log import factor_removed_by_staff, record
from accounts.server_time import server_now
from accounts.users import is_only_verified
from games.moderation import log
from games.moderation.action_names import SiteAction, UserAction
from games.moderation.admin.base import ModerationAdmin, user_of
from games.moderation.admin.large_tables import short_moment
from games.moderation.roles import log_without_reason


class LogsChanges(ModerationAdmin):
    """Writes every change by its form to the moderation log, without the address itself."""

    is_read_only = False
    list_filter: ClassVar[Any] = []
    list_select_related: ClassVar[Any] = []
    prefetch_users: ClassVar[Any] = ["user"]
    user_field = "user"

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        self.log_sign_in_change(request, obj, "added")
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        self.log_sign_in_change(request, obj, "changed")
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        for obj in queryset:
            self.log_sign_in_change(request, obj, "deleted")
        return super().log_deletions(request, queryset)

    def log_sign_in_change(self, request: HttpRequest, obj: Any, verb: str) -> None:
        with override("en"):  # the log is in one language, whoever writes it
            what = f"{self.opts.verbose_name} {verb}"
        log_without_reason(
            action=UserAction.SIGN_IN,
            person=obj.user,
            by=user_of(request),
            what=what,
            now=server_now(),
        )


@admin.register(EmailAddress)
class EmailAddressAdmin(LogsChanges, AllauthEmailAddressAdmin):
    """Addresses of accounts. They can be marked as verified."""

    form = EmailAddressForm
    list_display = ["email", "user", "primary", "verified"]
    search_help_text = _("The beginning of an address, a user name or a display name.")
    actions = ["make_verified"]

    def log_sign_in_change(self, request: HttpRequest, obj: Any, verb: str) -> None:
        """Write the change to the account's security log, too."""
        super().log_sign_in_change(request, obj, verb)
        kinds = {
            "added": SecurityEvent.Kind.ADDRESS_ADDED,
            "deleted": SecurityEvent.Kind.ADDRESS_REMOVED,
        }
        kind = kinds.get(verb, SecurityEvent.Kind.ADDRESS_CHANGED)
        record(kind, user=obj.user, request=None, email=obj.email, by_staff=True)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find addresses by their beginning, or by the name of their owner."""
        words = search_term.strip()
        if "@" in words[1:]:
            return queryset.filter(email__startswith=words.lower()), False
        return super().get_search_results(request, queryset, search_term)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse to delete the only verified address of an account."""
        if obj is not None and is_only_verified(obj):
            return False
        return super().has_delete_permission(request, obj)

    @admin.action(description=_("Mark as verified"))
    @transaction.atomic
    def make_verified(self, request: HttpRequest, queryset: QuerySet) -> None:
        for address in queryset.filter(verified=False).select_related("user"):
            self.log_sign_in_change(request, address, "marked as verified")
        super().make_verified(request, queryset)


@admin.register(Authenticator)
class AuthenticatorAdmin(LogsChanges):
    """Second factors. One can be removed for a person who lost theirs, who is told by mail."""

    list_display = ["user", "type", "created_at", "last_used_at"]
    fields = ["user", "type", "created_at", "last_used_at"]
    readonly_fields = ["user", "type", "created_at", "last_used_at"]
    search_fields = ["person"]  # shows the field; `get_search_results` does it
    search_help_text = _("The beginning of a user name or a display name.")

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Write the removal to the account's security log, too, and tell the owner."""
        entries = super().log_deletions(request, queryset)
        removed = SecurityEvent.Kind.FACTOR_REMOVED
        for factor in queryset:
            record(removed, user=factor.user, request=None, factor=factor.type, by_staff=True)
            factor_removed_by_staff.send(
                sender=Authenticator, user=factor.user, authenticator=factor
            )
        return entries


@admin.register(UserSession)
class UserSessionAdmin(ModerationAdmin):
    """Where people are signed in. To end a person's sessions, suspend them."""

    list_display = ["user", "began", "seen", "ip", "user_agent"]
    fields = ["user", "created_at", "last_seen_at", "ip", "user_agent"]
    list_select_related: ClassVar[Any] = []
    prefetch_users: ClassVar[Any] = ["user"]
    search_fields = ["person", "place"]  # shows the field; `get_search_results` does it
    search_help_text = _("The beginning of a person’s name, or a whole IP address.")
    user_field = "user"

    @admin.display(description=_("began"))
    def began(self, session: UserSession) -> str:
        return short_moment(session.created_at)

    @admin.display(description=_("last seen"))
    def seen(self, session: UserSession) -> str:
        return short_moment(session.last_seen_at)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find sessions by IP address, or by the name of their owner."""
        try:
            place = ip_address(search_term.strip())
        except ValueError:
            return super().get_search_results(request, queryset, search_term)
        return queryset.filter(ip=str(place)), False


@admin.register(Group)
class GroupAdmin(ModerationAdmin, DjangoGroupAdmin):
    """Groups, by name. They are deleted one at a time, on a page of their own."""

    is_read_only = False
    ordering = ["name"]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        before = Group.objects.filter(pk=obj.pk).first()
        obj.name_before = before.name if before else obj.name
        obj.permissions_before = _permission_codes(before) if before else []
        super().save_model(request, obj, form, change)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        self.log_group(SiteAction.MAKE_GROUP, request, obj.name, [], _permission_codes(obj))
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        renamed = {"renamed": obj.name} if obj.name != obj.name_before else {}
        before, after = obj.permissions_before, _permission_codes(obj)
        if renamed or before != after:
            action = SiteAction.CHANGE_GROUP
            self.log_group(action, request, obj.name_before, before, after, **renamed)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        for group in queryset:
            codes = _permission_codes(group)
            self.log_group(SiteAction.DELETE_GROUP, request, group.name, codes, [])
        return super().log_deletions(request, queryset)

    def log_group(
        self,
        action: SiteAction,
        request: HttpRequest,
        name: str,
        before: list[str],
        after: list[str],
        **more: object,
    ) -> None:
        """Log which permissions a group has got and lost."""
        details: dict[str, object] = {
            "group": name,
            "granted": [code for code in after if code not in before],
            "revoked": [code for code in before if code not in after],
            **more,
        }
        log.write_entry(
            by=user_of(request),
            what=action.value,
            why="in the admin",  # its form asks for no reason
            now=server_now(),
            details=details,
        )


def _permission_codes(group: Group) -> list[str]:
    """Return a group's permissions as ["games.moderate", ...], sorted."""
    names = group.permissions.values_list("content_type__app_label", "codename")
    return sorted(f"{label}.{code}" for label, code in names)
