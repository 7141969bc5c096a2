"""Mail that goes out: notices, addresses that mail came back from, and what people switched off."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.addresses import normal_or_none
from accounts.server_time import server_now
from games.models import Game
from games.moderation.admin.base import ModerationAdmin, mask_addresses, sees_addresses, user_of
from games.moderation.admin.large_tables import short_moment
from games.moderation.admin.timeline import Source, TimelineRow, register
from notifications.models import AddressState, MailPreference, Notice
from notifications.services.reprocessing import resend, resume_mail_to


@admin.register(Notice)
class NoticeAdmin(ModerationAdmin):
    """The outbox. Failed and parked notices can be sent again."""

    list_display = ["made", "kind", "reader", "state", "why", "sent"]
    list_filter = ["state", "kind"]
    search_fields = ["game", "person", "address"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, the beginning of a name, an address or Message-ID.")
    search_help_without_addresses = _("A game’s number, the beginning of a name, or a Message-ID.")
    number_field = "game_id"
    user_field = "user"
    address_fields = ("reader", "address", "why")
    exclude = ["content", "reason", "skip_reason"]
    readonly_fields = ["why"]
    actions = ["try_again"]
    retry_permission = "notifications.change_notice"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        return super().get_queryset(request).select_related("user", "game", "event__game")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find notices by game, user or Message-ID, administrators also by address.

        Each has its index.
        """
        words = search_term.strip()
        if "@" in words[1:]:
            named = Q(message_id=words)
            if sees_addresses(request):
                named |= Q(address=normal_or_none(words))
            return queryset.filter(named), False
        return super().get_search_results(request, queryset, words)

    def describe_row(self, request: HttpRequest, row: Notice) -> str:
        words = f"{row.get_kind_display()} → {row.user or row.address}"
        return words if sees_addresses(request) else mask_addresses(words)

    @admin.display(description=_("made"))
    def made(self, notice: Notice) -> str:
        return short_moment(notice.created_at)

    @admin.display(description=_("sent"))
    def sent(self, notice: Notice) -> str:
        return short_moment(notice.sent_at)

    @admin.display(description=_("to"))
    def reader(self, notice: Notice) -> str:
        return " · ".join(filter(None, [str(notice.user or ""), notice.address]))

    @admin.display(description=_("reason"))
    def why(self, notice: Notice) -> str:
        return notice.explanation

    @admin.action(description=_("Try again"), permissions=["retry"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[Notice]) -> HttpResponse | None:
        def resend_all(keys: list[int], why: str) -> str:
            count = resend(keys, by=user_of(request), why=why, now=server_now())
            said = ngettext(
                "%(count)d notice will be tried again.",
                "%(count)d notices will be tried again.",
                count,
            )
            return said % {"count": count}

        return self.confirm_action(
            request,
            chosen,
            resend_all,
            title=_("Try again"),
            hint=_(
                "Each is sent only if it is still true, and never to a suspended address. "
                "Failed sign-in codes, answers and digests cannot be sent again: "
                "their text was deleted."
            ),
        )


def notice_row(game: Game, notice: Notice) -> TimelineRow:
    """Return what a mail was about, its reader, and its state; never what it said."""
    note = " · ".join(filter(None, [str(notice.get_state_display()), notice.explanation]))
    path = reverse("admin:notifications_notice_change", args=[notice.pk])
    who, address = (str(notice.user), "") if notice.user else ("", notice.address)
    return TimelineRow(who, str(notice.get_kind_display()), note, path, address=address)


register(
    Source(
        "notice",
        _("mail"),
        lambda game: game.notices.select_related("user").defer("content"),
        "created_at",
        notice_row,
    )
)


# Addresses ---------------------------------------------------------------------------------------


class SuspendedFilter(admin.SimpleListFilter):
    title = _("suspended")
    parameter_name = "suspended"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[Any]:
        return [("yes", _("no mail is sent there")), ("no", _("in use again"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(suspended_at__isnull=self.value() == "no")


@admin.register(AddressState)
class AddressStateAdmin(ModerationAdmin):
    """Addresses that mail came back from. Administrators can have mail sent there again."""

    list_display = [
        "address",
        "suspended",
        "is_complaint",
        "refuses_invitations",
        "diagnostic",
        "resumed",
    ]
    list_filter = [SuspendedFilter]
    search_fields = ["address"]  # shows the field; `get_search_results` does it
    search_help_text = _("A whole address.")
    raw_id_fields = ["notice"]
    address_fields = ("address", "diagnostic")
    actions = ["send_again"]
    retry_permission = "notifications.change_addressstate"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find an address, for administrators."""
        words = search_term.strip()
        if not words:
            return queryset, False
        if not sees_addresses(request):
            return queryset.none(), False
        return queryset.filter(address=normal_or_none(words) or words), False

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        """Show the search field to administrators only: moderators find nothing by it."""
        return self.search_fields if sees_addresses(request) else []

    def describe_row(self, request: HttpRequest, row: AddressState) -> str:
        return row.address if sees_addresses(request) else str(row)

    @admin.display(description=_("suspended"))
    def suspended(self, state: AddressState) -> str:
        return short_moment(state.suspended_at)

    @admin.display(description=_("tried again"))
    def resumed(self, state: AddressState) -> str:
        return short_moment(state.resumed_at)

    @admin.action(description=_("Send mail there again"), permissions=["retry"])
    def send_again(
        self, request: HttpRequest, chosen: QuerySet[AddressState]
    ) -> HttpResponse | None:
        def resume_all(keys: list[int], why: str) -> str:
            count = resume_mail_to(keys, by=user_of(request), why=why, now=server_now())
            said = ngettext(
                "Mail goes to %(count)d address again.",
                "Mail goes to %(count)d addresses again.",
                count,
            )
            return said % {"count": count}

        return self.confirm_action(
            request,
            chosen,
            resume_all,
            title=_("Send mail there again"),
            hint=_("Mails that were dropped in the meantime are not sent; later ones are."),
        )


@admin.register(MailPreference)
class MailPreferenceAdmin(ModerationAdmin):
    """What people switched off. They change it themselves."""

    list_display = ["user", "kind", "cadence"]
    list_filter = ["kind", "cadence"]
    list_select_related = ["user"]
    search_fields = ["person"]  # shows the field; `get_search_results` does it
    search_help_text = _("The beginning of a user name or a display name.")
    user_field = "user"
