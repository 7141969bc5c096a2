"""Letters of a club: who asks, is admitted, refused or removed, announcements, and matches."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.models import User
from games.competition.standings import WIN
from games.models import Club, ClubAnnouncement, ClubMatch, ClubMember, ClubNews
from games.queries.clubs import MatchState
from notifications.emails.base import InlineImageEmail
from notifications.emails.formatting import format_moment, plain
from notifications.kinds.base import Content, MailKind, Purpose
from notifications.kinds.registry import Kind
from notifications.models import Cadence, Notice, SkipReason
from notifications.services.unsubscribe import club_letters_url

Tells = ClubNews.Tells

ABOUT_MATCH = (
    *(Tells.CHALLENGED, Tells.ACCEPTED, Tells.NOT_PLAYED),
    *(Tells.MATCH_BEGINS, Tells.MATCH_ENDS),
)


class ClubContent(Content, total=False):
    """Which club a letter is of and what it tells; 0 is no person, announcement or match."""

    club: int
    tells: str
    text: str
    person: int
    announcement: int
    match: int


@dataclass
class Said:
    """What a letter says: `quoted` are somebody's own words, `rows` the boards of a match."""

    subject: str
    paragraphs: list[str]
    path: str
    quoted: str = ""
    rows: list[str] = field(default_factory=list)
    link: str = ""


class ClubMail(MailKind):
    """Tells what happens in a club (`outbox.club_letters` writes the notices)."""

    kind = Kind.CLUB
    can_be_switched_off = True
    cadences = (Cadence.AT_ONCE, Cadence.OFF)
    can_wait = False
    can_be_sent_again = False
    reply_purpose = Purpose.NOTHING

    def stop_url(self, notice: Notice) -> str:
        """Return the link that switches this club's letters off, for a member; else all of them."""
        content = cast(ClubContent, notice.content)
        member = _membership(notice, content)
        if member is None or notice.user is None:
            return super().stop_url(notice)
        return club_letters_url(notice.user, member.club_id)

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason where a member wants no letters, or what is told is not so any more."""
        content = cast(ClubContent, notice.content)
        tells, member = content.get("tells", ""), _membership(notice, content)
        if not Club.objects.filter(pk=content.get("club", 0)).exists():
            return SkipReason.NOTHING_TO_TELL
        if member is not None and not member.gets_letters and tells != Tells.ADMITTED:
            return SkipReason.SWITCHED_OFF
        is_over = False
        if tells == Tells.ASKED:
            asked = member.club.requests.filter(user=content["person"]) if member else None
            is_over = asked is None or not asked.filter(again_at=None).exists()
        elif tells == Tells.ANNOUNCEMENT:
            found = ClubAnnouncement.objects.exclude(text="")
            is_over = member is None or not found.filter(pk=content["announcement"]).exists()
        elif tells in ABOUT_MATCH:
            match = ClubMatch.objects.filter(pk=content["match"]).first()
            is_over = match is None or (
                match.ended_at is not None and tells in (Tells.ACCEPTED, Tells.MATCH_BEGINS)
            )
            if match is not None and tells == Tells.CHALLENGED:
                is_over = match.accepted_at is not None or match.ended_at is not None
        return SkipReason.NOTHING_TO_TELL if is_over else None

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        content = cast(ClubContent, notice.content)
        club = Club.objects.get(pk=content["club"])
        if content["tells"] in ABOUT_MATCH:
            said = _of_match(notice, content)
        else:
            said = _of_club(club, content)
        context = {
            **self.base_context(notice, now),
            "reader": plain(notice.user),
            "subject": said.subject,
            "paragraphs": said.paragraphs,
            "quoted": said.quoted,
            "rows": said.rows,
            "url": settings.SITE_URL + said.path,
            "link": said.link or _("To the club"),
            "is_member": _membership(notice, content) is not None,
            "club": plain(club),
        }
        return self.render_email(notice, self.template("letter"), context)


KIND = ClubMail()


def _membership(notice: Notice, content: ClubContent) -> ClubMember | None:
    members = ClubMember.objects.select_related("club")
    return members.filter(club=content.get("club", 0), user=notice.user).first()


def _of_club(club: Club, content: ClubContent) -> Said:
    """Return what a letter says that is not about a match."""
    names, path, why = {"club": plain(club)}, club.get_absolute_url(), plain(content["text"])
    match content["tells"]:
        case Tells.ASKED:
            names["name"] = plain(User.objects.get(pk=content["person"]))
            subject = _("%(name)s asks to join %(club)s") % names
            said = [_("You manage the club: admit or refuse this player on its page.")]
        case Tells.ADMITTED:
            subject = _("You are a member of %(club)s") % names
            said = [
                _("The club has admitted you. Its page has tables for members and its matches.")
            ]
        case Tells.REFUSED:
            subject = _("%(club)s has not admitted you") % names
            said = [_("The managers of the club have refused your request to join it.")]
        case Tells.REMOVED:
            subject = _("You were removed from %(club)s") % names
            said = [
                _("A manager removed you from this club. Games that have begun go on."),
                _("The reason:"),
            ]
        case Tells.OWNER:
            subject = _("You own %(club)s now") % names
            said = [
                _("The club was handed over to you: its former owner chose you, or cannot act.")
            ]
        case Tells.CLOSED:
            subject = _("The club %(club)s is closed") % names
            said = [_("Games that have begun go on.")]
            said += [_("A moderator closed it. The reason:")] if why else []
        case _other:
            announcement = ClubAnnouncement.objects.select_related("by").get(
                pk=content["announcement"]
            )
            names["name"] = plain(announcement.by)
            subject = _("Announcement of %(club)s") % names
            said = [_("%(name)s writes to all members of %(club)s:") % names]
            path += "#announcements"
            why = announcement.text
            return Said(subject, said, path, why, link=_("To the club, where you can report it"))
    return Said(subject, said, path, why)


def _of_match(notice: Notice, content: ClubContent) -> Said:
    """Return what a letter about a match says."""
    joined = ClubMatch.objects.select_related("home", "away")
    match = joined.get(pk=content["match"])
    state = MatchState(match)
    names = {
        "match": plain(match),
        "game": match.game_name,
        "start": format_moment(match.starts_at),
        "day": format_moment(match.final_at or match.last_day),
    }
    rows: list[str] = []
    match content["tells"]:
        case Tells.CHALLENGED:
            names["club"] = plain(match.home)
            subject = _("%(club)s challenges your club to a match") % names
            said = [
                _(
                    "The game is %(game)s. The match starts on %(start)s if your club accepts "
                    "before that, and is over on %(day)s at the latest."
                )
                % names
            ]
        case Tells.ACCEPTED:
            subject = _("The match is on: %(match)s") % names
            said = [
                _(
                    "The other club has accepted. The match starts on %(start)s: until then "
                    "members can say that they want to play."
                )
                % names
            ]
        case Tells.NOT_PLAYED:
            subject = _("The match is not played: %(match)s") % names
            said = [_("Why: %(why)s.") % {"why": match.get_not_played_because_display()}]
        case Tells.MATCH_BEGINS:
            subject = _("The match begins: %(match)s") % names
            board = state.board_of(notice.user) if notice.user is not None else None
            if board is None:
                said = [_("There was no board for you this time: others said so first.")]
            else:
                other = board.away if board.home.user_id == notice.user_id else board.home
                facts = names | {"number": str(board.number), "opponent": plain(other.user)}
                said = [
                    _(
                        "You play on board %(number)s against %(opponent)s. All games are over on "
                        "%(day)s at the latest."
                    )
                    % facts
                ]
        case _other:
            subject = _("The match is over: %(match)s") % names
            points = f"{state.score[0]} : {state.score[1]}"
            won = {"name": plain(state.winner), "points": points}
            said = [
                _("%(name)s has won it, %(points)s.") % won
                if state.winner
                else _("Nobody has won it: %(points)s.") % won
            ]
            rows = [_row(one.home.user, one.away.user, one.home_points) for one in state.boards]
    return Said(subject, said, match.get_absolute_url(), rows=rows, link=_("To the match"))


def _row(home: User, away: User, points: int | None) -> str:
    result = "–" if points is None else f"{points} : {WIN - points}"
    return f"{plain(home)} – {plain(away)}: {result}"
