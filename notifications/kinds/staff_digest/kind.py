"""The daily digest for moderators and administrators: open tasks, counted when it is written."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import cast

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Outage
from games.moderation.permissions import is_moderator
from notifications.emails.base import InlineImageEmail
from notifications.emails.formatting import format_moment, plain
from notifications.kinds.base import Content, MailKind, Purpose
from notifications.kinds.registry import Kind
from notifications.models import Notice, SkipReason


class StaffDigestContent(Content, total=False):
    """What is told: a count of each, left out if it is 0; times as ISO 8601.

    `out_of_time` has [name, games] each, `outages` [kind, start, end or ""] each. Of the moderation
    log: how many entries are new and its newest anchor; or, if entries were deleted, how many it
    had and has.
    """

    open_reports: int
    oldest_report: str
    held_games: int
    ending_holds: int
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
    """Tells moderators and administrators of open tasks (`outbox.staff_digests` counts them)."""

    kind = Kind.STAFF_DIGEST
    can_be_switched_off = False
    cadences = ()
    can_be_sent_again = False
    reply_purpose = Purpose.NOTHING

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        is_staff = notice.user is not None and is_moderator(notice.user)
        return None if is_staff else SkipReason.NOT_STAFF

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        lines = list(staff_lines(cast(StaffDigestContent, notice.content)))
        subject = ngettext(
            "%(site)s: %(count)d task for the moderators",
            "%(site)s: %(count)d tasks for the moderators",
            len(lines),
        ) % {"site": settings.SITE_NAME, "count": len(lines)}
        context = {
            **self.base_context(notice, now),
            "reader": plain(notice.user),
            "subject": subject,
            "lines": lines,
            "admin_url": settings.SITE_URL + reverse("admin:index"),
        }
        return self.render_email(notice, self.template("letter"), context)


KIND = StaffDigestMail()


def admin_list(name: str, query: str = "") -> str:
    """Return the address of a list in the admin."""
    return f"{settings.SITE_URL}{reverse(f'admin:{name}_changelist')}{query}"


Line = tuple[str, str]
"""A sentence, and the page in the admin that shows what it is about."""


def staff_lines(content: StaffDigestContent) -> Iterable[Line]:
    """Yield what a digest tells, in the active language and time zone."""
    if count := content.get("open_reports", 0):
        oldest = format_moment(datetime.fromisoformat(content["oldest_report"]))
        sentence = ngettext(
            "%(count)d report waits for an answer, made on %(oldest)s.",
            "%(count)d reports wait for an answer, the oldest made on %(oldest)s.",
            count,
        )
        yield sentence % {"count": count, "oldest": oldest}, admin_list("games_report")
    yield from counted_games(content)
    if count := content.get("timeouts", 0):
        sentence = _(
            "%(count)d players ran out of time since yesterday; usually %(usual)s do in a day."
        )
        usual = content.get("usual_timeouts", 0)
        yield (
            sentence % {"count": count, "usual": usual},
            admin_list("games_event", "?kind__exact=ended"),
        )
    for name, games in content.get("out_of_time", ()):
        sentence = _("%(name)s ran out of time in %(count)d games since yesterday.")
        yield (
            sentence % {"name": name, "count": games},
            admin_list("games_game", f"?q=%40{name}"),
        )
    yield from counted_mails(content)
    for kind, began, ended in content.get("outages", ()):
        values = {
            "what": str(Outage.Kind(kind).label),
            "began": format_moment(datetime.fromisoformat(began)),
            "ended": format_moment(datetime.fromisoformat(ended)) if ended else "",
        }
        if ended:
            sentence = _("Outage (%(what)s): from %(began)s to %(ended)s.")
        else:
            sentence = _("Outage (%(what)s): it began on %(began)s and is still going on.")
        yield sentence % values, admin_list("games_outage")
    if "log_was" in content:
        sentence = _(
            "The moderation log had %(was)s entries when the last digest was written, and now "
            "has only %(is)s: entries were deleted. Earlier digests show its length."
        )
        lengths = {"was": content["log_was"], "is": content["log_is"]}
        yield sentence % lengths, admin_list("games_moderationlogentry")
    if count := content.get("new_acts", 0):
        sentence = ngettext(
            "%(count)d entry was added to the moderation log, which now ends at %(anchor)s. Keep "
            "this mail: the log can be verified with it.",
            "%(count)d entries were added to the moderation log, which now ends at %(anchor)s. "
            "Keep this mail: the log can be verified with it.",
            count,
        )
        anchor = content["anchor"]
        verify = settings.SITE_URL + reverse("admin:games_moderationlogentry_verify")
        yield sentence % {"count": count, "anchor": anchor}, f"{verify}?anchor={anchor}"


def counted_games(content: StaffDigestContent) -> Iterable[Line]:
    """Yield how many games need attention."""
    if n := content.get("held_games", 0):
        sentence = ngettext(
            "%(count)d game is paused by a moderator.",
            "%(count)d games are paused by a moderator.",
            n,
        )
        yield sentence % {"count": n}, admin_list("games_game", "?frozen=moderator")
    if n := content.get("ending_holds", 0):
        sentence = ngettext(
            "%(count)d game that a moderator paused resumes automatically within three days.",
            "%(count)d games that a moderator paused resume automatically within three days.",
            n,
        )
        yield sentence % {"count": n}, admin_list("games_game", "?frozen=moderator")
    if n := content.get("long_stopped_games", 0):
        sentence = ngettext(
            "The clock of %(count)d game has stood for two weeks.",
            "The clocks of %(count)d games have stood for two weeks.",
            n,
        )
        yield sentence % {"count": n}, admin_list("games_game", "?stalled=stands")
    if n := content.get("late_games", 0):
        sentence = ngettext(
            "The deadline of %(count)d game passed more than a day ago, and nothing ended "
            "its turn.",
            "The deadlines of %(count)d games passed more than a day ago, and nothing ended "
            "their turns.",
            n,
        )
        yield sentence % {"count": n}, admin_list("games_game", "?stalled=late")


def counted_mails(content: StaffDigestContent) -> Iterable[Line]:
    """Yield how many mails and addresses need attention."""
    if n := content.get("parked", 0):
        sentence = ngettext(
            "%(count)d mail could not be processed because of an internal error and is parked.",
            "%(count)d mails could not be processed because of an internal error and are parked.",
            n,
        )
        yield (
            sentence % {"count": n},
            admin_list("notifications_incomingmail", "?state__exact=parked"),
        )
    if n := content.get("parked_notices", 0):
        sentence = ngettext(
            "%(count)d mail of ours could not be sent for a day because of an internal error. "
            "Read the error, then try again.",
            "%(count)d mails of ours could not be sent for a day because of an internal error. "
            "Read the errors, then try again.",
            n,
        )
        yield sentence % {"count": n}, admin_list("notifications_notice", "?state__exact=parked")
    if n := content.get("held", 0):
        sentence = ngettext(
            "%(count)d mail from a stranger was held since yesterday.",
            "%(count)d mails from strangers were held since yesterday.",
            n,
        )
        yield (
            sentence % {"count": n},
            admin_list("notifications_incomingmail", "?state__exact=held"),
        )
    if n := content.get("unconfirmed", 0):
        sentence = ngettext(
            "%(count)d mail was held since yesterday: the mail server does not confirm its sender.",
            "%(count)d mails were held since yesterday: the mail server does not confirm their "
            "senders.",
            n,
        )
        yield (
            sentence % {"count": n},
            admin_list("notifications_incomingmail", "?state__exact=held"),
        )
    if n := content.get("unchecked", 0):
        sentence = ngettext(
            "%(count)d mail was held since yesterday: it carries no results of the mail server "
            "named in PLI_AUTHSERV_ID. Run manage.py maildoctor.",
            "%(count)d mails were held since yesterday: they carry no results of the mail server "
            "named in PLI_AUTHSERV_ID. Run manage.py maildoctor.",
            n,
        )
        yield (
            sentence % {"count": n},
            admin_list("notifications_incomingmail", "?state__exact=held"),
        )
    if n := content.get("failed", 0):
        sentence = ngettext(
            "%(count)d mail of ours since yesterday could not be sent.",
            "%(count)d mails of ours since yesterday could not be sent.",
            n,
        )
        yield sentence % {"count": n}, admin_list("notifications_notice", "?state__exact=failed")
    if n := content.get("suspended", 0):
        sentence = ngettext(
            "%(count)d address was suspended since yesterday: mail to it came back.",
            "%(count)d addresses were suspended since yesterday: mail to them came back.",
            n,
        )
        yield sentence % {"count": n}, admin_list("notifications_addressstate", "?suspended=yes")
