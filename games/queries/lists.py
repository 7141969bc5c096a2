"""Lists of games: a player's, open tables, games that look for a substitute; and the outages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import (
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce

from accounts.models import User
from games.clock.clock import StopReason
from games.models import Game, Invitation, Outage, Seat
from games.queries.seats import Viewer, is_mover

SHOWN_IN_A_ROW = (
    *("rules_slug", "status", "turn_number", "seat_to_move"),
    *("pace", "allowance", "bank", "cap"),
    *("deadline", "stop_reason", "stopped_until", "expires_at", "ended_at"),
)
"""The columns of a game that `game_rows` needs."""

FINISHED_SHOWN = 20
"""How many finished games the home page and a profile list."""


@dataclass(frozen=True)
class HomePage:
    """Everything a player's home page lists."""

    awaiting: Sequence[Game]
    waiting: Sequence[Game]
    challenges: Sequence[Invitation]
    tables: Sequence[Game]
    finished: Sequence[Game]


def awaiting(user: User) -> list[Game]:
    """Return the games in which it is the user's turn, by deadline."""
    games = Game.objects.awaiting(user.pk).with_players()
    return list(games.order_by(F("deadline").asc(nulls_last=True), "pk"))


def home_page(user: User) -> HomePage:
    """Return the games of a player by deadline: four queries.

    Of the games only SHOWN_IN_A_ROW is loaded.
    """
    over = [Game.Status.FINISHED, Game.Status.ABORTED]
    finished = Game.objects.filter(seats__user=user, status__in=over).order_by("-ended_at")
    plays = Q(status=Game.Status.ACTIVE, seats__left_at=None)
    shown = plays | Q(status=Game.Status.OPEN) | Q(pk__in=finished.values("pk")[:FINISHED_SHOWN])
    games = list(
        Game.objects.filter(shown, seats__user=user)
        .only(*SHOWN_IN_A_ROW)
        .order_by(F("deadline").asc(nulls_last=True), F("ended_at").desc(nulls_last=True), "pk")
    )
    challenges: list[Invitation] = []
    if getattr(user, "has_invitation", True):
        invitations = Invitation.objects.open_to(user).select_related("game", "by")
        challenges = list(invitations.order_by("created_at"))
    people = User.objects.only("username", "display_name", "is_bot")
    seats = Seat.objects.only("game", "user", "played_by_partner", "number", "place", "left_at")
    seats = seats.prefetch_related(Prefetch("user", people), Prefetch("played_by_partner", people))
    listed = [*games, *(invitation.game for invitation in challenges)]
    prefetch_related_objects(listed, Prefetch("seats", seats, to_attr="loaded_seats"))
    awaiting: list[Game] = []
    waiting: list[Game] = []
    for game in games:
        if game.status == Game.Status.ACTIVE:
            (awaiting if is_mover(game, user) else waiting).append(game)
    return HomePage(
        awaiting=awaiting,
        waiting=waiting,
        challenges=challenges,
        tables=[game for game in games if game.status == Game.Status.OPEN],
        finished=[game for game in games if game.is_over],
    )


def lobby(viewer: Viewer) -> QuerySet[Game]:
    """Return the public tables with a seat that `viewer` could take, newest first."""
    free = _count_per_game(Seat.objects.filter(user=None))
    reserved = _count_per_game(Invitation.objects.open())
    tables = Game.objects.open().filter(is_public=True).with_players()
    tables = tables.alias(free=free - reserved).filter(free__gt=0).order_by("-created_at")
    if isinstance(viewer, User):
        tables = tables.exclude(Exists(Seat.objects.filter(game=OuterRef("pk"), user=viewer)))
        tables = tables.exclude(_is_blocked_there(viewer))
    return tables


def _count_per_game(rows: QuerySet[Any]) -> Coalesce:
    """Count the rows of each game in a subquery.

    A list of the newest games then reads no more than it needs; a JOIN would read all tables.
    """
    of_game = rows.filter(game=OuterRef("pk")).order_by().values("game")
    return Coalesce(Subquery(of_game.annotate(number=Count("pk")).values("number")), 0)


def vacant_seats(viewer: Viewer, *, now: datetime) -> QuerySet[Game]:
    """Return the public games with a seat that `viewer` could take over now, newest first."""
    games = Game.objects.filter(
        stop_reason=StopReason.SUBSTITUTE, stopped_until__gte=now, is_public=True
    )
    if isinstance(viewer, User):
        plays_or_played = Q(user=viewer) | Q(substitutions__former=viewer)
        games = games.exclude(Exists(Seat.objects.filter(plays_or_played, game=OuterRef("pk"))))
        games = games.exclude(_is_blocked_there(viewer))
    return games.with_players().order_by("-stopped_until", "-pk")


def _is_blocked_there(viewer: User) -> Exists:
    """Return the condition that a player of the game has blocked `viewer`."""
    players = Seat.objects.still_playing().filter(game=OuterRef("pk"))
    return Exists(players.filter(user__blocks__of=viewer))


def games_of(person: User, viewer: Viewer) -> Sequence[Game]:
    """Return a user's newest games that have begun; to others only the public ones.

    Games in which a substitute took over their seat are among them.
    """
    begun = [Game.Status.ACTIVE, Game.Status.FINISHED, Game.Status.ABORTED]
    seats = Seat.objects.order_by().values("game")
    played, lost = seats.filter(user=person), seats.filter(substitutions__former=person)
    # One list of keys: with OR, PostgreSQL scans all games.
    games = Game.objects.filter(pk__in=played.union(lost), status__in=begun)
    if viewer.pk != person.pk:
        games = games.filter(is_public=True)
    return list(games.with_players().order_by("-started_at")[:FINISHED_SHOWN])


def outages() -> QuerySet[Outage]:
    """Return the periods in which no clock ran, newest first."""
    return Outage.objects.order_by("-began_at", "-pk")
