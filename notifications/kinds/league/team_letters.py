"""Letters about the team of a player, while its season has not begun."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from games.models import SeasonEntry, TeamInvitation
from notifications.emails.formatting import format_moment, plain

ASKED = "asked"
"""What a letter tells somebody who is asked to be a partner."""

News = SeasonEntry.News
TEAM_NEWS = (ASKED, *News.values)


def is_team_news_old(tells: str, entry: SeasonEntry, invitation: int) -> bool:
    """Return whether a letter about a team says nothing that is still so.

    `entry` is the reader's; where they are asked, it is that of who asks.
    """
    if tells == News.WAITS:
        return entry.season.ended_at is not None
    if entry.season.started_at is not None or entry.season.ended_at is not None:
        return True
    if tells == ASKED:
        asked = TeamInvitation.objects.filter(pk=invitation, entry=entry)
        return not asked.filter(state=TeamInvitation.State.OPEN).exists()
    is_alone = entry.teammate is None
    return entry.state != SeasonEntry.State.PLAYS or is_alone != (tells == News.ALONE)


def team_context(tells: str, entry: SeasonEntry) -> dict[str, Any]:
    """Return what a letter about a team says."""
    season, league = entry.season, entry.season.league
    other = entry if tells == ASKED else entry.teammate
    if tells == News.WAITS:
        later = league.seasons.filter(number__gt=season.number, ended_at=None)
        season = later.order_by("number").first() or season
    name = plain(other.user) if other is not None else ""
    names = {"name": name, "game": plain(league), "season": entry.season.name}
    subjects = {
        ASKED: _("%(name)s asks you to be partners: %(game)s (%(season)s)"),
        News.TEAMED: _("You play with %(name)s: %(game)s (%(season)s)"),
        News.ALONE: _("Your partner has withdrawn: %(game)s (%(season)s)"),
        News.WAITS: _("No partner for you this time: %(game)s (%(season)s)"),
    }
    return {
        "subject": subjects[tells] % names,
        "tells": tells,
        "name": name,
        "game": plain(league),
        "start": format_moment(season.starts_at),
        "last_day": format_moment(season.last_possible_day),
        "command": f"join league {league.rules_slug} with {other.user.username}" if other else "",
        "league_url": settings.SITE_URL + league.get_absolute_url(),
    }
