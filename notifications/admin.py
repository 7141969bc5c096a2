"""What became of every mail, for the host."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.admin import OnlyToLookAt
from notifications.models import MailPreference, Notice
from notifications.services.delivery import retry


@admin.register(Notice)
class NoticeAdmin(OnlyToLookAt, admin.ModelAdmin):
    """The outbox; failed notices can be tried again."""

    list_display = (
        "kind",
        "reader",
        "state",
        "attempts",
        "why",
        "created_at",
        "due_at",
        "sent_at",
    )
    list_filter = ("state", "kind", "created_at")
    search_fields = ("user__username", "user__display_name", "address", "reason", "message_id")
    list_select_related = ("user",)
    ordering = ("-created_at", "-pk")
    date_hierarchy = "created_at"
    exclude = ("content", "reason")
    readonly_fields = ("why",)
    actions = ("try_again",)

    @admin.display(description=_("to"))
    def reader(self, notice: Notice) -> str:
        """Return person and address."""
        return " · ".join(filter(None, [str(notice.user or ""), notice.address]))

    @admin.display(description=_("reason"))
    def why(self, notice: Notice) -> str:
        """Return the reason, in the active language where it is one of ours."""
        return gettext(notice.reason) if notice.reason else ""

    @admin.action(description=_("Try the failed ones again"), permissions=["retry"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[Notice]) -> None:
        """Let failed notices be sent again."""
        count = retry(chosen.values_list("pk", flat=True), now=timezone.now())
        text = ngettext(
            "%(count)d notice will be tried again.",
            "%(count)d notices will be tried again.",
            count,
        )
        self.message_user(request, text % {"count": count}, messages.SUCCESS)

    def has_retry_permission(self, request: HttpRequest) -> bool:
        """Who may change notices may have them tried again."""
        return request.user.has_perm("notifications.change_notice")


@admin.register(MailPreference)
class MailPreferenceAdmin(OnlyToLookAt, admin.ModelAdmin):
    """What people switched off; they change it themselves."""

    list_display = ("user", "kind", "cadence")
    list_filter = ("kind", "cadence")
    search_fields = ("user__username", "user__display_name")
    list_select_related = ("user",)
    ordering = ("user", "kind")
