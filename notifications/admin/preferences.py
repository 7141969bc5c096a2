"""What people chose about their mail."""

from django.contrib import admin

from games.admin import OnlyToLookAt
from notifications.models import MailPreference


@admin.register(MailPreference)
class MailPreferenceAdmin(OnlyToLookAt, admin.ModelAdmin):
    """What people switched off; they change it themselves."""

    list_display = ("user", "kind", "cadence")
    list_filter = ("kind", "cadence")
    search_fields = ("user__username", "user__display_name")
    list_select_related = ("user",)
    ordering = ("user", "kind")
