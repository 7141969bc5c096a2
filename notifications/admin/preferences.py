"""What people chose about their mail."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from games.admin import ReadOnlyAdmin
from notifications.models import MailPreference


@admin.register(MailPreference)
class MailPreferenceAdmin(ReadOnlyAdmin):
    """What people switched off; they change it themselves."""

    list_display = ["user", "kind", "cadence"]
    list_filter = ["kind", "cadence"]
    list_select_related = ["user"]
    search_fields = ["person"]  # shows the field; `get_search_results` does it
    search_help_text = _("How a user name or a display name begins.")
    found_by_name = "user"
