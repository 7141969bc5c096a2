"""The sentences of the moderators' digest, with links into the admin."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Outage
from notifications.services.emails.date_formats import format_moment

Line = tuple[str, str]
"""A sentence, and where to look at what it is about."""


def staff_lines(told: Mapping[str, Any]) -> Iterable[Line]:
    """Yield what a digest tells, in the active language and zone."""
    yield from _reports(told)
    for name in ("held_games", "long_stopped_games", "late_games"):
        yield from _counted(name, told)
    yield from _timeouts(told)
    for name in (
        "parked",
        "parked_notices",
        "held",
        "unconfirmed",
        "unchecked",
        "failed",
        "suspended",
    ):
        yield from _counted(name, told)
    for kind, began, ended in told.get("outages", ()):
        yield _outage(kind, began, ended), _at("games_outage")
    yield from _log(told)


def _log(told: Mapping[str, Any]) -> Iterable[Line]:
    if "log_was" in told:
        said = _(
            "The moderators’ log had %(was)s entries when the last digest was written, and now "
            "has only %(is)s: entries were deleted. Earlier digests show its length."
        )
        yield said % {"was": told["log_was"], "is": told["log_is"]}, _at("games_moderationlogentry")
    if told.get("new_acts"):
        said = ngettext(
            "%(count)d act was written to the moderators’ log, which stands at %(anchor)s now. "
            "Keep this mail: by that the log can be verified.",
            "%(count)d acts were written to the moderators’ log, which stands at %(anchor)s now. "
            "Keep this mail: by that the log can be verified.",
            told["new_acts"],
        )
        verify = settings.SITE_URL + reverse("admin:games_moderationlogentry_verify")
        words = said % {"count": told["new_acts"], "anchor": told["anchor"]}
        yield words, f"{verify}?anchor={told['anchor']}"


def _at(name: str, query: str = "") -> str:
    return f"{settings.SITE_URL}{reverse(f'admin:{name}_changelist')}{query}"


def _reports(told: Mapping[str, Any]) -> Iterable[Line]:
    count = told.get("open_reports", 0)
    if count:
        oldest = format_moment(datetime.fromisoformat(told["oldest_report"]))
        said = ngettext(
            "%(count)d report waits for an answer, made on %(oldest)s.",
            "%(count)d reports wait for an answer, the oldest made on %(oldest)s.",
            count,
        )
        yield said % {"count": count, "oldest": oldest}, _at("games_report")


def _counted(name: str, told: Mapping[str, Any]) -> Iterable[Line]:
    count = told.get(name, 0)
    if count:
        said, where = _WORDS[name](count)
        yield said % {"count": count}, where


_WORDS = {
    "held_games": lambda n: (
        ngettext(
            "%(count)d game is paused by a moderator.",
            "%(count)d games are paused by a moderator.",
            n,
        ),
        _at("games_game", "?frozen=moderator"),
    ),
    "long_stopped_games": lambda n: (
        ngettext(
            "The clock of %(count)d game has stood for two weeks.",
            "The clocks of %(count)d games have stood for two weeks.",
            n,
        ),
        _at("games_game", "?stalled=stands"),
    ),
    "late_games": lambda n: (
        ngettext(
            "The deadline of %(count)d game passed more than a day ago, and nothing ended "
            "its turn.",
            "The deadlines of %(count)d games passed more than a day ago, and nothing ended "
            "their turns.",
            n,
        ),
        _at("games_game", "?stalled=late"),
    ),
    "parked": lambda n: (
        ngettext(
            "%(count)d mail broke the processor and is parked.",
            "%(count)d mails broke the processor and are parked.",
            n,
        ),
        _at("notifications_incomingmail", "?state__exact=parked"),
    ),
    "parked_notices": lambda n: (
        ngettext(
            "%(count)d mail of ours could not be sent for a day because of an internal error. "
            "Read the error, then try again.",
            "%(count)d mails of ours could not be sent for a day because of an internal error. "
            "Read the errors, then try again.",
            n,
        ),
        _at("notifications_notice", "?state__exact=parked"),
    ),
    "held": lambda n: (
        ngettext(
            "%(count)d mail from a stranger was held since yesterday.",
            "%(count)d mails from strangers were held since yesterday.",
            n,
        ),
        _at("notifications_incomingmail", "?state__exact=held"),
    ),
    "unconfirmed": lambda n: (
        ngettext(
            "%(count)d mail was held since yesterday: the mail server does not confirm its sender.",
            "%(count)d mails were held since yesterday: the mail server does not confirm their "
            "senders.",
            n,
        ),
        _at("notifications_incomingmail", "?state__exact=held"),
    ),
    "unchecked": lambda n: (
        ngettext(
            "%(count)d mail was held since yesterday: it carries no results of the mail server "
            "named in PLI_AUTHSERV_ID. Run manage.py maildoctor.",
            "%(count)d mails were held since yesterday: they carry no results of the mail server "
            "named in PLI_AUTHSERV_ID. Run manage.py maildoctor.",
            n,
        ),
        _at("notifications_incomingmail", "?state__exact=held"),
    ),
    "failed": lambda n: (
        ngettext(
            "%(count)d mail of ours since yesterday could not be sent.",
            "%(count)d mails of ours since yesterday could not be sent.",
            n,
        ),
        _at("notifications_notice", "?state__exact=failed"),
    ),
    "suspended": lambda n: (
        ngettext(
            "%(count)d address was suspended since yesterday: mail to it came back.",
            "%(count)d addresses were suspended since yesterday: mail to them came back.",
            n,
        ),
        _at("notifications_addressstate", "?suspended=yes"),
    ),
}


def _timeouts(told: Mapping[str, Any]) -> Iterable[Line]:
    count = told.get("timeouts", 0)
    if count:
        said = _(
            "%(count)d players ran out of time since yesterday; usually %(usual)s do in a day."
        )
        words = said % {"count": count, "usual": told.get("usual_timeouts", 0)}
        yield words, _at("games_event", "?kind__exact=ended")
    for name, times in told.get("out_of_time", ()):
        said = _("%(name)s ran out of time in %(count)d games since yesterday.")
        yield said % {"name": name, "count": times}, _at("games_game", f"?q=%40{name}")


def _outage(kind: str, began: str, ended: str) -> str:
    words = {
        "what": str(Outage.Kind(kind).label),
        "began": format_moment(datetime.fromisoformat(began)),
    }
    if not ended:
        return _("Outage (%(what)s): it began on %(began)s and is still going on.") % words
    words["ended"] = format_moment(datetime.fromisoformat(ended))
    return _("Outage (%(what)s): from %(began)s to %(ended)s.") % words
