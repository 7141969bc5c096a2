"""Mail that came in, and what became of it."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.addresses import normal_or_none
from accounts.server_time import server_now
from games.admin.addresses import masked, sees_addresses
from games.admin.base import short
from games.admin.reasons import person_of
from games.admin.timeline import Source, TimelineRow, register
from games.models import Game
from games.services.moderation.permissions import is_moderator
from notifications.admin.looking import MailList
from notifications.incoming.results import MailResult
from notifications.models import IncomingMail
from notifications.services.reprocessing import dismiss_mails, reprocess

_AUTOMATIC = _("No person wrote it: an automatic mail, or one to a list.")

WORDS: Mapping[str, str | Promise] = {
    "stranger": _("Not from a verified address of the player."),
    MailResult.UNCONFIRMED: _("The mail server does not confirm the sender (DMARC, SPF, DKIM)."),
    MailResult.UNCHECKED: _("It carries no results of the mail server named in PLI_AUTHSERV_ID."),
    "error": _("It broke the processor."),
    "empty": _("There is nothing in it."),
    "no-headers": _("It is no mail at all."),
    "too-big": _("It is too big."),
    "headers-too-big": _("Its headers are too big."),
    "too-many-parts": _("It has too many parts."),
    "forgotten-address": _("What the address was for is known no more."),
    "no-bounce": _("It came to a return address, but is no bounce."),
    "nothing-to-answer": _("It answers a mail that takes no answers."),
    "own": _("It is one of our own mails."),
    "hard-bounce": _("Our mail came back: the address takes none."),
    "soft-bounce": _("Our mail came back this time."),
    "still-trying": _("A mail server still tries to deliver our mail."),
    **dict.fromkeys(
        ("null-sender", "auto-submitted", "precedence", "list", "auto-reply", "machine"), _AUTOMATIC
    ),
    "out-of-office": _AUTOMATIC,
    MailResult.DISMISSED: _("A moderator has dismissed it."),
    "done": _("All of it was done."),
    "partly": _("Some of it was done."),
    "refused": _("It was refused, and answered why."),
    "unanswered": _("It was refused without an answer: so were too many before it."),
}
"""What became of a mail, in words for a moderator."""

_EXPLAINED = ("error", MailResult.UNCONFIRMED)
"""Results whose `error` says more."""


class MailStateFilter(admin.SimpleListFilter):
    """What awaits a host first."""

    title = _("state")
    parameter_name = "state__exact"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[Any]:
        """Return the states, those that somebody should look at first."""
        first = [IncomingMail.State.PARKED, IncomingMail.State.HELD]
        rest = [state for state in IncomingMail.State if state not in first]
        return [(state.value, state.label) for state in [*first, *rest]]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Keep the mails in that state."""
        return queryset.filter(state=self.value()) if self.value() else queryset


@admin.register(IncomingMail)
class IncomingMailAdmin(MailList):
    """What came in and what became of it; what was put aside can be read once more."""

    list_display = ["received", "stands", "why", "sender", "user", "door", "box", "attempts"]
    list_filter = [MailStateFilter]
    search_fields = ["person", "sender"]  # shows the field; `get_search_results` does it
    search_help_text = _("How a player’s name begins, or the whole address of a sender.")
    help_without_addresses = _("How a player’s name begins.")
    found_by_name = "user"
    may_hold_addresses = ("sender", "envelope_from", "message_id", "why", "error")
    # What a person wrote is theirs; the hash of a token is of no use to anybody.
    exclude = ["raw", "token_hash", "result"]
    readonly_fields = ["why"]
    actions = ["process_once_more", "dismiss_mails"]
    changes = "notifications.change_incomingmail"

    def get_queryset(self, request: HttpRequest) -> QuerySet[IncomingMail]:
        """Return the mails without their text, with the people they name."""
        mails = super().get_queryset(request).defer("raw")
        return mails.select_related("user", "reply__user")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find mails by whose they are; hosts also by the address they came from."""
        words = search_term.strip()
        if "@" in words[1:] and sees_addresses(request):
            return queryset.filter(sender=normal_or_none(words) or words), False
        return super().get_search_results(request, queryset, words)

    @admin.display(description=_("received"))
    def received(self, mail: IncomingMail) -> str:
        """Return when a door took it."""
        return short(mail.received_at)

    @admin.display(description=_("state"))
    def stands(self, mail: IncomingMail) -> str:
        """Return the state in a word; the reason stands beside it."""
        return mail.get_state_display().partition(":")[0].strip()

    def row_in_words(self, request: HttpRequest, row: IncomingMail) -> str:
        """Name a mail by its number and sender, and why it was put aside."""
        words = " · ".join(filter(None, [f"#{row.pk}", row.sender, self.why(row)]))
        return words if sees_addresses(request) else masked(words)

    @admin.display(description=_("reason"))
    def why(self, mail: IncomingMail) -> str:
        """Return what became of it, in words; of an error its last line."""
        said = str(WORDS.get(mail.result, mail.result))
        explained = mail.result in _EXPLAINED or mail.failing_since is not None
        error = mail.error.strip().rpartition("\n")[2] if explained else ""
        return " ".join(filter(None, [said, error]))

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Whoever moderates may say that a mail needs nobody's attention any more."""
        return is_moderator(person_of(request))

    @admin.action(description=_("Dismiss"), permissions=["moderate"])
    def dismiss_mails(
        self, request: HttpRequest, chosen: QuerySet[IncomingMail]
    ) -> HttpResponse | None:
        """Let mails that were put aside rest."""

        def do(keys: list[int], why: str) -> str:
            count = dismiss_mails(keys, by=person_of(request), why=why, now=server_now())
            said = ngettext("%(count)d mail is dismissed.", "%(count)d mails are dismissed.", count)
            return said % {"count": count}

        return self.act_on(
            request,
            chosen,
            do,
            title=gettext("Dismiss"),
            hint=_(
                "The selected mails leave the moderators’ digest, and nobody gets an answer. An"
                " administrator can still process them again."
            ),
        )

    @admin.action(description=_("Process again"), permissions=["mend"])
    def process_once_more(
        self, request: HttpRequest, chosen: QuerySet[IncomingMail]
    ) -> HttpResponse | None:
        """Let mails that were put aside be read once more."""

        def do(keys: list[int], why: str) -> str:
            count = reprocess(keys, by=person_of(request), why=why, now=server_now())
            said = ngettext(
                "%(count)d mail will be processed again.",
                "%(count)d mails will be processed again.",
                count,
            )
            return said % {"count": count}

        return self.act_on(
            request,
            chosen,
            do,
            title=gettext("Process again"),
            hint=_(
                "Each is judged as if it came in now, but a turn counts from when it was received. "
                "A stranger’s mail is held again, unless the address has been verified since; one "
                "whose sender is not confirmed, unless PLI_AUTHSERV_ID has changed."
            ),
        )


def _came_in(game: Game, mail: IncomingMail) -> TimelineRow:
    """Say who wrote and what became of it; never what stood in it."""
    result = str(WORDS.get(mail.result, mail.result))
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
        _came_in,
    )
)
