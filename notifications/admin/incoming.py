"""Mail that came in, and what became of it; and what of all mail awaits moderators."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.addresses import normal_or_none
from accounts.models import User
from accounts.server_time import server_now
from games.models import Game
from games.moderation.admin.base import ModerationAdmin, mask_addresses, sees_addresses, user_of
from games.moderation.admin.large_tables import short_moment
from games.moderation.admin.site import DESK, DeskItem
from games.moderation.admin.timeline import Source, TimelineRow, register
from games.moderation.permissions import is_moderator
from games.moderation.staff_stats import DAY
from notifications.incoming.results import MailResult
from notifications.models import IncomingMail, Notice
from notifications.services.reprocessing import dismiss_mails, reprocess

_AUTOMATIC = _("It was not written by a person: it is automatic, or comes from a mailing list.")

RESULTS: Mapping[str, str | Promise] = {
    "stranger": _("Not from a verified address of the player."),
    MailResult.UNCONFIRMED: _("The mail server does not confirm the sender (DMARC, SPF, DKIM)."),
    MailResult.UNCHECKED: _("It carries no results of the mail server named in PLI_AUTHSERV_ID."),
    "error": _("It could not be processed because of an internal error."),
    "empty": _("It is empty."),
    "no-headers": _("It is not a mail."),
    "too-big": _("It is too big."),
    "headers-too-big": _("Its headers are too big."),
    "too-many-parts": _("It has too many parts."),
    "forgotten-address": _("The purpose of the reply address is no longer known."),
    "no-bounce": _("It came to a return address, but is no bounce."),
    "nothing-to-answer": _("It answers a mail that takes no answers."),
    "own": _("It is one of our own mails."),
    "hard-bounce": _("Our mail came back: the address does not accept mail."),
    "soft-bounce": _("Our mail came back this time."),
    "still-trying": _("A mail server is still trying to deliver our mail."),
    **dict.fromkeys(
        ("null-sender", "auto-submitted", "precedence", "list", "auto-reply", "machine"), _AUTOMATIC
    ),
    "out-of-office": _AUTOMATIC,
    MailResult.DISMISSED: _("A moderator has dismissed it."),
    "done": _("All of it was done."),
    "partly": _("Some of it was done."),
    "refused": _("It was refused, and the answer says why."),
    "asked": _("The answer asks the sender to confirm it, or for the rest of a turn."),
    "unanswered": _("It was refused without an answer, because too many before it were refused."),
}
"""The results of mails, in words for a moderator."""

_HAVE_ERROR = ("error", MailResult.UNCONFIRMED)
"""Results whose `error` says more."""


class MailStateFilter(admin.SimpleListFilter):
    """The states, those that await an administrator first."""

    title = _("state")
    parameter_name = "state__exact"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[Any]:
        first = [IncomingMail.State.PARKED, IncomingMail.State.HELD]
        rest = [state for state in IncomingMail.State if state not in first]
        return [(state.value, state.label) for state in [*first, *rest]]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return queryset.filter(state=self.value()) if self.value() else queryset


@admin.register(IncomingMail)
class IncomingMailAdmin(ModerationAdmin):
    """What came in, and its result. Parked and held mails can be processed again."""

    list_display = ["received", "short_state", "why", "sender", "user", "door", "box", "attempts"]
    list_filter = [MailStateFilter]
    search_fields = ["person", "sender"]  # shows the field; `get_search_results` does it
    search_help_text = _("The beginning of a player’s name, or the whole address of a sender.")
    search_help_without_addresses = _("The beginning of a player’s name.")
    user_field = "user"
    address_fields = ("sender", "envelope_from", "message_id", "why", "error")
    # What a person wrote is theirs; the hash of a token is of no use to anybody.
    exclude = ["raw", "token_hash", "result"]
    readonly_fields = ["why"]
    actions = ["process_once_more", "dismiss_mails"]
    retry_permission = "notifications.change_incomingmail"

    def get_queryset(self, request: HttpRequest) -> QuerySet[IncomingMail]:
        """Return the mails without their text."""
        mails = super().get_queryset(request).defer("raw")
        return mails.select_related("user", "reply__user")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find mails by the player's name; administrators also by the sender's address."""
        words = search_term.strip()
        if "@" in words[1:] and sees_addresses(request):
            return queryset.filter(sender=normal_or_none(words) or words), False
        return super().get_search_results(request, queryset, words)

    @admin.display(description=_("received"))
    def received(self, mail: IncomingMail) -> str:
        return short_moment(mail.received_at)

    @admin.display(description=_("state"))
    def short_state(self, mail: IncomingMail) -> str:
        """Return the state in a word; the next column says more."""
        return mail.get_state_display().partition(":")[0].strip()

    def describe_row(self, request: HttpRequest, row: IncomingMail) -> str:
        words = " · ".join(filter(None, [f"#{row.pk}", row.sender, self.why(row)]))
        return words if sees_addresses(request) else mask_addresses(words)

    @admin.display(description=_("reason"))
    def why(self, mail: IncomingMail) -> str:
        """Return the result in words, with the last line of an error."""
        said = str(RESULTS.get(mail.result, mail.result))
        explained = mail.result in _HAVE_ERROR or mail.failing_since is not None
        error = mail.error.strip().rpartition("\n")[2] if explained else ""
        return " ".join(filter(None, [said, error]))

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        return is_moderator(user_of(request))

    @admin.action(description=_("Dismiss"), permissions=["moderate"])
    def dismiss_mails(
        self, request: HttpRequest, chosen: QuerySet[IncomingMail]
    ) -> HttpResponse | None:
        def dismiss_all(keys: list[int], why: str) -> str:
            count = dismiss_mails(keys, by=user_of(request), why=why, now=server_now())
            said = ngettext("%(count)d mail is dismissed.", "%(count)d mails are dismissed.", count)
            return said % {"count": count}

        return self.confirm_action(
            request,
            chosen,
            dismiss_all,
            title=gettext("Dismiss"),
            hint=_(
                "The selected mails leave the moderators’ digest, and nobody gets an answer. An"
                " administrator can still process them again."
            ),
        )

    @admin.action(description=_("Process again"), permissions=["retry"])
    def process_once_more(
        self, request: HttpRequest, chosen: QuerySet[IncomingMail]
    ) -> HttpResponse | None:
        def process_all(keys: list[int], why: str) -> str:
            count = reprocess(keys, by=user_of(request), why=why, now=server_now())
            said = ngettext(
                "%(count)d mail will be processed again.",
                "%(count)d mails will be processed again.",
                count,
            )
            return said % {"count": count}

        return self.confirm_action(
            request,
            chosen,
            process_all,
            title=gettext("Process again"),
            hint=_(
                "Each is checked as if it had just come in, but a turn counts from when it was "
                "received. A stranger’s mail is held again unless the address was verified since, "
                "mail of an unconfirmed sender unless PLI_AUTHSERV_ID has changed."
            ),
        )


def incoming_row(game: Game, mail: IncomingMail) -> TimelineRow:
    """Return a mail's sender and result; never what it said."""
    result = str(RESULTS.get(mail.result, mail.result))
    note = " · ".join(filter(None, [str(mail.get_state_display()), result]))
    path = reverse("admin:notifications_incomingmail_change", args=[mail.pk])
    who, sender = (str(mail.user), "") if mail.user else ("", mail.sender)
    return TimelineRow(who, gettext("wrote a mail"), note, path, address=sender)


register(
    Source(
        "incoming",
        _("mail in"),
        lambda game: (
            IncomingMail.objects.filter(reply__game=game).select_related("user").defer("raw")
        ),
        "received_at",
        incoming_row,
    )
)


def mail_desk(user: User) -> Iterator[DeskItem]:
    """Yield the mails that await moderators."""
    if user.has_perm("notifications.view_incomingmail"):
        url, states = reverse("admin:notifications_incomingmail_changelist"), IncomingMail.State
        count = IncomingMail.objects.parked().count()
        words = ngettext(
            "%(count)s incoming mail is parked", "%(count)s incoming mails are parked", count
        )
        yield DeskItem(count, words % {"count": count}, f"{url}?state__exact={states.PARKED}")
        count = IncomingMail.objects.held_since(server_now() - DAY).count()
        words = ngettext(
            "%(count)s incoming mail was held in the last day",
            "%(count)s incoming mails were held in the last day",
            count,
        )
        yield DeskItem(count, words % {"count": count}, f"{url}?state__exact={states.HELD}")
    if user.has_perm("notifications.view_notice"):
        url = reverse("admin:notifications_notice_changelist")
        count = Notice.objects.filter(state=Notice.State.PARKED).count()
        words = ngettext("%(count)s notice is parked", "%(count)s notices are parked", count)
        yield DeskItem(count, words % {"count": count}, f"{url}?state__exact={Notice.State.PARKED}")


DESK.append(mail_desk)
