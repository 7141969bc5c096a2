"""Addresses that mail came back from."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.addresses import normal_or_none
from accounts.server_time import server_now
from games.admin.addresses import sees_addresses
from games.admin.base import short
from games.admin.reasons import person_of
from notifications.admin.looking import MailList
from notifications.models import AddressState
from notifications.services.reprocessing import resume_mail_to


class SuspendedFilter(admin.SimpleListFilter):
    """Whether mail goes there."""

    title = _("suspended")
    parameter_name = "suspended"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[Any]:
        """Return the two choices."""
        return [("yes", _("nothing goes there")), ("no", _("in use again"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the addresses that were chosen."""
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(suspended_at__isnull=self.value() == "no")


@admin.register(AddressState)
class AddressStateAdmin(MailList):
    """Addresses that mail came back from; hosts can have mail sent there again."""

    list_display = ["address", "suspended", "diagnostic", "resumed"]
    list_filter = [SuspendedFilter]
    search_fields = ["address"]  # shows the field; `get_search_results` does it
    search_help_text = _("A whole address.")
    raw_id_fields = ["notice"]
    may_hold_addresses = ("address", "diagnostic")
    actions = ["send_again"]
    changes = "notifications.change_addressstate"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find an address, for hosts."""
        words = search_term.strip()
        if not words:
            return queryset, False
        if not sees_addresses(request):
            return queryset.none(), False
        return queryset.filter(address=normal_or_none(words) or words), False

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        """Return what shows the search field: nothing to moderators, who find nothing by it."""
        return self.search_fields if sees_addresses(request) else []

    def row_in_words(self, request: HttpRequest, row: AddressState) -> str:
        """Name the address."""
        return row.address if sees_addresses(request) else str(row)

    @admin.display(description=_("suspended"))
    def suspended(self, state: AddressState) -> str:
        """Return since when nothing goes there."""
        return short(state.suspended_at)

    @admin.display(description=_("tried again"))
    def resumed(self, state: AddressState) -> str:
        """Return when mail was last let go there again."""
        return short(state.resumed_at)

    @admin.action(description=_("Send mail there again"), permissions=["mend"])
    def send_again(
        self, request: HttpRequest, chosen: QuerySet[AddressState]
    ) -> HttpResponse | None:
        """Let notices go to these addresses again."""

        def do(keys: list[int], why: str) -> str:
            count = resume_mail_to(keys, by=person_of(request), why=why, now=server_now())
            said = ngettext(
                "Mail goes to %(count)d address again.",
                "Mail goes to %(count)d addresses again.",
                count,
            )
            return said % {"count": count}

        return self.act_on(
            request,
            chosen,
            do,
            title=_("Send mail there again"),
            hint=_("What was dropped meanwhile is not sent any more; the next mails go there."),
        )
