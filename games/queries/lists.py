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
from accounts.sql import columns_of, select_joined
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
        if viewer.owner_id is not None:  # programs sit down with programs and their owner
            tables = tables.filter(Q(creator__is_bot=True) | Q(creator=viewer.owner_id))
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

    A viewer to whom the user does not show the list sees the games that both play. Games in which a
    substitute took over the user's seat are among them. If `viewer` plays in some of them, the
    newest turns there can no longer be undone by the others.
    """
    condition, values = "", [person.pk, FINISHED_SHOWN]
    if viewer.pk != person.pk and person.shows(person.games_shown_to, viewer):
        condition = "AND game.is_public"
    elif viewer.pk != person.pk:
        condition, values = _PLAYED_BY, [person.pk, viewer.pk or 0, FINISHED_SHOWN]
    found: list[Game] = []
    newest = _NEWEST_OF.format(condition=condition)
    statement = f"{_WITH_SEATS} WHERE games_game.id IN ({newest}) {_IN_ORDER}"
    for game, seat, user in select_joined(statement, values * 2, Game, Seat, User):
        if not found or found[-1].pk != game.pk:
            game.loaded_seats = []
            found.append(game)
        seat.game, seat.user = found[-1], user
        found[-1].loaded_seats.append(seat)
    found = found[:FINISHED_SHOWN]
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


_WITH_SEATS = f"""
SELECT {columns_of(Game)}, {columns_of(Seat)}, {columns_of(User)}
FROM games_game JOIN games_seat ON games_seat.game_id = games_game.id
LEFT JOIN accounts_user ON accounts_user.id = games_seat.user_id
"""  # noqa: S608

_IN_ORDER = "ORDER BY games_game.started_at DESC, games_game.id DESC, games_seat.number"

_PLAYED_BY = """
AND EXISTS (SELECT 1 FROM games_seat AS own WHERE own.game_id = game.id AND own.user_id = %s)"""

_NEWEST = """
SELECT id FROM (
  SELECT game.id FROM {seats} JOIN games_game AS game ON game.id = seat.game_id
  WHERE {who} = %s AND game.status IN ('active', 'finished', 'aborted') {{condition}}
  ORDER BY seat.game_id DESC LIMIT %s
) AS {name}"""

_NEWEST_OF = " UNION ".join(
    [
        _NEWEST.format(name="played", who="seat.user_id", seats="games_seat AS seat"),
        _NEWEST.format(
            name="handed_over",
            who="taken.former_id",
            seats="games_takeover AS taken JOIN games_seat AS seat ON seat.id = taken.seat_id",
        ),
    ]
)
"""Their own games are read by index, newest first: no more of them than are shown, where most of
them are shown to the viewer."""


def outages() -> QuerySet[Outage]:
    """Return the periods in which no clock ran, newest first."""
    return Outage.objects.order_by("-began_at", "-pk")
