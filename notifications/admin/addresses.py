"""Addresses that mail came back from."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.admin.looking import short
from games.admin.reasons import person_of
from notifications.admin.looking import MailList
from notifications.models import AddressState
from notifications.services.mending import resume


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
    actions = ["send_again"]
    changes = "notifications.change_addressstate"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find an address."""
        words = search_term.strip()
        return (queryset.filter(address=words.lower()) if words else queryset), False

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
            count = resume(keys, by=person_of(request), why=why, now=timezone.now())
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
