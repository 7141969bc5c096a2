"""Ratings as pages, mails and the API show them: of a player, the list of a game, of a game's end.

A player's ratings are among their results: whom they do not show these sees no rating of theirs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from django.db.models import Q, QuerySet
from django.utils.translation import gettext, ngettext

from accounts.models import Audience, User
from games.models import Game, Rating, RatingChange
from games.models.rating import PROVISIONAL_ABOVE, RANGE, Strength, table_kind_of
from games.queries.seats import Viewer
from games.rules.base import OptionError
from games.rules.registry import rules_for
from games.services.levels import name_of_level

ON_A_PAGE = 50
HISTORY_SHOWN = 100
"""How many of the newest games the history of a rating shows."""


def kind_words(table_kind: str) -> str:
    """Return what a kind of table is called, in the active language."""
    if table_kind.endswith("t"):
        return gettext("teams, %(seats)s seats") % {"seats": table_kind[:-1]}
    seats = int(table_kind)
    return ngettext("%(seats)s player", "%(seats)s players", seats) % {"seats": seats}


def rating_words(one: Strength) -> str:
    """Return a rating with its range; a question mark says that it is provisional."""
    return f"{one.number} ± {one.range}" + ("?" if one.is_provisional else "")


def change_words(one: RatingChange) -> str:
    """Return what a game made of a rating: "1540 → 1556, ± 58"."""
    return f"{one.number_before} → {one.number}, ± {one.range}"


@cache
def table_kinds(slug: str) -> Sequence[str]:
    """Return the kinds of table of a game, the smallest first. Raises UnknownGame."""
    rules = rules_for(slug)
    chosen: list[dict[str, object]] = [{}]
    chosen += [{one.key: value} for one in rules.options() for value, _label in one.choices]
    found = set()
    for options in chosen:
        try:
            found.add(table_kind_of(rules, rules.check_options(options)))
        except OptionError:
            continue  # it is possible only with another option
    return sorted(found, key=lambda kind: (len(kind), kind))


def visible_ratings(viewer: Viewer, *, now: datetime) -> QuerySet[Rating]:
    """Return the ratings of players who show theirs to `viewer`, with these players.

    Those of closed and suspended accounts are left out.
    """
    open_to = [Audience.EVERYBODY]
    if isinstance(viewer, User) and not viewer.is_guest:
        open_to.append(Audience.MEMBERS)
    shown = Q(player__results_shown_to__in=open_to) | Q(player=viewer.pk) | Q(of_program=True)
    here = Q(player__barred_until=None) | Q(player__barred_until__lte=now)
    return Rating.objects.filter(shown, here, player__is_active=True).select_related(
        "player__owner"
    )


@dataclass(frozen=True)
class RatingList:
    """A part of the list of a game: the strongest first. `following` is where it goes on, or 0."""

    rows: Sequence[Rating]
    following: int


def rating_list(
    slug: str,
    table_kind: str,
    viewer: Viewer,
    *,
    of_program: bool = False,
    after: int = 0,
    now: datetime,
) -> RatingList:
    """Return the ratings of a game and kind of table that are not provisional, by their index.

    `after` is the key of the rating after which the list goes on.
    """
    found = visible_ratings(viewer, now=now).filter(
        rules_slug=slug,
        table_kind=table_kind,
        of_program=of_program,
        sigma__lte=PROVISIONAL_ABOVE / RANGE,
    )
    last = Rating.objects.filter(pk=after, rules_slug=slug).first() if after else None
    if last is not None:
        behind = Q(mu__lt=last.mu) | Q(mu=last.mu, pk__lt=last.pk)
        found = found.filter(behind, mu__lte=last.mu)  # the bound by itself, for the index
    rows = list(found.order_by("-mu", "-pk")[: ON_A_PAGE + 1])
    following = rows[ON_A_PAGE - 1].pk if len(rows) > ON_A_PAGE else 0
    return RatingList(rows[:ON_A_PAGE], following)


def rated_level_words(one: Rating | RatingChange) -> str:
    """Return the level of a program's rating, empty for people."""
    return name_of_level(one.rules_slug, one.level or None)


def changes_of(person: User, slug: str, table_kind: str, level: int = 0) -> list[RatingChange]:
    """Return the newest changes of a rating, the newest first, by index."""
    found = RatingChange.objects.filter(
        player=person, rules_slug=slug, table_kind=table_kind, level=level
    )
    return list(found.order_by("-ended_at", "-game")[:HISTORY_SHOWN])


def changes_at(game: Game, viewer: Viewer) -> dict[int, RatingChange]:
    """Return what a game that is over changed of its players' ratings, by the user's key."""
    if not (game.is_rated and game.status == Game.Status.FINISHED):
        return {}
    found = RatingChange.objects.filter(game=game).select_related("player")
    return {
        one.player_id: one
        for one in found
        if one.player.is_bot or one.player.shows(one.player.results_shown_to, viewer)
    }


def ratings_at(games: Sequence[Game], viewer: Viewer, *, now: datetime) -> dict[int, Rating]:
    """Return the rating that the creator of each table has in its kind, by the table's key."""
    wanted = {
        (game.creator_id, game.rules_slug, table_kind_of(game.rules, game.options)): game.pk
        for game in games
        if game.is_rated
    }
    if not wanted:
        return {}
    found = visible_ratings(viewer, now=now).filter(
        level=0, player__in={player for player, _slug, _kind in wanted}
    )
    strengths = {(one.player_id, one.rules_slug, one.table_kind): one for one in found}
    shown = {}
    for game in games:
        key = (game.creator_id, game.rules_slug, table_kind_of(game.rules, game.options))
        if game.is_rated and key in strengths:
            shown[game.pk] = strengths[key]
    return shown


@dataclass(frozen=True)
class Chart:
    """The history of a rating as a drawing: SVG points of the line and of the band around it."""

    line: str
    band: str
    low: int
    high: int


CHART_WIDTH, CHART_HEIGHT = 600, 160


def chart_of(changes: Sequence[RatingChange]) -> Chart | None:
    """Return the drawing of changes, the newest first; None for less than two."""
    rows = changes[::-1]
    if len(rows) < 2:  # noqa: PLR2004  (a point is no line)
        return None
    low = min(one.number - one.range for one in rows)
    high = max(one.number + one.range for one in rows)

    def point(at: int, value: float) -> str:
        x = CHART_WIDTH * at / (len(rows) - 1)
        return f"{x:.1f},{CHART_HEIGHT * (high - value) / (high - low):.1f}"

    upper = [point(at, one.number + one.range) for at, one in enumerate(rows)]
    lower = [point(at, one.number - one.range) for at, one in enumerate(rows)]
    line = [point(at, one.number) for at, one in enumerate(rows)]
    return Chart(" ".join(line), " ".join(upper + lower[::-1]), low, high)
