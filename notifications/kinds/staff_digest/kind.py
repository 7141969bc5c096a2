"""The digest for moderators and hosts: what awaits them, counted when it is written."""

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.translation import ngettext

from games.moderation.permissions import is_moderator
from notifications.kinds.base import Content, MailKind, Purpose
from notifications.kinds.registry import Kind
from notifications.kinds.staff_digest.lines import staff_lines
from notifications.models import Notice, SkipReason
from notifications.services.emails.base import InlineImageEmail
from notifications.services.emails.names import plain


class StaffDigestContent(Content, total=False):
    """What is told: a count of each, left out where there is nothing; times as ISO 8601.

    `out_of_time` has [name, games] each, `outages` [kind, beginning, end or nothing] each. Of the
    log: how many acts are new and where it ends now, or what it was and is where it was cut.
    """

    open_reports: int
    oldest_report: str
    held_games: int
    long_stopped_games: int
    late_games: int
    timeouts: int
    usual_timeouts: float
    out_of_time: list[list[object]]
    outages: list[list[str]]
    parked: int
    parked_notices: int
    held: int
    unconfirmed: int
    unchecked: int
    failed: int
    suspended: int
    new_acts: int
    anchor: str
    log_was: int
    log_is: int


class StaffDigestMail(MailKind):
    """Tells moderators and hosts what awaits them (`services.outbox.staff_digests` writes it)."""

    kind = Kind.STAFF_DIGEST
    can_be_switched_off = False
    cadences = ()
    can_be_sent_again = False
    reply_purpose = Purpose.NOTHING

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason once the reader moderates no more."""
        is_staff = notice.user is not None and is_moderator(notice.user)
        return None if is_staff else SkipReason.NOT_STAFF

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        """Return the mail."""
        lines = list(staff_lines(notice.content))
        subject = ngettext(
            "%(site)s: %(count)d thing for the moderators",
            "%(site)s: %(count)d things for the moderators",
            len(lines),
        ) % {"site": settings.SITE_NAME, "count": len(lines)}
        context = {
            **self.base_context(notice, now),
            "reader": plain(notice.user),
            "subject": subject,
            "lines": lines,
            "admin_url": settings.SITE_URL + reverse("admin:index"),
        }
        return self.rendered(notice, self.template("letter"), context)


KIND = StaffDigestMail()
