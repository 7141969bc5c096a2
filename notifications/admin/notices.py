"""The outbox, and what a game's timeline shows of it."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.addresses import normal_or_none
from accounts.server_time import server_now
from games.admin.addresses import masked, sees_addresses
from games.admin.base import short
from games.admin.reasons import person_of
from games.admin.timeline import Source, TimelineRow, register
from games.models import Game
from notifications.admin.looking import MailList
from notifications.models import Notice
from notifications.services.reprocessing import resend


@admin.register(Notice)
class NoticeAdmin(MailList):
    """What became of every mail of ours; failed and parked ones can be sent again."""

    list_display = ["made", "kind", "reader", "state", "why", "sent"]
    list_filter = ["state", "kind"]
    search_fields = ["game", "person", "address"]  # shows the field; `get_search_results` does it
    search_help_text = _("A game’s number, how a name begins, a whole address or Message-ID.")
    help_without_addresses = _("A game’s number, how a name begins, or a Message-ID.")
    found_by_number, found_by_name = "game_id", "user"
    may_hold_addresses = ("reader", "address", "why")
    exclude = ["content", "reason", "skip_reason"]
    readonly_fields = ["why"]
    actions = ["try_again"]
    changes = "notifications.change_notice"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        """Return the notices with whom they are for."""
        return super().get_queryset(request).select_related("user", "game", "event__game")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find notices by game, person or Message-ID, each through its index.

        Hosts find them by address, too.
        """
        words = search_term.strip()
        if "@" in words[1:]:
            named = Q(message_id=words)
            if sees_addresses(request):
                named |= Q(address=normal_or_none(words))
            return queryset.filter(named), False
        return super().get_search_results(request, queryset, words)

    def row_in_words(self, request: HttpRequest, row: Notice) -> str:
        """Name a notice by its kind and whom it is for."""
        words = f"{row.get_kind_display()} → {row.user or row.address}"
        return words if sees_addresses(request) else masked(words)

    @admin.display(description=_("made"))
    def made(self, notice: Notice) -> str:
        """Return when it was made."""
        return short(notice.created_at)

    @admin.display(description=_("sent"))
    def sent(self, notice: Notice) -> str:
        """Return when it was sent."""
        return short(notice.sent_at)

    @admin.display(description=_("to"))
    def reader(self, notice: Notice) -> str:
        """Return person and address."""
        return " · ".join(filter(None, [str(notice.user or ""), notice.address]))

    @admin.display(description=_("reason"))
    def why(self, notice: Notice) -> str:
        """Return the reason, in the active language where it is one of ours."""
        return notice.explanation

    @admin.action(description=_("Try again"), permissions=["mend"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[Notice]) -> HttpResponse | None:
        """Let failed and parked notices be sent again."""

        def do(keys: list[int], why: str) -> str:
            count = resend(keys, by=person_of(request), why=why, now=server_now())
            said = ngettext(
                "%(count)d notice will be tried again.",
                "%(count)d notices will be tried again.",
                count,
            )
            return said % {"count": count}

        return self.act_on(
            request,
            chosen,
            do,
            title=_("Try again"),
            hint=_(
                "Each is sent only if it is still true; to a suspended address nothing goes. "
                "Failed sign-in codes, answers and digests cannot be sent again: "
                "their text is gone."
            ),
        )


def _mail(game: Game, notice: Notice) -> TimelineRow:
    """Say what a mail was about, to whom, and what became of it; never what stood in it."""
    state = str(notice.get_state_display())
    note = " · ".join(filter(None, [state, notice.explanation]))
    path = reverse("admin:notifications_notice_change", args=[notice.pk])
    who, address = (str(notice.user), "") if notice.user else ("", notice.address)
    return TimelineRow(who, str(notice.get_kind_display()), note, path, address=address)


register(
    Source(
        "notice",
        _("mail"),
        lambda game: game.notices.select_related("user").defer("content"),
        "created_at",
        _mail,
    )
)
