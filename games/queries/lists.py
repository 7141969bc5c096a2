"""Lists of games: a player's, the tables of all, the seats to take over; and the outages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from games.clock.clock import StopReason
from games.models import Game, Invitation, Outage, Seat
from games.queries.seats import Viewer, invitations_to, is_mover, with_people

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

    @property
    def running(self) -> list[Game]:
        """The games that are being played."""
        return [*self.awaiting, *self.waiting]


def awaiting(user: User) -> list[Game]:
    """Return the games in which the person is to move, by deadline."""
    plays = Q(seats__stand_in=user) | Q(seats__user=user, seats__stand_in=None)
    games = Game.objects.filter(plays, seats__number=F("seat_to_move"), status=Game.Status.ACTIVE)
    return list(with_people(games).order_by(F("deadline").asc(nulls_last=True), "pk"))


def home_page(user: User) -> HomePage:
    """Return the player's games: those awaiting them first, by deadline."""
    mine = Q(seats__user=user)
    playing = Q(seats__user=user, seats__left_at=None)
    active = with_people(Game.objects.filter(playing, status=Game.Status.ACTIVE))
    games = list(active.order_by(F("deadline").asc(nulls_last=True), "pk"))
    mine_to_move = [game for game in games if is_mover(game, user)]
    over = Game.objects.filter(mine, status__in=[Game.Status.FINISHED, Game.Status.ABORTED])
    return HomePage(
        awaiting=mine_to_move,
        waiting=[game for game in games if game not in mine_to_move],
        challenges=list(invitations_to(user)),
        tables=list(with_people(Game.objects.filter(mine, status=Game.Status.OPEN))),
        finished=list(with_people(over).order_by("-ended_at")[:FINISHED_SHOWN]),
    )


def lobby(viewer: Viewer) -> QuerySet[Game]:
    """Return the public tables with a seat that `viewer` could take, newest first."""
    free = _number_of(Seat.objects.filter(user=None))
    kept = _number_of(Invitation.objects.filter(state=Invitation.State.OPEN))
    tables = Game.objects.filter(status=Game.Status.OPEN, is_public=True)
    tables = tables.alias(free=free - kept).filter(free__gt=0).order_by("-created_at")
    if isinstance(viewer, User):
        tables = tables.exclude(Exists(Seat.objects.filter(game=OuterRef("pk"), user=viewer)))
        tables = tables.exclude(_is_unwelcome_there(viewer))
    return with_people(tables)


def _number_of(rows: QuerySet[Any]) -> Coalesce:
    """Count the rows of each game by itself.

    A list of the newest then looks at no more than it needs; a join would look at every table.
    """
    of_game = rows.filter(game=OuterRef("pk")).order_by().values("game")
    return Coalesce(Subquery(of_game.annotate(number=Count("pk")).values("number")), 0)


def vacant_seats(viewer: Viewer, *, now: datetime) -> QuerySet[Game]:
    """Return the public games with a seat that `viewer` could take over now, newest first."""
    games = Game.objects.filter(
        stop_reason=StopReason.SUBSTITUTE, stopped_until__gte=now, is_public=True
    )
    if isinstance(viewer, User):
        there = Q(user=viewer) | Q(takeovers__former=viewer)
        games = games.exclude(Exists(Seat.objects.filter(there, game=OuterRef("pk"))))
        games = games.exclude(_is_unwelcome_there(viewer))
    return with_people(games).order_by("-stopped_until", "-pk")


def _is_unwelcome_there(viewer: User) -> Exists:
    """Tell whether somebody who sits at a game, and has not left it, has blocked `viewer`."""
    there = Seat.objects.filter(game=OuterRef("pk"), left_at=None)
    return Exists(there.filter(user__blocks__of=viewer))


def games_of(person: User, viewer: Viewer) -> Sequence[Game]:
    """Return a person's newest games that begun, as far as `viewer` may see them.

    Those whose seat somebody took over from them are among them.
    """
    begun = [Game.Status.ACTIVE, Game.Status.FINISHED, Game.Status.ABORTED]
    seats = Seat.objects.order_by().values("game")
    played, lost = seats.filter(user=person), seats.filter(takeovers__former=person)
    # One list of keys: with two of them PostgreSQL would look at every game.
    games = Game.objects.filter(pk__in=played.union(lost), status__in=begun)
    if viewer.pk != person.pk:
        games = games.filter(is_public=True)
    return list(with_people(games).order_by("-started_at")[:FINISHED_SHOWN])


def outages() -> QuerySet[Outage]:
    """Return when this service was down or closed, the newest first."""
    return Outage.objects.order_by("-began_at", "-pk")
