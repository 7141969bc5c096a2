"""Letters to the players of a league: their season begins, its final day is near, or it is over."""

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Season, SeasonEntry
from games.queries.certificates import certificate_for
from games.queries.cross_tables import CrossTable, Entry, TableRow
from games.queries.leagues import division_tables
from notifications.emails.base import InlineImageEmail
from notifications.emails.formatting import format_moment, plain
from notifications.kinds.base import Content, Context, MailKind, Purpose
from notifications.kinds.league.team_letters import TEAM_NEWS, is_team_news_old, team_context
from notifications.kinds.registry import Kind
from notifications.models import Cadence, Notice, SkipReason

CERTIFICATE = "certificate@pli"
"""The Content-ID of the picture in the letter of a season's end."""

REMOVED = "removed"
"""What a letter tells that goes to one player: a moderator removed them."""

LEFT = "left"
"""What a letter tells that goes to the others of a division: somebody has left the season."""


class LeagueContent(Content, total=False):
    """What a letter tells: one of `Season.Told`, REMOVED, LEFT or TEAM_NEWS.

    `entry` is its reader's, `who` that of who has left, where it tells that. Of TEAM_NEWS it tells
    before the season begins; whoever is asked to be a partner has an `asked`, the key of the
    invitation, and `entry` is that of who asks.
    """

    entry: int
    tells: str
    who: int
    asked: int


class LeagueMail(MailKind):
    """Tells what happens in a season (`outbox.league_letters` writes the notices)."""

    kind = Kind.LEAGUE
    can_be_switched_off = True
    cadences = (Cadence.AT_ONCE, Cadence.OFF)
    can_wait = False
    can_be_sent_again = False
    reply_purpose = Purpose.GAME

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason where the news is old, the player has left, or their entry is deleted."""
        content = cast(LeagueContent, notice.content)
        entries = SeasonEntry.objects.select_related("season")
        entry = entries.filter(pk=content.get("entry", 0)).first()
        if entry is None:
            return SkipReason.NOTHING_TO_TELL
        if content["tells"] in TEAM_NEWS:
            is_old = is_team_news_old(content["tells"], entry, content.get("asked", 0))
            return SkipReason.NOTHING_TO_TELL if is_old else None
        passes = content["tells"] in (Season.Told.SOON, LEFT)
        is_late = passes and entry.season.ended_at is not None
        has_left = content["tells"] != REMOVED and entry.left_at is not None
        return SkipReason.NOTHING_TO_TELL if is_late or has_left else None

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        content = cast(LeagueContent, notice.content)
        found = SeasonEntry.objects.select_related(
            "season__league", "division", "partner_of__user", "partner__user"
        )
        entry = found.get(pk=content["entry"])
        season, tells = entry.season, content["tells"]
        if tells in TEAM_NEWS:
            context = {**self.base_context(notice, now), **team_context(tells, entry)}
            context["reader"] = plain(notice.user)
            return self.render_email(notice, self.template("team"), context, [])
        names = {"game": plain(season.league), "season": season.name}
        (table,) = division_tables(season, only=entry.division_id)
        row = next(one for one in table.rows if one.entry.pk == entry.table_key)
        gone, of = who_left(table, content.get("who", 0))
        if tells == Season.Told.START:
            subject = _("Your season of %(game)s begins (%(season)s)") % names
        elif tells == Season.Told.SOON:
            subject = _("The final day of %(game)s is near (%(season)s)") % names
        elif tells == Season.Told.END:
            subject = _("The season of %(game)s is over (%(season)s)") % names
        elif tells == LEFT:
            names |= {"name": gone}
            subject = _("%(name)s has left the season of %(game)s (%(season)s)") % names
        else:
            subject = _("You were removed from the season of %(game)s (%(season)s)") % names
        earned = certificate_for(season, table, row) if tells == Season.Told.END else None
        following = SeasonEntry.objects.filter(
            user=entry.user_id,
            season__league=season.league_id,
            season__number=season.number + 1,
            state=SeasonEntry.State.PLAYS,
        )
        next_level = following.values_list("level", flat=True).first()
        context = {
            **self.base_context(notice, now),
            "reader": plain(notice.user),
            "subject": subject,
            "tells": tells,
            "division": table.division.number,
            "last_day": format_moment(season.last_possible_day),
            "final_day": format_moment(season.final_at),
            "games": own_games(table, row) if tells != REMOVED else [],
            "gone": gone,
            "is_void": of is not None and of.pk in table.void,
            "goes_on": of is not None and of.gone_at is None,
            "partner": plain(entry.teammate.user) if entry.teammate is not None else "",
            "rows": table_rows(table) if tells == Season.Told.END else [],
            "place": row.standing.place,
            "points": row.standing.points,
            "next_level": next_level,
            "by_mail": _by_mail(tells, season.league.rules_slug, plays_on=next_level is not None),
            "certificate": earned.words if earned is not None else "",
            "certificate_url": settings.SITE_URL + earned.png_address if earned is not None else "",
            "why": plain(entry.removed_because),
            "url": settings.SITE_URL + season.url_of_division(table.division.number),
            "league_url": settings.SITE_URL + season.league.get_absolute_url(),
        }
        pictures = [(CERTIFICATE, earned.png())] if earned is not None else []
        return self.render_email(notice, self.template("letter"), context, pictures)


KIND = LeagueMail()


def who_left(table: CrossTable, key: int) -> tuple[str, Entry | None]:
    """Return the name of who has left, by their entry's key, and the entry in the table."""
    for entry in table.entries.values():
        for one in entry.members:
            if one.pk == key:
                return plain(one.user), entry
    return "", None


def _by_mail(tells: str, slug: str, *, plays_on: bool) -> str:
    """Return what a reply can say; `plays_on`: its reader has a place in the next season."""
    if tells == REMOVED:
        return _("For the list of leagues, reply with “leagues”.")
    if tells != Season.Told.END:
        said = _(
            "To leave the season, reply with “leave league %(game)s”; you are asked to confirm it."
        )
    elif plays_on:
        said = _(
            "To skip it and keep your place, reply with “skip season %(game)s”; to decline, with "
            "“leave league %(game)s”."
        )
    else:
        said = _("To play in the next season, reply with “join league %(game)s”.")
    return said % {"game": slug}


def own_games(table: CrossTable, row: TableRow) -> list[Context]:
    """Return the opponents of a row's player in the games that are being played, with links.

    Whoever has left is not among them: their games are resigned just after they have left.
    """
    games = []
    for other, cells in zip(table.rows, row.cells, strict=True):
        if other.entry.gone_at is not None:
            continue
        for cell in cells or ():
            if cell.game_id is not None and cell.points is None and not cell.is_void:
                url = settings.SITE_URL + reverse("game", args=[cell.game_id])
                games.append({"opponent": plain(other.entry.name), "url": url})
    return games


def table_rows(table: CrossTable) -> list[Context]:
    """Return the rows of a table for a letter."""
    return [
        {
            "place": row.standing.place,
            "name": plain(row.entry.name),
            "points": row.standing.points,
        }
        for row in table.rows
    ]
