"""Lists of games: a player's, open tables, games that look for a substitute; and the outages."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import (
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce

from accounts.models import User
from accounts.server_time import server_now
from games.clock.clock import StopReason
from games.models import Game, Invitation, Outage, Seat, Turn
from games.models.undo import showing_ends_undo
from games.queries.home import FINISHED_SHOWN
from games.queries.seats import Viewer, seat_of
from games.services.undo_window import end_undo

TURNS_LOOKED_AT = 100
"""How many of the newest turns of the site are looked at for games to watch."""


def awaiting(user: User) -> list[Game]:
    """Return the games in which it is the user's turn, by deadline."""
    games = Game.objects.awaiting(user.pk).with_players()
    return list(games.order_by(F("deadline").asc(nulls_last=True), "pk"))


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


def games_to_watch() -> QuerySet[Game]:
    """Return public running games in which a turn was played lately, the newest turn first.

    Only the newest turns of the site are looked at: that costs the same however many there are.
    """
    newest = Turn.objects.order_by("-pk").values("game")[:TURNS_LOOKED_AT]
    games = Game.objects.running().filter(is_public=True, pk__in=newest)
    return games.with_players().order_by("-turn_began_at", "-pk")


def games_of(person: User, viewer: Viewer) -> Sequence[Game]:
    """Return a user's newest games that have begun; to others only the public ones.

    Games in which a substitute took over their seat are among them. If `viewer` plays in some of
    them, the newest turns there can no longer be undone by the others.
    """
    begun = [Game.Status.ACTIVE, Game.Status.FINISHED, Game.Status.ABORTED]
    seats = Seat.objects.order_by().values("game")
    played, lost = seats.filter(user=person), seats.filter(substitutions__former=person)
    # One list of keys: with OR, PostgreSQL scans all games.
    games = Game.objects.filter(pk__in=played.union(lost), status__in=begun)
    if viewer.pk != person.pk:
        games = games.filter(is_public=True)
    found = list(games.with_players().order_by("-started_at")[:FINISHED_SHOWN])
    now = server_now()
    unseen = [
        game.pk
        for game in found
        if showing_ends_undo(game.undo_until, game.undo_by_id, viewer.pk, now=now)
        and seat_of(game, viewer) is not None
    ]
    if unseen:
        end_undo(unseen)
        return games_of(person, viewer)  # what was undone just before is not shown
    return found


def outages() -> QuerySet[Outage]:
    """Return the periods in which no clock ran, newest first."""
    return Outage.objects.order_by("-began_at", "-pk")
