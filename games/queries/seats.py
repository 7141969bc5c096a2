"""Seats and invitations of a game, and whether a user may see it."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import BigIntegerField, QuerySet

from accounts.models import User
from accounts.server_time import server_now
from accounts.sql import columns_of, select_joined, select_rows, time_to_sql
from accounts.staff import has_staff_powers
from games import errors
from games.clock.snoozes import LITTLE_TIME
from games.models import Game, Invitation, Seat
from games.models.seat import awaiting_count
from games.models.undo import showing_ends_undo
from games.queries.page_stamp import SEEN_AT, STAMPED
from games.services.undo_window import end_undo

Viewer = User | AnonymousUser


def game_for(pk: int, viewer: Viewer) -> Game:
    """Return a game that `viewer` may see, with its players and GAME_FACTS. Raises NoSuchGame.

    Staff see every game. Another player's newest turn can no longer be undone then.
    """
    if pk > BigIntegerField.MAX_BIGINT:
        raise errors.NoSuchGame
    facts = ", ".join(GAME_FACTS.values())
    # In SQL, because every page of a game asks it: the ORM takes several times as long.
    statement = f"SELECT {columns_of(Game)}, {facts} FROM games_game WHERE id = %(game)s"  # noqa: S608
    values = {"game": pk, **_counting_values(viewer)}
    game = next(iter(select_rows(Game, statement, values, GAME_FACTS)), None)
    if game is None:
        raise errors.NoSuchGame
    game.loaded_seats = []
    for seat, user in select_joined(_SEATS, {"game": pk}, Seat, User):
        seat.game, seat.user = game, user
        game.loaded_seats.append(seat)
    players = {seat.user_id: seat.user for seat in game.loaded_seats}
    for seat in game.loaded_seats:
        if seat.played_by_partner_id in players:  # a partner has a seat of their own
            seat.played_by_partner = players[seat.played_by_partner_id]
    if seat_of(game, viewer) is not None:
        seen = (game.undo_until, game.undo_by_id, viewer.pk)
        if not showing_ends_undo(*seen, now=server_now()):
            return game
        end_undo([game.pk])
        return game_for(pk, viewer)  # what was undone just before is not shown
    if game.is_public:
        return game
    is_invited = getattr(viewer, "has_invitation", True) and invitation_of(game, viewer) is not None
    if not is_invited and not (isinstance(viewer, User) and has_staff_powers(viewer)):
        raise errors.NoSuchGame
    return game


_SEATS = f"""
SELECT {columns_of(Seat)}, {columns_of(User)}
FROM games_seat LEFT JOIN accounts_user ON games_seat.user_id = accounts_user.id
WHERE games_seat.game_id = %(game)s ORDER BY games_seat.number
"""  # noqa: S608

GAME_FACTS = {
    "has_messages": "EXISTS (SELECT 1 FROM games_message WHERE game_id = games_game.id)",
    "has_offers": """
EXISTS (
  SELECT 1 FROM games_offer WHERE game_id = games_game.id
    AND (state = 'open' OR turn_number = games_game.turn_number)
)""",
    "has_special_events": """
EXISTS (
  SELECT 1 FROM games_event WHERE game_id = games_game.id AND kind NOT IN
    ('opened', 'challenged', 'invited', 'joined', 'left', 'started', 'turn-played', 'message-said')
)""",
    "has_plans": """
EXISTS (
  SELECT 1 FROM games_plannedturn WHERE game_id = games_game.id AND user_id = %(viewer)s
)""",
    "has_shared_analyses": """
EXISTS (
  SELECT 1 FROM games_sharedanalysis
  WHERE game_id = games_game.id AND shared_at >= games_game.ended_at
)""",
    "seen_at": SEEN_AT,
    "awaiting_count": awaiting_count("%(viewer)s"),
    "has_silenced": """
(EXISTS (
  SELECT 1 FROM games_mute JOIN games_seat ON games_mute.seat_id = games_seat.id
  WHERE games_mute.user_id = %(viewer)s AND games_seat.game_id = games_game.id
) OR EXISTS (
  SELECT 1 FROM accounts_block JOIN games_seat ON accounts_block.of_id = games_seat.user_id
  WHERE accounts_block.by_id = %(viewer)s AND games_seat.game_id = games_game.id
))""",
    **STAMPED,
}
"""What a page asks of a game besides its columns, as SQL: most have no message, offer or gift.

`seen_at` is when the viewer last had the page open; `awaiting_count` is how many games wait for
the viewer, this one among them unless it is snoozed; `has_silenced` tells whether the viewer
blocked or muted a player of the game, `has_plans` whether they have planned turns in it."""


def count_awaiting(user: User) -> int:
    """Return how many running games wait for a user; snoozed turns do not count."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {awaiting_count('%(viewer)s')}", _counting_values(user))
        count: int = cursor.fetchone()[0]
    return count


def _counting_values(viewer: Viewer) -> dict[str, Any]:
    """Return the parameters of `awaiting_count`."""
    now = server_now()
    times = {"now": time_to_sql(now), "in_a_day": time_to_sql(now + LITTLE_TIME)}
    return {"viewer": viewer.pk or 0, **times}


def may_see_as_player(game: Game, viewer: Viewer) -> bool:
    """Return whether `viewer` may see a game without staff powers."""
    return game.is_public or Game.objects.visible_to(viewer).filter(pk=game.pk).exists()


def invitation_of(game: Game, viewer: Viewer) -> Invitation | None:
    """Return the open invitation of `viewer` to this table, by name or by address."""
    if not isinstance(viewer, User):
        return None
    return invitations_to(viewer).filter(game=game).first()


def seat_of(game: Game, viewer: Viewer) -> Seat | None:
    """Return the seat that `viewer` holds at the game."""
    if not viewer.is_authenticated:
        return None  # free seats have no user either
    return next((seat for seat in game.all_seats if seat.user_id == viewer.pk), None)


def seat_played(game: Game, viewer: Viewer) -> Seat | None:
    """Return the seat that `viewer` plays: a partner's if it is to move, else their own."""
    if is_mover(game, viewer):
        return next(seat for seat in game.all_seats if seat.number == game.seat_to_move)
    return seat_of(game, viewer)


def player_at(game: Game, number: int) -> User | None:
    """Return the user who plays seat `number`; None if they left and no partner plays it."""
    seat = next((seat for seat in game.all_seats if seat.number == number), None)
    if seat is None or (seat.left_at is not None and seat.played_by_partner is None):
        return None
    return seat.player


def is_mover(game: Game, viewer: Viewer) -> bool:
    """Return whether it is the turn of `viewer`, on their own seat or a partner's."""
    for seat in game.all_seats if game.seat_to_move is not None else ():
        if seat.number == game.seat_to_move:
            own = seat.user_id if seat.left_at is None else None
            return viewer.pk is not None and viewer.pk == (seat.played_by_partner_id or own)
    return False


def opponents_of(game: Game, viewer: Viewer) -> list[User]:
    """Return the other players, in the order of the seats."""
    return [seat.user for seat in game.all_seats if seat.user and seat.user_id != viewer.pk]


def open_invitations(game: Game) -> QuerySet[Invitation]:
    """Return the open invitations to this table with the invited users."""
    return game.invitations.open().select_related("user")


def invitations_to(user: User) -> QuerySet[Invitation]:
    """Return the open invitations to a user, oldest first, with their games and players."""
    invitations = Invitation.objects.open_to(user).select_related("game", "by")
    return invitations.prefetch_related("game__seats__user").order_by("created_at")
