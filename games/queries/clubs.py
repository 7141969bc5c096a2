"""Clubs and their matches as pages show them.

The table of a match is computed from its games as they stand. Whatever is read here takes a number
of queries that depends neither on the members nor on the games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BigIntegerField, Count, Q

from accounts.models import User
from games import club_errors
from games.competition.standings import WIN
from games.models import (
    Club,
    ClubAnnouncement,
    ClubMatch,
    ClubMatchGame,
    ClubMember,
    ClubRequest,
    Game,
    MatchPlayer,
    Rating,
    Seat,
)
from games.models.game import GameQuerySet
from games.queries.cross_tables import PlayedGame, points_of_games
from games.queries.ladders import LadderCard, ladder_cards
from games.queries.ratings import visible_ratings
from games.queries.seats import Viewer

CLUBS_SHOWN = 200
OVER_SHOWN = 10
"""How many matches that are over the page of a club shows."""

ANNOUNCEMENTS_SHOWN = 3
KIND_OF_TWO = "2"
"""The ratings of games of two: clubs play these."""


def club_list() -> list[Club]:
    """Return the open clubs, those with most members first; each has their number, `size`."""
    found = Club.objects.filter(closed_at=None).annotate(size=Count("members"))
    return list(found.order_by("-size", "name", "pk")[:CLUBS_SHOWN])


def clubs_of(viewer: Viewer) -> dict[int, ClubMember]:
    """Return a viewer's memberships by club, with the clubs; one query at most."""
    if not isinstance(viewer, User):
        return {}
    found = viewer.club_memberships.select_related("club").order_by("club__name", "pk")
    return {one.club_id: one for one in found}


def club_named(slug: str) -> Club:
    """Return a club by its address. Raises NoSuchClub."""
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise club_errors.NoSuchClub
    return found


def own_club(user: User, slug: str) -> Club:
    """Return a club of which a user is a member, by its address. Raises NoSuchClub, NotInClub."""
    own = user.club_memberships.select_related("club").filter(club__slug=slug).first()
    if own is None:
        club_named(slug)
        raise club_errors.NotInClub
    return own.club


@dataclass(frozen=True)
class ClubPage:
    """A club as a viewer sees it; `own` is their membership, `asked` their request.

    `requests` are for managers alone, `tables`, `ladders` and `announcements` for members.
    """

    club: Club
    own: ClubMember | None
    asked: ClubRequest | None
    members: Sequence[ClubMember]
    requests: Sequence[ClubRequest]
    tables: Sequence[Game]
    ladders: Sequence[LadderCard]
    announcements: Sequence[ClubAnnouncement]
    matches: Sequence[ClubMatch]
    over: Sequence[ClubMatch]

    @property
    def is_manager(self) -> bool:
        """Whether the viewer manages the club."""
        return self.own is not None and self.own.is_manager

    @property
    def is_owner(self) -> bool:
        """Whether the viewer owns the club."""
        return self.own is not None and self.own.role == ClubMember.Role.OWNER


def club_page(club: Club, viewer: Viewer, *, now: datetime) -> ClubPage:
    """Return a club with all that a viewer may see of it."""
    members = list(club.members.select_related("user").order_by("joined_at", "pk"))
    ranks = {ClubMember.Role.OWNER: 0, ClubMember.Role.MANAGER: 1}
    members.sort(key=lambda one: ranks.get(ClubMember.Role(one.role), 2))
    own = next((one for one in members if one.user_id == viewer.pk), None)
    asked = None
    if own is None and isinstance(viewer, User):
        asked = club.requests.filter(user=viewer).first()
    requests: list[ClubRequest] = []
    if own is not None and own.is_manager:
        requests = list(club.requests.filter(again_at=None).select_related("user"))
    tables: list[Game] = []
    ladders: list[LadderCard] = []
    announcements: list[ClubAnnouncement] = []
    if own is not None:
        tables = list(open_tables(club, now).with_players())
        ladders = ladder_cards(own.user, club)
        newest = club.announcements.exclude(text="").select_related("by")
        announcements = list(newest[:ANNOUNCEMENTS_SHOWN])
    matches = ClubMatch.objects.filter(Q(home=club) | Q(away=club)).select_related("home", "away")
    over = matches.filter(ended_at__isnull=False, started_at__isnull=False)
    return ClubPage(
        club,
        own,
        asked,
        members,
        requests,
        tables,
        ladders,
        announcements,
        list(matches.filter(ended_at=None).order_by("starts_at", "pk")),
        list(over.order_by("-ended_at", "-pk")[:OVER_SHOWN]),
    )


def open_tables(club: Club, now: datetime) -> GameQuerySet:
    """Return the tables of a club that wait for players, the newest first."""
    return Game.objects.open().filter(club_table__club=club, expires_at__gt=now).order_by("-pk")


@dataclass(frozen=True)
class ClubOrder:
    """The order of a club's members in one game; `games` are those in which there is one."""

    slug: str
    rows: Sequence[Rating]
    games: Sequence[str]


def club_order(club: Club, slug: str, viewer: Viewer, *, now: datetime) -> ClubOrder:
    """Return the members of a club by their rating in a game, the strongest first.

    Whoever does not show their results to the viewer is left out. Without a game that some of them
    have played, it is the one that most have.
    """
    shown = visible_ratings(viewer, now=now).filter(
        player__in=club.members.values("user"), table_kind=KIND_OF_TWO, level=0
    )
    counted = shown.order_by().values_list("rules_slug").annotate(Count("pk"))
    counts: dict[str, int] = dict(counted)
    games = sorted(counts, key=lambda one: (-counts[one], one))
    if slug not in counts:
        slug = games[0] if games else ""
    rows = list(shown.filter(rules_slug=slug).order_by("-mu", "pk")) if slug else []
    return ClubOrder(slug, rows, games)


# Matches ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MatchBoard:
    """A board of a match as its game stands; points are None while it is played, and if void."""

    number: int
    home: MatchPlayer
    away: MatchPlayer
    home_begins: bool
    game: PlayedGame

    @property
    def home_points(self) -> int | None:
        """The points of the challenging club's player."""
        points = self.game.points if self.game.counts else None
        return points if points is None or self.home_begins else WIN - points

    @property
    def away_points(self) -> int | None:
        """The points of the challenged club's player."""
        return None if self.home_points is None else WIN - self.home_points


class MatchState:
    """A match with its players and boards, as its games stand; four queries."""

    def __init__(self, match: ClubMatch) -> None:
        self.match = match
        players = match.players.select_related("user").order_by("wanted_at", "pk")
        self.players = {one.pk: one for one in players}
        self.boards = self._read_boards() if match.started_at else []

    def _read_boards(self) -> list[MatchBoard]:
        rows = self.match.boards.order_by("board")
        seats = Seat.objects.filter(game__club_match_game__in=rows).order_by()
        columns = [one.attname for one in ClubMatchGame._meta.fields]
        joined = rows.select_related("game").only(*columns, "game__status", "game__ended_at")
        boards = []
        for one in points_of_games(joined, seats.values_list("game", "number", "place")):
            assert isinstance(one.row, ClubMatchGame)  # noqa: S101  (it reads no other)
            first, second = self.players[one.row.first_id], self.players[one.row.second_id]
            home_begins = first.club_id == self.match.home_id
            home, away = (first, second) if home_begins else (second, first)
            boards.append(MatchBoard(one.row.board, home, away, home_begins, one))
        return boards

    @property
    def score(self) -> tuple[int, int]:
        """The points of both clubs in the games that are over."""
        return (
            sum(one.home_points or 0 for one in self.boards),
            sum(one.away_points or 0 for one in self.boards),
        )

    @property
    def winner(self) -> Club | None:
        """The club that has won a match that is over; None: nobody has, or not yet."""
        home, away = self.score
        if not self.match.ended_at or not self.boards or home == away:
            return None
        return self.match.home if home > away else self.match.away

    def wanting(self, club: Club) -> list[MatchPlayer]:
        """Return who wants to play for a club, or does, in the order of saying so."""
        return [one for one in self.players.values() if one.club_id == club.pk]

    def board_of(self, user: User) -> MatchBoard | None:
        """Return the board at which somebody plays."""
        for one in self.boards:
            if user.pk in (one.home.user_id, one.away.user_id):
                return one
        return None


def match_of(pk: int) -> ClubMatch:
    """Return a match with its clubs. Raises NoSuchMatch."""
    found = None
    if pk <= BigIntegerField.MAX_BIGINT:
        joined = ClubMatch.objects.select_related("home", "away", "challenged_by")
        found = joined.filter(pk=pk).first()
    if found is None:
        raise club_errors.NoSuchMatch
    return found
