"""How people sign in, for whoever may do everything: addresses, second factors, sessions.

Quick lists instead of allauth's own, which count and search through whole tables. No key of a
session is shown: with it anybody could be its person.
"""

from ipaddress import ip_address
from typing import Any, ClassVar

from allauth.account.admin import EmailAddressAdmin as AllauthsAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.admin import UserSessionAdmin as AllauthsSessionAdmin  # noqa: F401
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from accounts.admin import AuthenticatorAdmin as AccountsFactorAdmin
from accounts.forms import EmailAddressForm
from accounts.models import SecurityEvent
from accounts.security_log import factor_removed_by_staff, record
from accounts.server_time import server_now
from games.admin.base import LargeTableAdmin, ReadOnlyAdmin, short
from games.admin.reasons import person_of
from games.services.moderation.action_names import UserAction
from games.services.moderation.roles import note_by_hand


class Noted(admin.ModelAdmin):
    """What is written here by hand is in the moderators' log, too: it lets people in, or out."""

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Note what was added."""
        self.note(request, obj, "added")
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Note what was changed."""
        self.note(request, obj, "changed")
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Note what was deleted."""
        for obj in queryset:
            self.note(request, obj, "deleted")
        return super().log_deletions(request, queryset)

    def note(self, request: HttpRequest, obj: Any, verb: str) -> None:
        """Write it down, without the address itself: moderators read the log."""
        with override("en"):  # the log is the same whoever writes it
            what = f"{self.opts.verbose_name} {verb}"
        note_by_hand(
            measure=UserAction.SIGN_IN,
            person=obj.user,
            by=person_of(request),
            what=what,
            now=server_now(),
        )


admin.site.unregister([EmailAddress, Authenticator, UserSession])


@admin.register(EmailAddress)
class AddressAdmin(LargeTableAdmin, Noted, AllauthsAddressAdmin):
    """Addresses of accounts; one can be marked as verified."""

    form = EmailAddressForm
    KINDS = {
        "added": SecurityEvent.Kind.ADDRESS_ADDED,
        "deleted": SecurityEvent.Kind.ADDRESS_REMOVED,
    }
    list_display = ["email", "user", "primary", "verified"]
    list_filter: ClassVar[Any] = []
    list_select_related: ClassVar[Any] = []
    names_people: ClassVar[Any] = ["user"]
    search_help_text = _("How an address, a user name or a display name begins.")
    found_by_name = "user"
    actions = ["make_verified"]

    def note(self, request: HttpRequest, obj: Any, verb: str) -> None:
        """Keep it among what happened to the account too."""
        super().note(request, obj, verb)
        kind = self.KINDS.get(verb, SecurityEvent.Kind.ADDRESS_CHANGED)
        record(kind, user=obj.user, request=None, email=obj.email, by_staff=True)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find addresses by how they begin, or by whose they are."""
        words = search_term.strip()
        if "@" in words[1:]:
            return queryset.filter(email__startswith=words.lower()), False
        return super().get_search_results(request, queryset, search_term)

    @admin.action(description=_("Mark as verified"))
    @transaction.atomic
    def make_verified(self, request: HttpRequest, queryset: QuerySet) -> None:
        """Mark addresses as verified, as allauth does it, and note it."""
        for address in queryset.filter(verified=False).select_related("user"):
            self.note(request, address, "marked as verified")
        super().make_verified(request, queryset)


@admin.register(Authenticator)
class FactorAdmin(LargeTableAdmin, Noted, AccountsFactorAdmin):
    """Who has a second factor; it can be removed for somebody who lost theirs.

    The person is told by mail.
    """

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Keep it among what happened to the account, and let its owner be told."""
        entries = super().log_deletions(request, queryset)
        for factor in queryset:
            removed = SecurityEvent.Kind.FACTOR_REMOVED
            record(removed, user=factor.user, request=None, factor=factor.type, by_staff=True)
            factor_removed_by_staff.send(
                sender=Authenticator, user=factor.user, authenticator=factor
            )
        return entries

    list_filter: ClassVar[Any] = []
    list_select_related: ClassVar[Any] = []
    names_people: ClassVar[Any] = ["user"]
    search_fields = ["person"]  # shows the field; `get_search_results` does it
    search_help_text = _("How a user name or a display name begins.")
    found_by_name = "user"


@admin.register(UserSession)
class SessionAdmin(ReadOnlyAdmin):
    """Where people are signed in. To end a session its person is suspended."""

    list_display = ["user", "began", "seen", "ip", "user_agent"]
    fields = ["user", "created_at", "last_seen_at", "ip", "user_agent"]
    list_select_related: ClassVar[Any] = []
    names_people: ClassVar[Any] = ["user"]
    search_fields = ["person", "place"]  # shows the field; `get_search_results` does it
    search_help_text = _("How a person’s name begins, or a whole IP address.")
    found_by_name = "user"

    @admin.display(description=_("began"))
    def began(self, session: UserSession) -> str:
        """Return since when, in few letters."""
        return short(session.created_at)

    @admin.display(description=_("last seen"))
    def seen(self, session: UserSession) -> str:
        """Return when somebody was there last."""
        return short(session.last_seen_at)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find sessions by whose they are, or by where they are."""
        try:
            place = ip_address(search_term.strip())
        except ValueError:
            return super().get_search_results(request, queryset, search_term)
        return queryset.filter(ip=str(place)), False
