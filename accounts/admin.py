"""People in the admin. Neither password hashes nor the secrets of second factors are shown."""

import allauth.mfa.admin  # noqa: F401  (registers the page that ours replaces)
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class PersonForm(UserChangeForm):
    """The form of a person without the hash of their password."""

    password = None  # type: ignore[assignment]


@admin.register(User)
class BaseUserAdmin(UserAdmin):
    """Finds people and says what they may do."""

    form = PersonForm
    list_display = [
        "username",
        "display_name",
        "email",
        "language",
        "last_login",
        "is_staff",
        "is_bot",
    ]
    list_filter = ["is_staff", "is_bot", "is_active", "language"]
    search_fields = ["username", "display_name", "email"]
    fieldsets = [
        (None, {"fields": ["username", "display_name", "email"]}),
        (_("Reads"), {"fields": ["language", "time_zone"]}),
        (_("May"), {"fields": ["is_active", "is_staff", "is_superuser", "groups"]}),
        (_("Known"), {"fields": ["is_bot", "date_joined", "last_login"]}),
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

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        """Let name and address be given when a person is made, not changed behind their back.

        Names and roles are changed by acts with a reason, which the log keeps.
        """
        fields = list(super().get_readonly_fields(request, obj))
        if obj is None:
            return [field for field in fields if field != "email"]
        fields += ["username", "is_staff", "groups"]
        return fields if request.user.is_superuser else [*fields, "is_superuser"]

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        """Refuse: who sets the password of another can come in as them."""
        raise PermissionDenied


# allauth's own page would show the secret that a second factor is made of.
admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class AuthenticatorAdmin(admin.ModelAdmin):
    """Shows who has a second factor; it can be removed for somebody who lost theirs."""

    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type"]
    search_fields = ["user__username"]
    fields = ["user", "type", "created_at", "last_used_at"]
    readonly_fields = ["user", "type", "created_at", "last_used_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody makes a second factor for another."""
        return False
